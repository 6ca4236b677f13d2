# SPDX-License-Identifier: Apache-2.0
"""Messages on desktops without a tray (GNOME): by the programs that talk to its notifications."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from html import escape

from PySide6.QtCore import QObject, QProcess, QTimer, Slot

#: Milliseconds in which a program that was told to end does so.
_GRACE_MS = 1_000
#: What the program prints when the message itself is clicked.
_CLICKED = b"default"
_ICON = "tenuto"


def lines(title: str, text: str, open_word: str, stay_ms: int) -> list[list[str]]:
    """Command lines that show a message, the best first; empty where none of them is there.

    A body is read as markup by some desktops: it is escaped. No shell reads a word.
    """
    body = escape(text, quote=False)
    found = []
    sender = shutil.which("notify-send")
    if sender is not None:
        plain = [sender, "--app-name=Tenuto", f"--icon={_ICON}", f"--expire-time={stay_ms}"]
        # Since libnotify 0.8 it waits and tells of a click; before, it does not know the option.
        found.append([*plain, f"--action=default={open_word}", "--", title, body])
        found.append([*plain, "--", title, body])
    caller = shutil.which("gdbus")
    if caller is not None:
        name = "org.freedesktop.Notifications"
        found.append(
            [caller, "call", "--session", "--dest", name,
             "--object-path", "/org/freedesktop/Notifications", "--method", f"{name}.Notify",
             "--", "Tenuto", "0", _ICON, _variant(title), _variant(body), "[]", "{}", str(stay_ms)]
        )  # fmt: skip
    return found


def _variant(text: str) -> str:
    """A string in GVariant's notation: bare words may be taken for other types."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", " ") + "'"


class _Message(QObject):
    """One message: its ways, tried one after the other, and the process of the present one."""

    def __init__(self, ways: list[list[str]], clicked: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._ways = ways
        self._clicked = clicked
        self._process = QProcess(self)
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_error)
        self._start()

    def _start(self) -> None:
        if not self._ways:
            self.deleteLater()
            return
        line = self._ways.pop(0)
        self._process.start(line[0], line[1:])
        self._process.closeWriteChannel()

    @Slot(int, QProcess.ExitStatus)
    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        if code != 0 or status != QProcess.ExitStatus.NormalExit:
            # Not from within the signal of the process that is started again.
            QTimer.singleShot(0, self, self._start)
            return
        if bytes(self._process.readAllStandardOutput().data()).strip() == _CLICKED:
            self._clicked()
        self.deleteLater()

    @Slot(QProcess.ProcessError)
    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            QTimer.singleShot(0, self, self._start)

    def end(self) -> None:
        """Take it back; nothing of it is left to say."""
        self._process.finished.disconnect(self._on_finished)
        self._process.kill()
        self._process.waitForFinished(_GRACE_MS)
        self.deleteLater()


class ProgramMessages(QObject):
    """Shows messages; each has one process, which lives as long as its message at most."""

    def show(
        self, title: str, text: str, open_word: str, stay_ms: int, clicked: Callable[[], None]
    ) -> bool:
        """Show a message; ``clicked`` is called if it is. False where no program can."""
        ways = lines(title, text, open_word, stay_ms)
        if ways:
            _Message(ways, clicked, self)
        return bool(ways)

    def clear(self) -> None:
        """End what still waits for a click."""
        for message in self.findChildren(_Message):
            message.end()
