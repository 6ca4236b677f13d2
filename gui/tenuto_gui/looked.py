# SPDX-License-Identifier: Apache-2.0
"""Where sessions were looked for while there are none, and what was found there."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QWidget

from tenuto_gui import format as fmt
from tenuto_gui import icons
from tenuto_gui.core_words import error_words
from tenuto_gui.fonts import Role
from tenuto_gui.i18n import in_turn, translate
from tenuto_gui.plain import ink, plain_label, plain_tip
from tenuto_gui.theme import Theme

if TYPE_CHECKING:
    from tenuto.sources.together import Place


class Found(NamedTuple):
    """What there is to say of a folder without sessions. ``detail``: one more sentence."""

    icon: str
    token: str
    sentence: str
    detail: str = ""


def look_at(directory: Path, *, journals: bool = True) -> Found:
    """Look at a folder that no session was found in. ``journals``: else Reasonix sessions."""
    try:
        found = directory.stat()
        if not stat.S_ISDIR(found.st_mode):
            return Found("warn", "fail", translate("folders", "It is not a folder."))
        os.scandir(directory).close()
    except FileNotFoundError:
        return Found("minus", "text2", translate("folders", "No such folder"))
    except PermissionError:
        sentence = translate("folders", "Not allowed to read it.")
        return Found("lock", "fail", sentence, _owner(directory))
    except OSError as error:
        return Found("warn", "fail", error_words(error))
    if journals:
        sentence = translate("folders", "The folder is there and has no journals in it")
    else:
        sentence = translate("folders", "The folder is there and has no sessions in it")
    return Found("folder", "text", sentence)


def _owner(directory: Path) -> str:
    """Whose folder it is, where that is somebody else's."""
    try:
        found = directory.stat()
        if found.st_uid == os.getuid():
            return ""
        name = directory.owner()
    except (OSError, KeyError, AttributeError, NotImplementedError):
        # No such user, or a system without such owners.
        return ""
    return translate("folders", "It belongs to user \u201c{name}\u201d.").format(name=name)


def _what(place: Place) -> str:
    if place.chosen:
        return translate("folders", "from your settings")
    return {
        "runs": translate("folders", "fisk-ai runs"),
        "reasonix": translate("folders", "Reasonix sessions"),
        "projects": translate("folders", "Reasonix, by project"),
    }[place.kind]


class Looked(QWidget):
    """A row for each folder. `show_places` looks at them, which takes a call of the system each."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._places: Sequence[Place] = ()
        self._found: list[Found] = []
        px = theme.fonts.px
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(px(10))
        self._grid.setVerticalSpacing(px(6))
        for column, stretch in ((1, 2), (2, 1), (3, 3)):
            self._grid.setColumnStretch(column, stretch)

    def show_places(self, places: Sequence[Place]) -> None:
        """Look at these folders and say what is there."""
        found = [look_at(Path(each.look), journals=each.kind == "runs") for each in places]
        if (list(places), found) == (list(self._places), self._found):
            return
        self._places, self._found = places, found
        self.draw()

    def words(self) -> list[tuple[str, str, str]]:
        """What each row says: path, kind, finding."""
        return [
            (fmt.home_path(place.path), _what(place), in_turn(found.sentence, found.detail))
            for place, found in zip(self._places, self._found, strict=True)
        ]

    def draw(self) -> None:
        """The rows in the colours in force."""
        while (item := self._grid.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.setParent(None)
                old.deleteLater()
        said = "\n".join(" \u00b7 ".join(row) for row in self.words())
        self.setAccessibleName(said)
        self._line(0)
        for number, (place, found) in enumerate(zip(self._places, self._found, strict=True)):
            self._row(2 * number + 1, place, found)
            self._line(2 * number + 2)

    def _row(self, row: int, place: Place, found: Found) -> None:
        theme, size = self._theme, self._theme.fonts.px(16)
        picture = QLabel(self)
        ratio = self.devicePixelRatioF()
        picture.setPixmap(icons.pixmap(theme, found.icon, found.token, size, ratio))
        path = self._label(fmt.home_path(place.path), "mono_small", "text")
        path.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        path.setToolTip(plain_tip(place.path))
        wrong = found.token == "fail"
        said = QWidget(self)
        line = QHBoxLayout(said)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(theme.fonts.px(4))
        line.addWidget(self._label(found.sentence, "small_demi" if wrong else "small", found.token))
        line.addWidget(self._label(found.detail, "small", "text2"), 1)
        self._grid.addWidget(picture, row, 0)
        self._grid.addWidget(path, row, 1)
        self._grid.addWidget(self._label(_what(place), "small", "text2"), row, 2)
        self._grid.addWidget(said, row, 3)

    def _label(self, text: str, role: Role, token: str) -> QLabel:
        label = plain_label(text, self)
        label.setFont(self._theme.fonts.font(role))
        ink(label, self._theme.color(token))
        return label

    def _line(self, row: int) -> None:
        line = QFrame(self)
        line.setFrameShape(QFrame.Shape.HLine)
        line.setFrameShadow(QFrame.Shadow.Plain)
        line.setForegroundRole(line.palette().ColorRole.Mid)
        line.setFixedHeight(1)
        self._grid.addWidget(line, row, 0, 1, 4)
