# SPDX-License-Identifier: Apache-2.0
"""Somebody else's text in a line of ours: it neither acts on the terminal nor passes for a line."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tenuto.agent.terminal import TerminalEvents
from tenuto.cli.transcript_text import render
from tenuto.sources.base import Block
from tests.support import journals as j
from tests.support.cli import Capture, put, tell

#: A line break, what would be a line of ours, an escape sequence, a bidi override.
FORGED = "x\n  status   completed\n-- completed (record 9) --\x1b[2J\u202e"


def acts(text: str) -> list[str]:
    return [c for c in text if (ord(c) < 0x20 and c not in "\n\t") or c in "\x7f\x9b\u202e"]


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    folder.mkdir(mode=0o700)
    return folder


@pytest.mark.parametrize("form", [[], ["--transcript"], ["--records"]])
def test_no_text_of_a_journal_forges_a_line(runs: Path, capsys: Capture, form: list[str]) -> None:
    call = {"tool_use": {"id": "c1", "name": FORGED, "input": {FORGED: FORGED}}}
    put(
        runs,
        "r",
        j.meta(run_id="r"),
        j.assistant(2, [j.text("Look."), call], stop_reason="tool_use"),
        j.result(3, "c1", "two bags"),
        j.line(4, "terminal", {"reason": FORGED, "message": FORGED}),
    )
    code, out, _ = tell(capsys, "session", "show", "r", *form, "--state-dir", runs)
    assert code == 0
    assert acts(out) == []
    lines = [line.strip() for line in out.split("\n")]
    assert not [line for line in lines if line.startswith(("status   completed", "-- completed"))]


def test_no_name_of_a_tool_forges_a_line_of_the_worker() -> None:
    out = io.StringIO()
    events = TerminalEvents(out)
    events.emit("tool_start", id="c1", name=FORGED, display=FORGED, rerun=False)
    assert acts(out.getvalue()) == []
    assert out.getvalue().count("\n") == 1


def test_colours_are_left_out_and_every_other_escape_is_told() -> None:
    output = "\x1b[32mPASS\x1b[0m \x1b[2J\x1b\x1b[1m[31m"
    block = Block(kind="tool_call", seq=1, name="t", result=output, state="done")
    told = list(render([block]))
    assert told[1] == "  PASS \u241b[2J\u241b[31m"
