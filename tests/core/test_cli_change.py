# SPDX-License-Identifier: Apache-2.0
"""What the command line changes, what it compares, and what it leaves alone."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tenuto.cli.main import main
from tests.support import journals as j
from tests.support.cli import Capture, ask, held, put, suspended, tell


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    folder.mkdir(mode=0o700)
    return folder


# --- rm, trash, rename ---


def test_rm_goes_to_the_trash_and_comes_back_whole(runs: Path, capsys: Capture) -> None:
    path = suspended(runs)
    bytes_before = path.read_bytes()
    main(["session", "rename", "r", "Rice", "--state-dir", str(runs)])
    capsys.readouterr()

    code, (gone,) = ask(capsys, "session", "rm", "r", "--state-dir", runs)
    assert (code, gone["error"], gone["purged"]) == (0, None, False)
    assert [name for name in os.listdir(runs) if name.startswith("r.")] == []

    _, (listed,) = ask(capsys, "session", "trash", "ls")
    assert (listed["id"], listed["title"]) == ("r", "Rice")

    code, back = ask(capsys, "session", "trash", "restore", "r")
    assert (code, back["id"]) == (0, "r")
    assert path.read_bytes() == bytes_before
    _, shown = ask(capsys, "session", "show", "r", "--state-dir", runs)
    assert shown["status"] == "suspended"
    assert ask(capsys, "session", "trash", "ls") == (0, [])


def test_several_come_back_each_by_itself(runs: Path, capsys: Capture) -> None:
    for each in ("a", "b"):
        suspended(runs, each)
        ask(capsys, "session", "rm", each, "--state-dir", runs)
    code, back = ask(capsys, "session", "trash", "restore", "a", "none", "b")
    assert code == 3
    assert [entry["error"] for entry in back] == [None, "not_found", None]
    assert (runs / "a.json").exists()
    assert (runs / "b.json").exists()
    assert ask(capsys, "session", "trash", "restore", "a", "b", "--as", "c")[0] == 2


def test_restore_takes_another_id_when_the_own_one_is_taken(runs: Path, capsys: Capture) -> None:
    suspended(runs)
    ask(capsys, "session", "rm", "r", "--state-dir", runs)
    suspended(runs, prompt="Another one")
    code, answer = ask(capsys, "session", "trash", "restore", "r")
    assert (code, answer["error"]) == (4, "exists")
    code, answer = ask(capsys, "session", "trash", "restore", "r", "--as", "r2")
    assert (code, answer["id"]) == (0, "r2")
    assert (runs / "r2.json").exists()


def test_emptying_the_trash_is_for_good(runs: Path, capsys: Capture) -> None:
    for id in ("a", "b"):
        suspended(runs, id)
        ask(capsys, "session", "rm", id, "--state-dir", runs)
    _, answer = ask(capsys, "session", "trash", "empty", "a")
    assert len(answer["purged"]) == 1
    code, out, _ = tell(capsys, "session", "trash", "ls")
    assert code == 0
    assert "\nb " in out
    ask(capsys, "session", "trash", "empty")
    assert ask(capsys, "session", "trash", "ls")[1] == []
    assert ask(capsys, "session", "trash", "restore", "a")[0] == 3


def test_purge_leaves_nothing(runs: Path, capsys: Capture) -> None:
    suspended(runs)
    main(["session", "rename", "r", "Rice", "--state-dir", str(runs)])
    capsys.readouterr()
    code, (gone,) = ask(capsys, "session", "rm", "r", "--purge", "--state-dir", runs)
    assert (code, gone["purged"]) == (0, True)
    assert list(runs.iterdir()) == []
    assert ask(capsys, "session", "trash", "ls")[1] == []


def test_a_running_run_is_neither_removed_nor_repaired(runs: Path, capsys: Capture) -> None:
    path = suspended(runs)
    before = path.read_bytes()
    with held(runs / "r.lock") as pid:
        code, (answer,) = ask(capsys, "session", "rm", "r", "--state-dir", runs)
        assert (code, answer["error"]) == (5, "locked")
        assert str(pid) in answer["message"]
        assert ask(capsys, "session", "rm", "r", "--purge", "--state-dir", runs)[0] == 5
        assert ask(capsys, "session", "doctor", "r", "--repair", "--state-dir", runs)[0] == 5
        _, shown = ask(capsys, "session", "show", "r", "--state-dir", runs)
        assert (shown["status"], shown["evidence"]["pid"]) == ("running", pid)
    assert path.read_bytes() == before


def test_rm_goes_on_after_one_that_is_not_there(runs: Path, capsys: Capture) -> None:
    suspended(runs, "a")
    suspended(runs, "b")
    code, answers = ask(capsys, "session", "rm", "a", "none", "b", "--state-dir", runs)
    assert code == 3
    assert [answer["error"] for answer in answers] == [None, "not_found", None]
    assert not (runs / "b.json").exists()


def test_rename_shows_and_goes_away_again(runs: Path, capsys: Capture) -> None:
    path = suspended(runs)
    before = path.read_bytes()
    _, answer = ask(capsys, "session", "rename", "r", "  Rice   count ", "--state-dir", runs)
    assert answer == {"id": "r", "title": "Rice count", "changed": ["title"]}
    assert tell(capsys, "session", "show", "r", "--state-dir", runs)[1].startswith("Rice count\n")
    ask(capsys, "session", "rename", "r", "", "--state-dir", runs)
    assert tell(capsys, "session", "show", "r", "--state-dir", runs)[1].startswith("Count the")
    assert path.read_bytes() == before
    assert tell(capsys, "session", "rename", "none", "x", "--state-dir", runs)[0] == 3
    assert tell(capsys, "session", "rename", "r", "x" * 201, "--state-dir", runs)[0] == 2


# --- doctor ---


def test_doctor_looks_at_all_and_repairs_what_it_can(runs: Path, capsys: Capture) -> None:
    suspended(runs, "good")
    torn = put(runs, "torn", j.meta(run_id="torn"), j.assistant(2, [j.text("a")]), b'{"seq":3,')
    lost = put(runs, "lost", j.meta(run_id="lost"), b"x\n", j.assistant(3, [j.text("a")]))
    (runs / "folder.json").mkdir()

    code, answers = ask(capsys, "session", "doctor", "--state-dir", runs)
    assert code == 6
    found = {answer["id"]: answer for answer in answers}
    assert found["good"]["health"] == "clean"
    assert found["torn"]["findings"][0]["kind"] == "torn"
    assert found["lost"]["repairable"] is False
    assert torn.read_bytes().endswith(b'{"seq":3,')

    code, out, _ = tell(capsys, "session", "doctor", "--repair", "--state-dir", runs)
    assert code == 6
    assert "repaired: 2 records, 9 bytes set aside in torn.torn" in out
    assert "nothing was changed" in out
    assert "not a run: folder.json" in out
    assert torn.read_bytes().endswith(b"}\n")
    assert b"\nx\n" in lost.read_bytes()

    assert tell(capsys, "session", "doctor", "torn", "--state-dir", runs)[0] == 0
    code, out, _ = tell(capsys, "session", "doctor", "torn", "--repair", "--state-dir", runs)
    assert (code, out) == (0, "torn: clean, 2 records\n")


def test_doctor_of_a_path_and_of_what_is_not_there(runs: Path, capsys: Capture) -> None:
    path = suspended(runs)
    assert tell(capsys, "session", "doctor", path)[0] == 0
    assert ask(capsys, "session", "doctor", "none", "--state-dir", runs)[0] == 3


# --- diff ---


def test_diff_with_another_run_and_with_a_fingerprint(
    runs: Path, tmp_path: Path, capsys: Capture
) -> None:
    suspended(runs, "a")
    suspended(runs, "b")
    code, answer = ask(capsys, "session", "diff", "a", "--with", "b", "--state-dir", runs)
    assert (code, answer["equal"], answer["resumable"], answer["reason"]) == (0, True, True, None)

    file = tmp_path / "fingerprint.json"
    file.write_text(json.dumps({**j.FINGERPRINT, "model": "other", "max_tokens": 1}))
    code, answer = ask(capsys, "session", "diff", "a", "--fingerprint", file, "--state-dir", runs)
    assert (code, answer["reason"], answer["forceable"]) == (1, "configuration", True)
    changed = {
        row["field"]: (row["saved"], row["current"]) for row in answer["rows"] if row["changed"]
    }
    assert changed == {"model": ("claude-sonnet-5", "other"), "max_tokens": (200000, 1)}
    assert [row["field"] for row in answer["rows"]] == list(j.FINGERPRINT)

    file.write_text(json.dumps({**j.FINGERPRINT, "provider": "openai"}))
    code, answer = ask(capsys, "session", "diff", "a", "--fingerprint", file, "--state-dir", runs)
    assert (code, answer["reason"], answer["forceable"]) == (1, "provider", False)

    code, out, _ = tell(capsys, "session", "diff", "a", "--fingerprint", file, "--state-dir", runs)
    assert "cannot be forced" in out
    assert "\nprovider " in out


def test_diff_of_a_damaged_run_still_tells(runs: Path, capsys: Capture) -> None:
    suspended(runs, "a")
    put(runs, "bad", j.meta(run_id="bad"), b"garbage\n", j.assistant(3, []))
    code, answer = ask(capsys, "session", "diff", "bad", "--with", "a", "--state-dir", runs)
    assert (code, answer["equal"], answer["resumable"]) == (0, True, False)


def test_diff_says_what_is_wrong_with_the_other_side(
    runs: Path, tmp_path: Path, capsys: Capture
) -> None:
    suspended(runs)
    file = tmp_path / "f.json"
    assert tell(capsys, "session", "diff", "r", "--state-dir", runs)[0] == 2
    assert tell(capsys, "session", "diff", "r", "--fingerprint", file, "--state-dir", runs)[0] == 2
    file.write_text("[]")
    code, _, err = tell(capsys, "session", "diff", "r", "--fingerprint", file, "--state-dir", runs)
    assert code == 2
    assert "no fingerprint" in err
    file.write_text("identity: [")
    assert tell(capsys, "session", "diff", "r", "--config", file, "--state-dir", runs)[0] == 2
    assert ask(capsys, "session", "diff", "none", "--with", "r", "--state-dir", runs)[0] == 3


def test_a_reader_that_goes_away_is_no_error(runs: Path) -> None:
    for number in range(30):
        suspended(runs, f"r{number}", prompt="x" * 5000)
    words = ["session", "show", *(f"r{number}" for number in range(30)), "--transcript"]
    process = subprocess.Popen(
        [sys.executable, "-m", "tenuto", *words, "--state-dir", str(runs)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=60) == 141
    assert err == b""


def test_the_lock_of_a_listing_is_never_taken(runs: Path, capsys: Capture) -> None:
    suspended(runs)
    lock = runs / "r.lock"
    fd = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        _, shown = ask(capsys, "session", "show", "r", "--state-dir", runs)
        assert shown["status"] == "running"
    finally:
        os.close(fd)
