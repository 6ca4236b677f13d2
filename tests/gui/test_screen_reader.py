# SPDX-License-Identifier: Apache-2.0
"""What a screen reader is told: through Qt's own interface, as one asks for it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtTest import QTest
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


def rows_of(window: Driver) -> list[QAccessibleInterface]:
    """The items of the list, those that are scrolled out of sight too."""
    found = interface(window, "sessionList")
    return [found.child(place) for place in range(found.childCount())]


def test_the_list_is_a_list_and_a_row_says_all_of_it(window: Driver) -> None:
    found = interface(window, "sessionList")
    assert (found.role(), found.text(NAME)) == (Role.List, "Sessions")
    rows = rows_of(window)
    assert {each.role() for each in rows} == {Role.ListItem}
    names = [each.text(NAME) for each in rows]
    assert len(names) == len(window.ids())
    audit = next(name for name in names if "nightly backup audit" in name)
    assert audit.startswith(
        "Catch up on the nightly backup audit, Outcome unknown, backup_prune, 2\u202fh ago"
    )
    assert [found.indexOfChild(each) for each in rows] == list(range(len(rows)))
    offscreen = [bool(each.state().offscreen) for each in rows]
    assert offscreen[0] is False
    assert offscreen[-1] is True


def test_rows_are_chosen_gone_to_and_opened_by_a_reader(window: Driver) -> None:
    found = interface(window, "sessionList")
    window.click("orders-report")
    chosen = [each.text(NAME) for each in rows_of(window) if each.state().selected]
    assert len(chosen) == 1
    assert "ORDERS stream report" in chosen[0]
    assert found.focusChild().text(NAME) == chosen[0]
    place = window.ids().index("nightly-audit")
    item = found.child(place)
    # Qt hands the row's middle to who asks what is there.
    middle = item.rect().center()
    assert found.childAt(middle.x(), middle.y()).text(NAME) == item.text(NAME)
    selection, actions = found.selectionInterface(), item.actionInterface()
    assert selection.select(item)
    assert selection.selectedItemCount() == 2
    assert window.window.list.selected_ids() == ["orders-report", "nightly-audit"]
    opened: list[str] = []
    window.window.list.opened.connect(opened.append)
    actions.doAction(actions.setFocusAction())
    assert (window.window.list.selected_ids(), opened) == (["nightly-audit"], [])
    actions.doAction(actions.pressAction())
    assert opened == ["nightly-audit"]


def test_readers_may_ask_for_what_there_is_not(window: Driver) -> None:
    found = interface(window, "sessionList")
    for each in (found, found.child(0)):
        assert each.valueInterface() is None
        assert each.textInterface() is None
        assert each.editableTextInterface() is None
        assert each.attributesInterface() is None
        assert each.tableCellInterface() is None
    assert found.actionInterface() is None
    assert found.child(0).selectionInterface() is None
    QAccessible.setActive(True)
    try:
        # Qt looks for the interface of a table when it tells of this.
        window.window.sessions.set_filter(text="ORDERS")
        window.window.sessions.set_filter(text="")
    finally:
        QAccessible.setActive(False)


def test_an_item_is_its_session_wherever_that_moves(window: Driver) -> None:
    found = interface(window, "sessionList")
    item = found.child(window.ids().index("nightly-audit"))
    before = found.indexOfChild(item)
    window.window.sessions.set_sort("name")
    assert found.indexOfChild(item) == window.ids().index("nightly-audit") != before
    assert "nightly backup audit" in item.text(NAME)
    window.window.sessions.set_filter(text="ORDERS")
    assert not any("nightly backup" in each.text(NAME) for each in rows_of(window))
    window.window.sessions.set_filter(text="")
    assert any("nightly backup" in each.text(NAME) for each in rows_of(window))


def test_an_item_goes_with_its_session(window: Driver) -> None:
    found = interface(window, "sessionList")
    place = window.ids().index("nightly-audit")
    number = QAccessible.uniqueId(found.child(place))
    assert QAccessible.accessibleInterface(number).text(NAME)
    window.window.sessions.apply((), ["nightly-audit"])
    assert QAccessible.accessibleInterface(number) is None
    assert len(rows_of(window)) == len(window.ids())
    assert all(each.text(NAME) for each in rows_of(window))


def test_who_listens_is_told_of_the_row_that_keys_go_to(window: Driver) -> None:
    told: list[str] = []
    QAccessible.setActive(True)
    try:
        window.click("orders-report")
        view = window.window.list
        focused = interface(window, "sessionList").focusChild
        for _ in range(3):
            QTest.keyClick(view, Qt.Key.Key_Down)
            told.append(focused().text(NAME))
        QTest.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        assert all(each.state().selected for each in rows_of(window))
    finally:
        QAccessible.setActive(False)
    assert len(set(told)) == 3


def test_a_heading_says_that_it_folds(window: Driver) -> None:
    window.window.sessions.set_grouping("project")
    head = rows_of(window)[0]
    assert head.state().expandable
    assert head.state().expanded
    count = len(rows_of(window))
    head.actionInterface().doAction(head.actionInterface().pressAction())
    assert head.state().collapsed
    assert "folded" in head.text(NAME)
    assert len(rows_of(window)) < count


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
