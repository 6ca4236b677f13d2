# SPDX-License-Identifier: Apache-2.0
"""What an operator has chosen stays in the list, though a filter would hide what it became."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from PySide6.QtTest import QAbstractItemModelTester

from tenuto.runs.file import FileRunStore
from tenuto.sources.base import SessionSummary
from tenuto_gui.sessions.model import SessionModel
from tests.gui.driver import Open
from tests.gui.test_session_model import ids, session
from tests.support.store import end, suspended_runs


@pytest.mark.parametrize("grouped", [False, True])
def test_held_rows_stay_whatever_they_become(qapp: object, grouped: bool) -> None:
    """Against a naive list: rows change, appear and go one by one and in large batches."""
    model = SessionModel()
    mode = QAbstractItemModelTester.FailureReportingMode.Fatal
    tester = QAbstractItemModelTester(model, mode)
    rng = random.Random(11)
    known: dict[str, SessionSummary] = {}
    held: set[str] = set()
    strays: set[str] = set()
    if grouped:
        model.set_grouping("source")
    model.set_filter(facet="suspended")
    for step in range(300):
        if step % 7 == 0:
            held = {key for key in known if rng.random() < 0.2}
            strays &= held
            model.hold(held)
        before = {key for key, each in known.items() if each.status == "suspended"} | strays
        changed = {}
        for _ in range(rng.choice([1, 2, 60])):
            status = rng.choice(["suspended", "running"])
            summary = session(rng.randrange(60), status=status, age=rng.randrange(1000))
            changed[summary.id] = summary
        gone = [key for key in known if rng.random() < 0.02 and key not in changed]
        known |= changed
        for key in gone:
            del known[key]
        strays = {key for key in (held & before & known.keys()) if known[key].status != "suspended"}
        model.apply(changed.values(), gone)
        passing = {key for key, each in known.items() if each.status == "suspended"}
        in_order = sorted(known.values(), key=lambda each: each.activity_key)
        shown = [each.id for each in in_order if each.id in passing | strays]
        assert [each for each in ids(model) if each] == shown
        assert {each.id for each in model.passing()} == passing
        assert model.passing_count == len(passing)
    model.set_filter(facet="running")
    assert {each for each in ids(model) if each} == known.keys() - passing
    assert tester.model() is model


@pytest.fixture
def store(folder: Path) -> FileRunStore:
    return FileRunStore(folder)


def test_a_chosen_run_that_leaves_the_filter_stays_open(opened: Open, store: FileRunStore) -> None:
    suspended_runs(store, "one", "two", "three")
    window = opened()
    window.until_listed("one", "two", "three")
    column = window.window.filters
    column.choose("facet", "suspended")
    window.click("two")
    with store.open("two") as journal:
        journal.append(end("completed"))
    window.until(lambda: window.status("two") == "completed", "the list did not follow")
    assert sorted(window.ids()) == ["one", "three", "two"]
    assert window.window.detail.session_id == "two"
    assert window.window.list.current_id() == "two"
    # What the filter is for is deleted, not what only stayed.
    window.window.verbs.delete_shown.trigger()
    window.press("questionYes")
    window.until(lambda: [each.id for each in store.list()] == ["two"], "they are still there")
    window.until(lambda: window.ids() == ["two"])
    assert not window.window.verbs.delete_shown.isEnabled()
    window.window.verbs.undo_delete.trigger()
    # What came back is chosen now.
    window.until(lambda: sorted(window.ids()) == ["one", "three"], "it stays when it is left")
