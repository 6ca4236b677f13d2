# SPDX-License-Identifier: Apache-2.0
"""Questions to the operator, memory and MCP servers in whole runs; the openai provider, too."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import stat
import time
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.bench import Bench, Event
from tests.e2e.messages_server import MessagesServer
from tests.support.mcp_server import command

HUMAN = {"human_in_the_loop": {"enabled": True}}
MEMORY = {"memory": {"enabled": True}}
DONE = {"text": "Done."}


def calls(*tools: tuple[str, dict[str, Any]], text: str = "") -> Event:
    return {"text": text, "tools": [{"name": name, "input": given} for name, given in tools]}


def results(bench: Bench, id: str = "r") -> list[Event]:
    return [r["tool_result"]["result"] for r in bench.records(id) if "tool_result" in r]


def contents(bench: Bench, id: str = "r") -> list[Any]:
    return [json.loads(result["content"]) for result in results(bench, id)]


def run(config: Path, *more: str) -> tuple[str, ...]:
    return ("run", "Go", "--config", str(config), "--checkpoint", "--name", "r", *more)


# --- questions -----------------------------------------------------------------------------------

ASK = calls(
    ("ask_human_confirm", {"question": "Throw it away?"}),
    ("ask_human_select", {"question": "Which?", "options": ["red", "blue", "red "]}),
    ("ask_human_input", {"question": "Name?", "default": "tea"}),
)


def test_the_worker_asks_and_takes_fitting_answers_only(bench: Bench) -> None:
    config = bench.script([ASK, DONE], harness=HUMAN)
    with bench.worker(*run(config)) as worker:
        ask = worker.until("ask", kind="confirm")
        assert ask["text"] == "Throw it away?"
        waiting = json.loads((bench.runs / "r.ask.json").read_bytes())
        assert waiting["ask"]["text"] == "Throw it away?"
        worker.send(type="answer", id=ask["id"], decision="once")
        worker.send(type="answer", id=ask["id"], value="yes")
        worker.send(type="answer", id=ask["id"], value=True)
        ask = worker.until("ask", kind="select")
        assert ask["options"] == ["red", "blue", "red "]
        worker.send(type="answer", id=ask["id"], value="green")
        worker.send(type="answer", id=ask["id"], value="blue")
        ask = worker.until("ask", kind="input")
        assert (ask["text"], ask["default"]) == ("Name?", "tea")
        worker.send(type="answer", id=ask["id"], value=None)
        assert worker.wait() == 0
        warnings = [event["text"] for event in worker.events if event["type"] == "warning"]
        assert len([text for text in warnings if "was ignored" in text]) == 3
    assert contents(bench) == [
        {"confirmed": True},
        {"selected": "blue"},
        {"value": None, "reason": "the operator did not answer"},
    ]
    assert not (bench.runs / "r.ask.json").exists()


def test_with_nobody_to_ask_the_answer_is_no(bench: Bench) -> None:
    config = bench.script([ASK, DONE], harness=HUMAN)
    assert bench.tenuto(*run(config)).returncode == 0
    confirmed, selected, value = contents(bench)
    assert (confirmed["confirmed"], selected["selected"], value["value"]) == (False, None, None)
    assert all("no operator could be asked" in each["reason"] for each in contents(bench))
    assert [result.get("is_error", False) for result in results(bench)] == [False] * 3


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"question": " ", "options": ["a"]}, "question must not be empty"),
        ({"question": "q" * 5000, "options": ["a"]}, "more than 4000 characters"),
        ({"question": "q", "options": []}, "1 to 25 options, not 0"),
        ({"question": "q", "options": ["a"] * 26}, "1 to 25 options, not 26"),
        ({"question": "q", "options": "a"}, "a list of strings"),
        ({"question": 1, "options": ["a"]}, "question must be a string"),
        ({"options": ["a"]}, "without required parameter(s): question"),
    ],
)
def test_what_is_no_question_is_an_error_result(
    bench: Bench, given: dict[str, Any], words: str
) -> None:
    config = bench.script([calls(("ask_human_select", given)), DONE], harness=HUMAN)
    assert bench.tenuto(*run(config)).returncode == 0
    (result,) = results(bench)
    assert result["is_error"] is True
    assert words in result["content"]


def test_a_question_that_was_taken_back_or_cut_off_is_asked_again(bench: Bench) -> None:
    config = bench.script([calls(("ask_human_confirm", {"question": "Now?"})), DONE], harness=HUMAN)
    with bench.worker(*run(config)) as worker:
        worker.until("ask")
        worker.send(type="suspend")
        worker.until("withdrawn")
        assert worker.wait() == 0
    with bench.worker("resume", "r", "--config", str(config)) as worker:
        worker.until("ask")
        worker.process.kill()
    # Killed while it asked: that is no call whose outcome is unknown.
    with bench.worker("resume", "r", "--config", str(config)) as worker:
        ask = worker.until("ask", kind="confirm")
        worker.send(type="answer", id=ask["id"], value=True)
        assert worker.wait() == 0
    assert contents(bench) == [{"confirmed": True}]


# --- memory --------------------------------------------------------------------------------------


def write(key: str, content: str, **more: Any) -> tuple[str, dict[str, Any]]:
    return "memory_write", {"key": key, "description": f"About {key}", "content": content, **more}


def test_a_memory_outlasts_its_run(bench: Bench) -> None:
    turns = [
        calls(
            write("tea", "green\n---\nis best"),
            write("tea", "black"),
            write("tea", "black", overwrite=True),
            write("../etc", "x"),
            ("memory_list", {}),
            ("memory_read", {"key": "tea"}),
            ("memory_read", {"key": "rice"}),
            ("memory_delete", {"key": "rice"}),
        ),
        DONE,
    ]
    config = bench.script(turns, harness=MEMORY)
    assert bench.tenuto(*run(config)).returncode == 0
    found = [
        result["content"] if result.get("is_error") else json.loads(result["content"])
        for result in results(bench)
    ]
    assert found[0] == {"written": True}
    assert found[1]["written"] is False
    assert found[2] == {"written": True}
    assert "is no key" in found[3]
    assert found[4] == {"memories": [{"key": "tea", "description": "About tea"}]}
    assert found[5] == {
        "found": True,
        "key": "tea",
        "description": "About tea",
        "content": "black",
    }
    assert (found[6]["found"], found[7]) == (False, {"deleted": False})
    folder = bench.folder / "memory" / "pantry"
    file = folder / "tea.md"
    assert file.read_text() == '---\ndescription: "About tea"\n---\n\nblack'
    assert [path.name for path in folder.iterdir()] == ["tea.md"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_the_index_is_sent_and_is_no_drift(bench: Bench) -> None:
    """Suspended, the memory changed, resumed: the model reads the new index; nothing is forced.

    On the other wire: the story of test_server_tools.py.
    """
    with MessagesServer([{"text": "Once.", "delay": 1.0}, {"text": "Twice."}]) as server:
        folder = bench.folder / "notes"
        config = bench.configure(
            {
                "identity": "pantry",
                "system_prompt": "You keep the pantry.",
                "llm": {"model": "m", "provider": "openai"},
                "harness": {"memory": {"enabled": True, "options": {"directory": "notes"}}},
            },
            base_url=f"{server.url}/v1",
        )
        folder.mkdir()
        (folder / "tea.md").write_text("---\ndescription: 'Green: of course'\n---\nx")
        bench.environment["OPENAI_API_KEY"] = "test-key-that-nobody-may-see"
        with bench.worker(*run(config, "--chat")) as worker:
            worker.until("ready")
            worker.send(type="suspend")
            assert worker.wait() == 0
        (folder / "rice.md").write_text("Written by hand.")
        done = bench.tenuto("resume", "r", "--config", str(config), "--say", "On", "--no-replay")
        assert (done.returncode, done.stdout) == (0, "Twice.\n")
        first, second = (json.dumps(call.body) for call in server.calls)
    assert "- tea: Green: of course" in first
    assert "- rice: " not in first
    assert "- rice: " in second
    saved = bench.records("r")[0]["meta"]["fingerprint"]
    assert saved["provider"] == "openai"
    for path in bench.runs.iterdir():
        assert b"that-nobody-may-see" not in path.read_bytes()


def test_no_index_where_none_is_wanted(bench: Bench) -> None:
    (bench.folder / "memory" / "pantry").mkdir(parents=True)
    (bench.folder / "memory" / "pantry" / "tea.md").write_text("x")
    with MessagesServer([DONE]) as server:
        config = bench.configure(
            {
                "identity": "pantry",
                "system_prompt": "You keep the pantry.",
                "llm": {"model": "m", "provider": "openai"},
                "harness": {"memory": {"enabled": True, "no_index": True}},
            },
            base_url=f"{server.url}/v1",
        )
        assert bench.tenuto(*run(config)).returncode == 0
    assert "- tea:" not in json.dumps(server.calls[0].body)
    assert "memory_list" in json.dumps(server.calls[0].body)


def test_the_comparison_names_the_likely_reason(bench: Bench) -> None:
    bench.take("suspended")
    config = json.loads((Path(__file__).parents[1] / "data/conformance/fisk-real/runs.json")
                        .read_bytes())[0]["config"]  # fmt: skip
    path = bench.configure({**config, "harness": {**MEMORY, **HUMAN}})
    done = bench.tenuto("session", "diff", "suspended", "--config", str(path), "--json")
    rows = {row["field"]: row for row in json.loads(done.stdout)["rows"]}
    for field in ("system_hash", "tools_hash"):
        (detail,) = rows[field]["details"]
        assert detail["change"] == "reason"
        assert "harness.human_in_the_loop and harness.memory" in detail["text"]
    shown = bench.tenuto("session", "diff", "suspended", "--config", str(path))
    assert "the likely reason" in shown.stdout


# --- MCP servers ---------------------------------------------------------------------------------


def served(bench: Bench, turns: list[Event], **more: Any) -> tuple[Path, Path]:
    (bench.folder / "script.json").write_text(json.dumps({"turns": turns}))
    pid = bench.folder / "pid"
    server = {"command": command("--pid-file", str(pid)), **more}
    config = bench.configure(
        {
            "identity": "pantry",
            "system_prompt": "You keep the pantry.",
            "llm": {"model": "scripted-1", "provider": "scripted"},
        },
        script="script.json",
        mcp_servers={"one": server},
    )
    return config, pid


def wait_gone(pid: int) -> None:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError(f"{pid} still runs")


def test_a_run_with_a_server_asks_runs_and_ends_it(bench: Bench) -> None:
    note = str(bench.folder / "note")
    turns = [calls(("one_file_note", {"path": note, "text": "tea"}), ("one_add", {"a": 1})), DONE]
    config, pid = served(bench, turns, tool_tags={"file.note": ["ai:confirm"]})
    with bench.worker(*run(config)) as worker:
        ask = worker.until("ask", kind="approve")
        assert ask["argv"] == ["one_file_note", json.dumps({"path": note, "text": "tea"},
                                                           separators=(",", ":"))]  # fmt: skip
        worker.send(type="answer", id=ask["id"], decision="once", digest=ask["digest"])
        assert worker.wait() == 0
    assert [result["content"] for result in results(bench)] == ["noted", "2"]
    assert Path(note).read_text() == "tea\n"
    wait_gone(int(pid.read_text()))


def test_a_call_that_may_have_happened_is_asked_about(bench: Bench) -> None:
    config, pid = served(bench, [calls(("one_slow", {"seconds": 60})), DONE])
    with bench.worker(*run(config)) as worker:
        worker.until("tool_start")
        server = int(pid.read_text())
        worker.process.kill()
        worker.process.wait()
    # Nobody is left to end it, and once it has begun the call it looks up a minute later.
    with contextlib.suppress(ProcessLookupError):
        os.kill(server, signal.SIGKILL)
    refused = bench.tenuto("resume", "r", "--config", str(config), "--json")
    assert (refused.returncode, json.loads(refused.stdout)["reason"]) == (4, "outcome_unknown")
    done = bench.tenuto("resume", "r", "--config", str(config), "--skip", "--no-replay")
    assert (done.returncode, done.stdout) == (0, "Done.\n")


def test_abort_in_a_call_ends_the_server_too(bench: Bench) -> None:
    config, pid = served(bench, [calls(("one_slow", {"seconds": 60})), DONE])
    with bench.worker(*run(config)) as worker:
        worker.until("tool_start")
        began = time.monotonic()
        worker.send(type="abort")
        assert worker.wait() == 130
        assert time.monotonic() - began < 10
    wait_gone(int(pid.read_text()))
    assert bench.kinds("r") == ["meta", "assistant"]
