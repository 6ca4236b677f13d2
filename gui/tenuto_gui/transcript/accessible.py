# SPDX-License-Identifier: Apache-2.0
"""The transcript for screen readers: a document whose value is the block that keys act on."""

from __future__ import annotations

from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAccessibleWidget, QWidget

try:  # Qt 6.8 has announcements
    from PySide6.QtGui import QAccessibleAnnouncementEvent
except ImportError:  # pragma: no cover - older bindings
    QAccessibleAnnouncementEvent = None  # type: ignore[assignment,misc]


class TranscriptInterface(QAccessibleWidget):
    """Name, role, and the words of the current block."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget, QAccessible.Role.Document, widget.accessibleName())
        self._view = widget

    def text(self, kind: QAccessible.Text) -> str:
        """The current block as the value, the rest as any widget has it."""
        if kind == QAccessible.Text.Value:
            return str(self._view.property("currentText") or "")
        return super().text(kind)


def announce(view: QWidget, text: str) -> None:
    """Tell a screen reader what the current block says."""
    view.setProperty("currentText", text)
    if not text or not QAccessible.isActive():
        return
    if QAccessibleAnnouncementEvent is not None:
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(view, text))
