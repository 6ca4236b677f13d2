# SPDX-License-Identifier: Apache-2.0
"""What lies among Reasonix's sessions and is no file of this user: named, and never touched."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support import reasonix
from tests.support.cli import Capture, ask, tell

NAME = "20260601-101010.000000001-m"
OWN = "20260602-101010.000000001-m"


@pytest.fixture
def at(home: Path) -> list[str]:
    folder = home / "state" / "sessions"
    folder.mkdir(parents=True)
    reasonix.write(folder / f"{OWN}.jsonl")
    return ["--source", "reasonix", "--state-dir", str(home / "state")]


def foreign(path: Path, how: str) -> str:
    """Make it so; what it is called then."""
    if how == "owner":
        if os.geteuid() != 0:
            pytest.skip("only root gives files away")
        reasonix.write(path)
        os.chown(path, 65534, 65534)
        return "file of another owner"
    path.symlink_to(reasonix.write(path.parent.parent / "elsewhere.jsonl"))
    return "symlink"


@pytest.mark.parametrize("how", ["owner", "link"])
def test_a_command_says_what_it_is(home: Path, at: list[str], how: str, capsys: Capture) -> None:
    path = home / "state" / "sessions" / f"{NAME}.jsonl"
    what = foreign(path, how)
    before = path.read_bytes()
    commands = (
        ["show"], ["show", "--transcript"], ["note", "--pin"], ["doctor"],
        ["export", "--to", str(home / "x.md")],
    )  # fmt: skip
    for verb, *options in commands:
        for word in (NAME, f"sessions/{NAME}"):
            code, _, err = tell(capsys, "session", verb, word, *options, *at)
            assert code == 6, (verb, word, err)
            assert what in err
    assert path.read_bytes() == before
    assert not (home / "x.md").exists()


def test_doctor_names_what_it_passes_over(home: Path, at: list[str], capsys: Capture) -> None:
    what = foreign(home / "state" / "sessions" / f"{NAME}.jsonl", "link")
    code, out, _ = tell(capsys, "session", "doctor", *at)
    assert (code, out.splitlines()[-2:]) == (
        0,
        [
            "1 sessions: 1 clean, 0 with findings",
            f"not listed: sessions/{NAME}.jsonl (not a session: {what})",
        ],
    )
    assert ask(capsys, "session", "doctor", *at) == (0, [{"id": f"sessions/{OWN}", "findings": []}])
    assert tell(capsys, "session", "show", "nobody", *at)[0] == 3
