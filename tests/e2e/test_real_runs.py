# SPDX-License-Identifier: Apache-2.0
"""What the real fisk-ai did on a resume, Tenuto does: `conformance/fisk-real/runs.json`.

Each run is resumed with the same, a changed, and the changed configuration forced, against a
server that plays `resume-turns.json`: same kind of exit, same number of model calls, same first
messages, same bytes appended. Where agent-config.md marks a row **T**, what Tenuto does instead.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tenuto.agent.loop import CUT_CALL
from tests.e2e.bench import Bench
from tests.e2e.messages_server import MessagesServer
from tests.e2e.pantry import CONFORMANCE

ROWS: list[dict[str, Any]] = json.loads((CONFORMANCE / "runs.json").read_bytes())
TURNS: list[dict[str, Any]] = json.loads((CONFORMANCE / "resume-turns.json").read_bytes())
#: README: "a changed one".
CHANGED = {"llm": {"model": "stub-model-2"}, "system_prompt": "changed"}


@pytest.fixture(autouse=True)
def _no_waits(bench: Bench) -> None:
    bench.pantry.hurry()


def _configuration(row: dict[str, Any], way: str) -> dict[str, Any]:
    config = dict(row["config"])
    if way != "resume":
        config["llm"] = {**config["llm"], **CHANGED["llm"]}
        config["system_prompt"] = CHANGED["system_prompt"]
    return config


@pytest.mark.parametrize("way", ["resume", "drift", "forced"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_resume_as_the_real_one(bench: Bench, row: dict[str, Any], way: str) -> None:
    expected = row[way]
    journal = bench.take(row["name"])
    before = journal.read_bytes()
    config = bench.configure(_configuration(row, way))
    force = ["--force"] if way == "forced" else []
    with MessagesServer(TURNS) as server:
        bench.use(server)
        done = bench.tenuto(
            "resume", row["name"], "--config", str(config), "--no-replay", "--json", *force
        )
    if expected["refused"]:
        assert done.returncode == 4
        assert json.loads(done.stdout)["reason"] == expected["refused"]
        assert sorted(path.name for path in bench.runs.iterdir()) == [journal.name]
    else:
        # Exit 0 there is 0 here, 1 there (budget) is 1 here.
        assert (done.returncode, done.stderr) == (expected["exit"], done.stderr)
    assert len(server.calls) == expected["model_calls"]
    messages = server.calls[0].messages if server.calls else None
    appended = journal.read_bytes().removeprefix(before).decode()
    if row["name"] == "cut-reply" and not expected["refused"]:
        _check_cut_reply(messages, appended, expected)
        return
    assert messages == expected["first_messages"]
    assert appended == expected["appended"]


def _check_cut_reply(
    messages: list[dict[str, Any]] | None, appended: str, expected: dict[str, Any]
) -> None:
    """The calls of a cut reply are never run: each gets an error result, the rest is the same."""
    assert messages is not None
    result = messages[-1]["content"][0]
    assert result["is_error"] is True
    assert result["content"] == [{"type": "text", "text": CUT_CALL}]
    assert messages[:-1] == expected["first_messages"][:-1]
    ours, theirs = appended.splitlines(), expected["appended"].splitlines()
    first = json.loads(ours[0])["tool_result"]["result"]
    assert first == {"tool_use_id": "toolu_0_0", "content": CUT_CALL, "is_error": True}
    assert ours[1:] == theirs[1:]


@pytest.mark.parametrize(
    "row", [row for row in ROWS if not row["signal"]], ids=lambda row: row["name"]
)
def test_run_as_the_real_one(bench: Bench, row: dict[str, Any]) -> None:
    """From the start too: the journal that `run --checkpoint` writes, and the answer it prints."""
    config = bench.configure(row["config"])
    with MessagesServer(row["turns"]) as server:
        bench.use(server)
        done = bench.tenuto(
            "run", f"Please handle {row['name']}", "--config", str(config), "--checkpoint",
            "--name", row["name"],
        )  # fmt: skip
        port = server.url.rpartition(":")[2]
    theirs = (CONFORMANCE / "runs" / f"{row['name']}.json").read_text().splitlines()
    ours = (bench.runs / f"{row['name']}.json").read_text().splitlines()
    assert ours[1:] == [line.replace("127.0.0.1:36425", f"127.0.0.1:{port}") for line in theirs[1:]]
    mine, meta = json.loads(ours[0])["meta"], json.loads(theirs[0])["meta"]
    assert {**mine, "created": meta["created"]} == meta
    assert list(mine) == list(meta)
    assert (done.returncode, done.stdout) == (row["exit"], row["answer"])


@pytest.mark.parametrize("name", ["suspended", "killed-in-tool", "failed-400"])
@pytest.mark.parametrize("force", [False, True], ids=["same", "forced"])
@pytest.mark.parametrize("version", [1, 2])
def test_an_old_version_is_upgraded_and_goes_on(
    bench: Bench, name: str, version: int, force: bool
) -> None:
    row = next(row for row in ROWS if row["name"] == name)
    journal = bench.take(name, version=2)
    # A one-shot run of version 1 differs from it in that number only.
    original = journal.read_bytes().replace(b'"version":2', b'"version":%d' % version, 1)
    journal.write_bytes(original)
    config = bench.configure(_configuration(row, "forced" if force else "resume"))
    with MessagesServer(TURNS) as server:
        bench.use(server)
        done = bench.tenuto(
            "resume", name, "--config", str(config), "--no-replay", *(["--force"] if force else [])
        )
        assert (done.returncode, done.stdout) == (0, "Done after a pause.\n"), done.stderr
    expected = row["forced" if force else "resume"]
    assert server.calls[0].messages == expected["first_messages"]
    assert journal.read_text().endswith(expected["appended"])
    assert (bench.runs / f"{name}.v{version}.bak").read_bytes() == original
    saved = bench.records(name)[0]["meta"]["fingerprint"]
    assert saved["provider"] == "anthropic"
    new_form = json.loads((CONFORMANCE / "runs" / f"{name}.json").read_bytes().split(b"\n")[0])
    assert (saved == new_form["meta"]["fingerprint"]) is not force


def test_version_2_under_a_changed_configuration_is_left_as_it_is(bench: Bench) -> None:
    row = next(row for row in ROWS if row["name"] == "suspended")
    bench.take("suspended", version=2)
    before = bench.snapshot()
    done = bench.tenuto(
        "resume", "suspended", "--config", str(bench.configure(_configuration(row, "drift"))),
        "--no-replay", "--json",
    )  # fmt: skip
    assert (done.returncode, json.loads(done.stdout)["reason"]) == (4, "configuration")
    assert bench.snapshot() == before
