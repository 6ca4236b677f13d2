# SPDX-License-Identifier: Apache-2.0
"""What to export a session as: for reading, or complete."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from tenuto_gui.i18n import translate
from tenuto_gui.plain import ink, plain_label, words_start
from tenuto_gui.style import PRIMARY
from tenuto_gui.theme import Theme

#: format -> ending of the file
ENDINGS = {"html": ".html", "markdown": ".md", "json": ".json", "tenuto": ".tenuto"}


def format_words(form: str) -> tuple[str, str]:
    """What a format is called, and what it is good for."""
    return {
        "html": (
            translate("export", "Web page"),
            translate("export", "One file that any browser shows; it loads nothing."),
        ),
        "markdown": (
            translate("export", "Markdown"),
            translate("export", "Text for notes, tickets and reviews."),
        ),
        "json": (
            translate("export", "JSON"),
            translate("export", "Every record, for programs."),
        ),
        "tenuto": (
            translate("export", "Complete session"),
            translate(
                "export",
                "Byte for byte, to open it in Tenuto elsewhere. Secrets in it stay in it.",
            ),
        ),
    }[form]


class ExportDialog(QDialog):
    """``chosen`` carries the format, and whether secrets are taken out."""

    chosen = Signal(str, bool)

    def __init__(
        self,
        theme: Theme,
        name: str,
        *,
        redact: bool,
        why_not_complete: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """``why_not_complete``: why there is no complete file of it; "" where there is one."""
        super().__init__(parent)
        self.setObjectName("exportDialog")
        self.setWindowTitle(self.tr("Export {name}").format(name=name))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._theme = theme
        px = theme.fonts.px
        column = QVBoxLayout(self)
        column.setContentsMargins(px(16), px(16), px(16), px(12))
        column.setSpacing(px(4))
        self._choices: dict[str, QRadioButton] = {}
        for form in ENDINGS:
            title, hint = format_words(form)
            choice = QRadioButton(title, self)
            choice.setObjectName(f"export-{form}")
            choice.toggled.connect(self._on_choice)
            if form == "tenuto" and why_not_complete:
                choice.setEnabled(False)
                hint = why_not_complete
            column.addWidget(choice)
            column.addWidget(self._hint(hint, choice))
            column.addSpacing(px(4))
            self._choices[form] = choice
        self.redact = QCheckBox(self.tr("Take out keys, passwords and tokens"), self)
        self.redact.setObjectName("exportRedact")
        self.redact.setChecked(redact)
        column.addSpacing(px(8))
        column.addWidget(self.redact)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        go_on = QPushButton(self.tr("Choose a file\u2026"), self)
        go_on.setObjectName("exportGoOn")
        go_on.setProperty(PRIMARY, True)
        go_on.setDefault(True)
        buttons.addButton(go_on, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self._on_done)
        buttons.rejected.connect(self.close)
        column.addSpacing(px(8))
        column.addWidget(buttons)
        self._choices["html"].setChecked(True)

    def _hint(self, text: str, choice: QRadioButton) -> QWidget:
        label = plain_label(text, self)
        label.setFont(self._theme.fonts.font("small"))
        label.setIndent(words_start(choice))
        ink(label, self._theme.color("text2"))
        return label

    def format(self) -> str:
        """The chosen format."""
        return next(form for form, choice in self._choices.items() if choice.isChecked())

    def _on_choice(self) -> None:
        # A complete session is complete.
        if any(choice.isChecked() for choice in self._choices.values()) and hasattr(self, "redact"):
            self.redact.setEnabled(self.format() != "tenuto")

    def _on_done(self) -> None:
        self.chosen.emit(self.format(), self.redact.isChecked())
        self.close()
