# SPDX-License-Identifier: Apache-2.0
"""The window's verbs: one QAction each, for menu bar, context menu, toolbar and keys alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from tenuto_gui import icons
from tenuto_gui.i18n import translate as tr
from tenuto_gui.plain import plain_tip
from tenuto_gui.theme import Theme

#: Their icons are seen at once.
_IN_TOOLBAR = (
    "new_run", "resume", "suspend", "fork", "undo_delete", "theme", "keys", "back",
)  # fmt: skip


class Verb(msgspec.Struct, frozen=True):
    """One action. ``key`` is its attribute of `Actions`, ``keys`` its shortcuts in Qt's words."""

    key: str
    name: str
    text: str
    icon: str = ""
    keys: tuple[str, ...] = ()
    checkable: bool = False
    #: What a button says, where that is shorter.
    short: str = ""


def _verbs() -> tuple[Verb, ...]:
    """All verbs, in the language in force."""
    return (
        Verb(
            "new_run",
            "actionNewRun",
            tr("actions", "New run\u2026"),
            "plus",
            ("Ctrl+N",),
            # Else Qt takes the dots off the button.
            short=tr("actions", "New run\u2026"),
        ),
        Verb("open", "actionOpen", tr("actions", "Open"), "lines"),
        Verb("resume", "actionResume", tr("actions", "Resume"), "play", ("Ctrl+R",)),
        Verb(
            "resume_force",
            "actionResumeForce",
            tr("actions", "Resume with force\u2026"),
            "bolt",
            ("Ctrl+Alt+F",),
        ),
        Verb(
            "resume_say",
            "actionResumeSay",
            tr("actions", "Resume with a message\u2026"),
            "prompt",
            ("Ctrl+Shift+R",),
        ),
        Verb("suspend", "actionSuspend", tr("actions", "Suspend"), "pause", ("Ctrl+Shift+S",)),
        Verb("abort", "actionAbort", tr("actions", "Abort"), "stop", ("Ctrl+Shift+X",)),
        Verb(
            "run_again",
            "actionRunAgain",
            tr("actions", "Run again\u2026"),
            "repeat",
            ("Ctrl+Alt+R",),
        ),
        Verb(
            "question", "actionQuestion", tr("actions", "Go to the question"), "question", ("F6",)
        ),
        Verb(
            "log", "actionWorkerLog", tr("actions", "Worker log\u2026"), "lines", ("Ctrl+Shift+L",)
        ),
        Verb(
            "terminal",
            "actionTerminal",
            tr("actions", "Open in terminal"),
            "terminal",
            ("Ctrl+Shift+T",),
        ),
        Verb(
            "fork",
            "actionFork",
            tr("actions", "Fork from here\u2026"),
            "fork",
            ("Ctrl+Shift+F",),
            short=tr("actions", "Fork\u2026"),
        ),
        Verb("copy_id", "actionCopyId", tr("actions", "Copy id"), "copy", ("Ctrl+Shift+C",)),
        Verb(
            "copy_command",
            "actionCopyCommand",
            tr("actions", "Copy resume command"),
            "",
            ("Ctrl+Alt+C",),
        ),
        Verb("copy_path", "actionCopyPath", tr("actions", "Copy path"), "", ("Ctrl+Alt+P",)),
        Verb(
            "reveal",
            "actionReveal",
            tr("actions", "Reveal in file manager"),
            "reveal",
            ("Ctrl+Shift+E",),
        ),
        Verb("rename", "actionRename", tr("actions", "Rename\u2026"), "pencil", ("F2",)),
        Verb("pin", "actionPin", tr("actions", "Pin to the top"), "pin", ("Ctrl+P",), True),
        Verb("note", "actionNote", tr("actions", "Note\u2026"), "", ("Ctrl+Shift+N",)),
        Verb("export", "actionExport", tr("actions", "Export\u2026"), "export", ("Ctrl+E",)),
        Verb(
            "import_file",
            "actionImport",
            tr("actions", "Open an exported session\u2026"),
            "",
            ("Ctrl+I",),
        ),
        Verb("delete", "actionDelete", tr("actions", "Delete"), "trash", ("Ctrl+Del",)),
        Verb(
            "delete_shown",
            "actionDeleteShown",
            tr("actions", "Delete all shown\u2026"),
            "",
            ("Ctrl+D",),
        ),
        Verb("undo_delete", "actionUndoDelete", tr("actions", "Undo delete"), "undo", ("Ctrl+Z",)),
        Verb("trash", "actionTrash", tr("actions", "Trash"), "trash", ("Ctrl+T",), True),
        Verb("filter", "actionFilter", tr("actions", "Filter sessions"), "search", ("Ctrl+K",)),
        Verb(
            "show_all", "actionShowAll", tr("actions", "Show all sessions"), "", ("Ctrl+Shift+A",)
        ),
        Verb(
            "folder", "actionFolder", tr("actions", "Choose a folder\u2026"), "folder", ("Ctrl+O",)
        ),
        Verb("refresh", "actionRefresh", tr("actions", "Look again"), "repeat", ("F5",)),
        Verb("transcript", "actionTranscript", tr("actions", "Transcript"), "", ("Ctrl+1",)),
        Verb(
            "configuration", "actionConfiguration", tr("actions", "Configuration"), "", ("Ctrl+2",)
        ),
        Verb("activity", "actionActivity", tr("actions", "Activity"), "", ("Ctrl+3",)),
        Verb("records", "actionRecords", tr("actions", "Records"), "", ("Ctrl+4",)),
        Verb(
            "group_project",
            "actionGroupProject",
            tr("actions", "Group by project"),
            "",
            ("Ctrl+G",),
            True,
        ),
        Verb(
            "group_source",
            "actionGroupSource",
            tr("actions", "Group by source"),
            "",
            ("Ctrl+Shift+G",),
            True,
        ),
        Verb(
            "fork_tree",
            "actionForkTree",
            tr("actions", "Forks below their session"),
            "",
            ("Ctrl+Alt+G",),
            True,
        ),
        Verb("find", "actionFind", tr("actions", "Find in transcript"), "search", ("Ctrl+F",)),
        Verb("theme", "actionTheme", tr("actions", "Light or dark"), "half", ("Ctrl+Shift+D",)),
        Verb("menu_bar", "actionMenuBar", tr("actions", "Menu bar"), "", ("Ctrl+M",), True),
        Verb("settings", "actionSettings", tr("actions", "Settings\u2026"), "", ("Ctrl+,",)),
        Verb("keys", "actionKeys", tr("actions", "Keys"), "help", ("?", "F1")),
        Verb("about", "actionAbout", tr("actions", "About Tenuto"), "info"),
        Verb(
            "back", "actionBack", tr("actions", "Back to the list"), "chevron-left", ("Alt+Left",)
        ),
        Verb("quit", "actionQuit", tr("actions", "Quit"), "", ("Ctrl+Q",)),
    )


class Actions:
    """All actions, added to ``window`` so that their keys work everywhere in it."""

    new_run: QAction
    open: QAction
    resume: QAction
    resume_force: QAction
    resume_say: QAction
    suspend: QAction
    abort: QAction
    question: QAction
    log: QAction
    run_again: QAction
    terminal: QAction
    fork: QAction
    copy_id: QAction
    copy_command: QAction
    copy_path: QAction
    reveal: QAction
    rename: QAction
    pin: QAction
    note: QAction
    export: QAction
    import_file: QAction
    delete: QAction
    delete_shown: QAction
    undo_delete: QAction
    trash: QAction
    filter: QAction
    show_all: QAction
    folder: QAction
    refresh: QAction
    transcript: QAction
    configuration: QAction
    activity: QAction
    records: QAction
    group_project: QAction
    group_source: QAction
    fork_tree: QAction
    find: QAction
    theme: QAction
    menu_bar: QAction
    settings: QAction
    keys: QAction
    about: QAction
    back: QAction
    quit: QAction

    def __init__(self, theme: Theme, window: QWidget) -> None:
        self._theme = theme
        self._icons: dict[QAction, str] = {}
        self._by_key: dict[str, QAction] = {}
        #: What `set_reasons` said last.
        self._reasons: dict[str, str] = {}
        for verb in _verbs():
            action = QAction(verb.text, window)
            action.setObjectName(verb.name)
            action.setCheckable(verb.checkable)
            if verb.short:
                action.setIconText(verb.short)
            action.setShortcuts([QKeySequence(keys) for keys in verb.keys])
            set_reason(action, "")
            if verb.icon:
                self._icons[action] = verb.icon
            self._by_key[verb.key] = action
            setattr(self, verb.key, action)
        #: Those in menus are drawn later.
        self._drawn = {self._by_key[key] for key in _IN_TOOLBAR}
        theme.changed.connect(self._draw_icons)
        self._draw_icons()
        # Last: from then on the window is told of every change of every action.
        window.addActions(list(self))

    def draw_all(self) -> None:
        """Draw the icons that only menus show, too."""
        self._drawn = set(self._icons)
        self._draw_icons()

    def _draw_icons(self) -> None:
        size = self._theme.fonts.px(16)
        for action, name in self._icons.items():
            if action in self._drawn:
                action.setIcon(icons.icon(self._theme, name, "text", size))

    def __iter__(self) -> Iterator[QAction]:
        return iter(self._by_key.values())

    def __getitem__(self, key: str) -> QAction:
        return self._by_key[key]

    def set_reasons(self, reasons: Mapping[str, str]) -> None:
        """Enable the verbs named, or disable them with the reason."""
        for key, reason in reasons.items():
            # Asked for with every letter in the filter: most are what they were.
            if self._reasons.get(key) != reason:
                self._reasons[key] = reason
                set_reason(self._by_key[key], reason)

    def refused(self, pressed: QKeySequence) -> QAction | None:
        """The disabled verb that these keys stand for, where there is a reason to tell."""
        return next(
            (
                action
                for action in self
                if not action.isEnabled() and action.statusTip() and pressed in action.shortcuts()
            ),
            None,
        )


def set_reason(action: QAction, reason: str) -> None:
    """Enable an action, or disable it with the reason as tooltip and status tip."""
    action.setEnabled(not reason)
    keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    usual = f"{action.text()} ({keys})" if keys else action.text()
    action.setToolTip(plain_tip(reason or usual))
    action.setStatusTip(reason)
