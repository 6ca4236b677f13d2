# SPDX-License-Identifier: Apache-2.0
"""What is around a run: the conversation so far, variables, folders, times, wrong use."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.e2e.bench import Bench
from tests.e2e.messages_server import MessagesServer
from tests.e2e.runs import (
    DONE,
    PANTRY,
    call,
    resume,
    start,
    suspended,
    turn,
)

# --- what is around a run -----------------------------------------------------------------------


def test_without_checkpoint_nothing_is_kept(bench: Bench) -> None:
    config = bench.script([turn(call("stock_list")), DONE])
    done = bench.tenuto("run", "Look", "--config", str(config))
    assert (done.returncode, done.stdout) == (0, "Done.\n")
    assert list(bench.runs.iterdir()) == []
    assert bench.pantry.calls() == [["stock", "list"]]


def test_the_conversation_so_far_is_printed_first(bench: Bench) -> None:
    config = suspended(bench)
    done = bench.tenuto(*resume(config))
    assert done.stdout == "Done.\n"
    assert "> Tidy up" in done.stderr
    assert "Working." in done.stderr


def test_the_reminder_is_sent_and_never_stored(bench: Bench) -> None:
    bench.take("suspended")
    config = bench.configure({**PANTRY, "system_prompt": "You keep the pantry <tidy> & current.\n"})
    with MessagesServer([DONE]) as server:
        bench.use(server)
        assert bench.tenuto("resume", "suspended", "--config", str(config)).returncode == 0
    system = server.calls[0].body["system"]
    assert len(system) == 2
    assert "resumed" in system[1]["text"]
    assert "cache_control" in system[0]
    assert "cache_control" not in system[1]
    assert system[1]["text"] not in (bench.runs / "suspended.json").read_text()


def test_caching_may_be_switched_off_between_two_goes(bench: Bench) -> None:
    """How a prompt is sent is no part of the fingerprint: nothing to force, and no mark is sent."""
    bench.take("suspended")
    config = bench.configure(
        {
            **PANTRY,
            "system_prompt": "You keep the pantry <tidy> & current.\n",
            "llm": {**PANTRY["llm"], "no_prompt_cache": True},
        }
    )
    with MessagesServer([DONE]) as server:
        bench.use(server)
        done = bench.tenuto("resume", "suspended", "--config", str(config))
        assert done.returncode == 0, done.stderr
    assert len(server.calls) == 1
    assert "cache_control" not in json.dumps(server.calls[0].body)
    assert "resumed" in server.calls[0].body["system"][1]["text"]


def test_tools_see_a_list_of_variables_and_no_key(bench: Bench) -> None:
    bench.environment |= {"MY_SECRET_TOKEN": "s3cret", "PASSED_ON": "yes", "LC_TIME": "C"}
    config = bench.configure(PANTRY, env={"PASSED_ON": None, "ANTHROPIC_AUTH_TOKEN": None})
    with MessagesServer([turn(call("stock_list")), DONE]) as server:
        bench.use(server)
        with bench.worker(*start(config)) as worker:
            assert worker.wait() == 0
            said = json.dumps(worker.events) + worker.log.decode()
    seen = bench.pantry.records()[0]["env"]
    assert seen["LLMFORMAT"] == "1"
    assert seen["PASSED_ON"] == "yes"
    assert "MY_SECRET_TOKEN" not in seen
    assert not any("ANTHROPIC" in name for name in seen)
    # The key reached the server, and is nowhere else.
    key = bench.environment["ANTHROPIC_API_KEY"]
    assert key in json.dumps(server.calls[0].headers)
    assert key not in said
    for folder in (bench.folder, Path(os.environ["XDG_DATA_HOME"])):
        for path in folder.rglob("*"):
            if path.is_file():
                assert key.encode() not in path.read_bytes(), path


def test_another_working_directory_is_a_warning(bench: Bench, tmp_path: Path) -> None:
    config = suspended(bench, turn(call("stock_list")))
    plain = json.loads(config.with_name("agent.tenuto.yaml").read_text())
    config.with_name("agent.tenuto.yaml").write_text(
        json.dumps({**plain, "working_directory": str(tmp_path)})
    )
    with bench.worker(*resume(config)) as worker:
        assert worker.until("starting")["cwd"] == str(tmp_path)
        assert str(bench.folder) in worker.until("warning", kind="cwd")["text"]
        assert worker.wait() == 0
    assert bench.pantry.records()[-1]["cwd"] == str(tmp_path)


def test_the_configuration_of_the_last_time_is_found(bench: Bench) -> None:
    suspended(bench)
    done = bench.tenuto("resume", "r1", "--no-replay")
    assert (done.returncode, done.stdout) == (0, "Done.\n"), done.stderr


def test_times_are_kept_beside_the_journal(bench: Bench) -> None:
    config = bench.script([turn(call("wait", seconds=0.3)), DONE])
    assert bench.tenuto(*start(config)).returncode == 0
    lines = (bench.runs / "r1.times.jsonl").read_bytes().splitlines()
    times = {entry["seq"]: entry for entry in map(json.loads, lines)}
    assert set(times) >= {2, 3, 4}
    assert times[3]["ms"] >= 300


def test_the_result_as_json(bench: Bench) -> None:
    config = bench.script([turn(call("stock_list")), DONE])
    done = bench.tenuto(*start(config), "--json")
    assert done.returncode == 0
    said = json.loads(done.stdout)
    assert (said["run_id"], said["reason"], said["answer"]) == ("r1", "completed", "Done.")
    assert said["counters"]["llm_calls"] == 2
    assert "run r1" in done.stderr


def test_a_name_that_is_taken_starts_nothing(bench: Bench) -> None:
    config = bench.script([DONE])
    assert bench.tenuto(*start(config)).returncode == 0
    before = bench.snapshot()
    done = bench.tenuto(*start(config), "--json")
    assert (done.returncode, json.loads(done.stdout)["error"]) == (4, "exists")
    assert bench.snapshot() == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "", "--config", "x"),
        ("run", "hello", "--config", "x", "--name", "n"),
        ("run", "hello", "--config", "x", "--chat"),
        ("run", "hello"),
        ("resume", "r1", "--rerun", "--skip", "--config", "x"),
        ("resume", "r1", "--say", " ", "--config", "x"),
        ("resume", "r1.jsonl", "--source", "reasonix", "--say", "", "--config", "x"),
    ],
)
def test_wrong_use(bench: Bench, arguments: tuple[str, ...]) -> None:
    done = bench.tenuto(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("tenuto: ")
    assert list(bench.runs.iterdir()) == []


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ("{", "not a script"),
        ('{"turns": []}', "no turns"),
        ('{"turns": [{"text": "a"}, {}]}', "turn 1 has none of text, tools, error"),
        ('{"turns": [{"text": "a", "stop": "later"}]}', "stop"),
        ('{"turns": [{"txt": "a"}]}', "txt"),
    ],
)
def test_a_script_that_cannot_be_played(bench: Bench, script: str, problem: str) -> None:
    config = bench.script([DONE])
    (bench.folder / "script.json").write_text(script)
    done = bench.tenuto(*start(config))
    assert done.returncode == 2
    assert problem in done.stderr
    assert list(bench.runs.iterdir()) == []


# --- the chat that waited for an approval -------------------------------------------------------


def test_the_real_chat_goes_on_in_a_window_only(bench: Bench) -> None:
    journal = bench.take("chat-waiting")
    before = journal.read_bytes()
    prompt = "You keep the pantry <tidy> & current. Say what you changed.\n"
    config = bench.configure({**PANTRY, "system_prompt": prompt})
    with MessagesServer([{"text": "The flour is gone."}, {"text": "Nothing else."}]) as server:
        bench.use(server)
        refused = bench.tenuto("resume", "chat1", "--config", str(config), "--json")
        assert (refused.returncode, json.loads(refused.stdout)["reason"]) == (4, "mode")
        assert list(bench.runs.iterdir()) == [journal]
        with bench.worker("resume", "chat1", "--config", str(config)) as worker:
            asked = worker.until("ask")
            assert (asked["kind"], asked["argv"][1:]) == (
                "outcome",
                ["stock", "remove", "--", "flour"],
            )
            worker.send(type="answer", id=asked["id"], decision="run")
            worker.until("ready")
            # One question for one call: it was shown, and the operator said run.
            assert worker.types().count("ask") == 1
            worker.send(type="prompt", text="anything else?")
            worker.until("ready")
            worker.hang_up()
            assert worker.wait() == 0
        assert len(server.calls) == 2
    appended = bench.kinds("chat1")[10:]
    assert appended == ["tool_result", "assistant", "user", "assistant", "terminal"]
    assert journal.read_bytes().startswith(before)
    assert bench.pantry.calls() == [["stock", "remove", "--", "flour"]]
