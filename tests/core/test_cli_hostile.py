# SPDX-License-Identifier: Apache-2.0
"""Odd surroundings: names that are no UTF-8, closed and full outputs, names that are no files."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tenuto.cli.main import main
from tests.support.cli import Capture, ask, suspended, tell

TENUTO = [sys.executable, "-m", "tenuto"]


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    folder.mkdir(mode=0o700)
    return folder


def scripted(folder: Path) -> str:
    """A configuration that needs no network."""
    (folder / "script.json").write_text(json.dumps({"turns": [{"text": "Yes."}]}))
    path = folder / "agent.yaml"
    path.write_text(
        "identity: a\nsystem_prompt: p\nllm: {model: m, provider: scripted}\n"
        "tenuto: {script: script.json}\n"
    )
    return str(path)


@pytest.fixture
def strange(tmp_path: Path) -> Path:
    """A folder whose name is no UTF-8."""
    folder = tmp_path / os.fsdecode(b"runs-\xff")
    try:
        folder.mkdir(mode=0o700)
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    return folder


# --- names that are no UTF-8 ---


def test_a_folder_whose_name_is_no_utf8_is_told_of_in_json(strange: Path, capsys: Capture) -> None:
    suspended(strange)
    place = str(strange).replace("\udcff", "\ufffd") + "/r.json"
    code, (row,) = ask(capsys, "session", "ls", "--state-dir", strange)
    assert (code, row["path"]) == (0, place)
    code, shown = ask(capsys, "session", "show", "r", "--state-dir", strange)
    assert (code, shown["path"]) == (0, place)
    assert list(shown)[:3] == ["id", "path", "error"]
    code, (report,) = ask(capsys, "session", "doctor", "r", "--state-dir", strange)
    assert (code, report["path"]) == (0, place)
    code, made = ask(capsys, "session", "fork", "r", "--at", "1", "--state-dir", strange)
    assert (code, made["parent"]["id"]) == (0, "r")


def test_what_lies_in_such_a_folder_does_not_go_to_the_trash(
    strange: Path, capsys: Capture
) -> None:
    """It could not be said where it came from: refused in a sentence, and nothing moved."""
    path = suspended(strange)
    before = path.read_bytes()
    code, (answer,) = ask(capsys, "session", "rm", "r", "--state-dir", strange)
    assert (code, answer["error"]) == (1, "io")
    assert "UTF-8" in answer["message"]
    assert path.read_bytes() == before
    assert ask(capsys, "session", "trash", "ls") == (0, [])
    assert ask(capsys, "session", "rm", "r", "--purge", "--state-dir", strange)[0] == 0
    assert not path.exists()


def test_words_that_are_no_utf8(runs: Path, capsys: Capture) -> None:
    suspended(runs)
    code, shown = ask(capsys, "session", "show", "\udcff", "--state-dir", runs)
    assert (code, shown["error"], shown["id"]) == (2, "invalid_id", "\ufffd")
    code, answer = ask(capsys, "session", "rename", "r", "Rice \udcff", "--state-dir", runs)
    assert (code, answer["title"]) == (0, "Rice \ufffd")
    assert json.loads((runs / "r.notes.json").read_bytes())["title"] == "Rice \ufffd"


def test_a_prompt_that_is_no_utf8_is_journaled_as_text(
    tmp_path: Path, runs: Path, capsys: Capture
) -> None:
    words = ["run", "--checkpoint", "--name", "r", "--config", scripted(tmp_path)]
    assert main([*words, "--state-dir", str(runs), "one \udcff two"]) == 0
    capsys.readouterr()
    _, shown = ask(capsys, "session", "show", "r", "--state-dir", runs)
    assert shown["state"]["prompt"] == "one \ufffd two"


# --- outputs that take nothing ---


def closed(descriptors: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = 'exec "$@" ' + descriptors
    return subprocess.run(
        ["/bin/sh", "-c", command, "sh", *TENUTO, *words],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(os.name != "posix", reason="descriptors are closed by a shell")
@pytest.mark.parametrize("descriptors", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_outputs_are_no_failure(runs: Path, descriptors: str) -> None:
    suspended(runs)
    done = closed(descriptors, "session", "ls", "--state-dir", str(runs))
    assert (done.returncode, done.stderr) == (0, "")
    done = closed(descriptors, "session", "rename", "r", "Rice", "--state-dir", str(runs))
    assert (done.returncode, done.stderr) == (0, "")
    # Descriptor 1 was free: what is printed must not have landed in a file that took its place.
    assert json.loads((runs / "r.notes.json").read_bytes()) == {"title": "Rice"}


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize(
    "words", ["ls", "ls --json", "show r", "show r --records", "show r --transcript", "--help"]
)
def test_a_full_output_is_told_in_one_sentence(runs: Path, words: str) -> None:
    suspended(runs)
    done = closed(">/dev/full", "session", *words.split(), "--state-dir", str(runs))
    assert done.returncode == 1
    assert done.stderr == "tenuto: No space left on device\n"


@pytest.mark.skipif(os.name != "posix", reason="descriptors are closed by a shell")
@pytest.mark.parametrize("descriptors", ["<&-", "<&- 2>&-"])
def test_a_worker_without_an_input_finds_it_ended(
    tmp_path: Path, runs: Path, descriptors: str
) -> None:
    words = ["run", "--events", "jsonl", "--checkpoint", "--config", scripted(tmp_path), "Well?"]
    done = closed(descriptors, *words, "--state-dir", str(runs))
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout.splitlines()[-1])["type"] == "finished"


# --- options and names ---


def test_an_empty_name_is_not_the_lack_of_one(tmp_path: Path, runs: Path, capsys: Capture) -> None:
    words = ["run", "--checkpoint", "--name", "", "--config", scripted(tmp_path), "Well?"]
    code, answer = ask(capsys, *words, "--state-dir", runs)
    assert (code, answer["error"]) == (2, "invalid_id")
    suspended(runs)
    code, answer = ask(capsys, "resume", "r", "--config", "", "--state-dir", runs)
    assert (code, answer["error"]) == (2, "config")
    for option in ("--config", "--fingerprint", "--with"):
        code, _ = ask(capsys, "session", "diff", "r", option, "", "--state-dir", runs)
        assert code == 2, option
    assert os.listdir(runs) == ["r.json"]


def test_no_damaged_run_is_said_to_resume(runs: Path, capsys: Capture) -> None:
    path = suspended(runs)
    path.write_bytes(path.read_bytes() + b"{\n{}\n")
    suspended(runs, "same")
    _, out, err = tell(capsys, "session", "diff", "r", "--with", "same", "--state-dir", runs)
    assert "resumes" not in out
    assert "not resumed" in err


@pytest.mark.parametrize("words", [["--state-dir", ""], ["--state-dir="], ["--source", ""]])
def test_an_option_without_its_value_is_wrong_use(words: list[str], capsys: Capture) -> None:
    """A script's unset variable must not mean the folder of all runs."""
    code, out, err = tell(capsys, "session", "ls", *words)
    assert (code, out) == (2, "")
    assert "needs a value" in err


@pytest.mark.parametrize("kind", ["fifo", "symlink", "folder", "socket"])
def test_what_is_no_file_of_a_run_gets_neither_notes_nor_a_lock(
    runs: Path, capsys: Capture, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = runs / "x.json"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "symlink":
        path.symlink_to(runs.parent / "elsewhere")
    elif kind == "folder":
        path.mkdir()
    else:
        monkeypatch.chdir(runs)  # a socket's path may be no longer than 107 bytes
        with socket.socket(socket.AF_UNIX) as server:
            server.bind("x.json")
    for words in (["rename", "x", "T"], ["note", "x", "--pin"], ["doctor", "x", "--repair"]):
        code, out, err = tell(capsys, "session", *words, "--state-dir", runs)
        assert code == 6, words
        assert "not a file of a run" in out + err
        assert os.listdir(runs) == ["x.json"], words


def test_a_run_with_two_names_is_shown_under_both(runs: Path, capsys: Capture) -> None:
    """The list shows it once; asked for by its other name it is no less there."""
    path = suspended(runs)
    os.link(path, runs / "s.json")
    for id in ("r", "s"):
        code, shown = ask(capsys, "session", "show", id, "--state-dir", runs)
        assert (code, shown["status"], shown["evidence"]["seq"]) == (0, "suspended", 4)
        _, out, _ = tell(capsys, "session", "show", id, "--state-dir", runs)
        assert "suspended, record 4" in out


@pytest.mark.parametrize("content", ["{", "[]", '{"runs_dir": 5}'])
def test_settings_that_cannot_be_read_are_told_of(
    home: Path, capsys: Capture, content: str
) -> None:
    """Else the sessions of the folder that they name would seem to be gone."""
    file = home / ".config/tenuto/settings.json"
    file.parent.mkdir(parents=True)
    file.write_text(content)
    code, _, err = tell(capsys, "session", "ls")
    assert code == 0
    assert str(file) in err.splitlines()[0]
    code, _, err = tell(capsys, "session", "show", "a", "b")
    assert (code, err.count(str(file))) == (3, 1)


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="there is no folder that refuses root")
def test_a_trash_that_cannot_be_made_is_named(
    runs: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = suspended(runs)
    monkeypatch.setenv("XDG_DATA_HOME", "/proc/none")
    code, _, err = tell(capsys, "session", "rm", "r", "--state-dir", runs)
    assert code == 1
    assert "cannot open the trash /proc/none/" in err
    assert str(path) not in err
    assert path.exists()
