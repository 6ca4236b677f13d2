# SPDX-License-Identifier: Apache-2.0
"""The settings, each in force at once and kept at once. There is nothing to apply or to cancel."""

from __future__ import annotations

import os
from typing import Any

from PySide6.QtCore import QDir, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from tenuto.text import visible
from tenuto_gui import format as fmt
from tenuto_gui import terminal
from tenuto_gui.context import AppContext
from tenuto_gui.core_words import error_words
from tenuto_gui.plain import ink, plain_label, words_start

_SIZES = (75, 90, 100, 110, 125, 150, 175, 200, 250)


class SettingsDialog(QDialog):
    """Beside the window, not before it."""

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("settingsDialog")
        self.setWindowTitle(self.tr("Settings"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._context = context
        px = context.theme.fonts.px
        column = QVBoxLayout(self)
        column.setContentsMargins(px(20), px(16), px(20), px(12))
        column.setSpacing(px(12))
        form = QFormLayout()
        form.setHorizontalSpacing(px(16))
        form.setVerticalSpacing(px(10))
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        column.addLayout(form)
        self._build_choices(form)
        self._build_folders(form)
        self._build_switches(form)
        self.problem = plain_label(parent=self)
        self.problem.setObjectName("settingsProblem")
        self.problem.setWordWrap(True)
        self.problem.hide()
        column.addWidget(self.problem)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.close)
        # Enter ends a field, not the dialog.
        buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        column.addWidget(buttons)
        self.setMinimumWidth(px(560))
        # Colours can be changed by a key of the window, too.
        context.preferences.changed.connect(self._follow)
        ink(self.problem, context.theme.color("fail"))

    # --- rows ------------------------------------------------------------------------------------

    def _choice(
        self, name: str, choices: list[tuple[Any, str]], form: QFormLayout, label: str
    ) -> QComboBox:
        box = QComboBox(self)
        box.setObjectName(f"setting-{name}")
        box.setAccessibleName(label)
        for value, text in choices:
            box.addItem(text, value)
        box.setCurrentIndex(max(0, box.findData(getattr(self._context.settings, name))))
        box.activated.connect(lambda index: self._change(**{name: box.itemData(index)}))
        form.addRow(label, box)
        return box

    def _build_choices(self, form: QFormLayout) -> None:
        self._choice(
            "theme",
            [
                ("system", self.tr("As the system")),
                ("light", self.tr("Light")),
                ("dark", self.tr("Dark")),
            ],
            form,
            self.tr("Colours"),
        )
        self._choice(
            "language",
            [("system", self.tr("As the system")), ("en", "English"), ("zh_CN", "简体中文")],
            form,
            self.tr("Language"),
        )
        sizes = sorted({*_SIZES, self._context.settings.text_size})
        self._choice(
            "text_size",
            [(size, f"{size}{fmt.NNBSP}%") for size in sizes],
            form,
            self.tr("Text size"),
        )

    def _build_folders(self, form: QFormLayout) -> None:
        from tenuto.paths import default_runs_dir
        from tenuto.sources.together import usual_reasonix_dir

        self.runs_dir = self._folder(
            "runs_dir",
            form,
            self.tr("Runs folder"),
            str(default_runs_dir()),
            self.tr("Choose a folder of runs"),
        )
        self.reasonix_dir = self._folder(
            "reasonix_dir",
            form,
            self.tr("Reasonix folder"),
            usual_reasonix_dir(),
            self.tr("Choose Reasonix\u2019s folder"),
        )
        self.terminal = QLineEdit(self._context.settings.terminal, self)
        self.terminal.setObjectName("setting-terminal")
        self.terminal.setAccessibleName(self.tr("Terminal"))
        found = terminal.find()
        self.terminal.setPlaceholderText(
            " ".join(found[:1]) if found else self.tr("None was found")
        )
        self.terminal.editingFinished.connect(
            lambda: self._change(terminal=self.terminal.text().strip())
        )
        form.addRow(self.tr("Terminal"), self.terminal)

    def _folder(
        self, name: str, form: QFormLayout, label: str, usual: str, title: str
    ) -> QLineEdit:
        """A row for a folder; ``usual`` is the one that is meant by no words."""
        field = QLineEdit(getattr(self._context.settings, name), self)
        field.setObjectName(f"setting-{name}")
        field.setPlaceholderText(fmt.home_path(usual))
        field.setAccessibleName(label)
        field.editingFinished.connect(lambda: self._on_folder(name, field))
        choose = QPushButton(self.tr("Choose\u2026"), self)
        choose.setObjectName(f"choose-{name}")
        choose.setAccessibleName(title)
        choose.setAutoDefault(False)
        choose.clicked.connect(lambda: self._choose_folder(name, field, title))
        row = QHBoxLayout()
        row.setSpacing(self._context.theme.fonts.px(8))
        row.addWidget(field, 1)
        row.addWidget(choose)
        form.addRow(label, row)
        return field

    def _switch(self, name: str, text: str, hint: str, form: QFormLayout) -> None:
        box = QCheckBox(text, self)
        box.setObjectName(f"setting-{name}")
        box.setChecked(getattr(self._context.settings, name))
        box.toggled.connect(lambda on: self._change(**{name: on}))
        row = QVBoxLayout()
        row.setSpacing(self._context.theme.fonts.px(2))
        row.addWidget(box)
        form.addRow("", row)
        if hint:
            label = plain_label(hint, self)
            label.setWordWrap(True)
            label.setFont(self._context.theme.fonts.font("small"))
            label.setIndent(words_start(box))
            ink(label, self._context.theme.color("text2"))
            row.addWidget(label)

    def _build_switches(self, form: QFormLayout) -> None:
        self._switch(
            "notifications",
            self.tr("Tell me on the desktop when a run ends or asks"),
            self.tr("Only while the window is not in front; never what the run asks."),
            form,
        )
        self._switch(
            "redact_exports",
            self.tr("Take keys, passwords and tokens out of exports"),
            "",
            form,
        )
        self._switch("reduced_motion", self.tr("No fading"), "", form)
        self._switch("system_style", self.tr("Use the system\u2019s widget style"), "", form)

    # --- changes ---------------------------------------------------------------------------------

    def _follow(self, names: set[str]) -> None:
        """Show what was changed elsewhere."""
        for name in names:
            value = getattr(self._context.settings, name)
            field = self.findChild(QWidget, f"setting-{name}")
            if isinstance(field, QComboBox):
                field.setCurrentIndex(field.findData(value))
            elif isinstance(field, QCheckBox):
                field.setChecked(value)
            elif isinstance(field, QLineEdit) and field.text().strip() != value:
                field.setText(value)

    def _change(self, **values: Any) -> bool:
        """Put values in force and keep them; whether they are kept."""
        try:
            self._context.preferences.change(**values)
        except OSError as error:
            self._say(
                self.tr("The settings could not be saved: {why}").format(why=error_words(error))
            )
            return False
        self._say("")
        return True

    def _say(self, text: str) -> None:
        self.problem.setText(text)
        self.problem.setVisible(bool(text))

    def _choose_folder(self, name: str, field: QLineEdit, title: str) -> None:
        start = os.path.expanduser(field.text().strip() or field.placeholderText())
        dialog = QFileDialog(self, title, start)
        dialog.setObjectName("chooseRunsFolder" if name == "runs_dir" else "chooseReasonixFolder")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        # Reasonix's own begins with a dot.
        dialog.setFilter(dialog.filter() | QDir.Filter.Hidden)
        dialog.fileSelected.connect(field.setText)
        dialog.fileSelected.connect(lambda _path: self._on_folder(name, field))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _on_folder(self, name: str, field: QLineEdit) -> None:
        text = field.text().strip()
        folder = os.path.expanduser(text)
        if text and not os.path.isabs(folder):
            self._say(self.tr("A path from / or ~ on is needed"))
            return
        if self._change(**{name: text}) and text and not os.path.isdir(folder):
            where = self.tr("There is no folder {path} yet").format(path=visible(text))
            self._say(where)
