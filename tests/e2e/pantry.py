# SPDX-License-Identifier: Apache-2.0
"""A stand-in for the fisk application that the conformance journals were made with.

:func:`install` writes an executable script that prints the introspection document and answers
calls as the journals show. Each call adds a JSON line to a log, so that a test can count what ran.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: Seconds of a wait that ends when it is let go, and never before: longer than any test.
HELD = 600
CONFORMANCE = Path(__file__).parents[1] / "data" / "conformance" / "fisk-real"

_SCRIPT = '''\
#!{python} -IS
import json, os, sys, time

INTROSPECT = {introspect!r}
LOG = {log!r}


def quote(text):
    """As Go's %q prints a string."""
    named = {{7: "a", 8: "b", 12: "f", 10: "n", 13: "r", 9: "t", 11: "v", 34: '"', 92: "\\\\"}}
    out = []
    for char in text:
        code = ord(char)
        if code in named:
            out.append("\\\\" + named[code])
        elif char == " " or (char.isprintable() and not char.isspace()):
            out.append(char)
        elif code < 0x80:
            out.append("\\\\x%02x" % code)
        else:
            out.append("\\\\u%04x" % code if code < 0x10000 else "\\\\U%08x" % code)
    return '"' + "".join(out) + '"'


def say(text):
    sys.stdout.buffer.write((text + "\\n").encode())
    sys.stdout.flush()


arguments = sys.argv[1:]
if arguments == ["--fisk-introspect"]:
    with open(INTROSPECT, "rb") as file:
        sys.stdout.buffer.write(file.read())
    sys.exit(0)
with open(LOG, "a") as log:
    call = {{"argv": arguments, "env": dict(os.environ), "cwd": os.getcwd()}}
    log.write(json.dumps(call) + "\\n")
words = [word for word in arguments if not word.startswith("-")]
options = dict(word[2:].split("=", 1) for word in arguments if word[:2] == "--" and "=" in word)
if words[0] == "wait":
    say("start")
    end = time.monotonic() + float(options.get("seconds", 0))
    while time.monotonic() < end and not os.path.exists(LOG + ".hurry"):
        try:
            os.unlink(LOG + ".go")
            break
        except FileNotFoundError:
            time.sleep(0.01)
    say("end")
    sys.exit(int(options.get("code", 0)))
while os.path.exists(LOG + ".hold"):
    time.sleep(0.01)
name = words[1] if words[0] == "stock" else words[0]
say(name + " null args [" + " ".join(quote(word) for word in arguments) + "]")
if os.environ.get("LLMFORMAT") == "1":
    say("for a model")
'''


@dataclass(frozen=True)
class Application:
    """An installed script."""

    path: Path
    log: Path

    def hold(self) -> None:
        """Let every call but a wait hang, as if its work took long."""
        Path(f"{self.log}.hold").touch()

    def release(self) -> None:
        """Let those calls end."""
        Path(f"{self.log}.hold").unlink()

    def let_go(self) -> None:
        """End the wait that is at work; a later one waits again."""
        Path(f"{self.log}.go").touch()

    def hurry(self) -> None:
        """End every wait, now and later: for tests that look at the bytes, which are the same."""
        Path(f"{self.log}.hurry").touch()

    def calls(self) -> list[list[str]]:
        """The command lines that were run, in order."""
        return [call["argv"] for call in self.records()]

    def records(self) -> list[dict[str, Any]]:
        """The calls with the environment and the working directory that each saw."""
        if not self.log.exists():
            return []
        return [json.loads(line) for line in self.log.read_text().splitlines()]


def install(folder: Path, name: str = "pantry") -> Application:
    """Write the script ``name`` into ``folder``, which belongs on PATH."""
    folder.mkdir(parents=True, exist_ok=True)
    script, log = folder / name, folder / f"{name}.calls.jsonl"
    introspect = CONFORMANCE / f"{name}.introspect.json"
    text = _SCRIPT.format(python=sys.executable, introspect=str(introspect), log=str(log))
    descriptor = os.open(script, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o755)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
    return Application(script, log)
