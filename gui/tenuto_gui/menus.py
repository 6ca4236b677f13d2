# SPDX-License-Identifier: Apache-2.0
"""The menus as data: which verbs, in which order. "|" is a line between groups."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QMenu, QMenuBar, QToolTip, QWidget

from tenuto_gui.actions import Actions
from tenuto_gui.i18n import translate

LINE = "|"

#: What a session can be asked, by right-click and in the menu bar.
SESSION = (
    "open", LINE,
    "resume", "resume_say", "resume_force", "suspend", "abort", "terminal", LINE,
    "run_again", "fork", "log", LINE,
    "copy_id", "copy_command", "copy_path", LINE,
    "rename", "pin", "note", "export", "reveal", LINE,
    "delete",
)  # fmt: skip

#: The same for several at once: what makes sense for one only is left out.
SESSIONS = ("copy_id", "copy_path", LINE, "delete")

#: object name -> verbs. The names of the menus are `menu_title`s.
MENU_BAR: dict[str, tuple[str, ...]] = {
    "menuTenuto": (
        "new_run", LINE, "folder", "import_file", "refresh", LINE, "settings", LINE, "quit",
    ),
    "menuSession": SESSION,
    "menuEdit": ("undo_delete", "delete_shown", LINE, "filter", "show_all", "find"),
    "menuView": (
        "transcript", "configuration", "activity", "records", "question", LINE,
        "group_project", "group_source", "fork_tree", LINE,
        "trash", "back", LINE, "theme", "menu_bar",
    ),
    "menuHelp": ("keys", LINE, "about"),
}  # fmt: skip


def menu_title(name: str) -> str:
    """The title of a menu of the bar, with its letter."""
    return {
        "menuTenuto": translate("menus", "&Tenuto"),
        "menuSession": translate("menus", "&Session"),
        "menuEdit": translate("menus", "&Edit"),
        "menuView": translate("menus", "&View"),
        "menuHelp": translate("menus", "&Help"),
    }[name]


class VerbMenu(QMenu):
    """A menu whose tooltips are the reasons of what is greyed: the rest says what it is."""

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self.setToolTipsVisible(True)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            greyed = [action for action in self.actions() if not action.isEnabled()]
            if not any(self.actionGeometry(each).contains(event.pos()) for each in greyed):
                QToolTip.hideText()
                return True
        return super().event(event)


def fill(menu: QMenu, actions: Actions, verbs: tuple[str, ...]) -> None:
    """Put verbs into a menu. What cannot be done is greyed and says why."""
    for verb in verbs:
        if verb == LINE:
            menu.addSeparator()
        else:
            menu.addAction(actions[verb])


def fill_bar(bar: QMenuBar, actions: Actions) -> None:
    """All menus of the menu bar."""
    for name, verbs in MENU_BAR.items():
        menu = VerbMenu(menu_title(name), bar)
        menu.setObjectName(name)
        fill(menu, actions, verbs)
        bar.addMenu(menu)
