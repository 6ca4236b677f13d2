# SPDX-License-Identifier: Apache-2.0
"""What went wrong, word for word: the details of a notice, and what "Copy report" copies.

A report is for whoever is asked for help, so it is capped, harmless to show, and without secrets.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

import PySide6
from PySide6.QtCore import qVersion

#: Bytes kept of the beginning and of the end of each output.
HEAD, TAIL = 8 << 10, 24 << 10
#: Characters of a word of the command line.
_WORD = 400


class Capped:
    """The beginning and the end of an output of any length, in bounded memory."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._tail = bytearray()
        self._left_out = 0

    def feed(self, data: bytes) -> None:
        """Take the next bytes."""
        room = HEAD - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        if (over := len(self._tail) - TAIL) > 0:
            del self._tail[:over]
            self._left_out += over

    def text(self) -> str:
        """What was kept, with a line for what was not."""
        if not self._left_out:
            return bytes(self._head + self._tail).decode(errors="replace")
        from tenuto.redact import before_cut, behind_cut

        head, tail = before_cut(bytes(self._head)), behind_cut(bytes(self._tail))
        left_out = self._left_out + HEAD + TAIL - len(head) - len(tail)
        gap = f"\n[... {left_out} bytes left out ...]\n".encode()
        return (head + gap + tail).decode(errors="replace")

    def last_line(self) -> str:
        """The last line that is not blank; "" for none."""
        lines = [line.strip() for line in self.text().splitlines() if line.strip()]
        return lines[-1] if lines else ""


def capped(text: str) -> str:
    """A text as `Capped` keeps it."""
    kept = Capped()
    kept.feed(text.encode(errors="replace"))
    return kept.text()


@dataclass(frozen=True)
class Ran:
    """A command that ended. ``exit_code`` as in `command.Outcome`; ``kind``: its word for why."""

    argv: tuple[str, ...]
    exit_code: int
    kind: str
    out: str
    err: str
    #: What the system said of a program that could not be started.
    problem: str = ""

    def report(self) -> str:
        """All of it as text."""
        from tenuto.redact import Redactor

        line = shlex.join(
            word if len(word) <= _WORD else Redactor().text(word)[:_WORD] for word in self.argv
        )
        end = f"exit code: {self.exit_code}" if self.exit_code >= 0 else "exit code: none"
        facts = [f"$ {line}", end]
        facts += [f"kind: {self.kind}"] if self.kind else []
        facts += [self.problem] if self.problem else []
        parts = [("stderr", self.err), ("stdout", self.out)]
        return report("\n".join(facts), parts)


def report(head: str, parts: Sequence[tuple[str, str]] = ()) -> str:
    """Facts, then named texts, then which program on which system this is.

    The words are not translated: they are read by whoever is asked for help.
    """
    from tenuto.redact import Redactor
    from tenuto.text import visible

    texts = [head.strip()]
    texts += [f"--- {name}\n{capped(text).strip()}" for name, text in parts if text.strip()]
    texts.append(_system())
    return visible(Redactor().text("\n\n".join(texts)), prose=True)


def of_error(error: BaseException) -> str:
    """A report of an exception, with the way it came."""
    import traceback

    lines = traceback.format_exception(type(error), error, error.__traceback__)
    kind = getattr(error, "kind", type(error).__name__)
    return report(f"kind: {kind}", [("traceback", "".join(lines))])


def _system() -> str:
    import platform

    from tenuto.version import VERSION

    python, qt = platform.python_version(), f"{qVersion()} ({PySide6.__version__})"
    return f"Tenuto {VERSION}, Python {python}, Qt {qt}, {platform.platform()}"
