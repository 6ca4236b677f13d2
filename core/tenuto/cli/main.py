# SPDX-License-Identifier: Apache-2.0
"""The ``tenuto`` command: finds the verb, imports that alone, turns errors into exit codes.

``--json``, ``--state-dir DIR`` and ``--source NAME`` are taken from any place on the line before a
``--``, so that they can stand before or after the verb (design.md, "Command line").
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from tenuto.collector import collector_off

if TYPE_CHECKING:
    import argparse

#: group -> verb -> (module, what it does). "" is a verb of its own, without a group.
VERBS: dict[str, dict[str, tuple[str, str]]] = {
    "session": {
        "ls": ("session_ls", "list the sessions of a folder"),
        "show": ("session_show", "show sessions: counters, transcript or raw records"),
        "diff": ("session_diff", "what changed in the configuration since a run was saved"),
        "rename": ("session_rename", "give a session a title"),
        "note": ("session_note", "pin a session, or keep a note on it"),
        "fork": ("session_fork", "make a new run that goes on from a record of an old one"),
        "export": ("session_export", "write a session to a file: complete, or for reading"),
        "import": ("session_import", "verify an exported session, and put it into the folder"),
        "rm": ("session_rm", "move sessions to the trash, or remove them for good"),
        "trash": ("session_trash", "list, restore or empty the trash"),
        "doctor": ("session_doctor", "find what is wrong with journals, and rescue what can be"),
    },
    "config": {
        "check": ("config", "check an agent configuration, its tools and fingerprint"),
        "init": ("config_init", "write a new agent configuration"),
    },
    "reasonix": {
        "resume": ("reasonix_resume", "go on with one of the newest Reasonix sessions"),
        "open": ("reasonix_open", "hand a session over to the installed reasonix program"),
    },
    "": {
        "run": ("run", "start a run"),
        "resume": ("resume", "go on with a run"),
        "mcp": ("mcp", "serve saved sessions to other agents, read-only"),
        "demo": ("demo", "make sample sessions and open the window on them"),
    },
}
_GROUPS = {
    "session": "list, show, compare, check and remove sessions",
    "config": "agent configurations",
    "reasonix": "go on with Reasonix sessions",
}


class VerbModule(Protocol):
    """What each verb's module offers."""

    def register(self, subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
        """Add the verb's parser, with ``run`` as its default."""


def entry() -> None:
    """The ``tenuto`` script."""
    sys.exit(main())


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line (without the program's name); the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    with collector_off():
        from tenuto.cli import light  # noqa: F401 - before anything imports msgspec
        from tenuto.cli.common import guarded

    return guarded(_main, words)


def _main(words: list[str]) -> int:
    from tenuto.cli.common import take_globals

    options, words = take_globals(words)
    if words and words[0] in VERBS and words[0]:
        return _group(words[0], words[1:], options)
    if words and words[0] in VERBS[""]:
        return _verb("", words[0], words[1:], options)
    if words and words[0] in ("-h", "--help", "help"):
        print(_help())
        return 0
    if words and words[0] in ("-V", "--version"):
        from tenuto.version import VERSION

        print(f"tenuto {VERSION}")
        return 0
    return _window(words, options)


def _group(group: str, words: list[str], options: dict[str, str | bool]) -> int:
    if words and words[0] in VERBS[group]:
        return _verb(group, words[0], words[1:], options)
    if words and words[0] in ("-h", "--help", "help"):
        print(_group_help(group))
        return 0
    from tenuto.cli.common import wrong_use

    if not words:
        raise wrong_use(f"what to do with {group}?", f"one of {', '.join(VERBS[group])}")
    raise wrong_use(f"no such command: {group} {words[0]}", *_close(words[0], list(VERBS[group])))


def _verb(group: str, verb: str, words: list[str], options: dict[str, str | bool]) -> int:
    from tenuto.cli.common import Parser

    with collector_off():
        module: VerbModule = importlib.import_module(f"tenuto.cli.{VERBS[group][verb][0]}")
    parser = Parser(prog=f"tenuto {group}".rstrip())
    # With a prog of its own the parser does not format a usage line that nobody sees.
    module.register(
        parser.add_subparsers(prog=parser.prog, dest="verb", required=True, parser_class=Parser)
    )
    args = parser.parse_args([verb, *words])
    for name, value in options.items():
        setattr(args, name, value)
    code: int = args.run(args)
    return code


def _window(words: list[str], options: dict[str, str | bool]) -> int:
    """Open the window in place of this process: on the sessions, or on the one that is named."""
    from tenuto.cli.common import wrong_use

    if len(words) > 1 or (words and words[0].startswith("-")):
        raise wrong_use(f"no such command: {words[0]}", *_close(words[0], _all_verbs()))
    state_dir = str(options.get("state_dir") or "")
    if words:
        found = _place_of(words[0], state_dir)
        if found is None:
            raise wrong_use(
                f"no command and no session is called {words[0]}", *_close(words[0], _all_verbs())
            )
        state_dir = found
    from tenuto.cli.window import command

    line = command(words, state_dir=state_dir)
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(line[0], line)


def _place_of(word: str, state_dir: str) -> str | None:
    """The ``--state-dir`` with which the window shows what ``word`` names; None: no session.

    A run is looked for in the folder in force, then among the samples, when none is named.
    """
    import argparse

    from tenuto.cli.common import folder_of
    from tenuto.paths import samples_dir
    from tenuto.runs.ids import valid_id

    # The other is a Reasonix session of generation v4.
    if os.path.isfile(word) or os.path.isfile(os.path.join(word, "events.frames")):
        return state_dir
    if not valid_id(word):
        return None
    journal = word + ".json"
    if os.path.lexists(folder_of(argparse.Namespace(state_dir=state_dir)) / journal):
        return state_dir
    samples = samples_dir() / "runs"
    if not state_dir and os.path.lexists(samples / journal):
        return str(samples)
    return None


def _all_verbs() -> list[str]:
    return [group for group in VERBS if group] + list(VERBS[""])


def _close(word: str, known: list[str]) -> list[str]:
    import difflib

    found = difflib.get_close_matches(word, known, 1)
    return [f"did you mean {found[0]}?"] if found else [f"there are: {', '.join(known)}"]


def _help() -> str:
    lines = [
        "usage: tenuto [ID | FILE]",
        "       tenuto COMMAND [...] [--json] [--state-dir DIR]",
        "",
        "See every run of your agents, read it, know whether it may be resumed, and resume it.",
        "Without a command the window opens.",
        "",
    ]
    for group, verbs in VERBS.items():
        for verb, (_, what) in verbs.items():
            lines.append(f"  {f'{group} {verb}'.strip():<16} {what}")
    lines += [
        "",
        "  --json           one JSON document instead of text, where a command prints something",
        "  --state-dir DIR  the runs folder (default: fisk-ai's own, under XDG_STATE_HOME)",
        "  --source NAME    fisk-ai or reasonix, where both make sense",
        "  --version        the version, and nothing else",
        "",
        "`tenuto COMMAND --help` tells more. Exit codes: 0 done, 1 failed or different,",
        "2 wrong use, 3 not found, 4 refused, 5 in use by another process, 6 damaged, 130 aborted.",
    ]
    return "\n".join(lines)


def _group_help(group: str) -> str:
    lines = [f"usage: tenuto {group} COMMAND [...]", "", _GROUPS[group].capitalize() + ".", ""]
    lines += [f"  {verb:<10} {what}" for verb, (_, what) in VERBS[group].items()]
    return "\n".join([*lines, "", f"`tenuto {group} COMMAND --help` tells more."])
