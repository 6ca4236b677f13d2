# SPDX-License-Identifier: Apache-2.0
"""Tokens: WCAG contrast over the token file, following the system, icons and marks that render."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tenuto_gui import icons
from tenuto_gui.sessions.filters import FilterColumn
from tenuto_gui.sessions.model import SessionModel
from tenuto_gui.side_column import TrashRow
from tenuto_gui.theme import Theme, token_table

TEXT, GLYPH = 4.5, 3.0
_GROUNDS = ("window", "side", "base", "band", "well", "hover", "sel", "sel_off")
_TINTS = ("wait_tint", "intr_tint", "fail_tint", "damg_tint", "add_bg", "del_bg", "chg_bg")
_LIST = ("window", "base", "band", "hover", "sel", "sel_off")
_STATES = ("run", "wait", "susp", "intr", "fail", "limit", "done", "damg")

#: (tokens in front, tokens behind, least ratio)
PAIRS = [
    (("text",), (*_GROUNDS, *_TINTS, "textsel", "hit"), TEXT),
    (("text2",), (*_GROUNDS, *_TINTS), TEXT),
    (_STATES, _LIST, TEXT),
    (("accent",), ("window", "base", "band", "well"), TEXT),
    (("edge",), ("window", "base"), GLYPH),
    (("on_accent",), ("accent",), TEXT),
    (("on_hit_now",), ("hit_now",), TEXT),
    (("s_key", "s_str", "s_num"), ("base", "well"), TEXT),
    (("c1", "c2", "c3", "c4"), ("base",), GLYPH),
    *[((word,), (f"{word}_bg",), TEXT) for word in ("add", "del", "chg")],
    *[((word,), (f"{word}_tint",), TEXT) for word in ("wait", "intr", "fail", "damg")],
    *[
        ((f"{word}_glyph",), (f"{word}_fill",), TEXT)
        for word in ("run", "wait", "intr", "fail", "damg")
    ],
]


def _luminance(colour: str) -> float:
    def linear(channel: int) -> float:
        part = channel / 255
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)


def contrast(one: str, other: str) -> float:
    """WCAG 2 contrast ratio of two ``#RRGGBB`` colours."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(scheme: str) -> None:
    table = token_table()[scheme]
    low = [
        f"{front} on {behind}: {contrast(table[front], table[behind]):.2f} < {least}"
        for fronts, behinds, least in PAIRS
        for front in fronts
        for behind in behinds
        if contrast(table[front], table[behind]) < least
    ]
    assert low == []


def test_the_ratio_itself() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#767676", "#FFFFFF") == pytest.approx(4.54, abs=0.01)


def test_both_columns_have_the_same_tokens() -> None:
    table = token_table()
    assert set(table["light"]) == set(table["dark"])


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    made = Theme(qapp)
    yield made
    made.detach()


def test_follows_the_palette_where_the_system_names_no_scheme(
    qapp: QApplication, theme: Theme
) -> None:
    assert theme.scheme == "light"
    told: list[str] = []
    theme.changed.connect(lambda: told.append(theme.scheme))
    dark = QPalette(QColor("#202020"))
    qapp.setPalette(dark)
    assert theme.scheme == "dark"
    assert told == ["dark"]
    assert theme.color("base") == QColor("#1E2425")
    assert qapp.palette().color(QPalette.ColorRole.Base) == QColor("#1E2425")


def test_a_chosen_scheme_holds(qapp: QApplication, theme: Theme) -> None:
    theme.set_choice("dark")
    assert theme.name("text") == "#e2e8e8"
    qapp.setPalette(QPalette(QColor("#f0f0f0")))
    assert theme.scheme == "dark"
    theme.set_choice("system")
    assert theme.scheme == "light"


def test_palette_groups(qapp: QApplication, theme: Theme) -> None:
    palette = qapp.palette()
    role, group = QPalette.ColorRole, QPalette.ColorGroup
    assert palette.color(group.Disabled, role.Text) == theme.color("off")
    assert palette.color(group.Inactive, role.Highlight) == theme.color("sel_off")
    assert palette.color(role.Highlight) == theme.color("accent")


def test_detach_gives_the_palette_back(qapp: QApplication) -> None:
    before = QPalette(qapp.palette())
    Theme(qapp, "dark").detach()
    assert qapp.palette().color(QPalette.ColorRole.Base) == before.color(QPalette.ColorRole.Base)


def test_every_icon_renders(theme: Theme) -> None:
    folder = files("tenuto_resources").joinpath("icons")
    names = [entry.name.removesuffix(".svg") for entry in folder.iterdir()]
    assert len(names) > 35
    for name in set(names) - {"app"}:
        image = icons.pixmap(theme, name, "text", 16, 2.0).toImage()
        assert (image.width(), image.height()) == (32, 32)
        inked = [
            image.pixelColor(x, y)
            for x in range(32)
            for y in range(32)
            if image.pixelColor(x, y).alpha() == 255
        ]
        assert inked, f"{name} is blank"
        assert {colour.name() for colour in inked} == {theme.name("text")}, name


def test_marks_differ_in_shape(theme: Theme) -> None:
    """No two silhouettes are alike: colour is never needed."""
    shapes: dict[str, str] = {}
    for status in icons.MARKS:
        image = icons.mark(theme, status, 40).toImage()
        shape = "".join(
            "#" if image.pixelColor(x, y).alpha() > 127 else "."
            for y in range(40)
            for x in range(40)
        )
        assert shape.count("#") > 20, f"{status} is blank"
        for other, known in shapes.items():
            differing = sum(a != b for a, b in zip(shape, known, strict=True))
            assert differing > 60, f"{status} looks like {other}"
        shapes[status] = shape


def test_pixmaps_are_cached_until_the_theme_changes(theme: Theme) -> None:
    first = icons.mark(theme, "running")
    assert icons.mark(theme, "running").cacheKey() == first.cacheKey()
    theme.set_choice("dark")
    assert icons.mark(theme, "running").cacheKey() != first.cacheKey()


def test_fonts_follow_the_application_font(qapp: QApplication, theme: Theme) -> None:
    before = qapp.font()
    larger = qapp.font()
    larger.setPointSizeF(before.pointSizeF() * 2)
    height = theme.fonts.px(48)
    try:
        qapp.setFont(larger)
        assert theme.fonts.font("small").pointSizeF() == pytest.approx(larger.pointSizeF() - 1)
        assert theme.fonts.px(48) == pytest.approx(2 * height, abs=2)
    finally:
        qapp.setFont(before)


def test_high_contrast_takes_the_systems_colours(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tenuto_gui.theme._prefers_contrast", lambda _app: True)
    before = QPalette(qapp.palette())
    system = QPalette(before)
    role = QPalette.ColorRole
    for each, name in ((role.Base, "#000000"), (role.Text, "#ffff00"), (role.Window, "#000000")):
        system.setColor(each, QColor(name))
    qapp.setPalette(system)
    made = Theme(qapp)
    try:
        assert made.high_contrast
        for ground in ("base", "window", "fail_tint", "chg_bg"):
            assert made.name(ground) == "#000000"
        for ink in ("text", "text2", "line", "run", "wait"):
            assert made.name(ink) == "#ffff00"
        assert not icons.mark(made, "failed").isNull()
    finally:
        made.detach()
        qapp.setPalette(before)


def test_what_is_chosen_is_seen_with_high_contrast_also_without_the_focus(
    qapp: QApplication, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tenuto_gui.theme._prefers_contrast", lambda _app: True)
    made = Theme(qapp, "dark")
    try:
        sessions = SessionModel()
        column = FilterColumn(sessions, made)
        row = TrashRow(made)
        for each in (column, row):
            qtbot.addWidget(each)
        column.resize(200, 400)
        row.resize(200, 40)
        without = row.grab().toImage()
        row.setChecked(True)
        assert row.grab().toImage() != without
        chosen = column.grab().toImage()
        column.set_muted(True)
        assert column.grab().toImage() != chosen, "a muted column shows nothing as chosen"
    finally:
        made.detach()


def test_a_wish_for_contrast_is_followed_at_once(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = False
    monkeypatch.setattr("tenuto_gui.theme._prefers_contrast", lambda _app: wanted)
    made = Theme(qapp)
    try:
        assert not made.high_contrast
        wanted = True
        hints = getattr(qapp.styleHints(), "accessibility", None)
        if hints is None:
            pytest.skip("this Qt does not tell of it")
        hints().contrastPreferenceChanged.emit(Qt.ContrastPreference.HighContrast)
        assert made.high_contrast
    finally:
        made.detach()
