# SPDX-License-Identifier: Apache-2.0
"""Secrets taken out of text that leaves the machine's private folders: exports, logs, reports.

Journals keep theirs: a resume needs them byte for byte. The patterns are those of well-known keys
and of assignments to names that say what they hold; each begins with a literal that is looked for
first, and none can take more than linear time (reliability.md, part 2, "ReDoS"): what follows the
literal is one class of characters, so that a try either takes all of it or ends within a few.
"""

from __future__ import annotations

import functools
import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

#: What a secret is replaced by; no pattern finds it again.
MARK = "[redacted {}]"

#: Where a word begins. In JSON inside of JSON the letter before may be the end of an escape.
_BEGIN = r"(?:(?<![A-Za-z0-9])|(?<=\\[bfnrt])|(?<=\\u[0-9A-Fa-f]{4}))"
_WORD = r"[A-Za-z0-9_-]"


class _Rule(NamedTuple):
    #: The word that stands in the mark and in the count.
    kind: str
    #: One of these is in every text that the pattern finds something in.
    literals: tuple[str, ...]
    #: What is replaced is the group ``secret``, or the whole match where there is none.
    pattern: str
    #: Whether both are looked for in the text in lower case.
    lower: bool = False


def _key(kind: str, prefix: str, body: str, *literals: str) -> _Rule:
    return _Rule(kind, literals or (prefix,), _BEGIN + prefix + body)


#: Names whose values are secrets, as they stand in code, environments, JSON and YAML.
_NAMES = (
    "password|passwd|passphrase|api[_-]?key|secret[_-]?access[_-]?key|secret[_-]?key|"
    "access[_-]?key|private[_-]?key|client[_-]?secret|secret|access[_-]?token|auth[_-]?token|"
    "refresh[_-]?token|id[_-]?token|session[_-]?token|token"
)
_NAME_LITERALS = ("passw", "passphrase", "key", "secret", "token")
#: A value has a letter and a digit, which words and numbers have not both.
_MIXED = r"(?=[^\s0-9]{0,200}[0-9])(?=[^\sA-Za-z]{0,200}[A-Za-z])"

#: authorization: Bearer, and the same in code and in JSON
_HEADER = r"authorization\\{0,3}[\"']? {0,4}[:=] {0,4}\\{0,3}[\"']?(?:[a-z]{1,20} {1,4})?"

_RULES = (
    _key("Anthropic key", "sk-ant-", rf"{_WORD}{{16,}}"),
    _key("OpenAI key", "sk-", rf"(?!ant-)(?=[A-Za-z_-]{{0,60}}[0-9]){_WORD}{{20,}}"),
    _key("GitHub token", "gh[pousr]_", r"[A-Za-z0-9]{36,}", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    _key("GitHub token", "github_pat_", r"[A-Za-z0-9_]{22,}"),
    _key("GitLab token", "glpat-", rf"{_WORD}{{20,}}"),
    _key("AWS key", "A[KS]IA", r"[A-Z0-9]{16}(?![A-Za-z0-9])", "AKIA", "ASIA"),
    _key("Google key", "AIza", rf"{_WORD}{{35,}}"),
    _key("Google token", r"ya29\.", rf"{_WORD}{{20,}}", "ya29."),
    _key("Google key", "GOCSPX-", rf"{_WORD}{{20,}}"),
    _key("Slack token", "xox[abeoprs]-", rf"{_WORD}{{10,}}", "xox"),
    _key("Slack token", "xapp-", rf"(?=[A-Za-z_-]{{0,60}}[0-9]){_WORD}{{10,}}"),
    _Rule(
        "Slack address",
        ("hooks.slack.com/",),
        r"hooks\.slack\.com/(?P<secret>(?:services|workflows|triggers)/[A-Za-z0-9_/-]{10,})",
    ),
    _key("Stripe key", "[rs]k_(?:live|test)_", r"[A-Za-z0-9]{16,}", "k_live_", "k_test_"),
    _key("Stripe key", "whsec_", r"[A-Za-z0-9+/]{16,}={0,2}"),
    _key("npm token", "npm_", r"[A-Za-z0-9]{36,}"),
    _key("PyPI token", "pypi-", rf"{_WORD}{{50,}}"),
    _key("Hugging Face token", "hf_", r"[A-Za-z0-9]{30,}"),
    _key("DigitalOcean token", "do[opr]_v1_", r"[a-f0-9]{64,}", "_v1_"),
    _key("SendGrid key", r"SG\.", rf"{_WORD}{{16,64}}\.{_WORD}{{16,}}", "SG."),
    _key("Grafana token", "gl(?:sa|c)_", r"[A-Za-z0-9_+/=]{32,}", "glsa_", "glc_"),
    _Rule(
        "web token",
        ("eyJ",),
        # The run of characters before a point is tried once: from its beginning.
        rf"(?:(?<!{_WORD})|(?<=\\[bfnrt])|(?<=\\u[0-9A-Fa-f]{{4}}))eyJ{_WORD}{{10,}}"
        rf"\.{_WORD}{{10,}}\.{_WORD}{{10,}}",
    ),
    _Rule(
        "authorization",
        ("bearer ", "authorization"),
        rf"(?:{_BEGIN}bearer {{1,4}}|{_HEADER}){_MIXED}(?P<secret>[a-z0-9._~+/-]{{12,}}={{0,2}})",
        lower=True,
    ),
    _Rule(
        "URL password",
        ("://",),
        r"://[^\s/?#@:\"'\\<>]{0,64}:(?P<secret>[^\s/?#@\"'\\<>\[]{1,256})(?=@)",
    ),
)

_assigned = re.compile(rf"(?:{_NAMES})(?![a-z0-9_-])")
#: "name": "value", name = 'value', \\"name\\": \\"value\\"
_quoted_value = re.compile(
    r"\\{0,3}[\"']? {0,4}[:=] {0,4}\\{0,3}[\"']"
    r"(?P<secret>[^\"'\\\s<>{}$\[\]()]{6,})(?=\\{0,3}[\"'])"
)
#: NAME=value and name: value
_bare_value = re.compile(
    rf"(?:=|: {{1,4}}|\\t|\t){_MIXED}(?P<secret>[a-z0-9_./+!@#%^&*~-]{{8,}}={{0,2}})(?![(\[])"
)

_KEY_LITERAL = "PRIVATE KEY"
_key_begins = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_key_ends = re.compile(r"-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
#: Where the end was cut off: lines that are long enough to be no words.
_key_lines = re.compile(r"(?:(?:\s|\\[nrt])+[A-Za-z0-9+/=]{40,})*")
#: The longest keys have some 13,000 characters.
_LONGEST_KEY = 20_000
_MOST_PASSES = 5

#: A key of a JSON object whose value is a secret whatever it looks like.
_secret_name = re.compile(rf"(?:[A-Za-z0-9]{{1,40}}[_-]){{0,6}}(?:{_NAMES})", re.IGNORECASE)

_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
#: A string; where a colon follows, it is a key, and what follows may be its value.
_json_string = re.compile(
    rf"(?P<first>{_STRING})(?P<colon>[ \t\r\n]*:[ \t\r\n]*(?P<value>{_STRING})?)?", re.DOTALL
)
#: Keys whose values are no secrets and must stay byte for byte.
_KEPT = frozenset(("signature", "encrypted_content", "encrypted_index"))


#: How far from a cut its end is looked for, in bytes; no key that is known is longer.
_CUT = 1024
#: The rest of a private key whose beginning was cut off.
_key_rest = re.compile(rb"(?:[ \t]*[A-Za-z0-9+/=]{40,}[ \t]*\r?\n)+")


def behind_cut(data: bytes) -> bytes:
    """Bytes whose beginning was cut off, from the next line on, or the next word of a long one.

    Half a secret is not known as one: so a cut text goes through here, then through `redact`.
    """
    end = data.find(b"\n", 0, _CUT) + 1
    if not end:
        end = next((place + 1 for place, byte in enumerate(data[:_CUT]) if byte in b" \t\r"), _CUT)
    rest = _key_rest.match(data, end)
    return data[rest.end() if rest is not None else end :]


def before_cut(data: bytes) -> bytes:
    """Bytes whose end was cut off, up to the end of their last whole word."""
    last = data[-_CUT:]
    place = max(last.rfind(blank) for blank in (b" ", b"\t", b"\r", b"\n"))
    return data[: len(data) - len(last) + place + 1]


class Redacted(NamedTuple):
    """A text without its secrets, and how many of each kind there were."""

    text: str
    found: Counter[str]


def redact(text: str) -> Redacted:
    """``text`` with each secret replaced by :data:`MARK`; everything else stays as it is."""
    found: Counter[str] = Counter()
    # A secret may only be told from what it hangs together with once that is gone.
    for _ in range(_MOST_PASSES):
        spans = sorted(_spans(text))
        if not spans:
            break
        parts: list[str] = []
        position = 0
        for start, end, kind in _merged(spans):
            parts += [text[position:start], MARK.format(kind)]
            found[kind] += 1
            position = end
        parts.append(text[position:])
        text = "".join(parts)
    return Redacted(text, found)


def is_secret_name(name: str) -> bool:
    """Whether a value under this name is a secret: ``api_key``, ``DB_PASSWORD``, ``token``."""
    return len(name) <= 200 and _secret_name.fullmatch(name) is not None


class Redactor:
    """Redacts many texts and counts; with ``off`` it leaves everything as it is."""

    def __init__(self, *, off: bool = False) -> None:
        self.off = off
        #: Kind -> how many were replaced.
        self.found: Counter[str] = Counter()

    def text(self, text: str) -> str:
        """A text without its secrets."""
        return text if self.off else self._count(redact(text))

    def json(self, text: str) -> str:
        """JSON without the secrets in its strings, everything else token for token."""
        return text if self.off else self._count(redact_json(text))

    def _count(self, redacted: Redacted) -> str:
        self.found += redacted.found
        return redacted.text


def redact_json(text: str) -> Redacted:
    """Valid JSON with the secrets in its strings replaced; every other token stays as it is.

    Signatures and encrypted blocks are never touched: nobody else can use them, and nobody at all
    when a character is another one.
    """
    found: Counter[str] = Counter()
    parts: list[str] = []
    position = 0
    encrypted = '"redacted_thinking"' in text
    for match in _json_string.finditer(text):
        key = _decoded(match["first"]) if match["colon"] else ""
        group = "value" if match["colon"] else "first"
        if match[group] is None or key in _KEPT or (encrypted and key == "data"):
            continue
        new = _redact_value(key, _decoded(match[group]), found)
        if new is not None:
            start, end = match.span(group)
            parts += [text[position:start], json.dumps(new)]
            position = end
    parts.append(text[position:])
    return Redacted("".join(parts), found)


def _redact_value(key: str, value: str, found: Counter[str]) -> str | None:
    """What a string is replaced by; None where it stays."""
    mark = MARK.format("password")
    if value and value != mark and is_secret_name(key):
        found["password"] += 1
        return mark
    redacted = redact(value)
    found += redacted.found
    return redacted.text if redacted.found else None


def _decoded(token: str) -> str:
    value: str = json.loads(token, strict=False) if "\\" in token else token[1:-1]
    return value


def _spans(text: str) -> Iterator[tuple[int, int, str]]:
    if _KEY_LITERAL in text:
        yield from _private_keys(text)
    lowered = _lower(text)
    for rule, pattern in _compiled():
        where = lowered if rule.lower else text
        if any(literal in where for literal in rule.literals):
            group = "secret" if "secret" in pattern.groupindex else 0
            for match in pattern.finditer(where):
                yield match.start(group), match.end(group), rule.kind
    if any(literal in lowered for literal in _NAME_LITERALS):
        for name in _assigned.finditer(lowered):
            value = _quoted_value.match(lowered, name.end())
            value = value or _bare_value.match(lowered, name.end())
            if value:
                yield value.start("secret"), value.end("secret"), "password"


def _lower(text: str) -> str:
    """Lower case, each character in its place: only one becomes two."""
    return text.replace("\u0130", "I").lower()


def _private_keys(text: str) -> Iterator[tuple[int, int, str]]:
    for begin in _key_begins.finditer(text):
        start = begin.end()
        mark = text.find("-----", start, start + _LONGEST_KEY)
        end = _key_ends.match(text, mark) if mark >= 0 else None
        lines = _key_lines.match(text, start)
        yield begin.start(), end.end() if end else lines.end() if lines else start, "private key"


def _merged(spans: list[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """Spans without overlaps: of two that meet, one mark of the first's kind."""
    start, end, kind = spans[0]
    for following in spans[1:]:
        if following[0] < end:
            end = max(end, following[1])
        else:
            yield start, end, kind
            start, end, kind = following
    yield start, end, kind


@functools.cache
def _compiled() -> tuple[tuple[_Rule, re.Pattern[str]], ...]:
    return tuple((rule, re.compile(rule.pattern)) for rule in _RULES)
