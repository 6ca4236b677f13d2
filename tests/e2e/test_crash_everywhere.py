# SPDX-License-Identifier: Apache-2.0
"""A run killed at every record and around every side effect: what is repeated, call by call."""

from __future__ import annotations

import json
import signal
import subprocess
from typing import Any

import pytest

from tests.e2e import crasher
from tests.e2e.bench import TIMEOUT, Bench
from tests.e2e.runs import DONE, call, turn
from tests.support import warm
from tests.support.paths import REPOSITORY

pytestmark = pytest.mark.slow

#: Notes its name in ``acted``. Where ``kill`` says so, it takes the worker with it at that moment,
#: once; it outlives the worker, so that nothing of it is read any more.
ACT = """#!/bin/sh
here=$(dirname "$0")
kill_at() {
    read -r fatal 2>/dev/null <"$here/kill" || return 0
    [ "$fatal" = "$1" ] || return 0
    rm "$here/kill"
    kill -9 $PPID
    while kill -0 $PPID 2>/dev/null; do sleep 0.01; done
    exit
}
kill_at "before $1"
echo "$1" >>"$here/acted"
kill_at "after $1"
echo "done $1"
kill_at "answered $1"
"""
CALLS = ["a", "b", "c"]
TURNS = [turn(call("a"), call("b")), turn(call("c")), DONE]
#: What the loop appends, undisturbed; the meta record comes before.
KINDS = [
    "assistant", "tool_result", "tool_result", "assistant", "tool_result", "assistant", "terminal",
]  # fmt: skip


class Story:
    """One run that dies, and goes on."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.heard = bench.folder / "heard"
        act = bench.folder / "act"
        act.write_text(ACT)
        act.chmod(0o755)
        self.config = bench.script(TURNS, tools="")
        commands = [{"name": name, "command": [str(act), name]} for name in CALLS]
        self.config.with_name("agent.tenuto.yaml").write_text(
            json.dumps({"script": "script.json", "commands": commands})
        )

    def start(self, moment: str = "never", number: int = 0) -> int:
        words = ["run", "Go", "--checkpoint", "--name", "r1"]
        return self._go(moment, number, *words).returncode

    def resume(self, *more: str) -> subprocess.CompletedProcess[str]:
        return self._go("never", 0, "resume", "r1", "--rerun", "--no-replay", *more)

    def _go(self, moment: str, number: int, *words: str) -> subprocess.CompletedProcess[str]:
        line = [moment, str(number), str(self.heard), *words]
        line += ["--config", str(self.config), "--state-dir", str(self.bench.runs)]
        return warm.run(line, self.bench.environment, TIMEOUT, cwd=REPOSITORY, entry=crasher.entry)

    @property
    def acted(self) -> list[str]:
        path = self.bench.folder / "acted"
        return path.read_text().split() if path.exists() else []

    @property
    def requested(self) -> list[int]:
        return [int(number) for number in self.heard.read_text().split()]

    def ends_well(self) -> None:
        done = self.resume()
        assert (done.returncode, done.stdout) == (0, "Done.\n"), done.stderr
        assert self.bench.kinds("r1") == ["meta", *KINDS]


@pytest.fixture
def story(bench: Bench) -> Story:
    return Story(bench)


def doubled(items: list[Any], item: Any) -> list[Any]:
    """``items`` with ``item`` twice in a row."""
    at = items.index(item)
    return [*items[:at], item, *items[at:]]


def test_undisturbed(story: Story) -> None:
    assert story.start() == 0
    assert (story.acted, story.requested) == (CALLS, [0, 1, 2])
    assert story.bench.kinds("r1") == ["meta", *KINDS]


@pytest.mark.parametrize("number", range(len(KINDS)))
@pytest.mark.parametrize("moment", ["before", "after"])
def test_killed_at_a_record(story: Story, moment: str, number: int) -> None:
    assert story.start(moment, number) == -signal.SIGKILL
    kept = number + (moment == "after")
    assert story.bench.kinds("r1") == ["meta", *KINDS[:kept]]
    acted, requested = CALLS, [0, 1, 2]
    if moment == "before" and KINDS[number] == "tool_result":
        # It ran, and nothing says so.
        acted = doubled(CALLS, CALLS[KINDS[:number].count("tool_result")])
    if moment == "before" and KINDS[number] == "assistant":
        requested = doubled(requested, KINDS[:number].count("assistant"))
    if kept >= len(KINDS) - 1:
        # All is said and done: with or without its last record, the run does nothing again.
        before = (story.bench.runs / "r1.json").read_bytes()
        done = story.resume("--json")
        reason = "completed" if kept == len(KINDS) else "message_required"
        assert (done.returncode, json.loads(done.stdout)["reason"]) == (4, reason)
        assert (story.bench.runs / "r1.json").read_bytes() == before
    else:
        story.ends_well()
    assert (story.acted, story.requested) == (acted, requested)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("moment", ["before", "after", "answered"])
def test_killed_in_a_tool(story: Story, moment: str, name: str) -> None:
    (story.bench.folder / "kill").write_text(f"{moment} {name}\n")
    assert story.start() == -signal.SIGKILL
    assert not (story.bench.folder / "kill").exists()
    story.ends_well()
    assert story.acted == (CALLS if moment == "before" else doubled(CALLS, name))
    assert story.requested == [0, 1, 2]
