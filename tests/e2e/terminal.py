# SPDX-License-Identifier: Apache-2.0
"""``tenuto`` on a terminal of its own, driven by typing."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import subprocess
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.bench import TIMEOUT, Bench


class Terminal:
    """A process with a terminal of its own; stdout goes elsewhere, as with ``> answer.txt``."""

    def __init__(self, line: list[str], environment: dict[str, str], answer: Path) -> None:
        self._ours, theirs = pty.openpty()
        name = os.ttyname(theirs)

        def take_terminal() -> None:
            fcntl.ioctl(os.open(name, os.O_RDWR), termios.TIOCSCTTY, 0)

        with answer.open("wb") as out:
            self.process = subprocess.Popen(
                line,
                env={**environment, "TERM": "dumb"},
                stdin=theirs,
                stdout=out,
                stderr=theirs,
                start_new_session=True,
                preexec_fn=take_terminal,  # noqa: PLW1509 - this test has no threads
            )
        os.close(theirs)
        self.screen = ""

    def expect(self, text: str) -> None:
        deadline = time.monotonic() + TIMEOUT
        while text not in self.screen:
            assert time.monotonic() < deadline, self.screen
            if select.select([self._ours], [], [], 0.2)[0]:
                try:
                    self.screen += os.read(self._ours, 4096).decode("utf-8", "replace")
                except OSError:
                    raise AssertionError(f"ended before {text!r}: {self.screen}") from None

    def type(self, text: str) -> None:
        # Behind the dead time in which keys typed ahead are dropped.
        time.sleep(0.5)
        os.write(self._ours, text.encode())

    def type_ahead(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def forget(self) -> None:
        """Expect only what comes from now on."""
        self.screen = ""

    def wait(self) -> int:
        deadline = time.monotonic() + TIMEOUT
        while self.process.poll() is None:
            assert time.monotonic() < deadline
            if select.select([self._ours], [], [], 0.1)[0]:
                try:
                    self.screen += os.read(self._ours, 4096).decode("utf-8", "replace")
                except OSError:
                    break
        return self.process.wait(TIMEOUT)

    def hang_up(self) -> None:
        """Close the terminal, as a window that is closed does."""
        os.close(self._ours)
        self._ours = -1

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self._ours >= 0:
            os.close(self._ours)


@contextmanager
def terminal(bench: Bench, *arguments: str) -> Iterator[Terminal]:
    made = Terminal(bench.command(*arguments), bench.environment, bench.folder / "answer.txt")
    try:
        yield made
    finally:
        made.close()
