# SPDX-License-Identifier: Apache-2.0
"""The session list's model by itself: order, filter, changes, and Qt's own model tester."""

from __future__ import annotations

import random
import time

import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from tenuto.sources.base import Evidence, PreviewCounters, SessionSummary, blank_summary
from tenuto_gui.sessions.filters import FilterModel
from tenuto_gui.sessions.model import Role, SessionModel


def session(
    number: int, *, title: str = "", status: str = "completed", age: int = 0, tokens: int = 0
) -> SessionSummary:
    summary = blank_summary(f"run{number:05}", "", mtime_ns=10**18 - age * 10**9, size=1)
    summary.title = title or f"Session {number}"
    summary.status = status  # type: ignore[assignment]
    summary.model = "claude-haiku-4-5"
    summary.created = f"2026-01-{1 + number % 28:02}T00:00:00Z"
    summary.counters = PreviewCounters(in_tokens=tokens)
    return summary


@pytest.fixture
def model(qapp: object) -> SessionModel:
    return SessionModel()


@pytest.fixture
def tester(model: SessionModel) -> QAbstractItemModelTester:
    mode = QAbstractItemModelTester.FailureReportingMode.Fatal
    return QAbstractItemModelTester(model, mode)


def ids(model: QAbstractItemModel) -> list[str]:
    return [str(model.index(row, 0).data(Role.ID)) for row in range(model.rowCount())]


def test_orders(model: SessionModel, tester: QAbstractItemModelTester) -> None:
    model.set_sessions(
        [
            session(1, title="banana", age=5, tokens=10),
            session(2, title="Apple", age=1, tokens=30),
            session(3, title="cherry", age=3, tokens=20),
        ]
    )
    assert ids(model) == ["run00002", "run00003", "run00001"]
    model.set_sort("name")
    assert ids(model) == ["run00002", "run00001", "run00003"]
    model.set_sort("tokens")
    assert ids(model) == ["run00002", "run00003", "run00001"]
    model.set_sort("created")
    assert ids(model) == ["run00003", "run00002", "run00001"]


def test_pinned_sessions_come_first_in_every_order(
    model: SessionModel, tester: QAbstractItemModelTester
) -> None:
    pinned = session(3, title="zebra", age=9, tokens=1)
    pinned.pinned = True
    model.set_sessions([session(1, age=1, tokens=5), session(2, age=2, tokens=9), pinned])
    for order in ("activity", "created", "name", "tokens"):
        model.set_sort(order)
        assert ids(model)[0] == "run00003"
    loose = session(3, title="zebra", age=9, tokens=1)
    model.apply([loose])
    assert ids(model)[-1] == "run00003"


@pytest.mark.parametrize(
    ("later", "earlier"),
    [
        ("2026-03-02T00:00:00Z", "2026-03-01T23:59:59Z"),
        ("2026-03-01T10:00:00.2Z", "2026-03-01T10:00:00.15Z"),
        ("2026-03-01T10:00:00+00:00", "2026-03-01T10:00:00+01:00"),
        ("2026-03-01T10:00:00.123456789Z", "2026-03-01T10:00:00Z"),
        ("2026-03-01T10:00:00Z", "nonsense"),
        ("2026-03-01T10:00:00Z", "2026-03-01T10:00:nanZ"),
    ],
)
def test_created_orders_by_the_moment(model: SessionModel, later: str, earlier: str) -> None:
    one, two = session(1), session(2)
    one.created, two.created = earlier, later
    model.set_sort("created")
    model.set_sessions([one, two])
    assert ids(model) == ["run00002", "run00001"]


def test_a_sort_takes_persistent_indexes_along(
    model: SessionModel, tester: QAbstractItemModelTester
) -> None:
    model.set_sessions([session(n, age=n, tokens=n) for n in range(20)])
    held = QPersistentModelIndex(model.index(3))
    model.set_sort("tokens")
    assert held.data(Role.ID) == "run00003"
    assert held.row() == 16


@pytest.mark.parametrize(
    ("needle", "found"),
    [
        ("straße", ["run00001"]),
        ("STRASSE", ["run00001"]),
        ("\uff21\uff30\uff29", ["run00002"]),  # full-width letters
        ("api", ["run00002"]),
        ("haiku", ["run00001", "run00002", "run00003"]),
        ("run00003", ["run00003"]),
        ("  last words ", ["run00003"]),
        ("session words", []),
        ("nothing of the kind", []),
    ],
)
def test_filter_by_text(
    model: SessionModel, tester: QAbstractItemModelTester, needle: str, found: list[str]
) -> None:
    third = session(3, title="tail", age=3)
    third.last_text = "The last words"
    model.set_sessions(
        [session(1, title="Stra\u00dfe", age=1), session(2, title="API report", age=2), third]
    )
    model.set_filter(text=needle)
    assert ids(model) == found
    model.set_filter(text="")
    assert len(ids(model)) == 3


def test_filters_join_and_count(model: SessionModel, tester: QAbstractItemModelTester) -> None:
    model.set_sessions(
        [
            session(1, status="failed"),
            session(2, status="budget"),
            session(3, status="max_iterations"),
            session(4, status="pending"),
        ]
    )
    counts = model.facet_counts()
    assert (counts["failed"], counts["limit"], counts["completed"]) == (1, 2, 0)
    model.set_filter(facet="limit")
    assert sorted(ids(model)) == ["run00002", "run00003"]
    assert model.total == 4
    model.set_filter(model="another")
    assert ids(model) == []
    assert model.is_filtered
    model.set_filter(facet="all", model="")
    assert not model.is_filtered


def test_the_filters_follow_the_counts(
    model: SessionModel, tester: QAbstractItemModelTester
) -> None:
    filters = FilterModel(model)
    follows = QAbstractItemModelTester(filters, QAbstractItemModelTester.FailureReportingMode.Fatal)
    first = session(1, status="failed")
    model.set_sessions([first, session(2, status="budget")])
    shown = {(each.kind, each.key): each for each in filters.entries}
    assert shown["facet", "failed"].count == 1
    assert shown["model", "claude-haiku-4-5"].count == 2
    filters.choose(shown["facet", "failed"])
    filters.choose(shown["model", "claude-haiku-4-5"])
    assert [each.key for each in filters.entries if each.chosen] == ["failed", "claude-haiku-4-5"]
    first.status = "ready"
    first.model = "deepseek-v4-flash"
    model.set_sessions([first, session(3), session(4)])
    shown = {(each.kind, each.key): each for each in filters.entries}
    assert (shown["facet", "failed"].count, shown["facet", "completed"].count) == (0, 2)
    assert shown["model", "deepseek-v4-flash"].count == 1
    filters.clear()
    model.set_sessions([])
    assert [each.key for each in filters.entries if each.chosen] == ["all"]
    assert not [each for each in filters.entries if each.kind == "model"]
    assert follows.model() is filters


def test_changes_against_a_naive_list(
    model: SessionModel, tester: QAbstractItemModelTester
) -> None:
    """Rows appear, move, change status and go, under a filter and with the tester watching."""
    rng = random.Random(7)
    known: dict[str, SessionSummary] = {}
    model.set_filter(facet="completed")
    for _step in range(400):
        changed = []
        for _ in range(rng.randint(1, 4)):
            status = rng.choice(["completed", "failed"])
            summary = session(rng.randrange(40), status=status, age=rng.randrange(1000))
            known[summary.id] = summary
            changed.append(summary)
        gone = [key for key in known if rng.random() < 0.02 and all(key != s.id for s in changed)]
        for key in gone:
            del known[key]
        model.apply(changed, gone)
        shown = sorted(
            (s for s in known.values() if s.status == "completed"), key=lambda s: s.activity_key
        )
        assert ids(model) == [s.id for s in shown]
        assert model.total == len(known)


def test_a_large_batch(model: SessionModel, tester: QAbstractItemModelTester) -> None:
    model.set_sessions([session(n, age=n) for n in range(50)])
    model.apply([session(n, age=500 - n) for n in range(25, 400)], [f"run{n:05}" for n in range(5)])
    assert model.total == 395
    assert ids(model)[0] == "run00005"


def test_nothing_new_is_no_change(model: SessionModel) -> None:
    model.set_sessions([session(1)])
    changes: list[QModelIndex] = []
    model.dataChanged.connect(lambda first, _last: changes.append(first))
    model.apply([session(1)])
    assert changes == []
    changed = session(1)
    changed.evidence = Evidence("lock", pid=5)
    model.apply([changed])
    assert len(changes) == 1


def test_roles(model: SessionModel) -> None:
    model.set_sessions([session(1, status="failed")])
    index = model.index(0)
    assert index.data() == "Session 1"
    assert index.data(Role.ID) == "run00001"
    assert index.data(Role.SOURCE) == "fisk-ai"
    assert index.data(Role.STATUS) == "failed"
    assert index.data(Role.SUMMARY).title == "Session 1"
    assert "Failed" in index.data(Qt.ItemDataRole.AccessibleTextRole)


def test_ten_thousand_rows(model: SessionModel) -> None:
    """Generous limits: they tell a list from a proxy model, not a fast machine from a slow one."""
    model.set_sessions([session(n, age=n, title=f"Session number {n}") for n in range(10_000)])
    start = time.perf_counter()
    model.set_filter(text="number 77")
    model.set_filter(text="number 777")
    model.set_filter(text="")
    model.set_sort("name")
    model.apply([session(n, age=-n - 1) for n in range(90)])
    assert time.perf_counter() - start < 2.0
    assert model.rowCount() == 10_000
