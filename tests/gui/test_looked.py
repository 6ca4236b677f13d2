# SPDX-License-Identifier: Apache-2.0
"""Where Tenuto looks: said on the first page, in the status line, and why something is no row."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tenuto.runs.file import FileRunStore
from tenuto.settings import Settings, save
from tenuto.sources.together import places
from tenuto_gui import looked
from tests.gui.driver import Driver
from tests.support import reasonix
from tests.support.store import end, make_run

Open = Callable[..., Driver]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "runs"
    place.mkdir(mode=0o700)
    return place


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where Reasonix sessions would be."""
    monkeypatch.setenv("REASONIX_STATE_HOME", str(tmp_path / "reasonix"))
    return tmp_path / "reasonix"


@pytest.fixture
def opened(qtbot: QtBot, folder: Path) -> Open:
    return lambda: Driver(qtbot, folder)


def rows(window: Driver) -> list[tuple[str, str, str]]:
    """Path, kind and finding of each folder."""
    return window.window.first_run.looked.words()


def test_the_first_page_names_all_folders_and_follows_them(
    opened: Open, folder: Path, state: Path
) -> None:
    window = opened()
    window.until(window.window.first_run.isVisible)
    assert [row[1] for row in rows(window)] == [
        "fisk-ai runs",
        "Reasonix sessions",
        "Reasonix, by project",
    ]
    assert str(folder) in rows(window)[0][0]
    assert [row[2] for row in rows(window)] == [
        "The folder is there and has no journals in it",
        "No such folder",
        "No such folder",
    ]
    (state / "sessions").mkdir(parents=True)
    window.window.folder.look_again()
    window.until(lambda: rows(window)[1][2] == "The folder is there and has no sessions in it")
    folder.rmdir()
    window.window.folder.look_again()
    window.until(lambda: rows(window)[0][2] == "No such folder")


def test_the_first_page_in_dark_after_light(opened: Open, state: Path) -> None:
    window = opened()
    window.until(window.window.first_run.isVisible)
    window.window.context.theme.set_choice("dark")
    looked_at = window.window.first_run.looked
    window.until(lambda: looked_at.height() > 20)
    image: QImage = looked_at.grab().toImage()
    light = window.window.context.theme.color("text").lightness()
    assert max(
        image.pixelColor(x, y).lightness()
        for x in range(image.width())
        for y in range(image.height())
    ) >= light - 10, "the words are in the colours of the dark theme"  # fmt: skip


def test_the_settings_are_named_as_the_reason(tmp_path: Path, state: Path) -> None:
    own, sessions = str(tmp_path / "own"), str(tmp_path / "mine")
    found = places(own, Settings(runs_dir=own, reasonix_dir=sessions))
    assert [(each.kind, each.chosen) for each in found] == [
        ("runs", True),
        ("reasonix", True),
        ("projects", True),
    ]
    assert not places(tmp_path, Settings(runs_dir=own))[0].chosen, "the line named another"
    Path(sessions).mkdir()
    found = places(own, Settings(reasonix_dir=sessions))
    assert [each.path for each in found] == [own, sessions], "a folder of sessions itself"


def test_what_is_found_in_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    assert looked.look_at(tmp_path / "file").sentence == "It is not a folder."
    assert looked.look_at(tmp_path / "none").icon == "minus"
    assert looked.look_at(tmp_path / ("x" * 300)).token == "fail"

    def refuse(path: object) -> object:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("tenuto_gui.looked.os.scandir", refuse)
    found = looked.look_at(tmp_path)
    assert (found.icon, found.token, found.sentence) == ("lock", "fail", "Not allowed to read it.")
    assert found.detail == "", "it is one's own"


def test_whose_folder_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: object) -> object:
        raise PermissionError(13, "Permission denied", str(path))

    own = os.getuid()
    monkeypatch.setattr("tenuto_gui.looked.os.scandir", refuse)
    monkeypatch.setattr("tenuto_gui.looked.os.getuid", lambda: own + 1)
    name = tmp_path.owner()
    assert looked.look_at(tmp_path).detail == f"It belongs to user \u201c{name}\u201d."


def test_the_status_line_counts_the_other_folders(opened: Open, folder: Path, state: Path) -> None:
    for place in ("sessions", "projects/-srv-app/sessions"):
        (state / place).mkdir(parents=True)
        reasonix.write(state / place / "20260601-101010.000000001-m.jsonl")
    make_run(FileRunStore(folder), "one")
    window = opened()
    window.until_listed("one")
    status = window.window.status
    window.until(lambda: status.more.text() == "and 2 more folders")
    assert "-srv-app" in status.more.toolTip()


def test_the_status_line_says_why_not_all_are_shown(opened: Open, folder: Path) -> None:
    store = FileRunStore(folder)
    for each in ("one", "two", "three"):
        make_run(store, each)
        with store.open(each) as journal:
            journal.append(end())
    window = opened()
    window.until_listed("one", "two", "three")
    counts = window.window.status.counts
    assert "3 of 3 sessions" in counts.text()
    assert "hidden" not in counts.text()
    QTest.keyClicks(window.window.toolbar.filter_edit, "two")
    window.until(lambda: "1 of 3 sessions" in counts.text() or "0 of 3" in counts.text())
    assert "hidden by the filter" in counts.text()


def test_a_long_path_gives_way_and_nothing_else_does(qtbot: QtBot, tmp_path: Path) -> None:
    deep = tmp_path / ("a" * 120) / ("b" * 120)
    deep.mkdir(parents=True)
    make_run(FileRunStore(deep), "one")
    window = Driver(qtbot, deep)
    window.until_listed("one")
    window.window.resize(700, 500)
    status = window.window.status
    window.until(lambda: status.path.width() < status.path.sizeHint().width())
    assert window.window.width() == 700, "the path does not widen the window"
    assert status.counts.width() >= status.counts.sizeHint().width()
    assert str(deep) in status.path.toolTip()


def test_every_reason_that_core_gives_has_words_of_the_window(
    folder: Path, state: Path, qtbot: QtBot
) -> None:
    """In Chinese: what core says in English is seen at once."""
    (folder / "a.json").mkdir()
    os.mkfifo(folder / "b.json")
    (folder / "c.json").symlink_to(folder / "none")
    (folder / "-d.json").touch()
    (folder / "words.txt").touch()
    (folder / "e.notes.json").write_text("{}")
    (folder / "f.lock").symlink_to(folder / "none")
    make_run(FileRunStore(folder), "one")
    os.link(folder / "one.json", folder / "two.json")
    sessions = state / "sessions"
    sessions.mkdir(parents=True)
    (sessions / "20260601-101010.000000001-m.jsonl").mkdir()
    (sessions / "20260602-101010.000000001-m.events.jsonl").write_text("{}\n")
    save(Settings(language="zh_CN"))
    window = Driver(qtbot, folder)
    window.until_listed("one")
    window.until(window.window.status.hidden.isVisible)
    window.press("statusSkipped")
    told = window.window.notices.details.text.toPlainText().splitlines()
    assert len(told) >= 8
    for each in told:
        name, _colon, why = each.partition(": ")
        assert why
        english = [word for word in why.split() if word.isascii() and word.isalpha()]
        assert set(english) <= {"ID", "Reasonix"}, each
        assert name
