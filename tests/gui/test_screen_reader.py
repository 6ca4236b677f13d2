# SPDX-License-Identifier: Apache-2.0
"""What a screen reader is told: through Qt's own interface, as one asks for it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tenuto.demo.make import make_demo
from tests.e2e.test_demo import hurry
from tests.gui.driver import Driver

NAME = QAccessible.Text.Name
VALUE = QAccessible.Text.Value
ABOUT = QAccessible.Text.Description
Role = QAccessible.Role


@pytest.fixture
def window(qtbot: QtBot, home: Path) -> Driver:
    demo = make_demo(home / "demo")
    hurry(demo)
    window = Driver(qtbot, demo.runs)
    window.until_listed("orders-report", "nightly-audit", "rename-metrics")
    return window


def interface(window: Driver, name: str) -> QAccessibleInterface:
    widget = window.window.findChild(QWidget, name)
    assert widget is not None, name
    return QAccessible.queryAccessibleInterface(widget)


def children(parent: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    for place in range(parent.childCount()):
        if (child := parent.child(place)) is not None and not child.state().invisible:
            yield child


def below(parent: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    for child in children(parent):
        yield child
        yield from below(child)


def test_a_row_of_the_list_says_all_of_it(window: Driver) -> None:
    found = interface(window, "sessionList")
    assert found.text(NAME) == "Sessions"
    # Those that are scrolled out of sight, too.
    parts = [each for place in range(found.childCount()) if (each := found.child(place))]
    cells = [each for each in parts if each.role() == Role.Cell]
    names = [each.text(NAME) for each in cells]
    assert len(names) == len(window.ids())
    audit = next(name for name in names if "nightly backup audit" in name)
    assert "Outcome unknown" in audit
    assert "backup_prune" in audit
    # What is no row says nothing: the headers are hidden, and have numbers by themselves.
    others = [each.text(NAME) for each in parts if each.role() != Role.Cell]
    assert not any(others)
    window.click("orders-report")
    chosen = [each.text(NAME) for each in cells if each.state().selected]
    assert len(chosen) == 1
    assert "ORDERS stream report" in chosen[0]


def test_filters_say_how_many(window: Driver) -> None:
    found = interface(window, "sessionFilters")
    assert (found.role(), found.text(NAME)) == (Role.List, "Filters")
    assert f"All, {len(window.ids())}" in [each.text(NAME) for each in children(found)]


def test_each_view_of_a_session_has_a_name(window: Driver) -> None:
    window.click("orders-report")
    detail = window.window.detail
    window.until(lambda: len(detail.transcript.blocks) > 0)
    assert interface(window, "transcriptView").role() == Role.Document
    for place, name in enumerate(["Transcript", "Configuration", "Activity", "Records"]):
        detail.tabs.setCurrentIndex(place)
        page = QAccessible.queryAccessibleInterface(detail.tabs.currentWidget())
        said = {page.text(NAME), *(each.text(NAME) for each in below(page))}
        assert any(said), name
        tabs = interface(window, "detailTabs")
        heads = [each.text(NAME) for each in below(tabs) if each.role() == Role.PageTab]
        assert heads[place].startswith(name)


def test_a_question_is_told_and_read_word_by_word(window: Driver) -> None:
    window.choose("prune-streams", "actionResume")
    panel = window.window.running.panel
    window.until(lambda: panel.is_asking, "it never asked")
    found = interface(window, "approvalPanel")
    words = list(below(found))
    assert "stream_rm" in found.text(NAME)
    assert panel.property("currentText") == found.text(NAME), "nobody was told"
    command = next(each for each in words if "word by word" in each.text(NAME) and each.text(ABOUT))
    assert [part.split(": ", 1)[1] for part in command.text(ABOUT).split(", ")] == list(
        panel.question.argv
    )
    buttons = [each.text(NAME) for each in words if each.role() == Role.Button]
    # As they are read: what denies comes last, and none is nameless.
    assert buttons.index("Allow once") < buttons.index("Deny")
    assert all(buttons)
    reasons = itertools.dropwhile(lambda each: each.text(NAME) != "Why it asks", words)
    assert len([each for each in reasons if each.role() == Role.StaticText]) > 1
    window.window.verbs.suspend.trigger()
    window.until(lambda: not window.window.running.controller.live_ids())


def test_a_refusal_is_told(window: Driver) -> None:
    window.choose("rename-metrics", "actionResume")
    window.until(lambda: "The configuration differs" in window.notice(), "no refusal")
    window.until(lambda: not window.window.running.controller.live_ids())
    bar = window.window.notices
    assert "The configuration differs" in interface(window, "noticeBar").text(NAME)
    assert bar.property("currentText") == bar.accessibleName()
    buttons = [e.text(NAME) for e in below(interface(window, "noticeBar"))]
    assert "Show what changed" in buttons
    window.press("noticeForce")
    panel = window.window.resume_flow.force_panel
    window.until(lambda: panel.isVisible() and panel.confirm.isEnabled())
    said = interface(window, "forcePanel").text(NAME)
    assert said.startswith("Continue under a changed configuration?")
    facts = [each.text(NAME) for each in below(interface(window, "forcePanel"))]
    assert any(fact and fact in said for fact in facts if len(fact) > 20), "its facts are silent"
