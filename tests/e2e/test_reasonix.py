# SPDX-License-Identifier: Apache-2.0
"""Reasonix sessions resumed against a model server: what it was sent, and what was saved."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.bench import Bench
from tests.e2e.messages_server import MessagesServer
from tests.e2e.terminal import terminal
from tests.support import reasonix
from tests.support.cli import held

EXPECTED = reasonix.conformance("sessions-real-a/resume.json")
PROJECT = Path("projects/-srv-pantry/sessions")


@pytest.fixture
def state(bench: Bench) -> Path:
    """A state folder with what the real builds wrote in it."""
    root = reasonix.copy(reasonix.SESSIONS_REAL_A, bench.folder / "reasonix")
    bench.environment["REASONIX_STATE_HOME"] = str(root)
    bench.environment["REASONIX_HOME"] = str(root)
    return root


@contextmanager
def model(bench: Bench, *turns: dict[str, Any]) -> Iterator[tuple[MessagesServer, Path]]:
    """A chat completions server, and a configuration that talks to it."""
    with MessagesServer(list(turns)) as server:
        config = {
            "identity": "pantry",
            "system_prompt": "Not what a session with its own instructions is sent.",
            "application_path": "pantry",
            "llm": {"provider": "openai", "model": "stub-model"},
        }
        path = bench.configure(config, base_url=f"{server.url}/v1", api_key_env="STUB_KEY")
        bench.environment["STUB_KEY"] = "sk-stub"
        yield server, path


def stored(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def sent(call: Any) -> list[dict[str, Any]]:
    """What was sent, but for the names of results: they are no part of the wire."""
    return [dict(message) for message in call.body["messages"]]


def test_a_session_goes_on_as_the_real_program_does(bench: Bench, state: Path) -> None:
    path = state / PROJECT / EXPECTED["session"]
    before = json.loads(Path(f"{path}.meta").read_text())
    with model(bench, {"text": "All right. "}) as (server, config):
        done = bench.tenuto("resume", str(path), "--config", str(config), "--say", "go on")
    assert (done.returncode, done.stdout) == (0, "All right. \n"), done.stderr
    wanted = [
        {k: v for k, v in message.items() if (message["role"], k) != ("tool", "name")}
        for message in EXPECTED["sent_messages"]
    ]
    assert sent(server.calls[0]) == wanted
    assert stored(path) == EXPECTED["saved_after"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    meta = json.loads(Path(f"{path}.meta").read_text())
    assert (meta["turns"], meta["schema_version"], meta["model"]) == (2, 1, before["model"])
    assert meta["updated_at"] > before["updated_at"]
    # The conversation so far is told before it goes on; the key reaches nobody else.
    assert "\u8bf7\u7b49\u4e00\u4f1a\u513f" in done.stderr
    assert server.calls[0].headers["authorization"] == "Bearer sk-stub"
    assert not Path(str(path).removesuffix(".jsonl") + ".jsonl.lease.json").exists()


def test_over_the_worker_protocol_it_is_a_chat_with_tools(bench: Bench, state: Path) -> None:
    path = state / PROJECT / "20261130-184444.421648733-stub-model.jsonl"
    before = stored(path)
    call = {"name": "stock_list", "input": {"match": "rice"}}
    turns = ({"text": "Look. ", "tools": [call]}, {"text": "Two bags. "}, {"text": "Bye. "})
    with (
        model(bench, *turns) as (server, config),
        bench.worker("resume", str(path), "--config", str(config)) as worker,
    ):
        starting = worker.until("starting")
        assert (starting["interactive"], starting["resumed"]) == (True, True)
        worker.until("ready")
        # Until somebody says something nothing is asked, and nothing is written.
        assert (server.calls, stored(path)) == ([], before)
        lease = json.loads(Path(str(path)[:-6] + ".jsonl.lease.json").read_text())
        assert lease["pid"] == worker.process.pid
        shown = json.loads(bench.tenuto("session", "show", str(path), "--json").stdout)
        assert (shown["status"], shown["evidence"]["pid"]) == ("running", worker.process.pid)
        worker.send(type="prompt", text="how much rice?")
        worker.until("tool_end")
        worker.until("ready")
        worker.send(type="prompt", text="thanks")
        worker.until("ready")
        worker.hang_up()
        assert worker.wait() == 0
        assert worker.events[-1]["reason"] == "suspended"
    roles = [message["role"] for message in stored(path)[len(before) :]]
    assert roles == ["user", "assistant", "tool", "assistant", "user", "assistant"]
    assert stored(path)[: len(before)] == before
    result = stored(path)[len(before) + 2]
    assert (result["name"], result["tool_call_id"]) == ("stock_list", "call_0_0")
    assert sent(server.calls[0])[0] == before[0]


def test_what_another_program_writes_meanwhile_is_not_lost_nor_is_ours(
    bench: Bench, state: Path
) -> None:
    path = state / PROJECT / "20261130-184444.421648733-stub-model.jsonl"
    before = stored(path)
    with (
        model(bench, {"text": "Two bags. "}) as (_, config),
        bench.worker("resume", str(path), "--config", str(config)) as worker,
    ):
        worker.until("ready")
        theirs = path.read_bytes() + reasonix.lines([reasonix.ASK])
        path.write_bytes(theirs)
        worker.send(type="prompt", text="how much rice?")
        error = worker.until("error")
        assert worker.wait() == 4
    assert path.read_bytes() == theirs
    [copy] = set(path.parent.glob("*.jsonl")) - {path, state / PROJECT / EXPECTED["session"]}
    assert str(copy) in error["text"]
    assert stored(copy) == [*before, {"role": "user", "content": "how much rice?"}]
    assert json.loads(Path(f"{copy}.meta").read_text())["parent_id"] == path.stem


def test_what_may_not_go_on_says_why_and_stays(bench: Bench, state: Path) -> None:
    path = state / PROJECT / EXPECTED["session"]
    rest = state / PROJECT / "20261130-184444.421648733-stub-model.jsonl"
    logged = reasonix.write(path.parent / "20261201-101010.000000001-m.jsonl")
    Path(str(logged)[:-6] + ".events.jsonl").write_bytes(reasonix.log_line("replace", []))
    torn = path.parent / "20261201-101010.000000002-m.jsonl"
    torn.write_bytes(reasonix.lines(reasonix.SESSION)[:-9])
    v4 = reasonix.copy(reasonix.REASONIX / "sessions-v4", path.parent.parent / "sessions-v4")
    folder = next(item for item in v4.iterdir() if (item / "events.frames").exists())
    with model(bench, {"text": "never"}) as (server, config):

        def refused(*words: str) -> tuple[int, str]:
            done = bench.tenuto("resume", *words, "--config", str(config))
            return done.returncode, done.stderr

        lock = Path(str(path)[:-6] + ".jsonl.lease.lock")
        with held(lock) as pid:
            code, why = refused(str(path), "--say", "x")
            assert (code, f"open in process {pid}" in why) == (5, True)
        code, why = refused(str(rest))
        assert (code, "--say TEXT" in why) == (4, True)
        for foreign in (logged, folder):
            code, why = refused(str(foreign), "--say", "x")
            assert (code, "session fork" in why, "reasonix open" in why) == (4, True, True)
        code, why = refused(str(torn), "--say", "x")
        assert (code, "after 4 messages" in why) == (6, True)
        code, why = refused(str(path.with_name("none.jsonl")))
        assert code == 3
        code, why = refused(str(path), "--force")
        assert (code, "--force is for runs" in why) == (2, True)
    assert server.calls == []
    assert stored(path) == EXPECTED["saved_after"][:3]


def test_without_a_configuration_reasonix_has_one_and_the_last_is_remembered(
    bench: Bench, state: Path
) -> None:
    path = state / PROJECT / EXPECTED["session"]
    with model(bench, {"text": "First. "}, {"text": "Second. "}) as (server, config):
        none = bench.tenuto("resume", str(path), "--say", "x")
        assert (none.returncode, "--config FILE" in none.stderr) == (2, True)
        (state / "config.toml").write_text(
            'default_model = "stub/stub-2"\n[[providers]]\nname = "stub"\nkind = "openai"\n'
            f'base_url = "{server.url}/v1"\nmodels = ["stub-1", "stub-2"]\n'
            'api_key_env = "REASONIX_STUB_KEY"\n'
        )
        (state / ".env").write_text("REASONIX_STUB_KEY=sk-of-the-file\nHOME_KEY=sk-not-asked-for\n")
        done = bench.tenuto("resume", str(path), "--say", "one")
        assert (done.returncode, done.stdout) == (0, "First. \n"), done.stderr
        assert server.calls[0].body["model"] == "stub-2"
        # Reasonix keeps its keys in a file of its own; nobody else hears of them.
        assert server.calls[0].headers["authorization"] == "Bearer sk-of-the-file"
        assert "sk-" not in done.stdout + done.stderr
        assert json.loads(Path(f"{path}.meta").read_text())["model"] == "openai/stub-2"
        bench.tenuto("resume", str(path), "--say", "two", "--config", str(config))
        done = bench.tenuto("resume", str(path), "--say", "three", "--no-replay")
        assert server.calls[2].body["model"] == "stub-model"
        assert "one" not in done.stderr


def test_the_picker_counts_what_it_shows(bench: Bench, state: Path) -> None:
    bench.runs = state

    def pick(*words: str) -> tuple[int, str, str]:
        done = bench.tenuto("reasonix", "resume", *words)
        return done.returncode, done.stdout, done.stderr

    code, out, _ = pick("--list")
    lines = out.splitlines()
    assert (code, len(lines)) == (0, 2)
    assert lines[0].startswith("1  ")
    assert "1 turns" in lines[0]
    assert "2 turns" in lines[1]
    for word in ("0", "3", "x", "1.0", ""):
        code, _, err = pick(word)
        assert (code, "pick 1-2" in err) == (2, True), err
    code, _, err = pick()
    assert (code, "nobody can pick here" in err) == (2, True)
    with model(bench, {"text": "All right. "}) as (_, config):
        code, out, err = pick("1", "--config", str(config), "--say", "go on")
    assert (code, out) == (0, "All right. \n"), err
    assert stored(state / PROJECT / EXPECTED["session"]) == EXPECTED["saved_after"]


def test_picked_on_a_terminal_it_is_a_chat_there(bench: Bench, state: Path) -> None:
    path = state / PROJECT / "20261130-184444.421648733-stub-model.jsonl"
    before = stored(path)
    bench.runs = state
    with (
        model(bench, {"text": "Two bags."}) as (_, config),
        terminal(bench, "reasonix", "resume", "--config", str(config)) as screen,
    ):
        screen.expect("Which one (1-2, Enter for none)? ")
        assert "2  " in screen.screen
        screen.type("2\n")
        # What was said so far, then the place for what comes next.
        screen.expect("what is on the shelves?")
        screen.expect("> ")
        screen.forget()
        screen.type("and rice?\n")
        screen.expect("> ")
        screen.type("\x04")
        screen.expect("goes on")
        assert screen.wait() == 0
    assert (bench.folder / "answer.txt").read_text() == "Two bags.\n"
    added = [m["content"] for m in stored(path)[len(before) :]]
    assert added == ["and rice?", "Two bags."]
    with terminal(bench, "reasonix", "resume") as screen:
        screen.expect("Enter for none")
        screen.type("\n")
        screen.expect("nothing was picked")
        assert screen.wait() == 4


def test_a_session_that_rested_long_is_pruned_where_the_window_is_known(
    bench: Bench, state: Path
) -> None:
    old = {"updated_at": "2026-06-01T10:10:10Z", "created_at": "2026-06-01T10:10:10Z"}
    path = reasonix.write(state / PROJECT / "old.jsonl", reasonix.long_session(), **old)
    whole = path.read_bytes()
    with model(bench, {"text": "On. "}) as (_, config):
        own = config.with_name("agent.tenuto.yaml")
        keys = json.loads(own.read_text())

        def resumed(**more: Any) -> str:
            path.write_bytes(whole)
            Path(f"{path}.meta").write_text(json.dumps(old))
            own.write_text(json.dumps(keys | more))
            done = bench.tenuto("resume", str(path), "--config", str(config), "--say", "on")
            assert done.returncode == 0, done.stderr
            return done.stderr

        assert "were taken out" not in resumed()
        assert "were taken out" not in resumed(context_window=20_000, cold_resume_hours=0)
        assert not (state / "archive").exists()
        assert "were taken out" in resumed(context_window=20_000)
    [archive] = (state / "archive").iterdir()
    elided = [m for m in stored(path) if m.get("content", "").startswith("[elided tool result")]
    assert len(stored(archive)) == len(elided) > 0
    assert all(m["content"][0].isdigit() for m in stored(archive))


def test_a_v4_session_is_handed_over_or_forked_and_goes_on(bench: Bench, state: Path) -> None:
    v4 = reasonix.copy(reasonix.REASONIX / "sessions-v4", state / "sessions-v4")
    session = next(iter(sorted(item for item in v4.iterdir() if item.name[0] != ".")))
    frames = (session / "events.frames").read_bytes()
    program = bench.folder / "bin" / "reasonix"
    program.write_text('#!/bin/sh\necho "$@"\n')
    done = bench.tenuto("reasonix", "open", str(session))
    assert (done.returncode, "no reasonix program" in done.stderr) == (2, True)
    program.chmod(0o755)
    done = bench.tenuto("reasonix", "open", str(session))
    assert done.stdout == f"chat --resume {session.name}\n"
    with model(bench, {"text": "On. "}) as (server, config):
        made = bench.tenuto("session", "fork", str(session), "--json")
        fork = json.loads(made.stdout)
        assert (made.returncode, fork["parent"]) == (0, session.name), made.stderr
        path = Path(fork["path"])
        assert path.parent == state / "sessions"
        done = bench.tenuto("resume", str(path), "--config", str(config), "--say", "go on")
        assert (done.returncode, done.stdout) == (0, "On. \n"), done.stderr
        assert json.loads(Path(f"{path}.meta").read_text())["parent_id"] == session.name
        made = bench.tenuto(
            "session", "fork", str(session), "--config", str(config), "--name", "r", "--json"
        )
        assert (made.returncode, json.loads(made.stdout)["id"]) == (0, "r"), made.stderr
        done = bench.tenuto("resume", "r", "--say", "go on", "--no-replay")
        assert (done.returncode, done.stdout) == (0, "On. \n"), done.stderr
    assert (session / "events.frames").read_bytes() == frames
    first, second = (sent(call) for call in server.calls)
    assert [m["role"] for m in first[1:]] == [m["role"] for m in second[1:]]
    assert os.path.lexists(bench.runs / "r.notes.json")
