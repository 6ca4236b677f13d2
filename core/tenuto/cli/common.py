# SPDX-License-Identifier: Apache-2.0
"""What all verbs share: options that may stand anywhere, printing, and errors as exit codes."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec

from tenuto.errors import TenutoError, UsageError
from tenuto.streams import fill_standard_streams
from tenuto.text import visible

if TYPE_CHECKING:
    from tenuto.settings import Settings

Globals = dict[str, str | bool]

#: Options that take a value and may stand at any place -> the attribute they set.
_VALUED = {"--state-dir": "state_dir", "--source": "source"}
SOURCES = ("fisk-ai", "reasonix")


class _Formatter(argparse.HelpFormatter):
    """Help as wide as the terminal, found without ``shutil``: every parser makes a formatter."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


def _columns() -> int:
    wanted = os.environ.get("COLUMNS", "")
    if wanted.isdecimal() and int(wanted) > 0:
        return int(wanted)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


class Parser(argparse.ArgumentParser):
    """An argument parser whose mistakes are ours to word; abbreviations are not guessed."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("allow_abbrev", False)
        options.setdefault("formatter_class", _Formatter)
        super().__init__(**options)

    def error(self, message: str) -> NoReturn:
        raise wrong_use(message, f"`{self.prog} --help` tells how")


def wrong_use(message: str, *hints: str) -> UsageError:
    """An error that ends with exit code 2 and a hint."""
    return UsageError("; ".join([message, *hints]))


def take_globals(words: list[str]) -> tuple[Globals, list[str]]:
    """Take ``--json``, ``--state-dir`` and ``--source`` off the line, wherever they stand.

    What follows a ``--`` is left alone. Raises UsageError.
    """
    found: Globals = {"json": False, "state_dir": "", "source": ""}
    rest: list[str] = []
    position = 0
    while position < len(words):
        word = words[position]
        position += 1
        if word == "--":
            rest += [word, *words[position:]]
            break
        name, equals, value = word.partition("=")
        if word == "--json":
            found["json"] = True
        elif name in _VALUED:
            if not equals:
                if position == len(words):
                    raise wrong_use(f"{name} needs a value")
                value = words[position]
                position += 1
            if not value:
                # An unset variable of a script's, and not the folder of all runs.
                raise wrong_use(f"{name} needs a value")
            found[_VALUED[name]] = value
        else:
            rest.append(word)
    if found["source"] not in ("", *SOURCES):
        raise wrong_use(f"no such source: {found['source']}", f"one of {', '.join(SOURCES)}")
    return found, rest


def message_of(args: argparse.Namespace) -> str | None:
    """The text of ``--say``, None where there is none. Raises UsageError for one without a word."""
    if args.say is None:
        return None
    if not args.say.strip():
        # Models refuse an empty message, and it would stay in the journal.
        raise UsageError("the message is empty")
    from tenuto.gojson import replace_surrogates

    # An argument may be no UTF-8: what is journaled and sent is text.
    return replace_surrogates(args.say)


def folder_of(args: argparse.Namespace) -> Path:
    """The runs folder a verb works in: ``--state-dir``, else the settings', else XDG."""
    from tenuto.paths import runs_dir

    if args.state_dir:
        return runs_dir(args.state_dir)
    return runs_dir(settings=_settings(args, "runs_dir"))


def reasonix_dir_of(args: argparse.Namespace) -> str:
    """Reasonix's folder as the settings name it; "" where they name none."""
    found = _settings(args, "reasonix_dir")
    return found.reasonix_dir if found is not None else ""


def _settings(args: argparse.Namespace, key: str) -> Settings | None:
    """The settings, None where there is no file of them; says once that ``key`` is not usable."""
    from tenuto.paths import settings_file

    if not settings_file().exists():
        return None
    from tenuto.settings import load

    loaded = load()
    problem = next((p for p in loaded.problems if p.key in ("", key)), None)
    told: set[str] = getattr(args, "told_of_settings", set())
    if problem is not None and problem.key not in told:
        args.told_of_settings = told | {problem.key}
        what = f"{problem.key}: {problem.reason}" if problem.key else problem.reason
        say(visible(f"tenuto: {settings_file()} {what}; the folder is the usual one"))
    return loaded.settings


def print_json(value: Any) -> None:
    """One JSON document on a line of its own."""
    try:
        data = msgspec.json.encode(value)
    except UnicodeEncodeError:
        from tenuto.gojson import encode_any

        data = encode_any(value)
    write_out(data + b"\n")


def write_out(data: bytes) -> None:
    """Write bytes to standard output, behind what was printed."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def say(text: str) -> None:
    """A line for people that is not the answer: standard error."""
    print(text, file=sys.stderr)


def report(error: TenutoError, *, as_json: bool) -> None:
    """Tell an error: a sentence on standard error and, where JSON is wanted, an object."""
    if as_json:
        fields = {k: v for k, v in error.fields.items() if _plain(v)}
        print_json({**error.told(), **fields})
    say("tenuto: " + visible(error.message))


def _plain(value: Any) -> bool:
    return isinstance(value, str | int | float | bool | list | dict | None)


def guarded(main: Callable[[list[str]], int], words: list[str]) -> int:
    """Run a command; every error on purpose becomes one sentence and its exit code."""
    _open_standard_streams()
    for stream in (sys.stdout, sys.stderr):
        # A file name that is no UTF-8 must not end a listing; ASCII terminals get escapes.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    as_json = "--json" in words[: words.index("--")] if "--" in words else "--json" in words
    try:
        code = main(words)
        sys.stdout.flush()
    except TenutoError as error:
        report(error, as_json=as_json)
        return error.exit_code
    except BrokenPipeError:
        # The reader went away (`| head`): not our failure, and nobody is left to tell.
        _drop_output()
        return 128 + signal.SIGPIPE if hasattr(signal, "SIGPIPE") else 1
    except OSError as error:
        # What the core asks of the system is told as StoreIO; this is the output, as a rule.
        _drop_output()
        name = f": {os.fsdecode(error.filename)}" if isinstance(error.filename, str | bytes) else ""
        say("tenuto: " + visible(f"{error.strerror or error}{name}"))
        return 1
    except KeyboardInterrupt:
        return 130
    return code


def _open_standard_streams() -> None:
    """What was closed by whoever started us leads nowhere, for Python's own streams too."""
    fill_standard_streams()
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - for good
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - for good
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - for good


def _drop_output() -> None:
    """Nothing more can be written: not even what is flushed at the end of the process."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
