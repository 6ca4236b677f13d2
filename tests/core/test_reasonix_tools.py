# SPDX-License-Identifier: Apache-2.0
"""The session tools: what a model is told, and what it never is."""

import json
import os

import pytest

from tenuto.errors import ToolInputError
from tenuto.reasonix.session_tools import (
    LIST_TOOL,
    READ_TOOL,
    list_sessions_tool,
    read_session_tool,
    shorten,
)
from tenuto.runs.file import FileRunStore
from tenuto.sources.reasonix import ReasonixSource
from tenuto.sources.session_tools import SessionTools
from tests.support.reasonix import (
    ANSWER,
    ASK,
    CALL,
    REASONIX,
    SESSION,
    SYSTEM,
    copy,
    log_line,
    write,
)
from tests.support.store import FaultLayer, make_run, snapshot

V4 = "3db33388d64bb551fa646e8762e8ffae"


def read(folder, session, **more):
    return read_session_tool(folder, json.dumps({"session": session} | more))


def test_what_the_host_said_is_no_turn(tmp_path):
    host = {"role": "user", "content": "<context>", "origin": "host"}
    write(tmp_path / "s.jsonl", [SYSTEM, host, ASK, ANSWER, host, ASK, ANSWER])
    text = read(tmp_path, "s.jsonl", max_turns=1)
    assert "<context>" not in text
    assert "## User (turn 1)\ncount the go files" in text
    assert text.count("## User") == 1
    assert "truncated" in text


def test_a_session_as_markdown(tmp_path):
    write(tmp_path / "s.jsonl", SESSION)
    assert read(tmp_path, "s.jsonl") == (
        "# Session: s.jsonl\n"
        "## User (turn 1)\ncount the go files\n\n"
        '### Tool Calls\n\n- `bash({"command":"ls"})`\n\n'
        "### Tool Result: bash\n\n"
        "## Assistant (turn 1)\nThere are 12.\n\n"
    )
    assert "### Tool Result: bash\n\n12\n\n" in read(tmp_path, "s.jsonl", show_tool_results=True)
    assert read(tmp_path, str(tmp_path / "s.jsonl")) == read(tmp_path, "s.jsonl")


def test_turns_are_limited(tmp_path):
    write(tmp_path / "s.jsonl", [ASK, ANSWER] * 60)
    assert read(tmp_path, "s.jsonl").count("## User") == 50
    assert read(tmp_path, "s.jsonl", max_turns=-1).count("## User") == 50
    assert read(tmp_path, "s.jsonl", max_turns=0).count("## User") == 60
    short = read(tmp_path, "s.jsonl", max_turns=2)
    assert short.count("## User") == short.count("## Assistant") == 2
    assert "max_turns" in short.splitlines()[-1]
    assert "max_turns" not in read(tmp_path, "s.jsonl", max_turns=60)


FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("x" * 3000, 2000),
        (FAMILY * 3000, 2000 * len(FAMILY)),
        ("e\u0301" * 3000, 4000),
        ("a\r\n" * 2000, 3000),
        ("\u0301" * 200_000, 128_000),
    ],
    ids=["plain", "family", "combining", "line ends", "one character without end"],
)
def test_texts_are_cut_by_what_a_person_sees(text, count):
    assert shorten(f"  {text}\n") == text[:count] + "..."


def test_short_texts_are_left_whole():
    assert shorten(FAMILY * 2000) == FAMILY * 2000
    assert shorten(" x \n") == "x"
    assert shorten("x" * 1200, 1200) == "x" * 1200
    assert shorten("x" * 1201, 1200) == "x" * 1200 + "..."


def test_cells_cannot_break_the_table(tmp_path):
    hostile = "a|b\n| 9 | x\u202e\x1b[31m `c` | "
    write(tmp_path / "x-y-m|o`d.jsonl", schema_version=1, turns=1, preview=hostile)
    rows = list_sessions_tool(tmp_path).splitlines()
    assert len(rows) == 7
    row = rows[4]
    assert row.startswith("| 1 | ")
    assert row.endswith("| `x-y-m\\|o`d.jsonl` |")
    assert row.replace("\\|", "").count("|") == 7
    assert "\x1b" not in row
    assert "\u202e" not in row
    assert list_sessions_tool(tmp_path / "none") == "No sessions found.\n"


def test_counts_come_from_the_sidecar(tmp_path, monkeypatch):
    write(tmp_path / "s.jsonl", schema_version=1, turns=7, preview="p")
    monkeypatch.setattr("tenuto.reasonix.listing._read", None)
    assert "| 7 | p |" in list_sessions_tool(tmp_path)


# --- what is not read ----------------------------------------------------------------------------


def test_paths_are_resolved_before_they_are_judged(tmp_path):
    folder, secret = tmp_path / "sessions", tmp_path / "secret.jsonl"
    (folder / "sub").mkdir(parents=True)
    write(secret, [ASK])
    write(folder / "sub" / "in.jsonl", [ASK])
    (folder / "out.jsonl").symlink_to(secret)
    (folder / "way").symlink_to(tmp_path)
    (folder / "in.jsonl").symlink_to(folder / "sub" / "in.jsonl")
    (tmp_path / "sessions-2").mkdir()
    write(tmp_path / "sessions-2" / "s.jsonl", [ASK])
    outside = (
        "out.jsonl", str(folder / "out.jsonl"), str(folder / "way" / "secret.jsonl"), "..", ".",
        str(secret), f"{folder}/../secret.jsonl", f"{folder}-2/s.jsonl", "a\0b", "/etc/passwd",
    )  # fmt: skip
    for name in outside:
        with pytest.raises(ToolInputError, match="outside the session directory"):
            read(folder, name)
    assert "count the go files" in read(folder, "in.jsonl")
    assert "count the go files" in read(folder, str(folder / "sub" / "in.jsonl"))
    # The folder itself may be a symlink.
    (tmp_path / "link").symlink_to(folder)
    assert "count the go files" in read(tmp_path / "link", "in.jsonl")


@pytest.mark.parametrize(
    "raw",
    [
        "", "{", "[]", "5", '{"session":5}', '{"session":"s.jsonl","max_turns":1.5}',
        '{"session":"s.jsonl","max_turns":"1"}', '{"session":"s.jsonl","show_tool_results":1}',
        b"\xff", "{}", '{"session":null}', '{"session":""}',
    ],
)  # fmt: skip
def test_wrong_arguments_are_told(tmp_path, raw):
    write(tmp_path / "s.jsonl")
    with pytest.raises(ToolInputError, match=r"^read_session: (invalid args|'session')"):
        read_session_tool(tmp_path, raw)


def test_instructions_and_thoughts_are_never_shown(tmp_path):
    secret = {"role": "assistant", "content": "ok", "reasoning_content": "thought"}
    write(tmp_path / "s.jsonl", [SYSTEM, ASK, secret])
    text = read(tmp_path, "s.jsonl", show_tool_results=True)
    assert "Be brief." not in text
    assert "thought" not in text


def test_reading_changes_nothing(tmp_path):
    write(tmp_path / "s.jsonl", SESSION[:3])
    before = snapshot(tmp_path)
    assert "### Tool Result: bash" in read(tmp_path, "s.jsonl")
    list_sessions_tool(tmp_path)
    assert snapshot(tmp_path) == before


# --- over all sources ----------------------------------------------------------------------------


@pytest.fixture
def tools(tmp_path):
    store = FileRunStore(tmp_path / "runs")
    (tmp_path / "runs").mkdir(mode=0o700)
    make_run(store, "nightly", turns=1)
    root = tmp_path / "state"
    for folder in (root / "sessions", root / "projects" / "-a" / "sessions"):
        folder.mkdir(parents=True)
        write(folder / "20260702-091502.000000001-m.jsonl", SESSION, topic_title=folder.name)
    write(root / "sessions" / "c.jsonl", [SYSTEM])
    (root / "sessions" / "c.events.jsonl").write_bytes(log_line("replace", [ASK, ANSWER]))
    write(root / "sessions" / "going.jsonl", [ASK])
    (root / "sessions" / "going.cleanup-pending.json").touch()
    copy(REASONIX / "sessions-v4", root / "projects" / "-a" / "sessions-v4")
    return SessionTools(runs=tmp_path / "runs", reasonix=root, cache=tmp_path / "cache")


def ask(tools, session):
    return tools.call("read_session", json.dumps({"session": session}))


def test_all_sessions_are_in_one_table(tools):
    text = tools.call(LIST_TOOL.name, b"{}")
    assert text.startswith("# Saved Sessions (7 total)\n")
    files = [line.split("`")[1] for line in text.splitlines() if line.count("`") == 2][:7]
    assert {"nightly.json", "c.jsonl", V4} <= set(files)
    # Two of one name are told apart by their paths.
    assert sum(os.path.isabs(file) for file in files) == 2
    for file in files:
        assert ask(tools, file).startswith(f"# Session: {os.path.basename(file)}\n")
    assert [tool.name for tool in tools.definitions] == ["list_sessions", "read_session"]
    assert READ_TOOL.input_schema["required"] == ["session"]


def test_what_a_sidecar_counts_is_not_read(tools, tmp_path):
    root = tmp_path / "state" / "sessions"
    write(root / "counted.jsonl", schema_version=1, turns=7, preview="what was asked")
    write(root / "not.jsonl", SESSION, schema_version=0, turns=7, preview="what was asked")
    rows = {line.split("`")[1]: line for line in tools.list_sessions().splitlines() if "`" in line}
    assert "| 7 | what was asked |" in rows["counted.jsonl"]
    assert "| 1 | count the go files |" in rows["not.jsonl"]
    pending = ReasonixSource(tmp_path / "state", cache=tmp_path / "cache").list().pending
    assert pending == {"sessions/counted"}


def test_each_kind_is_read(tools):
    run = ask(tools, "nightly.json")
    assert "## User (turn 1)\ncount the <stars>\n" in run
    assert "- `list({" in run
    assert "## Assistant (turn 1)\nThere are 12.\n" in ask(tools, "c.jsonl")
    assert ask(tools, V4).count("### Tool Result: bash") == 3


def test_what_is_not_there_or_not_to_be_read(tools, tmp_path):
    for name, words in (
        ("none.jsonl", "there is no session"),
        ("going.jsonl", "pending cleanup"),
        ("../state/sessions/c.jsonl", "outside"),
        ("/etc/passwd", "outside"),
        ("", "'session' argument"),
        ("c.events.jsonl", "not a session"),
    ):
        with pytest.raises(ToolInputError, match=words):
            ask(tools, name)
    (tmp_path / "runs" / "nightly.json").write_bytes(b"garbage\n{}\n")
    with pytest.raises(ToolInputError):
        ask(tools, "nightly.json")


def test_one_source_alone(tmp_path):
    tools = SessionTools(runs=tmp_path)
    assert tools.list_sessions() == "No sessions found.\n"
    with pytest.raises(ToolInputError, match="no session"):
        ask(tools, "x.json")
    with pytest.raises(ToolInputError, match="outside"):
        ask(SessionTools(), "x.json")


def test_a_folder_that_cannot_be_listed_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "tenuto.reasonix.listing.FileLayer", lambda: FaultLayer(1, only=("scandir",))
    )
    with pytest.raises(ToolInputError, match=r"^list_sessions: cannot list"):
        list_sessions_tool(tmp_path)


def test_the_last_call_of_a_cut_session_is_shown_with_its_placeholder(tmp_path):
    write(tmp_path / "s.jsonl", [ASK, CALL])
    assert "[no result: " in read(tmp_path, "s.jsonl", show_tool_results=True)
