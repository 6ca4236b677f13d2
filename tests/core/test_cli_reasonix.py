# SPDX-License-Identifier: Apache-2.0
"""The session verbs on a Reasonix folder that holds every generation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tenuto.paths import settings_file
from tenuto.settings import Settings, save
from tenuto.sources.reasonix import ReasonixSource
from tests.support import reasonix
from tests.support.cli import Capture, ask, held, tell

A = "sessions/20260601-101010.000000001-deepseek-v4"
B = "projects/-srv-app/sessions/20260602-101010.000000001-deepseek-v4"
C = "sessions/20260603-101010.000000001-m"
TORN = "sessions/20260604-101010.000000001-m"
V4 = "sessions-v4/" + "a" * 32


@pytest.fixture
def root(home: Path) -> Path:
    """A state folder with one session of each generation, and a damaged one."""
    state = home / "state"
    for folder in ("sessions", "projects/-srv-app/sessions"):
        (state / folder).mkdir(parents=True)
    times = {"created_at": "2026-06-01T10:00:00Z", "updated_at": "2026-06-01T10:10:10Z"}
    file(state, A).write_bytes(reasonix.lines(reasonix.SESSION))
    Path(f"{file(state, A)}.meta").write_text(json.dumps({"id": "x", **times}))
    reasonix.write(file(state, B), revision=3, content_digest="d", updated_at=times["updated_at"])
    reasonix.write(file(state, C), [reasonix.SYSTEM])
    log = reasonix.log_line("replace", reasonix.SESSION)
    Path(str(file(state, C))[:-6] + ".events.jsonl").write_bytes(log)
    file(state, TORN).write_bytes(reasonix.lines(reasonix.SESSION)[:-5])
    host = {"role": "user", "content": "<context>", "origin": "host"}
    said = [reasonix.said(m) for m in (host, *reasonix.SESSION[1:])]
    reasonix.v4_session(state / V4, reasonix.batch(1, ("turn/start", {}), *said))
    return state


def file(root: Path, id: str) -> Path:
    return root / f"{id}.jsonl"


@pytest.fixture
def at(root: Path) -> list[str]:
    """What makes a command look there."""
    return ["--source", "reasonix", "--state-dir", str(root)]


def state_of(root: Path) -> dict[str, tuple[bytes, int]]:
    # A lock that was let go leaves its file, as that of the program itself does.
    files = (p for p in root.rglob("*") if p.is_file() and p.suffix != ".lock")
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def test_a_list_holds_all_generations_and_looking_changes_nothing(
    root: Path, at: list[str], capsys: Capture
) -> None:
    before = state_of(root)
    code, rows = ask(capsys, "session", "ls", *at)
    assert code == 0
    found = {row["id"]: (row["generation"], row["status"], row["turns"]) for row in rows}
    assert found == {
        A: ("A", "ready", 1),
        B: ("B", "ready", 1),
        C: ("C", "ready", 1),
        TORN: ("A", "damaged", 1),
        V4: ("v4", "interrupted", 1),
    }
    assert {row["prompt"] for row in rows} == {"count the go files"}
    assert {row["project"] for row in rows} == {"", "-srv-app"}
    code, out, err = tell(capsys, "session", "ls", *at, "--status", "damaged")
    assert (code, len(out.splitlines()), err) == (0, 2, "")
    for words in (["doctor"], ["show", A, C, V4], ["show", "--transcript", B]):
        tell(capsys, "session", *words, *at)
    assert state_of(root) == before


def test_show_tells_what_a_session_holds(root: Path, at: list[str], capsys: Capture) -> None:
    code, answer = ask(capsys, "session", "show", A, *at)
    assert (code, answer["error"], answer["generation"]) == (0, None, "A")
    assert answer["messages"] == reasonix.SESSION
    # A path stands for an id, and says itself what kind of session it is.
    _, same = ask(capsys, "session", "show", file(root, A))
    assert (same["path"], same["messages"]) == (str(file(root, A)), reasonix.SESSION)
    _, v4 = ask(capsys, "session", "show", root / V4)
    assert (v4["generation"], v4["status"]) == ("v4", "interrupted")
    code, damaged = ask(capsys, "session", "show", TORN, *at)
    assert (code, damaged["error"], damaged["messages"]) == (6, "corrupt", reasonix.SESSION[:-1])
    assert "after 4 messages" in damaged["message"]
    code, out, err = tell(capsys, "session", "show", "--transcript", V4, *at)
    assert (code, err) == (0, "")
    assert "> count the go files" in out
    assert "<context>" not in out
    code, out, _ = tell(capsys, "session", "show", "--records", A, *at)
    told = [line.split(": ", 1) for line in out.splitlines()]
    assert [json.loads(text) for _, text in told] == reasonix.SESSION
    assert told[1][0] == "line 2, byte 40, user"


def test_the_records_of_every_generation(root: Path, at: list[str], capsys: Capture) -> None:
    """What is on disk, piece by piece: as the Records view has it."""
    code, out, _ = tell(capsys, "session", "show", "--records", C, *at)
    (line,) = out.splitlines()
    assert line.startswith("line 1, byte 0, replace: {")
    code, out, _ = tell(capsys, "session", "show", "--records", V4, *at)
    lines = out.splitlines()
    assert lines[0].startswith("frame 1, byte 0, batch/begin: {")
    kind, text = lines[2].split(": ", 1)
    assert kind.endswith(", message/complete")
    assert json.loads(text)["event"]["payload"]["message"]["origin"] == "host"
    assert code == 0
    code, out, _ = tell(capsys, "session", "show", "--records", TORN, *at)
    last = out.splitlines()[-1]
    assert code == 6
    assert "damaged, " in last
    assert last.endswith("not written to its end")


@pytest.mark.parametrize("kind", ["events", "guardian", "conflicts", "wire"])
def test_a_file_that_only_ends_as_a_session_does_is_none(
    root: Path, at: list[str], capsys: Capture, kind: str
) -> None:
    beside = root / f"{A}.{kind}.jsonl"
    beside.write_bytes(reasonix.lines(reasonix.SESSION))
    before = state_of(root)
    for word in (str(beside), f"{A}.{kind}"):
        for verb in ("show", "rm", "fork"):
            code, out, err = tell(capsys, "session", verb, word, *at)
            assert (code, out, "there is no session" in err) == (3, "", True), err
        code, _, err = tell(capsys, "resume", word, "--say", "x", "--config", "a.yaml", *at)
        assert (code, "there is no session" in err) == (3, True), err
    assert state_of(root) == before
    assert A in {row["id"] for row in ask(capsys, "session", "ls", *at)[1]}


def test_what_is_not_there_or_not_clear_is_said(root: Path, at: list[str], capsys: Capture) -> None:
    code, answer = ask(capsys, "session", "show", "sessions/none", *at)
    assert (code, answer["error"]) == (3, "not_found")
    code, answer = ask(capsys, "session", "show", "../sessions/x", *at)
    assert (code, answer["error"]) == (3, "not_found")
    code, _, err = tell(capsys, "session", "show", "r", file(root, A))
    assert (code, "a command each" in err) == (2, True)
    # The last part of an id is enough, unless two projects have it.
    assert ask(capsys, "session", "show", Path(A).name, *at)[1]["id"] == A
    twin = root / "projects/-srv-app/sessions" / file(root, A).name
    twin.write_bytes(file(root, A).read_bytes())
    code, _, err = tell(capsys, "session", "rename", Path(A).name, "x", *at)
    assert (code, "several sessions" in err) == (2, True)


def test_doctor_finds_and_repairs_nothing(root: Path, at: list[str], capsys: Capture) -> None:
    Path(f"{file(root, B)}.meta").write_text("[]")
    lost = [reasonix.ASK, reasonix.CALL, reasonix.ASK]
    file(root, A).write_bytes(reasonix.lines(lost))
    code, answers = ask(capsys, "session", "doctor", *at)
    assert code == 6
    found = {a["id"]: [(f["kind"], f["harmless"]) for f in a["findings"]] for a in answers}
    assert found == {
        A: [("repair", True)],
        B: [("meta", False)],
        C: [],
        TORN: [("torn", False)],
        V4: [],
    }
    assert tell(capsys, "session", "doctor", A, *at)[0] == 0
    code, _, err = tell(capsys, "session", "doctor", "--repair", *at)
    assert (code, "next save" in err) == (2, True)


def test_diff_does_not_apply(at: list[str], capsys: Capture) -> None:
    code, answer = ask(capsys, "session", "diff", A, "--config", "x.yaml", *at)
    assert (code, answer["error"]) == (2, "usage")
    assert "no configuration to compare with" in answer["message"]


def test_delete_moves_all_files_and_restore_brings_them_back(
    root: Path, at: list[str], capsys: Capture
) -> None:
    before = state_of(root)
    code, [gone] = ask(capsys, "session", "rm", A, *at)
    assert (code, gone["id"], gone["error"]) == (0, A, None)
    assert not file(root, A).exists()
    assert not Path(f"{file(root, A)}.meta").exists()
    [entry] = ask(capsys, "session", "trash", "ls", *at)[1]
    assert (entry["id"], entry["token"]) == (A, gone["token"])
    # The token alone is enough to bring it back: whoever has it need not know the source.
    code, back = ask(capsys, "session", "trash", "restore", gone["token"])
    assert (code, back["path"]) == (0, str(file(root, A)))
    assert state_of(root) == before
    ask(capsys, "session", "rm", file(root, A))
    assert ask(capsys, "session", "trash", "restore", A, *at)[0] == 0
    assert state_of(root) == before
    # The word that deleted it brings it back.
    assert ask(capsys, "session", "rm", file(root, A))[0] == 0
    assert ask(capsys, "session", "trash", "restore", file(root, A))[0] == 0
    assert state_of(root) == before
    for word in (gone["token"], file(root, A)):
        assert ask(capsys, "session", "trash", "restore", word)[0] == 3


def test_what_may_not_be_changed_is_not(root: Path, at: list[str], capsys: Capture) -> None:
    before = state_of(root)

    def refused(*words: str) -> tuple[int, Any]:
        code, answer = ask(capsys, "session", *words, *at)
        return code, answer[0] if isinstance(answer, list) else answer

    for id in (C, V4):
        for words in (("rm", id), ("rename", id, "x")):
            code, answer = refused(*words)
            assert (code, answer["error"]) == (4, "generation")
            assert "only Reasonix itself writes" in answer["message"]
    assert refused("rm", A, "--purge")[0] == 2
    assert state_of(root) == before
    with held(Path(str(file(root, A))[:-6] + ".jsonl.lease.lock")) as pid:
        for words in (("rm", A), ("rename", A, "x")):
            code, answer = refused(*words)
            assert (code, f"process {pid}" in answer["message"]) == (5, True)


def test_a_title_is_kept_by_the_rule_of_the_generation(
    root: Path, at: list[str], capsys: Capture
) -> None:
    for id, key in ((A, "topic_title"), (B, "custom_title")):
        assert tell(capsys, "session", "rename", id, " The   files ", *at)[0] == 0
        assert json.loads(Path(f"{file(root, id)}.meta").read_text())[key] == "The files"
    assert {r["title"] for r in ask(capsys, "session", "ls", *at)[1] if r["id"] in (A, B)} == {
        "The files"
    }


def test_the_picker_reads_no_more_than_it_may_offer(
    home: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    folder = home / "state" / "sessions"
    folder.mkdir(parents=True)
    for number in range(40):
        # Of the newest two nobody asked anything, and one cannot be read.
        said = [reasonix.SYSTEM] if number < 2 else reasonix.SESSION
        reasonix.write(
            folder / f"s{number:02d}.jsonl", said, updated_at=f"2026-06-01T10:{59 - number}:00Z"
        )
    damaged = folder / "s05.jsonl"
    damaged.write_bytes(damaged.read_bytes()[:20])
    code, rows = ask(
        capsys, "reasonix", "resume", "--list", "--json", "--state-dir", str(home / "state")
    )
    assert code == 0
    assert [row["id"] for row in rows] == [f"sessions/s{n:02d}" for n in range(2, 12)]
    assert rows[3]["status"] == "damaged"
    left = ReasonixSource(home / "state").list().pending
    assert left == {f"sessions/s{n:02d}" for n in range(20, 40)}


def test_a_fork_holds_the_messages_up_to_a_place(
    root: Path, at: list[str], capsys: Capture
) -> None:
    for id in (A, C, V4):
        code, made = ask(capsys, "session", "fork", id, *at)
        assert (code, made["messages"]) == (0, 5)
        fork = Path(made["path"])
        assert fork.parent == root / "sessions"
        told = [json.loads(line) for line in fork.read_bytes().splitlines()]
        assert told[1:] == reasonix.SESSION[1:]
        assert json.loads(Path(f"{fork}.meta").read_text())["parent_id"] == Path(id).name
    # Inside a turn its results are taken, too.
    code, made = ask(capsys, "session", "fork", A, "--at", "3", *at)
    assert (code, made["messages"]) == (0, 4)
    assert ask(capsys, "session", "fork", A, "--at", "9", *at)[0] == 3
    assert ask(capsys, "session", "fork", A, "--at", "1", *at)[0] == 4
    code, answer = ask(capsys, "session", "fork", TORN, *at)
    assert (code, "damaged" in answer["message"]) == (6, True)


def test_the_folder_of_the_settings_is_the_one_that_is_meant(
    root: Path, home: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = home / "other" / "sessions"
    other.mkdir(parents=True)
    reasonix.write(other / "20260605-101010.000000001-m.jsonl")
    monkeypatch.setenv("REASONIX_STATE_HOME", str(other.parent))
    words = ["session", "ls", "--source", "reasonix"]
    code, rows = ask(capsys, *words)
    assert (code, len(rows)) == (0, 1)
    save(Settings(reasonix_dir=str(root)))
    code, rows = ask(capsys, *words)
    assert code == 0
    assert A in {row["id"] for row in rows}
    code, shown = ask(capsys, "session", "show", A, "--source", "reasonix")
    assert (code, shown["path"]) == (0, str(file(root, A)))
    code, rows = ask(capsys, *words, "--state-dir", str(other.parent))
    assert (code, len(rows)) == (0, 1), "the line goes before the settings"


def test_a_folder_in_the_settings_that_is_no_folder_is_said_once(
    root: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REASONIX_STATE_HOME", str(root))
    settings_file().parent.mkdir(parents=True, exist_ok=True)
    settings_file().write_text('{"reasonix_dir": 7}')
    code, out, said = tell(capsys, "session", "ls", "--source", "reasonix")
    assert (code, A in out) == (0, True), "the usual one is meant"
    assert said.count("reasonix_dir") == 1
