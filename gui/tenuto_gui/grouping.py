# SPDX-License-Identifier: Apache-2.0
"""How the list is arranged, but for its order: its groups, which are folded, where forks stand.

Kept between starts, in the file that holds the window's sizes.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from PySide6.QtCore import QObject, QSettings
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from tenuto.paths import config_dir
from tenuto_gui.actions import Actions
from tenuto_gui.i18n import translate
from tenuto_gui.sessions.groups import GROUPINGS, Grouping
from tenuto_gui.sessions.list_view import SessionList
from tenuto_gui.sessions.model import SessionModel

#: Folded groups that are remembered: projects come and go.
_MOST = 500


def grouping_words(by: Grouping) -> str:
    """What a grouping is called behind "Group by"."""
    return {
        "": translate("groups", "Nothing"),
        "project": translate("groups", "Project"),
        "source": translate("groups", "Source"),
    }[by]


class GroupControl(QObject):
    """Connects the verbs to the model, and keeps what was chosen."""

    def __init__(self, sessions: SessionModel, verbs: Actions, parent: QObject) -> None:
        super().__init__(parent)
        self._sessions = sessions
        self._verbs: dict[Grouping, QAction] = {
            "project": verbs.group_project,
            "source": verbs.group_source,
        }
        self._tree = verbs.fork_tree
        for by, action in self._verbs.items():
            action.triggered.connect(self._chooser(by))
        self._tree.triggered.connect(sessions.set_tree)
        self._restore()
        self._show()
        sessions.arranged.connect(self._on_arranged)

    def _chooser(self, by: Grouping) -> Callable[[bool], None]:
        return lambda on: self._sessions.set_grouping(by if on else "")

    def _on_arranged(self) -> None:
        self._show()
        store = _store()
        store.setValue("group_by", self._sessions.grouping)
        store.setValue("folded_groups", json.dumps(self._sessions.folded_groups[:_MOST]))
        store.setValue("fork_tree", "on" if self._sessions.is_tree else "off")

    def _show(self) -> None:
        for by, action in self._verbs.items():
            action.setChecked(self._sessions.grouping == by)
        self._tree.setChecked(self._sessions.is_tree)

    def _restore(self) -> None:
        """Take over what was kept; anything unusable is ignored."""
        store = _store()
        kept = str(store.value("group_by", ""))
        by: Grouping = next((each for each in GROUPINGS if each == kept), "")
        try:
            folded = json.loads(str(store.value("folded_groups", "[]")))
        except ValueError:
            folded = []
        words = folded if isinstance(folded, list) else []
        self._sessions.set_grouping(by, [word for word in words if isinstance(word, str)])
        self._sessions.set_tree(store.value("fork_tree") == "on")


def _store() -> QSettings:
    return QSettings(str(config_dir() / "window.ini"), QSettings.Format.IniFormat)


def fill_menu(menu: QMenu, view: SessionList, sessions: SessionModel) -> None:
    """The groupings as a menu has them, and the folding of all groups."""
    menu.addSection(translate("groups", "Group by"))

    def chooser(by: Grouping) -> Callable[[], None]:
        return lambda: sessions.set_grouping(by)

    for by in GROUPINGS:
        action = menu.addAction(grouping_words(by))
        action.setObjectName(f"group-{by or 'nothing'}")
        action.setCheckable(True)
        action.setChecked(sessions.grouping == by)
        action.triggered.connect(chooser(by))
    if sessions.grouping:
        menu.addSeparator()
        fold = menu.addAction(translate("groups", "Fold all groups"))
        fold.setObjectName("foldAll")
        fold.triggered.connect(lambda: view.fold_all(True))
        unfold = menu.addAction(translate("groups", "Unfold all groups"))
        unfold.setObjectName("unfoldAll")
        unfold.triggered.connect(lambda: view.fold_all(False))
