# SPDX-License-Identifier: Apache-2.0
"""Which views speak to screen readers through an interface of ours.

A custom scroll area is invisible to them by itself, and a list that is made of a table is a table.
"""

from __future__ import annotations

from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QWidget

_installed = False


def _factory(_class_name: str, target: object) -> QAccessibleInterface | None:
    """Asked for every widget, and only while a screen reader listens."""
    if not isinstance(target, QWidget):
        return None
    name = target.objectName()
    if name == "transcriptView":
        from tenuto_gui.transcript.accessible import TranscriptInterface

        return TranscriptInterface(target)
    if name == "sessionList":
        from tenuto_gui.sessions.accessible import ListInterface
        from tenuto_gui.sessions.list_view import SessionList

        return ListInterface(target) if isinstance(target, SessionList) else None
    return None


def install() -> None:
    """Once per process, before the first of them is shown: what is asked for once is kept."""
    global _installed
    if not _installed:
        _installed = True
        QAccessible.installFactory(_factory)
