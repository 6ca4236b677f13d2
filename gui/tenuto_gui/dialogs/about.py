# SPDX-License-Identifier: Apache-2.0
"""Which Tenuto this is, and what it is made of: version, build, and every part with its licence.

A package carries what it was built with (packaging/pyinstaller/about.py); run from source there is
no more to say than the version.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from tenuto.version import VERSION
from tenuto_gui import icons
from tenuto_gui.context import AppContext
from tenuto_gui.plain import ink, plain_label


@dataclass(frozen=True)
class Build:
    """``parts``: (name, version, licence); empty when run from source, as are the others."""

    commit: str = ""
    date: str = ""
    parts: tuple[tuple[str, str, str], ...] = ()


def load_build() -> Build:
    """What the package says of itself."""
    about = files("tenuto_resources").joinpath("about.json")
    if not about.is_file():
        return Build()
    told = json.loads(about.read_text(encoding="utf-8"))
    parts = tuple((name, version, licence) for name, version, licence in told["parts"])
    return Build(told["build"], told["date"], parts)


class AboutDialog(QDialog):
    """Beside the window, not before it."""

    def __init__(self, context: AppContext, build: Build, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("aboutDialog")
        self.setWindowTitle(self.tr("About Tenuto"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        px = context.theme.fonts.px
        column = QVBoxLayout(self)
        column.setContentsMargins(px(20), px(16), px(20), px(12))
        column.setSpacing(px(12))
        column.addLayout(self._head(context, build))
        licence = plain_label(
            self.tr(
                "Tenuto is licensed under the Apache License 2.0. It sends nothing anywhere but "
                "what runs send to their models and servers: no telemetry, no look for updates."
            ),
            self,
        )
        licence.setWordWrap(True)
        column.addWidget(licence)
        self.parts = QPlainTextEdit(self)
        self.parts.setObjectName("aboutParts")
        self.parts.setReadOnly(True)
        self.parts.setAccessibleName(self.tr("Parts and their licences"))
        self.parts.setPlainText("\n".join(f"{n} {v}: {text}" for n, v, text in build.parts))
        self.parts.setMinimumSize(px(560), px(240))
        self.parts.setVisible(bool(build.parts))
        column.addWidget(self.parts, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.close)
        if build.parts:
            self.texts = QPushButton(self.tr("Licences in full"), self)
            self.texts.setObjectName("aboutTexts")
            self.texts.clicked.connect(self._on_texts)
            buttons.addButton(self.texts, QDialogButtonBox.ButtonRole.ActionRole)
        column.addWidget(buttons)

    def _head(self, context: AppContext, build: Build) -> QHBoxLayout:
        px = context.theme.fonts.px
        row = QHBoxLayout()
        row.setSpacing(px(14))
        picture = plain_label(parent=self)
        picture.setPixmap(icons.app_icon().pixmap(px(48), px(48)))
        row.addWidget(picture)
        words = QVBoxLayout()
        words.setSpacing(px(2))
        words.addStretch(1)
        name = plain_label(f"Tenuto {VERSION}", self)
        name.setFont(context.theme.fonts.font("title"))
        words.addWidget(name)
        said = self.tr("Run from source")
        if build.parts:
            said = self.tr("Build {commit} of {date}").format(commit=build.commit, date=build.date)
        self.build = plain_label(said, self)
        self.build.setObjectName("aboutBuild")
        # To be copied into a report.
        self.build.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        ink(self.build, context.theme.color("text2"))
        words.addWidget(self.build)
        words.addStretch(1)
        row.addLayout(words, 1)
        return row

    def _on_texts(self) -> None:
        texts = files("tenuto_resources").joinpath("licences.txt").read_text(encoding="utf-8")
        self.parts.setPlainText(texts)
        self.texts.setEnabled(False)


def show_about(context: AppContext, window: QWidget) -> None:
    """Show it, or bring it to the front."""
    known = window.findChild(AboutDialog)
    dialog = known or AboutDialog(context, load_build(), window)
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()
