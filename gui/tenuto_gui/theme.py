# SPDX-License-Identifier: Apache-2.0
"""Colour tokens, and the palette made from them (look.md, "Colour").

Widgets ask `Theme.color(token)` when they paint and repaint on `changed`; no widget holds a colour
of its own, and none uses a style sheet.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal, SignalInstance
from PySide6.QtGui import QColor, QFont, QPalette, QPixmap
from PySide6.QtWidgets import QApplication

from tenuto_gui import resources
from tenuto_gui.fonts import Fonts

Choice = Literal["system", "light", "dark"]
Scheme = Literal["light", "dark"]

#: Tokens that are one colour in a high-contrast theme: the ground, the tints, the words, the lines.
_GROUNDS = ("window", "side", "base", "band", "well", "hover", "add_bg", "del_bg", "chg_bg")
_INKS = ("text", "text2", "line", "rail", "edge", "add", "del", "chg", "s_key", "s_str", "s_num")


@cache
def token_table() -> dict[str, dict[str, str]]:
    """``{"light": {token: "#RRGGBB"}, "dark": {...}}`` from the token file."""
    raw = json.loads(resources.read("theme", "tokens.json"))
    names = raw["schemes"]
    return {
        scheme: {token: values[column] for token, values in raw["tokens"].items()}
        for column, scheme in enumerate(names)
    }


class Theme(QObject):
    """The tokens in force. Emits `changed` when colours or the application's font changed."""

    changed = Signal()

    def __init__(self, app: QApplication, choice: Choice = "system") -> None:
        super().__init__(app)
        self._app = app
        self._choice: Choice = choice
        self._system_palette = QPalette(app.palette())
        self._own_palette: QPalette | None = None
        self._applying = False
        self._colors: dict[str, QColor] = {}
        self.scheme: Scheme = "light"
        self.high_contrast = False
        #: Cached pixmaps of `icons`, dropped whenever the theme changes.
        self.pixmaps: dict[tuple[object, ...], QPixmap] = {}
        self.fonts = Fonts(app.font())
        app.styleHints().colorSchemeChanged.connect(self._on_scheme)
        # Not an event filter: on the application it would see every event of every widget.
        app.paletteChanged.connect(self._on_palette)
        app.fontChanged.connect(self._on_font)
        self._contrast = _contrast_signal(app)
        if self._contrast is not None:
            self._contrast.connect(self._on_contrast)
        self._apply()

    # --- what painters ask ---------------------------------------------------------------------

    def color(self, token: str) -> QColor:
        """The colour of a token of look.md. KeyError for a name that is not in the token file."""
        return self._colors[token]

    def text_palette(self, of: QPalette, ground: str) -> QPalette:
        """``of`` for text that is read and selected, on the colour of the token ``ground``."""
        palette = QPalette(of)
        palette.setColor(QPalette.ColorRole.Base, self.color(ground))
        palette.setColor(QPalette.ColorRole.Text, self.color("text"))
        palette.setColor(QPalette.ColorRole.Highlight, self.color("textsel"))
        palette.setColor(QPalette.ColorRole.HighlightedText, self.color("text"))
        return palette

    def name(self, token: str) -> str:
        """The colour as ``#rrggbb``, for HTML and SVG."""
        return self._colors[token].name()

    # --- what the settings do ------------------------------------------------------------------

    @property
    def choice(self) -> Choice:
        return self._choice

    def set_choice(self, choice: Choice) -> None:
        """Follow the system, or hold one scheme."""
        if choice == self._choice:
            return
        self._choice = choice
        schemes = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}
        hints = self._app.styleHints()
        # Also tells the window system, so that the frame of the window follows.
        if choice == "system":
            hints.unsetColorScheme()
        else:
            hints.setColorScheme(schemes[choice])
        self._apply()

    def toggle(self) -> Choice:
        """The other scheme; where that is the system's own, the system is followed again."""
        wanted: Scheme = "light" if self.scheme == "dark" else "dark"
        self.set_choice("system")
        if self.scheme != wanted:
            self.set_choice(wanted)
        return self._choice

    # --- following the system ------------------------------------------------------------------

    def _on_scheme(self, _scheme: Qt.ColorScheme) -> None:
        self._apply()

    def _on_contrast(self, _preference: object) -> None:
        self._apply()

    def _on_palette(self, palette: QPalette) -> None:
        if not self._applying and palette != self._own_palette:
            self._system_palette = QPalette(palette)
            self._apply()

    def _on_font(self, font: QFont) -> None:
        self.fonts = Fonts(font)
        self.pixmaps.clear()
        self.changed.emit()

    def detach(self) -> None:
        """Follow nothing any more, and give the application its own palette back."""
        self._app.paletteChanged.disconnect(self._on_palette)
        self._app.fontChanged.disconnect(self._on_font)
        if self._contrast is not None:
            self._contrast.disconnect(self._on_contrast)
        self._app.styleHints().colorSchemeChanged.disconnect(self._on_scheme)
        self._app.setPalette(self._system_palette)

    def _wanted_scheme(self) -> Scheme:
        if self._choice != "system":
            return self._choice
        known = self._app.styleHints().colorScheme()
        if known == Qt.ColorScheme.Unknown:
            # Platforms that do not say (offscreen, a bare X server) still have a palette.
            ground = self._system_palette.color(QPalette.ColorRole.Window)
            return "dark" if ground.lightness() < 128 else "light"
        return "dark" if known == Qt.ColorScheme.Dark else "light"

    def _apply(self) -> None:
        self.scheme = self._wanted_scheme()
        self.high_contrast = _prefers_contrast(self._app)
        table = token_table()[self.scheme]
        colors = {token: QColor(value) for token, value in table.items()}
        colors["sel_text"] = colors["text"]
        if self.high_contrast:
            _high_contrast(colors, self._system_palette)
        self._colors = colors
        self.pixmaps.clear()
        self._own_palette = palette_of(colors)
        self._applying = True
        self._app.setPalette(self._own_palette)
        self._applying = False
        # Qt resolves the palette it was given; compare later against what it made of it.
        self._own_palette = QPalette(self._app.palette())
        self.changed.emit()


def _prefers_contrast(app: QApplication) -> bool:
    """Whether the system asks for more contrast; Qt tells from 6.10 on."""
    hints = getattr(app.styleHints(), "accessibility", None)
    if hints is None:
        return False
    preference = hints().contrastPreference()
    return bool(preference == Qt.ContrastPreference.HighContrast)


def _contrast_signal(app: QApplication) -> SignalInstance | None:
    """What says that the system's wish for contrast changed; None where Qt does not tell."""
    hints = getattr(app.styleHints(), "accessibility", None)
    return hints().contrastPreferenceChanged if hints is not None else None


def _high_contrast(colors: dict[str, QColor], system: QPalette) -> None:
    """Ground, text and highlight from the system; tints become ground, lines become text."""
    role = QPalette.ColorRole
    ground, ink = system.color(role.Base), system.color(role.Text)
    highlight, on_highlight = system.color(role.Highlight), system.color(role.HighlightedText)
    for token in list(colors):
        if token in _GROUNDS or token.endswith("_tint"):
            colors[token] = QColor(ground)
        elif token in _INKS:
            colors[token] = QColor(ink)
    for token in ("run", "wait", "susp", "intr", "fail", "limit", "done", "damg"):
        colors[token] = QColor(ink)
    colors["sel"] = QColor(highlight)
    colors["sel_off"] = QColor(ground)
    colors["sel_text"] = QColor(on_highlight)
    colors["accent"] = colors["focus"] = QColor(highlight)
    colors["on_accent"] = QColor(on_highlight)
    colors["textsel"] = QColor(highlight)


def palette_of(colors: dict[str, QColor]) -> QPalette:
    """The mapping of look.md, "Palette first"."""
    role, group = QPalette.ColorRole, QPalette.ColorGroup
    palette = QPalette()
    mapping = {
        "window": (role.Window, role.Button, role.Light),
        "base": (role.Base,),
        "band": (role.AlternateBase, role.ToolTipBase),
        "text": (role.WindowText, role.Text, role.ButtonText, role.BrightText, role.ToolTipText),
        "text2": (role.PlaceholderText,),
        "accent": (role.Highlight, role.Accent, role.Link),
        "on_accent": (role.HighlightedText,),
        "line": (role.Midlight, role.Mid, role.Dark, role.Shadow),
    }
    for token, roles in mapping.items():
        for each in roles:
            palette.setColor(each, colors[token])
    palette.setColor(role.LinkVisited, colors["accent"])
    for each in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(group.Disabled, each, colors["off"])
    palette.setColor(group.Inactive, role.Highlight, colors["sel_off"])
    palette.setColor(group.Inactive, role.HighlightedText, colors["text"])
    return palette
