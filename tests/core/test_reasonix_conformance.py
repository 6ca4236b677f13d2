# SPDX-License-Identifier: Apache-2.0
"""Every expected result of the Reasonix conformance data; most are a real build's own answers."""

import json
import os
import re
from pathlib import Path

import pytest

from tenuto.errors import ToolInputError
from tenuto.reasonix import (
    Controller,
    list_sessions,
    load_session,
    normalize_session,
    preview,
    prune_stale,
    save_session,
)
from tenuto.reasonix.normalise import normalize_wire
from tenuto.reasonix.prune import stale_results
from tenuto.reasonix.session_tools import list_sessions_tool, read_session_tool
from tenuto.reasonix.store import read_session_file
from tenuto.reasonix.v4 import read_v4
from tenuto.sources.reasonix import ReasonixSource
from tests.support.reasonix import REASONIX, SESSIONS_REAL_A, conformance, copy, edge


def _name(case):
    return case["name"]


@pytest.mark.parametrize("case", conformance("normalise.json"), ids=_name)
def test_normalise(case):
    given = json.dumps(case["in"])
    found = normalize_session(case["in"])
    assert found == case["out"]
    assert (found is case["in"]) == (case["in"] == case["out"])
    assert json.dumps(case["in"]) == given
    assert normalize_session(found) == found


@pytest.mark.parametrize("case", conformance("real-a/preview.json"), ids=_name)
def test_preview(case):
    assert preview(case["in"]) == (case["preview"], case["turns"])


@pytest.mark.parametrize("case", conformance("real-a/prune.json"), ids=_name)
def test_prune(case):
    given = json.dumps(case["in"])
    window, recent, errors = case["window"], case["recent"], case["keep_errors"]
    found, count = prune_stale(case["in"], window, recent, errors)
    assert (found, count) == (case["out"], case["results"])
    assert json.dumps(case["in"]) == given
    assert (found is case["in"]) == (count == 0)
    places = stale_results(case["in"], window, recent, keep_errors=errors)
    before = sum(len(case["in"][at]["content"].encode()) for at in places)
    after = sum(len(found[at]["content"].encode()) for at in places)
    assert before - after == case["saved"]


def test_a_folder_of_generation_a():
    expected = conformance("list.json")
    found = list_sessions(REASONIX / "sessions")
    assert [
        (os.path.basename(info.path), info.last_activity, info.turns, info.preview)
        for info in found
    ] == [(e["file"], e["updated_at"], e["turns"], e["preview"]) for e in expected["order"]]
    for info, wanted in zip(found, expected["order"], strict=True):
        assert len(load_session(info.path)) == wanted["messages_after_load"]
    assert not {os.path.basename(info.path) for info in found}.intersection(expected["hidden"])


def test_a_folder_of_odd_files(tmp_path):
    folder = edge(tmp_path / "edge")
    expected = conformance("real-a/edge.json")
    infos = {os.path.basename(info.path): info for info in list_sessions(folder)}
    assert list(infos) == expected["order"]
    for wanted in expected["sessions"]:
        info = infos.pop(wanted["file"])
        assert info.created == wanted["created_at"]
        assert info.last_activity == wanted["last_activity_at"]
        assert (info.preview, info.turns) == (wanted["preview"], wanted["turns"])
        if wanted["load"]:
            with pytest.raises(ValueError):
                load_session(info.path)
        else:
            assert len(load_session(info.path)) == wanted["messages_after_load"]
    # The real list hides what has no turn; here it is shown, with what is wrong where it is.
    assert {info.turns for info in infos.values()} == {0}
    assert sum(bool(info.problem) for info in infos.values()) == 5


def test_the_window_shows_the_odd_files_in_the_same_order(tmp_path):
    source = ReasonixSource(edge(tmp_path / "edge"), cache=tmp_path / "cache")
    source.list()
    source.build_pending()
    listing = source.list()
    order = conformance("real-a/edge.json")["order"]
    assert [os.path.basename(row.path) for row in listing.summaries] == order
    assert listing.pending == frozenset()
    assert {item.name for item in listing.skipped} == {
        "20260614-091502.795168624-surrogate.jsonl",
        "folder.jsonl",
    }


# --- the session tools ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def edge_folder(tmp_path_factory):
    return edge(tmp_path_factory.mktemp("tools") / "edge")


OWN_SENTENCE = {
    "... (truncated, use max_turns to increase limit)": (
        "... (truncated, more with a larger max_turns)"
    ),
}


def test_read_session_answers_as_the_real_one(edge_folder, monkeypatch):
    # A relative path is one from the working directory.
    monkeypatch.chdir(edge_folder.parent)
    for case in conformance("real-a/tools.json")["read_session"]:
        wanted = case["text"]
        for theirs, ours in OWN_SENTENCE.items():
            wanted = wanted.replace(theirs, ours)
        arguments = json.dumps(case["args"])
        if "error" in case:
            with pytest.raises(ToolInputError, match=r"^read_session: "):
                read_session_tool(edge_folder, arguments)
        else:
            assert read_session_tool(edge_folder, arguments) == wanted, case["args"]


def test_list_sessions_has_the_real_rows(edge_folder):
    theirs = [line for line in _table_lines() if line.startswith("| ")][1:]
    ours = list_sessions_tool(edge_folder).split("\n")
    assert ours[0] == "# Saved Sessions (44 total)"
    assert ours[1] == ""
    rows = [line for line in ours if line.startswith("| ")][1:]
    assert len(rows) == len(theirs) == 44
    infos = {os.path.basename(info.path): info for info in list_sessions(edge_folder)}
    for mine, real in zip(rows, theirs, strict=True):
        cells = mine.split(" | ")
        # Number, time, model and file as they are; turns and preview from the sidecar.
        assert cells[:3] == real.split(" | ")[:3]
        file = re.search(r"`([^`]+\.jsonl)`", real)[1]
        assert mine.endswith(f"| `{file}` |")
        assert cells[3] == str(infos[file].turns)


def _table_lines():
    """The real table's rows, each on one line: previews with line breaks tear them."""
    table = conformance("real-a/tools.json")["list_sessions"]
    head, *rows = table.split("\n| ")
    return [head, *("| " + row for row in rows)]


# --- real sessions -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(p.name for p in SESSIONS_REAL_A.rglob("*.jsonl")))
def test_a_real_session_is_saved_byte_for_byte(name, tmp_path):
    (real,) = SESSIONS_REAL_A.rglob(name)
    reading, _ = read_session_file(str(real))
    assert not reading.damage
    save_session(tmp_path / name, reading.messages)
    assert (tmp_path / name).read_bytes() == real.read_bytes()
    assert (tmp_path / name).stat().st_mode & 0o777 == 0o600


def _openai(message):
    """A message as it goes over OpenAI's wire."""
    out = dict(message)
    if "tool_calls" in out:
        out["tool_calls"] = [
            {
                "id": call["id"],
                "type": "function",
                "function": {"name": call["name"], "arguments": call["arguments"]},
            }
            for call in out["tool_calls"]
        ]
    return out


def test_a_real_resume_sends_and_saves_the_same(tmp_path):
    expected = conformance("sessions-real-a/resume.json")
    folder = copy(SESSIONS_REAL_A / "projects" / "-srv-pantry" / "sessions", tmp_path / "sessions")
    path = folder / expected["session"]
    with Controller(folder, "stub/stub-model") as controller:
        resumed = controller.resume(load_session(path), path)
        assert (resumed.messages, resumed.next_turn, resumed.pruned) == (4, 1, None)
        with controller.turn():
            controller.append({"role": "user", "content": expected["prompt"]})
            sent = [_openai(message) for message in normalize_wire(controller.history())]
            controller.append(expected["saved_after"][-1])
        assert sent == expected["sent_messages"]
        assert controller.history() == expected["saved_after"]
    assert load_session(path) == expected["saved_after"]
    meta = json.loads(Path(f"{path}.meta").read_text(encoding="utf-8"))
    assert (meta["turns"], meta["model"]) == (2, "stub/stub-model")
    assert meta["created_at"] == "2026-11-30T18:45:53.505550631Z"


@pytest.mark.parametrize("id", sorted(conformance("v4.json")))
def test_v4(id):
    expected = conformance("v4.json")[id]
    found = read_v4(REASONIX / "sessions-v4" / id)
    assert [item.message for item in found.messages] == expected["messages"]
    assert found.preview == (expected["preview"], expected["turns"])
    assert found.model == expected["model"]
    assert found.status == expected["status"]
    assert found.torn_tail == expected["torn_tail"]
    assert found.damage == []
