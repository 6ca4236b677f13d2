# SPDX-License-Identifier: Apache-2.0
"""Numbers, ages, plurals and paths as people read them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from tenuto_gui import format as fmt
from tenuto_gui import i18n
from tenuto_gui.activity import words as activity
from tenuto_gui.transcript import words as transcript

ROOT = Path(__file__).parents[2]
NOW = datetime(2026, 3, 14, 15, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def words(qapp: QApplication) -> Iterator[None]:
    i18n.install(qapp, "en")
    yield
    for translator in qapp.findChildren(QTranslator):
        qapp.removeTranslator(translator)
        translator.setParent(None)


def say(text: str) -> str:
    return text.replace("\u202f", "_")


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (999, "999"), (1000, "1.0k"), (12_449, "12.4k"), (99_940, "99.9k"),
     (99_960, "100k"), (260_000, "260k"), (999_400, "999k"), (999_500, "1.0M"),
     (1_250_000, "1.3M"), (2_000_000_000, "2.0G")],
)  # fmt: skip
def test_short(number: int, text: str) -> None:
    assert fmt.short(number) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0.0_s"), (0.42, "0.4_s"), (59.4, "59_s"), (60, "1_m"), (372, "6_m 12_s"),
     (7500, "2_h 5_m"), (273_600, "3_d 4_h"), (-5, "0.0_s")],
)  # fmt: skip
def test_duration(seconds: float, text: str) -> None:
    assert say(fmt.duration(seconds)) == text


@pytest.mark.parametrize(
    ("ago", "text"),
    [(0, "now"), (9, "now"), (45, "40_s ago"), (60, "1_m ago"), (3599, "59_m ago"),
     (7200, "2_h ago"), (-1, "now")],
)  # fmt: skip
def test_age(ago: float, text: str) -> None:
    assert say(fmt.age(NOW - timedelta(seconds=ago), NOW)) == text


def test_age_of_other_days() -> None:
    assert fmt.age(NOW - timedelta(days=1, hours=1), NOW) == "yesterday"
    assert fmt.age(NOW - timedelta(days=3), NOW) == "11 Mar"
    assert fmt.age(NOW - timedelta(days=300), NOW).endswith("2025")
    assert "ago" not in fmt.age(NOW + timedelta(hours=2), NOW), "the future has no age"


def test_sizes_and_shares() -> None:
    assert say(fmt.size(512)) == "512_B"
    assert say(fmt.size(44_667_659_879)) == "41.6_GiB"
    assert say(fmt.percent(71, 100)) == "71_%"
    assert say(fmt.percent(1, 0)) == "0_%"
    assert fmt.exact(200_000) == "200,000"


@pytest.mark.parametrize(
    ("model", "text"),
    [("claude-haiku-4-5", "haiku-4.5"), ("claude-haiku-4-5-20251001", "haiku-4.5"),
     ("claude-sonnet-5", "sonnet-5"), ("deepseek-v4-flash", "deepseek-v4-flash"), ("", "")],
)  # fmt: skip
def test_model_names(model: str, text: str) -> None:
    assert fmt.model_name(model) == text


@pytest.mark.parametrize(
    "text", ["", "yesterday", "2026-13-01T00:00:00Z", "2026-01-01", "2026-01-01T00:00:00", "\u0662"]
)
def test_no_time(text: str) -> None:
    assert fmt.parse_time(text) is None


def test_times_of_journals() -> None:
    found = fmt.parse_time("2026-03-01T10:00:00.123456789+02:00")
    assert found == datetime(2026, 3, 1, 8, 0, 0, 123456, tzinfo=UTC)


@pytest.mark.parametrize(
    ("name", "short", "long"),
    [("C", "14:02", "14:02:08"), ("de_DE", "14:02", "14:02:08"), ("zh_CN", "14:02", "14:02:08"),
     ("en_US", "2:02 PM", "2:02:08 PM"), ("fi_FI", "14.02", "14.02.08")],
)  # fmt: skip
def test_hours_are_those_of_the_locale(name: str, short: str, long: str) -> None:
    then = datetime(2026, 3, 12, 14, 2, 8).astimezone()
    before = QLocale()
    QLocale.setDefault(QLocale(name))
    try:
        said = (fmt.hour(then), fmt.hour(then, seconds=True))
        assert tuple(each.replace(fmt.NNBSP, " ") for each in said) == (short, long)
        assert fmt.moment(then) == f"2026-03-12 {said[1]}"
        assert fmt.clock(then, then) == said[0]
        assert transcript.clock(then.isoformat()) == said[1]
        assert activity.clock(then.timestamp(), date=True) == f"{fmt.day(then)} {said[0]}"
    finally:
        QLocale.setDefault(before)


def test_home_paths(home: Path) -> None:
    assert fmt.home_path(home / "runs") == "~/runs"
    assert fmt.home_path("/srv/runs") == "/srv/runs"
    assert fmt.home_path(str(home) + "land/runs") == str(home) + "land/runs"


def test_plural_forms() -> None:
    from tenuto_gui.sessions.words import turns

    assert [turns(n) for n in (0, 1, 2)] == ["0 turns", "1 turn", "2 turns"]


def test_every_plural_has_its_forms() -> None:
    """What ``python resources/make_translations.py`` would write is what is there."""
    ts = (ROOT / "resources/tenuto_resources/i18n/tenuto_en.ts").read_text(encoding="utf-8")
    missing = []
    for file in (ROOT / "gui/tenuto_gui").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = node.value
                if "(s)" in text and "%n" in text and f"<source>{text}</source>" not in ts:
                    missing.append(f"{file.name}: {text}")
    assert missing == []
