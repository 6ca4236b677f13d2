# SPDX-License-Identifier: Apache-2.0
"""Suspended or killed at many moments, a run goes on: nothing twice, nothing lost."""

from __future__ import annotations

import itertools
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e import crasher
from tests.e2e.bench import Bench, Worker
from tests.e2e.messages_server import MessagesServer
from tests.e2e.pantry import HELD
from tests.e2e.runs import PANTRY, call, pantry_runs, resume, start, suspend_in_wait, turn
from tests.support import warm


def story(seconds: float) -> list[dict[str, Any]]:
    """Three turns of calls, with one in each that takes this long."""
    wait = call("wait", seconds=seconds)
    return [
        turn(call("stock_add", item="tea"), wait),
        turn(call("stock_add", item="salt"), wait, call("stock_list")),
        turn(wait, call("stock_add", item="oil")),
        {"text": "All in place.", "stop": "end_turn"},
    ]


def calls(seconds: float) -> list[list[str]]:
    """What the tools see of it, in its order."""
    wait = ["wait", f"--seconds={seconds}"]
    return [
        ["stock", "add", "--", "tea"],
        wait,
        ["stock", "add", "--", "salt"],
        wait,
        ["stock", "list"],
        wait,
        ["stock", "add", "--", "oil"],
    ]


RESUMED = "This conversation was resumed"


def asked(server: MessagesServer, after: int | None = None) -> list[Any]:
    """What the model was asked, call by call: the whole requests.

    From call ``after`` on they end their instructions in a word about the resume, left out here.
    """
    found = []
    for number, request in enumerate(server.calls):
        *fixed, last = request.body["system"]
        resumed = last["text"].startswith(RESUMED)
        assert resumed == (after is not None and number >= after)
        found.append({**request.body, "system": fixed if resumed else [*fixed, last]})
    return found


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """The requests of the story when nobody suspends it."""
    bench = Bench(tmp_path_factory.mktemp("undisturbed"))
    bench.pantry.hurry()
    with MessagesServer(story(HELD)) as server:
        bench.use(server)
        done = bench.tenuto(*start(bench.configure(PANTRY)))
        assert (done.returncode, done.stdout) == (0, "All in place.\n"), done.stderr
    assert bench.pantry.calls() == calls(HELD)
    return asked(server)


@pytest.fixture
def slow_start(bench: Bench) -> Path:
    """The pantry as ``slow-start``, which says what tools it has once this file is there."""
    ready = bench.folder / "ready"
    script = bench.pantry.path.with_name("slow-start")
    script.write_text(
        f'#!/bin/sh\nwhile [ ! -e "{ready}" ]; do sleep 0.01; done\n'
        f'exec "{bench.pantry.path}" "$@"\n'
    )
    script.chmod(0o700)
    return ready


@pytest.mark.slow
def test_one_run_suspended_at_every_boundary_asks_as_if_undisturbed(
    bench: Bench, slow_start: Path, undisturbed: list[Any]
) -> None:
    """First before it asks anything: told so while its application still lists its tools."""
    config = bench.configure({**PANTRY, "application_path": "slow-start"})
    with MessagesServer(story(HELD)) as server:
        bench.use(server)
        with bench.worker(*start(config)) as worker:
            worker.send(type="suspend")
            worker.keep_up()
            slow_start.touch()
            assert worker.wait() == 0
            assert worker.events[-1]["reason"] == "suspended"
        assert server.calls == []
        assert bench.kinds("r1") == ["meta", "terminal"]
        for boundary in range(3):
            with bench.worker(*resume(config)) as worker:
                suspend_in_wait(bench, worker)
            assert len(server.calls) == boundary + 1
        done = bench.tenuto(*resume(config, "--no-replay"))
        assert (done.returncode, done.stdout) == (0, "All in place.\n"), done.stderr
    # Model and tools saw what an undisturbed run shows them, in its order.
    assert asked(server, 0) == undisturbed
    assert bench.pantry.calls() == calls(HELD)


@pytest.mark.slow
@pytest.mark.parametrize("boundary", range(3))
def test_a_clean_suspend_at_any_boundary_is_exactly_once(bench: Bench, boundary: int) -> None:
    """In its first process; what the model is asked after that is told by the run above."""
    config = bench.script(story(HELD))
    with bench.worker(*start(config)) as worker:
        for _ in range(boundary):
            worker.until("tool_start", name="wait")
            bench.pantry.let_go()
        suspend_in_wait(bench, worker)
    kept = bench.kinds("r1")
    assert kept.count("assistant") == boundary + 1
    bench.pantry.hurry()
    done = bench.tenuto(*resume(config, "--no-replay"))
    assert (done.returncode, done.stdout) == (0, "All in place.\n"), done.stderr
    assert bench.pantry.calls() == calls(HELD)
    told = [kind for kind in bench.kinds("r1") if kind != "terminal"]
    results = [["assistant", *["tool_result"] * len(each.get("tools", ()))] for each in story(HELD)]
    assert told == ["meta", *itertools.chain.from_iterable(results)]
    assert bench.kinds("r1")[: len(kept)] == kept


@pytest.mark.slow
def test_a_crash_repeats_at_most_one_call(bench: Bench) -> None:
    """SIGKILL at many moments of one run: the calls that tools and model saw, counted."""
    moments = [
        ("assistant", 0.0), ("tool_start", 0.0), ("tool_end", 0.0), ("tool_start", 0.15),
        ("assistant", 0.02), ("tool_start", 0.35),
    ]  # fmt: skip
    kills, wait = len(moments), 0.3
    config, requests = bench.script(story(wait)), bench.folder / "requests"
    line: tuple[str, ...] = start(config)
    for kind, seconds in moments:
        with listened(bench, requests, *line) as worker:
            worker.until(kind)
            time.sleep(seconds)
            worker.signal(signal.SIGKILL)
            worker.wait()
        # What an orphan logs late would be out of its place.
        while pantry_runs(bench):
            time.sleep(0.01)
        line = resume(config, "--rerun")
    with listened(bench, requests, *line) as worker:
        assert worker.wait() == 0, worker.log.decode()
        assert worker.events[-1]["reason"] == "completed"
    assert bench.kinds("r1").count("assistant") == 4
    # A call of the model's is repeated only when its reply was not journaled yet.
    assert 4 <= len(requests.read_text().split()) <= 4 + kills
    seen = bench.pantry.calls()
    assert 7 <= len(seen) <= 7 + kills
    # Nothing is missing, and a call is repeated only right after itself.
    undoubled = [c for i, c in enumerate(seen) if i == 0 or seen[i - 1] != c]
    assert undoubled == calls(wait)


@contextmanager
def listened(bench: Bench, requests: Path, *words: str) -> Iterator[Worker]:
    """A worker with a scripted model; each request to that is a line of ``requests``."""
    line = ["never", "0", str(requests), *words]
    line += ["--events", "jsonl", "--state-dir", str(bench.runs)]
    worker = Worker(warm.Process(line, bench.environment, stdin=True, entry=crasher.entry))
    try:
        yield worker
    finally:
        worker.stop()
