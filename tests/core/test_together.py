# SPDX-License-Identifier: Apache-2.0
"""Runs and Reasonix sessions as one source, listed and followed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tenuto.reasonix.folders import SAMPLES
from tenuto.reasonix.lease import Lease
from tenuto.sources.together import Together, session_at, sessions_with
from tenuto.watch import Changes
from tenuto.watch_looks import LooksWatcher
from tests.support import reasonix
from tests.support.cli import suspended

A = "sessions/20260601-101010.000000001-m"
B = "projects/-srv-app/sessions/20260602-101010.000000001-m"
V4 = "sessions-v4/" + "a" * 32


@pytest.fixture
def state(home: Path) -> Path:
    """Reasonix's own folder of this user."""
    found = home / ".reasonix"
    for folder in ("sessions", "projects/-srv-app/sessions"):
        (found / folder).mkdir(parents=True)
    reasonix.write(found / f"{A}.jsonl", updated_at="2026-06-01T10:10:10Z")
    reasonix.write(
        found / f"{B}.jsonl", updated_at="2026-06-02T10:10:10Z", workspace_root="/srv/app"
    )
    said = [reasonix.said(m) for m in reasonix.SESSION[1:]]
    reasonix.v4_session(found / V4, reasonix.batch(1, *said))
    return found


@pytest.fixture
def source(state: Path, home: Path) -> Together:
    runs = home / "runs"
    runs.mkdir()
    suspended(runs, "r1")
    return sessions_with(runs)


def test_one_list_of_both(source: Together, state: Path) -> None:
    first = source.list()
    assert set(first.pending) == {A, B, V4, "r1"}
    changed = source.build_pending(first.pending)
    assert (changed.gone, changed.pending) == (frozenset(), frozenset())
    rows = {row.id: row for row in source.list().summaries}
    assert {id: (row.source, row.badge, row.group) for id, row in rows.items()} == {
        "r1": ("fisk-ai", "", ""),
        A: ("reasonix", "A", ""),
        B: ("reasonix", "A", "/srv/app"),
        V4: ("reasonix", "v4", ""),
    }
    listed = [row.id for row in source.list().summaries]
    assert listed.index(B) < listed.index(A)
    assert source.word("r1") == "r1"
    assert source.word(B) == str(state / f"{B}.jsonl")
    assert source.capabilities(rows[A]).delete.allowed
    assert source.capabilities(rows[V4]).delete.code == "foreign"
    for id in rows:
        transcript = source.open(id)
        transcript.refresh()
        assert any(block.kind == "prompt" for block in transcript.blocks)
        transcript.close()
    gone = source.changes(["r1", A, "none", "sessions/none"])
    assert {row.id for row in gone.updated} == {"r1", A}
    assert gone.gone == {"none", "sessions/none"}


def test_an_id_that_both_have_is_the_first_source_s(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs, folder = home / "runs", home / "reasonix"
    for path in (runs, folder):
        path.mkdir()
    suspended(runs, "same")
    reasonix.write(folder / "same.jsonl")
    monkeypatch.setenv("REASONIX_STATE_HOME", str(folder))
    source = sessions_with(runs)
    listing = source.list()
    assert [row.source for row in listing.summaries] == ["fisk-ai"]
    assert [(item.name, item.reason) for item in listing.skipped] == [
        ("same", "another session has this id")
    ]
    assert source.word("same") == "same"


def test_samples_of_runs_bring_samples_of_sessions(state: Path, home: Path) -> None:
    runs, sessions = home / "demo" / "runs", home / "demo" / "reasonix" / "sessions"
    for path in (runs, sessions):
        path.mkdir(parents=True)
    sample = reasonix.write(sessions / "20260603-101010.000000001-m.jsonl")
    own = state / f"{A}.jsonl"

    def listed() -> set[str]:
        return {row.id for row in sessions_with(runs).list().summaries}

    # A folder that happens to be called so is none of samples.
    assert listed() == {A, B, V4}
    assert (session_at(own, runs), session_at(sample, runs)) == (A, None)
    (sessions.parent / SAMPLES).touch()
    assert listed() == {f"sessions/{sample.stem}"}
    assert (session_at(own, runs), session_at(sample, runs)) == (None, f"sessions/{sample.stem}")
    assert {row.id for row in sessions_with(home / "runs").list().summaries} == {A, B, V4}


class Heard:
    """Collects what a watcher tells, and waits for it."""

    def __init__(self) -> None:
        self.changes: list[Changes] = []
        self._more = threading.Condition()

    def __call__(self, changes: Changes) -> None:
        with self._more:
            self.changes.append(changes)
            self._more.notify_all()

    def until(self, wanted: Callable[[Changes], bool]) -> None:
        with self._more:
            assert self._more.wait_for(lambda: any(map(wanted, self.changes)), 30), self.changes
            self.changes.clear()


def test_changes_of_both_are_told(source: Together, state: Path, home: Path) -> None:
    heard = Heard()
    watch = source.watch(heard)
    watch.start()
    try:
        suspended(home / "runs", "r2")
        heard.until(lambda c: "r2" in c.appeared)
        with (state / f"{A}.jsonl").open("ab") as file:
            file.write(reasonix.lines([reasonix.ASK]))
        heard.until(lambda c: A in c.changed)
        with (state / V4 / "events.frames").open("ab") as file:
            file.write(reasonix.batch(9, reasonix.said(reasonix.ASK)))
        heard.until(lambda c: V4 in c.changed)
        # A project that did not exist, and a session that is opened and let go again.
        new = state / "projects" / "-srv-new" / "sessions"
        new.mkdir(parents=True)
        reasonix.write(new / "n.jsonl")
        heard.until(lambda c: "projects/-srv-new/sessions/n" in c.appeared)
        lease = Lease.acquire(str(state / f"{B}.jsonl"))
        heard.until(lambda c: B in c.changed)
        lease.release()
        heard.until(lambda c: B in c.changed)
        (state / f"{A}.jsonl").unlink()
        heard.until(lambda c: A in c.gone)
    finally:
        watch.stop()
    assert not [t for t in threading.enumerate() if t.name == "looks-watcher"]


@pytest.mark.allow_log("a look at")
def test_without_events_looks_are_enough_and_a_callback_that_raises_is_asked_again() -> None:
    seen: dict[str, int] = {}
    heard = Heard()
    failures = [RuntimeError("not now")]

    def tell(changes: Changes) -> None:
        if failures:
            raise failures.pop()
        heard(changes)

    watch = LooksWatcher(lambda: dict(seen), list, tell, poll=0.01, events=False)
    watch.start()
    try:
        assert watch.mode == "polling"
        seen["a"] = 1
        heard.until(lambda c: "a" in c.appeared)
        seen["a"] = 2
        watch.rescan()
        heard.until(lambda c: "a" in c.changed)
    finally:
        watch.stop()
