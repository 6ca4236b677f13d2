# SPDX-License-Identifier: Apache-2.0
"""A call whose outcome is unknown, when its run goes on: asked about, run again, skipped."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.bench import Bench
from tests.e2e.runs import SLOW, killed_in_tool, results, resume

UNKNOWN = (
    f"warning: `pantry {' '.join(SLOW)}` may have run before the interruption, its outcome is"
    " unknown:"
)


def test_unattended_an_unknown_outcome_is_refused_and_nothing_changes(bench: Bench) -> None:
    config = killed_in_tool(bench)
    before = bench.snapshot()
    done = bench.tenuto(*resume(config, "--json", "--no-replay"))
    assert done.returncode == 4
    assert json.loads(done.stdout)["reason"] == "outcome_unknown"
    assert "--rerun" in done.stderr
    assert "--skip" in done.stderr
    assert bench.snapshot() == before
    assert bench.pantry.calls() == []


def test_rerun_runs_the_call_again(bench: Bench) -> None:
    config = killed_in_tool(bench)
    done = bench.tenuto(*resume(config, "--rerun", "--no-replay"))
    assert (done.returncode, done.stdout) == (0, "Done.\n")
    said, ran = done.stderr.index(f"{UNKNOWN} it runs again\n"), done.stderr.index("> slow")
    assert said < ran
    assert bench.pantry.calls() == [SLOW, ["stock", "add", "--", "tea"]]


def test_skip_tells_the_model_and_runs_the_later_calls(bench: Bench) -> None:
    config = killed_in_tool(bench)
    done = bench.tenuto(*resume(config, "--skip", "--no-replay"))
    assert done.returncode == 0
    assert f"{UNKNOWN} it is not run, and the model is told so\n" in done.stderr
    assert bench.pantry.calls() == [["stock", "add", "--", "tea"]]
    assert results(bench)[0]["is_error"] is True
    assert "outcome of this call is unknown" in results(bench)[0]["content"]


# What is asked about is no part of the fingerprint: it may change between two goes.
GATED = {"harness": {"confirm_tags": ["careful"]}}


def killed_then_gated(bench: Bench) -> Path:
    """As killed_in_tool, and from now on each call of the slow tool is asked about."""
    config = killed_in_tool(bench, tags=["careful"])
    config.write_text(json.dumps({**json.loads(config.read_text()), **GATED}))
    return config


def test_unattended_a_call_that_asks_is_not_denied_as_if_it_had_not_run(bench: Bench) -> None:
    config = killed_then_gated(bench)
    before = bench.snapshot()
    done = bench.tenuto(*resume(config, "--rerun", "--json", "--no-replay"))
    assert (done.returncode, json.loads(done.stdout)["reason"]) == (4, "outcome_unknown")
    assert "nobody can be asked here" in done.stderr
    assert bench.snapshot() == before
    assert bench.tenuto(*resume(config, "--skip", "--no-replay")).returncode == 0
    assert "outcome of this call is unknown" in results(bench)[0]["content"]


@pytest.mark.parametrize("decision", ["once", "deny"])
def test_a_second_attempt_is_asked_about_as_the_first_was(bench: Bench, decision: str) -> None:
    config = killed_then_gated(bench)
    with bench.worker(*resume(config, "--rerun")) as worker:
        told = worker.until("warning", kind="outcome_unknown")["text"]
        assert told.endswith("it runs again if it is allowed")
        asked = worker.until("ask")
        assert (asked["kind"], asked["tool"]) == ("approve", "slow")
        worker.send(type="answer", id=asked["id"], decision=decision)
        assert worker.wait() == 0
    ran = [SLOW] if decision == "once" else []
    assert bench.pantry.calls() == [*ran, ["stock", "add", "--", "tea"]]
    if decision == "deny":
        # That it did not run again does not say that it never ran.
        content = json.loads(results(bench)[0]["content"])
        assert content["allowed"] is False
        assert "may have run before" in content["reason"]


@pytest.mark.parametrize("own", [{"read_only": ["slow"]}], ids=["by name"])
def test_a_read_only_call_simply_runs(bench: Bench, own: dict[str, Any]) -> None:
    config = killed_in_tool(bench, **own)
    with bench.worker(*resume(config)) as worker:
        warned = worker.until("warning", kind="outcome_unknown")
        assert warned["text"].endswith("its outcome is unknown: it is read-only, and it runs again")
        assert worker.until("tool_start")["rerun"] is True
        assert worker.wait() == 0
        assert "ask" not in worker.types()


@pytest.mark.parametrize("decision", ["run", "skip", "stop"])
def test_the_window_is_asked_what_to_do(bench: Bench, decision: str) -> None:
    config = killed_in_tool(bench)
    before = bench.snapshot()
    with bench.worker(*resume(config)) as worker:
        asked = worker.until("ask")
        assert (asked["kind"], asked["tool"], asked["call_id"]) == ("outcome", "slow", "call_0_0")
        assert asked["argv"] == [str(bench.pantry.path), *SLOW]
        assert asked["since"].endswith("Z")
        assert json.loads((bench.runs / "r1.ask.json").read_bytes())["pid"] == worker.process.pid
        # While it is asked, nobody else may go on with the run.
        other = bench.tenuto(*resume(config, "--rerun", "--no-replay"))
        assert other.returncode == 5
        worker.send(type="answer", id=asked["id"], decision=decision)
        code = worker.wait()
        kinds = worker.types()
    if decision == "stop":
        assert code == 4
        assert worker.events[-1]["type"] == "refused"
        assert worker.events[-1]["reason"] == "outcome_unknown"
        assert "starting" not in kinds
        assert bench.snapshot() == before
        return
    assert code == 0
    told = [e["text"] for e in worker.events if e.get("kind") == "outcome_unknown"]
    ending = {"run": "it runs again", "skip": "it is not run, and the model is told so"}
    assert told == [f"{UNKNOWN} {ending[decision]}".removeprefix("warning: ")]
    again = [SLOW] if decision == "run" else []
    assert bench.pantry.calls() == [*again, ["stock", "add", "--", "tea"]]


def without_tool(config: Path) -> None:
    """Take the tool of the unknown call out of the configuration."""
    own = config.with_name("agent.tenuto.yaml")
    told = json.loads(own.read_text())
    del told["commands"]
    own.write_text(json.dumps(told))


@pytest.mark.parametrize("more", [(), ("--rerun",)])
def test_unattended_a_call_whose_tool_is_gone_is_refused(
    bench: Bench, more: tuple[str, ...]
) -> None:
    config = killed_in_tool(bench)
    without_tool(config)
    before = bench.snapshot()
    done = bench.tenuto(*resume(config, "--force", "--json", "--no-replay", *more))
    assert (done.returncode, json.loads(done.stdout)["reason"]) == (4, "outcome_unknown")
    assert "`slow` may have run" in done.stderr
    assert "takes no such call any more" in done.stderr
    assert bench.snapshot() == before


def test_a_call_whose_tool_is_gone_is_skipped_aloud(bench: Bench) -> None:
    config = killed_in_tool(bench)
    without_tool(config)
    done = bench.tenuto(*resume(config, "--force", "--skip", "--no-replay"))
    assert done.returncode == 0, done.stderr
    assert "warning: `slow` may have run before the interruption" in done.stderr
    assert "outcome of this call is unknown" in results(bench)[0]["content"]


def test_a_call_whose_tool_is_gone_is_asked_about(bench: Bench) -> None:
    config = killed_in_tool(bench)
    without_tool(config)
    with bench.worker(*resume(config, "--force")) as worker:
        asked = worker.until("ask")
        assert (asked["kind"], asked["gone"], asked["argv"]) == ("outcome", True, ["slow", "{}"])
        # It cannot run: that is no answer, and the question stays.
        worker.send(type="answer", id=asked["id"], decision="run")
        assert "was ignored" in worker.until("warning", kind="command")["text"]
        worker.send(type="answer", id=asked["id"], decision="skip")
        assert worker.wait() == 0
    assert bench.pantry.calls() == [["stock", "add", "--", "tea"]]


def test_a_call_that_a_forced_configuration_does_not_take_may_have_run_all_the_same(
    bench: Bench,
) -> None:
    """Its tool now wants what it did not: that is no reason to tell the model that nothing ran."""
    config = killed_in_tool(bench)
    own = config.with_name("agent.tenuto.yaml")
    told = json.loads(own.read_text())
    schema = {"type": "object", "properties": {"why": {"type": "string"}}, "required": ["why"]}
    told["commands"][0]["input_schema"] = schema
    own.write_text(json.dumps(told))
    before = bench.snapshot()
    done = bench.tenuto(*resume(config, "--force", "--rerun", "--no-replay"))
    assert done.returncode == 4
    assert "takes no such call any more" in done.stderr
    assert bench.snapshot() == before
    assert bench.tenuto(*resume(config, "--force", "--skip", "--no-replay")).returncode == 0
    assert "outcome of this call is unknown" in results(bench)[0]["content"]


def test_hanging_up_on_the_question_leaves_the_run_as_it_was(bench: Bench) -> None:
    config = killed_in_tool(bench)
    before = bench.snapshot()
    with bench.worker(*resume(config)) as worker:
        worker.until("ask")
        worker.hang_up()
        assert worker.wait() == 4
        assert "withdrawn" in worker.types()
    assert bench.snapshot() == before


@pytest.mark.parametrize("how", ["command", "signals"])
def test_aborting_the_question_leaves_the_run_as_it_was(bench: Bench, how: str) -> None:
    config = killed_in_tool(bench)
    before = bench.snapshot()
    with bench.worker(*resume(config)) as worker:
        worker.until("ask")
        if how == "command":
            worker.send(type="abort")
        else:
            # Stopped meanwhile: on a busy machine the first had ended it before the second came.
            for number in (signal.SIGSTOP, signal.SIGINT, signal.SIGTERM, signal.SIGCONT):
                worker.signal(number)
        # Both arrive before the first is acted on, but which thread of it comes first is open.
        assert worker.wait() in ((130,) if how == "command" else (4, 130))
        assert b"Traceback" not in worker.log
    assert bench.snapshot() == before


def test_a_torn_tail_stays_when_the_operator_stops(bench: Bench) -> None:
    config = killed_in_tool(bench)
    journal = bench.runs / "r1.json"
    with journal.open("ab") as file:
        file.write(b'{"seq":3,"protocol":"io.chor')
    before = bench.snapshot()
    assert bench.tenuto(*resume(config, "--no-replay")).returncode == 4
    assert bench.snapshot() == before
    assert bench.tenuto(*resume(config, "--rerun", "--no-replay")).returncode == 0
    assert (bench.runs / "r1.torn").read_bytes().endswith(b'{"seq":3,"protocol":"io.chor')
    assert bench.kinds("r1")[-1] == "terminal"
