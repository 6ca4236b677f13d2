# SPDX-License-Identifier: Apache-2.0
"""What a new run is to do, with which agent; what that agent may do stands below it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from tenuto.errors import InvalidId
from tenuto.sources.desk import MAX_LENGTH, check_new_id
from tenuto.text import elide, one_line
from tenuto_gui import format as figures
from tenuto_gui.config_check import Checked
from tenuto_gui.dialogs.tool_list import ToolList
from tenuto_gui.diff.words import problem
from tenuto_gui.fonts import Role
from tenuto_gui.i18n import enumerated, translate
from tenuto_gui.plain import ink, plain_label, plain_tip
from tenuto_gui.style import PRIMARY
from tenuto_gui.theme import Theme

_MOST_PROBLEMS = 8
#: Characters of an earlier prompt in the menu.
_WORDS = 60
#: A prompt is one argument of a command line, which holds 128 KiB.
MAX_PROMPT_BYTES = 120_000


@dataclass(frozen=True)
class Draft:
    """A run to be. ``name`` is its id, "" for a new one."""

    config: str = ""
    prompt: str = ""
    name: str = ""
    chat: bool = False


class NewRunDialog(QDialog):
    """Beside the window. It stays until the run has begun, so that nothing typed is lost."""

    #: Another configuration is chosen, and `set_checked` is to be told what it comes to.
    check_wanted = Signal(str)
    #: A `Draft` is to be started.
    start_wanted = Signal(object)
    #: The start is to be given up.
    abandoned = Signal()
    #: Begin with what this earlier session began with, and tell it to `take`.
    recent_wanted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("newRunDialog")
        self.setWindowTitle(translate("NewRun", "New run"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._theme = theme
        self._checked: Checked | None = None
        self._starting = False
        px = theme.fonts.px
        column = QVBoxLayout(self)
        column.setContentsMargins(px(16), px(16), px(16), px(12))
        column.setSpacing(px(12))
        form = QGridLayout()
        form.setHorizontalSpacing(px(12))
        form.setVerticalSpacing(px(10))
        form.setColumnStretch(1, 1)
        column.addLayout(form)
        self._build_form(form)
        self._summary = self._label("small_demi", "text2")
        column.addWidget(self._summary)
        self.tools = ToolList(theme, self)
        column.addWidget(self.tools, 1)
        self.said = self._label("body", "fail")
        self.said.setObjectName("newRunSaid")
        self.said.setWordWrap(True)
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.said.hide()
        column.addWidget(self.said)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.start_button = QPushButton(translate("NewRun", "Start"), self)
        self.start_button.setObjectName("newRunStart")
        self.start_button.setProperty(PRIMARY, True)
        self._buttons.addButton(self.start_button, QDialogButtonBox.ButtonRole.AcceptRole)
        self._buttons.accepted.connect(self._on_start)
        self._buttons.rejected.connect(self.close)
        column.addWidget(self._buttons)
        self.resize(px(640), px(620))
        self._refresh()

    def _label(self, role: Role, token: str) -> QLabel:
        label = plain_label(parent=self)
        label.setFont(self._theme.fonts.font(role))
        ink(label, self._theme.color(token))
        return label

    def _build_form(self, form: QGridLayout) -> None:
        self.config = QComboBox(self)
        self.config.setObjectName("newRunConfig")
        self.config.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.config.setPlaceholderText(translate("NewRun", "Choose an agent configuration"))
        self.config.currentIndexChanged.connect(self._on_config)
        choose = QPushButton(translate("NewRun", "Choose\u2026"), self)
        choose.setObjectName("newRunChoose")
        choose.setAutoDefault(False)
        choose.clicked.connect(self.choose_config)
        row = QHBoxLayout()
        row.setSpacing(self._theme.fonts.px(8))
        row.addWidget(self.config, 1)
        row.addWidget(choose)
        self._row(form, 0, translate("NewRun", "Agent"), self.config, row)
        self.prompt = QPlainTextEdit(self)
        self.prompt.setObjectName("newRunPrompt")
        self.prompt.setTabChangesFocus(True)
        self.prompt.setMinimumHeight(self._theme.fonts.px(110))
        self.prompt.setPlaceholderText(translate("NewRun", "What the agent is to do"))
        self.prompt.textChanged.connect(self._refresh)
        self._row(form, 1, translate("NewRun", "Prompt"), self.prompt)
        self.recent = QPushButton(translate("NewRun", "Recent\u2026"), self)
        self.recent.setObjectName("newRunRecent")
        self.recent.setAutoDefault(False)
        self.recent.setToolTip(plain_tip(translate("NewRun", "Begin with an earlier prompt")))
        self.recent_menu = QMenu(self)
        self.recent.clicked.connect(
            lambda: self.recent_menu.popup(self.recent.mapToGlobal(QPoint(0, self.recent.height())))
        )
        self.recent.hide()
        # Below the word, beside the last lines of the field.
        form.addWidget(self.recent, 1, 0, Qt.AlignmentFlag.AlignBottom)
        self.name = QLineEdit(self)
        self.name.setObjectName("newRunName")
        self.name.setMaxLength(MAX_LENGTH)
        self.name.setPlaceholderText(translate("NewRun", "Its id; nothing for a new one"))
        self.name.textChanged.connect(self._refresh)
        self._row(form, 2, translate("NewRun", "Name"), self.name)
        self.once = QRadioButton(translate("NewRun", "Ends with its answer"), self)
        self.chat = QRadioButton(translate("NewRun", "Chat: waits for what comes next"), self)
        self.once.setObjectName("newRunOnce")
        self.chat.setObjectName("newRunChat")
        self.once.setChecked(True)
        kinds = QHBoxLayout()
        kinds.setSpacing(self._theme.fonts.px(16))
        kinds.addWidget(self.once)
        kinds.addWidget(self.chat)
        kinds.addStretch(1)
        self._row(form, 3, translate("NewRun", "Kind"), self.once, kinds)

    def _row(
        self,
        form: QGridLayout,
        row: int,
        name: str,
        field: QWidget,
        place: QHBoxLayout | None = None,
    ) -> None:
        label = plain_label(name, self)
        label.setBuddy(field)
        field.setAccessibleName(field.accessibleName() or name)
        if isinstance(field, QPlainTextEdit):
            form.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
        else:
            form.addWidget(label, row, 0)
        if place is None:
            form.addWidget(field, row, 1)
        else:
            form.addLayout(place, row, 1)

    # --- what it is told -------------------------------------------------------------------------

    def fill(self, draft: Draft, known: list[str]) -> None:
        """The configurations to choose from, and what to begin with."""
        self.prompt.setPlainText(draft.prompt)
        self.name.setText(draft.name)
        self.chat.setChecked(draft.chat)
        self.once.setChecked(not draft.chat)
        wanted = draft.config or (known[0] if known else "")
        for path in dict.fromkeys([wanted, *known] if wanted else known):
            self._add_config(path)
        self.config.setCurrentIndex(self.config.findData(wanted))
        (self.prompt if self.config.currentIndex() >= 0 else self.config).setFocus()

    def set_recent(self, recent: Sequence[tuple[str, str]]) -> None:
        """Earlier sessions to begin with: (id, first words of the prompt)."""
        menu = self.recent_menu
        menu.clear()
        for session_id, words in recent:
            text = elide(one_line(words, _WORDS), _WORDS).replace("&", "&&")
            menu.addAction(text).triggered.connect(
                lambda _checked=False, wanted=session_id: self.recent_wanted.emit(wanted)
            )
        self.recent.setVisible(bool(recent))

    def take(self, draft: Draft) -> None:
        """What an earlier run began with; its name is its own."""
        self.prompt.setPlainText(draft.prompt)
        self.chat.setChecked(draft.chat)
        self.once.setChecked(not draft.chat)
        if draft.config:
            self.set_config(draft.config)
        self.prompt.setFocus()

    def set_config(self, path: str) -> None:
        """Choose a configuration, known or not."""
        if self.config.findData(path) < 0:
            self._add_config(path)
        self.config.setCurrentIndex(self.config.findData(path))

    def _add_config(self, path: str) -> None:
        self.config.addItem(figures.home_path(path), path)
        last = self.config.count() - 1
        self.config.setItemData(last, plain_tip(path), Qt.ItemDataRole.ToolTipRole)

    def set_checked(self, config: str, checked: Checked) -> None:
        """What a configuration comes to; ignored where another one was chosen meanwhile."""
        if config != self.draft().config:
            return
        self._checked = checked
        self.tools.set_tools(checked.tools)
        if checked.ok:
            self._say("\n".join(checked.warnings), "text2")
        else:
            lines = [problem(each) for each in checked.problems[:_MOST_PROBLEMS]]
            title = translate("NewRun", "This configuration cannot be used.")
            self._say("\n".join([title, *lines]), "fail")
        self._refresh()

    def set_starting(self) -> None:
        """A worker was started; `failed` or `close` follows."""
        self._starting = True
        self._say("", "fail")
        self._refresh()

    def failed(self, message: str) -> None:
        """The run did not begin; everything typed is still here."""
        self._starting = False
        if message:
            text = translate("NewRun", "The run was not started. {why}").format(why=message)
        else:
            text = translate("NewRun", "The run was not started.")
        self._say(text, "fail")
        self._refresh()

    def draft(self) -> Draft:
        """What the fields hold."""
        return Draft(
            self.config.currentData() or "",
            self.prompt.toPlainText().strip(),
            self.name.text().strip(),
            self.chat.isChecked(),
        )

    # --- what it does ----------------------------------------------------------------------------

    def choose_config(self) -> None:
        """Look for a configuration that is not known yet."""
        dialog = QFileDialog(self, translate("Configuration", "Choose an agent configuration"))
        dialog.setObjectName("chooseConfiguration")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(
            [
                translate("Configuration", "Agent configurations (*.yaml *.yml)"),
                translate("Configuration", "All files (*)"),
            ]
        )
        dialog.setLabelText(QFileDialog.DialogLabel.Accept, translate("Configuration", "Choose"))
        if config := self.draft().config:
            dialog.setDirectory(str(Path(config).parent))
        dialog.fileSelected.connect(self.set_config)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _on_config(self) -> None:
        self._checked = None
        self.tools.clear()
        self._say("", "fail")
        self._refresh()
        if config := self.draft().config:
            self.config.setToolTip(plain_tip(config))
            self.check_wanted.emit(config)

    def _on_start(self) -> None:
        if self.start_button.isEnabled():
            self.start_wanted.emit(self.draft())

    def _say(self, text: str, token: str) -> None:
        self.said.setText(text)
        self.said.setVisible(bool(text))
        ink(self.said, self._theme.color(token))

    def _refresh(self) -> None:
        reason = self._why_not()
        self.start_button.setEnabled(not reason)
        self.start_button.setToolTip(plain_tip(reason))
        self.start_button.setText(
            translate("NewRun", "Starting\u2026")
            if self._starting
            else translate("NewRun", "Start")
        )
        for field in (self.config, self.prompt, self.recent, self.name, self.once, self.chat):
            field.setEnabled(not self._starting)
        self._summary.setText(self._tools_words())

    def _why_not(self) -> str:
        draft = self.draft()
        if self._starting:
            return translate("NewRun", "It is starting")
        if not draft.config:
            return translate("NewRun", "Choose an agent configuration")
        if self._checked is None:
            return translate("NewRun", "The configuration is being read")
        if not self._checked.ok:
            return translate("NewRun", "This configuration cannot be used.")
        if not draft.prompt:
            return translate("NewRun", "Say what the agent is to do")
        if len(draft.prompt.encode("utf-8", "replace")) > MAX_PROMPT_BYTES:
            return translate("NewRun", "The prompt is too long: put it into a file for a tool")
        try:
            check_new_id(draft.name or "new")
        except InvalidId:
            return translate(
                "NewRun", "A name is letters, digits, - and _, and begins with a letter or digit"
            )
        return ""

    def _tools_words(self) -> str:
        found = self._checked
        if not self.draft().config:
            return ""
        if found is None:
            return translate("NewRun", "Reading the configuration\u2026")
        if not found.ok:
            return ""
        if not found.tools:
            return translate("NewRun", "{model}, no tools").format(model=found.model)
        count = translate("NewRun", "%n tool(s)", n=len(found.tools))
        asking = translate("NewRun", "asking before each call: {n}").format(n=found.asking)
        if not found.asking:
            asking = translate("NewRun", "none of them asks first")
        return f"{found.model} {figures.DOT} {enumerated((count, asking))}"

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Enter starts; Enter in the prompt is a new line."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._on_start()
            return
        super().keyPressEvent(event)

    def done(self, result: int) -> None:
        """Esc, Cancel and the window's cross; also the end of a start that went well."""
        if self._starting:
            self.abandoned.emit()
        super().done(result)

    def begun(self) -> None:
        """The run has begun: nothing is given up by closing."""
        self._starting = False
        self.close()
