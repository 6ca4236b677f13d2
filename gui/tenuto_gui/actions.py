# SPDX-License-Identifier: Apache-2.0
"""The window's verbs: one QAction each, for toolbar, context menu and keys alike."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from tenuto.sources.base import Capabilities, Capability
from tenuto_gui import icons
from tenuto_gui.i18n import translate
from tenuto_gui.plain import plain_tip
from tenuto_gui.theme import Theme


def reason_words(capability: Capability) -> str:
    """Why something cannot be done; "" when it can. The source's own words where we have none."""
    if capability.allowed:
        return ""
    known = {
        "running": translate("reasons", "It is running"),
        "completed": translate("reasons", "It is completed"),
        "damaged": translate("reasons", "The journal is damaged"),
        "newer": translate("reasons", "The journal was written by a newer version"),
        "empty": translate("reasons", "The journal holds no records"),
        "hard_linked": translate("reasons", "The file has more than one name (a hard link)"),
        "read_only": translate("reasons", "The folder cannot be written"),
        "pending": translate("reasons", "It is still being read"),
    }
    return known.get(capability.code) or capability.reason or capability.code


class Actions:
    """All actions, added to ``window`` so that their keys work everywhere in it."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        self._theme = theme
        self._window = window
        self._icons: dict[QAction, str] = {}
        tr = translate
        self.resume = self._make("actionResume", tr("actions", "Resume"), "play", "Ctrl+R")
        self.resume_force = self._make(
            "actionResumeForce", tr("actions", "Resume with force\u2026"), "bolt", ""
        )
        self.suspend = self._make("actionSuspend", tr("actions", "Suspend"), "pause", "")
        self.abort = self._make("actionAbort", tr("actions", "Abort"), "stop", "")
        self.copy_id = self._make("actionCopyId", tr("actions", "Copy id"), "copy", "Ctrl+Shift+C")
        self.copy_command = self._make(
            "actionCopyCommand", tr("actions", "Copy resume command"), "terminal", ""
        )
        self.delete = self._make("actionDelete", tr("actions", "Delete"), "trash", "Ctrl+Del")
        self.undo_delete = self._make(
            "actionUndoDelete", tr("actions", "Undo delete"), "undo", "Ctrl+Z"
        )
        self.filter = self._make(
            "actionFilter", tr("actions", "Filter sessions"), "search", "Ctrl+K"
        )
        self.theme = self._make("actionTheme", tr("actions", "Light or dark"), "half", "")
        self.back = self._make(
            "actionBack", tr("actions", "Back to the list"), "chevron-left", "Alt+Left"
        )
        theme.changed.connect(self._draw_icons)
        self._draw_icons()

    def _make(self, name: str, text: str, icon: str, keys: str) -> QAction:
        action = QAction(text, self._window)
        action.setObjectName(name)
        if keys:
            action.setShortcut(QKeySequence(keys))
        self._icons[action] = icon
        self._window.addAction(action)
        set_reason(action, "")
        return action

    def _draw_icons(self) -> None:
        size = self._theme.fonts.px(16)
        for action, name in self._icons.items():
            action.setIcon(icons.icon(self._theme, name, "text", size))

    def __iter__(self) -> Iterator[QAction]:
        return iter(self._icons)

    def fill_menu(self, menu: QMenu) -> None:
        """The context menu of a session. What cannot be done is greyed and says why."""
        menu.setToolTipsVisible(True)
        for action in (self.resume, self.resume_force, self.suspend, self.abort):
            menu.addAction(action)
        menu.addSeparator()
        menu.addAction(self.copy_id)
        menu.addAction(self.copy_command)
        menu.addSeparator()
        menu.addAction(self.delete)

    def update(
        self, capabilities: list[Capabilities], *, live: bool, running: bool, can_undo: bool
    ) -> None:
        """Enable what can be done with the selected sessions.

        ``live``: the one selected runs as a worker of this window; ``running``: it runs at all.
        """
        one = "" if len(capabilities) == 1 else self._how_many(len(capabilities))
        first = capabilities[0] if capabilities else None
        set_reason(self.resume, one or reason_words(first.resume) if first else one)
        set_reason(self.resume_force, one or reason_words(first.force) if first else one)
        held = one
        if not one and not live:
            held = (
                translate("reasons", "It was started elsewhere: stop it where it runs")
                if running
                else translate("reasons", "It is not running")
            )
        set_reason(self.suspend, held)
        set_reason(self.abort, held)
        set_reason(self.copy_id, "" if capabilities else self._how_many(0))
        set_reason(self.copy_command, one)
        refused = [c.delete for c in capabilities if not c.delete.allowed]
        if not capabilities:
            set_reason(self.delete, self._how_many(0))
        else:
            set_reason(self.delete, reason_words(refused[0]) if refused else "")
        set_reason(
            self.undo_delete, "" if can_undo else translate("reasons", "Nothing was deleted yet")
        )

    @staticmethod
    def _how_many(count: int) -> str:
        if count == 0:
            return translate("reasons", "No session is selected")
        return translate("reasons", "Select one session")


def set_reason(action: QAction, reason: str) -> None:
    """Enable an action, or disable it with the reason as tooltip and status tip."""
    action.setEnabled(not reason)
    keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    usual = f"{action.text()} ({keys})" if keys else action.text()
    action.setToolTip(plain_tip(reason or usual))
    action.setStatusTip(reason)
