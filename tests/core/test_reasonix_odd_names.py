# SPDX-License-Identifier: Apache-2.0
"""Names of Reasonix sessions that could act in a terminal, or stand in no text at all."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tenuto.sources.reasonix import ReasonixSource
from tenuto.sources.reasonix_watch import look
from tenuto.text import width
from tests.support import reasonix
from tests.support.cli import Capture, ask, tell

if sys.platform != "linux":
    pytest.skip("other systems refuse such names", allow_module_level=True)

PLAIN = "20260601-101010.000000001-m"
ODD = [
    b"20260602-101010.000000001-\xff",
    b"20260602-101010.000000002-a\nready  forged",
    b"20260602-101010.000000003-\x1b]0;x\x07\x1b[31m",
    b"20260602-101010.000000004-" + "\u202e".encode(),
]


@pytest.fixture
def sessions(home: Path) -> Path:
    folder = home / "state" / "sessions"
    folder.mkdir(parents=True)
    for name in [PLAIN.encode(), *ODD]:
        path = os.path.join(os.fsencode(folder), name + b".jsonl")
        Path(os.fsdecode(path)).write_bytes(reasonix.lines(reasonix.SESSION))
    return folder


@pytest.fixture
def at(sessions: Path) -> list[str]:
    return ["--source", "reasonix", "--state-dir", str(sessions.parent)]


def test_a_name_that_is_no_text_keeps_no_other_session_from_the_list(
    sessions: Path, home: Path
) -> None:
    odd = "sessions/" + os.fsdecode(ODD[0])
    source = ReasonixSource(sessions.parent, cache=home / "cache")
    listing = source.list()
    assert [(each.name, each.reason) for each in listing.skipped] == [
        (odd, "a name that is no UTF-8")
    ]
    assert {row.id for row in listing.summaries} == listing.pending
    assert len(listing.pending) == len(ODD)
    assert len(source.build_pending().updated) == len(ODD)
    # Nor does it come by a watcher.
    found = look([("sessions/", each) for each in source.folders()], {}, source.id_of)
    assert found.keys() == {row.id for row in listing.summaries}
    assert ReasonixSource(sessions.parent, cache=home / "cache").list().pending == frozenset()


def test_under_a_folder_that_is_no_text_facts_are_kept_too(home: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(home) + b"/\xff/sessions"))
    folder.mkdir(parents=True)
    (folder / f"{PLAIN}.jsonl").write_bytes(reasonix.lines(reasonix.SESSION))
    ReasonixSource(folder.parent, cache=home / "cache").build_pending(["sessions/" + PLAIN])
    assert ReasonixSource(folder.parent, cache=home / "cache").list().pending == frozenset()


def test_no_name_acts_in_a_terminal_or_makes_a_line_of_its_own(
    sessions: Path, at: list[str], capsys: Capture
) -> None:
    code, out, err = tell(capsys, "session", "ls", *at)
    assert (code, err) == (0, "not listed: 1 (1 a name that is no UTF-8)\n")
    assert len(out.splitlines()) == 1 + len(ODD)
    shown = [out]
    for name in map(os.fsdecode, ODD):
        path = str(sessions / f"{name}.jsonl")
        for line in (["show", path], ["doctor", path], ["rename", path, "T"], ["rm", path]):
            code, out, _ = tell(capsys, "session", *line)
            assert code == 0, line
            shown.append(out)
            assert line[0] == "show" or len(out.splitlines()) == 1
    code, out, _ = tell(capsys, "session", "trash", "ls", *at)
    assert len(out.splitlines()) == 1 + len(ODD)
    shown.append(out)
    assert not {"\x1b", "\x07", "\u202e"} & set("".join(shown))


def test_what_is_no_session_is_not_called_clean(
    sessions: Path, at: list[str], capsys: Capture
) -> None:
    fifo = sessions / "20260603-101010.000000001-m.jsonl"
    os.mkfifo(fifo)
    code, out, err = tell(capsys, "session", "doctor", str(fifo))
    assert (code, out) == (6, "")
    assert "FIFO" in err
    code, answers = ask(capsys, "session", "doctor", str(fifo), str(sessions / f"{PLAIN}.jsonl"))
    assert code == 6
    assert [answer.get("error") for answer in answers] == ["not_a_file", None]
    assert all(answer["findings"] == [] for answer in answers)


def test_columns_stand_under_each_other_whatever_the_name(sessions: Path, capsys: Capture) -> None:
    wide = sessions.parent / "projects" / "-home-\u4ed3\u5e93\u7f51\u7ad9" / "sessions"
    wide.mkdir(parents=True)
    (wide / f"{PLAIN}.jsonl").write_bytes(reasonix.lines(reasonix.SESSION))
    at = ["--source", "reasonix", "--state-dir", str(sessions.parent)]
    _, out, _ = tell(capsys, "session", "ls", *at)
    header, *lines = (line for line in out.splitlines() if not line.startswith("not listed"))
    assert len(lines) == len(ODD) + 1
    assert any("\u4ed3\u5e93" in line for line in lines)
    column = width(header[: header.index("Status")])
    assert {width(line[: line.rindex("ready")]) for line in lines} == {column}
