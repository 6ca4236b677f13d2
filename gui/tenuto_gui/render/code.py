# SPDX-License-Identifier: Apache-2.0
"""Colours of code, by Pygments, for languages that were named. Qt-free.

Never guessed, and imported when the first code block asks: it costs some 40 ms. Runs in a
background thread (`tenuto_gui.transcript.highlight`); the same text is coloured once.
"""

from __future__ import annotations

import re
from typing import Any

from tenuto_gui.render import diff
from tenuto_gui.render.spans import Span

#: Longer code stays in one colour.
MAX_CODE = 50_000
#: A line that nobody wrote by hand stays in one colour, and with it the block.
_MAX_LINE = 2_000

#: Languages of which the lexers are quick on whatever they are given: each name as it is written,
#: and Pygments' for it.
_LEXERS = {
    name: lexer
    for lexer, names in {
        "bash": "sh bash shell zsh console shell-session",
        "python": "python py python3",
        "json": "json jsonc json5",
        "yaml": "yaml yml",
        "toml": "toml",
        "ini": "ini cfg conf properties",
        "go": "go golang",
        "rust": "rust rs",
        "javascript": "javascript js jsx mjs",
        "typescript": "typescript ts tsx",
        "html": "html xml svg",
        "css": "css scss",
        "sql": "sql postgresql sqlite",
        "c": "c h",
        "cpp": "cpp c++ cc hpp cxx",
        "java": "java",
        "kotlin": "kotlin kt",
        "csharp": "csharp cs c#",
        "ruby": "ruby rb",
        "php": "php",
        "lua": "lua",
        "swift": "swift",
        "docker": "dockerfile docker",
        "make": "makefile make",
        "nix": "nix",
        "protobuf": "protobuf proto",
        "hcl": "hcl terraform tf",
    }.items()
    for name in names.split()
}
#: Told by their signs alone: what a model writes as a diff seldom has the heads of one.
_DIFFS = frozenset(("diff", "patch"))
_SHELLS = frozenset(name for name, lexer in _LEXERS.items() if lexer == "bash")

_option = re.compile(r"(?<!\S)--?[A-Za-z][A-Za-z0-9-]{0,60}")
_command = re.compile(r"(?:^|(?<=\| )|(?<=&& ))[A-Za-z0-9_./~-]{1,60}(?= |$)", re.MULTILINE)


def is_coloured(text: str, language: str) -> bool:
    """Whether ``spans`` would look at this code at all."""
    return (language in _LEXERS or language in _DIFFS) and len(text) <= MAX_CODE


def spans(text: str, language: str) -> list[Span]:
    """Keywords, texts, numbers, comments and names of a code block, in order."""
    if not is_coloured(text, language) or max(map(len, text.split("\n"))) > _MAX_LINE:
        return []
    if language in _DIFFS:
        return diff.spans(text) if diff.is_diff(text) else diff.signed(text)
    from pygments.lexers import get_lexer_by_name

    lexer = get_lexer_by_name(_LEXERS[language], stripnl=False, ensurenl=False)
    found: list[Span] = []
    for start, kind, value in lexer.get_tokens_unprocessed(text):
        ink = _ink(kind)
        if ink and value:
            found.append(Span(start, start + len(value), ink))
    if language in _SHELLS:
        found = _with_commands(text, found)
    return found


def _ink(kind: Any) -> str:
    """The token of look.md for a token of Pygments; "" for the usual one."""
    from pygments.token import Comment, Keyword, Name, Number, String

    for family, ink in (
        (Comment, "text2"),
        (String, "s_str"),
        (Number, "s_num"),
        (Keyword, "s_key"),
        (Name.Function, "run"),
        (Name.Class, "run"),
        (Name.Tag, "run"),
        (Name.Builtin, "run"),
        (Name.Decorator, "run"),
        (Name.Attribute, "s_key"),
        (Name.Variable, "s_num"),
    ):
        if kind in family:
            return ink
    return ""


def _with_commands(text: str, found: list[Span]) -> list[Span]:
    """In a shell: the command of a line is a name, its options are keywords."""
    taken = bytearray(len(text))
    for span in found:
        taken[span.start : span.end] = b"\1" * (span.end - span.start)
    more = [
        Span(match.start(), match.end(), ink)
        for pattern, ink in ((_command, "run"), (_option, "s_key"))
        for match in pattern.finditer(text)
        if not any(taken[match.start() : match.end()])
    ]
    return sorted([*found, *more])
