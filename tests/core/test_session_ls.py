# SPDX-License-Identifier: Apache-2.0
"""``tenuto session ls``: the table, the JSON, the filter, and watching."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenuto.cli.session_ls import HEADER, age, amount, local_time
from tenuto.runs.preview import Preview
from tests.support import journals as j
from tests.support.cli import Capture, ask, crashed, held, put, suspended, tell

LS = ("session", "ls", "--state-dir")
SECOND = 10**9


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    folder.mkdir(mode=0o700)
    return folder


def test_the_table(runs: Path, capsys: Capture) -> None:
    path = suspended(runs, "audit", prompt="Look at the shelves " * 5)
    suspended(runs, "b", prompt="Short")
    an_hour_ago = time.time_ns() - 3_700 * SECOND
    os.utime(path, ns=(an_hour_ago, an_hour_ago))
    code, out, err = tell(capsys, *LS, runs)
    assert (code, err) == (0, "")
    header, first, second = (re.split(r"\s{2,}", line) for line in out.splitlines())
    assert tuple(header) == HEADER
    now = local_time((runs / "b.json").stat().st_mtime_ns)
    assert first == ["b", "claude-sonnet-5", "suspended", now, "Short", "1", "12", "now"]
    assert second[0] == "audit"
    assert second[4] == ("Look at the shelves " * 5)[:49] + "\u2026"
    assert second[7] == "1h"


def test_columns_stand_under_each_other_whatever_the_prompt(runs: Path, capsys: Capture) -> None:
    suspended(runs, "a", prompt="\u65e5\u672c\u8a9e\u306e\u8aac\u660e" * 20)
    suspended(runs, "b", prompt="plain")
    suspended(runs, "c", prompt="\U0001f404 cows")
    _, out, _ = tell(capsys, *LS, runs)
    header, *lines = out.splitlines()
    from tenuto.text import width

    column = width(header[: header.index("Age")])
    assert {width(line[: line.rindex("now")]) for line in lines} == {column}


def test_a_hostile_prompt_cannot_act_on_the_terminal(runs: Path, capsys: Capture) -> None:
    fingerprint = j.FINGERPRINT | {"model": "evil\x9b31m\u202e"}
    payload = {
        "version": 3,
        "run_id": "a",
        "created": "2026-01-05T09:30:00Z",
        "fingerprint": fingerprint,
        "prompt": "\x1b]0;title\x07 \x1b[2J\u202egnirts\nsecond line",
    }
    put(runs, "a", j.line(1, "meta", payload), j.assistant(2, [j.call("c")]))
    (runs / "x\x1b[2J.txt").write_text("")
    for _ in range(2):
        code, out, err = tell(capsys, *LS, runs)
        assert code == 0
        assert len(out.splitlines()) == 2
        for text in (out, err):
            assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text)
    # A sidecar that somebody else wrote is no more trusted than a journal.
    sidecar = runs / "a.preview.json"
    content = json.loads(sidecar.read_bytes()) | {"prompt": "\x1b[2J\nboo", "model": "\x1b[31m"}
    sidecar.write_text(json.dumps(content))
    _, out, _ = tell(capsys, *LS, runs)
    assert "boo" in out
    assert "\x1b" not in out
    assert len(out.splitlines()) == 2


def test_json_is_the_sidecar_and_what_the_listing_knows(runs: Path, capsys: Capture) -> None:
    crashed(runs, "a")
    code, rows = ask(capsys, *LS, runs)
    assert code == 0
    assert [list(row) for row in rows] == [
        [*Preview.__struct_fields__, "source", "status", "evidence", "path"]
    ]
    row = rows[0]
    assert (row["source"], row["status"]) == ("fisk-ai", "interrupted")
    assert row["evidence"] == {
        "kind": "outcome_unknown",
        "calls": [{"id": "c1", "name": "stock_list", "display": "stock_list"}],
    }
    assert row["path"] == str(runs / "a.json")
    assert row["pending"] == [
        {"id": "c1", "name": "stock_list"},
        {"id": "c2", "name": "stock_list"},
    ]


def test_an_unknown_outcome_is_said_below_the_table(runs: Path, capsys: Capture) -> None:
    crashed(runs, "a")
    _, _, err = tell(capsys, *LS, runs)
    assert err == "outcome unknown: a: stock_list may have happened\n"


def test_missing_previews_are_built_before_it_ends(runs: Path, capsys: Capture) -> None:
    for number in range(30):
        suspended(runs, f"r{number}")
    _, rows = ask(capsys, *LS, runs)
    assert {row["status"] for row in rows} == {"suspended"}
    assert len(list(runs.glob("*.preview.json"))) == 30
    before = {path: path.stat().st_mtime_ns for path in runs.iterdir()}
    _, again = ask(capsys, *LS, runs)
    assert again == rows
    assert {path: path.stat().st_mtime_ns for path in runs.iterdir()} == before


def test_the_filter(runs: Path, capsys: Capture) -> None:
    suspended(runs, "s")
    crashed(runs, "c")
    put(runs, "d", b"garbage\n", j.terminal(2))
    with held(runs / "s.lock"):
        _, rows = ask(capsys, *LS, runs, "--status", "running")
        assert [row["id"] for row in rows] == ["s"]
    _, rows = ask(capsys, *LS, runs, "--status", "suspended,damaged", "--status", "failed")
    assert {row["id"] for row in rows} == {"s", "d"}
    _, rows = ask(capsys, *LS, runs, "--status", "completed")
    assert rows == []
    code, out, err = tell(capsys, *LS, runs, "--status", "completed")
    assert (code, out, err.splitlines()[0]) == (0, "", "no such sessions")
    code, _, err = tell(capsys, *LS, runs, "--status", "runing")
    assert code == 2
    assert "runing" in err
    assert "running" in err


def test_what_is_left_out_is_counted_with_reasons(runs: Path, capsys: Capture) -> None:
    suspended(runs, "a")
    for name in ("one.txt", "two.txt"):
        (runs / name).write_text("")
    (runs / "x.json").symlink_to("a.json")
    code, out, err = tell(capsys, *LS, runs)
    assert code == 0
    assert len(out.splitlines()) == 2
    assert err == "not listed: 3 (2 not a file of a run; 1 not a run file: symlink)\n"


def test_an_empty_and_an_absent_folder(runs: Path, capsys: Capture) -> None:
    for folder in (runs, runs / "none"):
        assert ask(capsys, *LS, folder) == (0, [])
        code, out, err = tell(capsys, *LS, folder)
        assert (code, out) == (0, "")
        assert err == (
            f"no sessions in {folder}\n"
            if folder.is_dir()
            else f"no sessions: there is no {folder}\n"
        )


def test_a_folder_that_cannot_be_listed_is_an_error(runs: Path, capsys: Capture) -> None:
    (runs / "file").write_text("")
    code, out, err = tell(capsys, *LS, runs / "file")
    assert (code, out) == (1, "")
    assert str(runs / "file") in err


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0"), (999, "999"), (1_000, "1.0k"), (12_449, "12.4k"), (999_949, "999.9k"),
        (999_950, "1.0M"), (3_140_000, "3.1M"), (2**40, "1099.5G"),
    ],
)  # fmt: skip
def test_amounts(number: int, shown: str) -> None:
    assert amount(number) == shown


@pytest.mark.parametrize(
    ("ago", "shown"),
    [
        (0, "now"), (59, "now"), (60, "1m"), (3_599, "59m"), (3_600, "1h"), (86_399, "23h"),
        (86_400, "1d"), (400 * 86_400, "400d"), (-30, "now"), (-3_600, "2026-01-05"),
    ],
)  # fmt: skip
def test_ages(ago: int, shown: str) -> None:
    now = 1_767_605_400
    assert age((now - ago) * SECOND, now * SECOND) == shown


@given(st.integers(-(2**80), 2**80), st.integers(0, 2**63))
def test_no_clock_gives_a_negative_age(time_ns: int, now_ns: int) -> None:
    shown = age(time_ns, now_ns)
    assert re.fullmatch(r"now|\d+[mhd]|\d{4,}-\d\d-\d\d|-", shown)


@pytest.mark.parametrize("year", [1971, 1999, 2100, 2400])
def test_clocks_in_the_past_and_in_the_future(runs: Path, capsys: Capture, year: int) -> None:
    path = suspended(runs, "odd")
    suspended(runs, "even")
    odd = int(time.mktime((year, 6, 1, 12, 0, 0, 0, 0, -1)))
    os.utime(path, (odd, odd))
    code, rows = ask(capsys, *LS, runs)
    assert code == 0
    assert [row["id"] for row in rows] == (["odd", "even"] if year > 2099 else ["even", "odd"])
    assert {row["id"]: row["updated"] for row in rows}["odd"] == f"{year}-06-01T12:00:00Z"
    _, out, _ = tell(capsys, *LS, runs)
    line = next(line for line in out.splitlines() if line.startswith("odd"))
    assert f"{year}-06-01 12:00" in line
    assert line.endswith(f"{year}-06-01" if year > 2099 else "d")


# --- watching ------------------------------------------------------------------------------------


def test_watching_prints_an_array_after_each_change(runs: Path) -> None:
    suspended(runs, "a")
    code = "from tenuto.cli.main import entry; entry()"
    command = [sys.executable, "-c", code, *LS, str(runs), "--watch", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert [row["id"] for row in json.loads(process.stdout.readline())] == ["a"]
        suspended(runs, "b")
        while {row["id"] for row in json.loads(process.stdout.readline())} != {"a", "b"}:
            pass
        with held(runs / "a.lock"):
            rows = json.loads(process.stdout.readline())
            while {row["id"]: row["status"] for row in rows}["a"] != "running":
                rows = json.loads(process.stdout.readline())
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0


def test_a_reader_that_goes_away_is_no_failure_to_shout_about(runs: Path) -> None:
    for number in range(2_000):
        (runs / f"r{number}.json").write_bytes(b"")
    code = "from tenuto.cli.main import entry; entry()"
    listing = subprocess.Popen(
        [sys.executable, "-c", code, *LS, str(runs), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert listing.stdout is not None
    listing.stdout.read(10)
    listing.stdout.close()
    assert listing.stderr is not None
    assert b"Traceback" not in listing.stderr.read()
    listing.stderr.close()
    listing.wait(20)


def test_a_listing_loads_only_what_it_needs(runs: Path) -> None:
    """What is heavy is named in test_layers.py; these are cheap enough to be overlooked."""
    suspended(runs, "a")
    code = (
        "import sys\nfrom tenuto.cli.main import main\n"
        "for _ in range(2): main(['session', 'ls', '--state-dir', sys.argv[1]])\n"
        "print(*sys.modules, sep='\\n')"
    )
    first = subprocess.run([sys.executable, "-c", code, runs], capture_output=True, text=True)
    assert first.returncode == 0, first.stderr
    again = subprocess.run([sys.executable, "-c", code, runs], capture_output=True, text=True)
    loaded = set(again.stdout.splitlines())
    assert "tenuto.sources.runs" in loaded
    unwanted = {"typing_extensions", "shutil", "secrets", "tenuto.decode", "tenuto.fold", "logging"}
    assert loaded & unwanted == set()
