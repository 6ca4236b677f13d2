# SPDX-License-Identifier: Apache-2.0
"""A forced resume in the transcript: told by the run's notes, placed by its times."""

from __future__ import annotations

from pathlib import Path

import pytest

from tenuto.runs import notes, times
from tenuto.sources.base import Block
from tenuto.sources.transcript import RunTranscript
from tests.support import cli
from tests.support import journals as j

ROWS = [
    {"field": "model", "saved": "claude-sonnet-5", "current": "claude-haiku-4-5", "changed": True},
    {"field": "tools_hash", "saved": "1" * 64, "current": "2" * 64, "changed": True},
    {"field": "max_tokens", "saved": 200000, "current": 200000, "changed": False},
]


def at(minute: int) -> str:
    return f"2026-01-05T10:{minute:02d}:00.5Z"


def put(folder: Path, *lines: bytes) -> Path:
    folder.mkdir(mode=0o700, exist_ok=True)
    path = folder / "run.json"
    path.write_bytes(b"".join(lines))
    path.chmod(0o600)
    return path


def stamp(path: Path, **known: int) -> None:
    found = [times.RecordTime(int(seq[1:]), at(minute)) for seq, minute in known.items()]
    times.append(str(path.parent), "run", found)


def force(path: Path, minute: int, rows: list[dict[str, object]] = ROWS) -> None:
    notes.add_forced(path.parent, "run", notes.Forced(at(minute), "/etc/agent.yaml", rows))


def read(path: Path) -> list[Block]:
    transcript = RunTranscript(path)
    transcript.refresh()
    return list(transcript.blocks)


def told(blocks: list[Block]) -> list[tuple[str, int, list[str]]]:
    """Each notice: which, its record, the fields that were forced."""
    return [
        (b.notice, b.seq, [each.field for each in b.forced.changes] if b.forced else [])
        for b in blocks
        if b.kind == "notice"
    ]


def twice_suspended(folder: Path) -> Path:
    return put(
        folder,
        j.meta(),
        j.assistant(2, [j.text("Hm.")]),
        j.terminal(3),
        j.assistant(4, [j.text("On.")], iteration=1),
        j.terminal(5),
        j.assistant(6, [j.text("Done.")], iteration=2),
        j.terminal(7, "completed"),
    )


def test_a_forced_resume_is_told_on_the_marker_it_belongs_to(tmp_path: Path) -> None:
    path = twice_suspended(tmp_path / "runs")
    stamp(path, s2=1, s3=2, s4=10, s5=11, s6=20, s7=21)
    force(path, 19)
    blocks = read(path)
    changed = ["model", "tools_hash"]
    assert told(blocks) == [("suspended", 3, []), ("suspended", 5, changed), ("completed", 7, [])]
    forced = blocks[4].forced
    assert forced is not None
    assert (forced.time, forced.config) == (at(19), "/etc/agent.yaml")
    assert (forced.changes[0].saved, forced.changes[0].current) == (
        "claude-sonnet-5",
        "claude-haiku-4-5",
    )


def test_every_forced_resume_has_its_place(tmp_path: Path) -> None:
    path = twice_suspended(tmp_path / "runs")
    stamp(path, s2=1, s3=2, s4=10, s5=11, s6=20, s7=21)
    force(path, 9, [{"field": "thinking_mode", "saved": "off", "current": "on", "changed": True}])
    force(path, 19)
    assert [fields for _, _, fields in told(read(path))] == [
        ["thinking_mode"],
        ["model", "tools_hash"],
        [],
    ]


def test_a_crashed_run_that_went_on_by_force_has_a_marker_of_its_own(tmp_path: Path) -> None:
    lines = [
        j.meta(),
        j.assistant(2, [j.text("Two."), j.call("a"), j.call("b")]),
        j.result(3, "a"),
        # Here it was killed, and went on by force.
        j.result(4, "b"),
        j.assistant(5, [j.text("Done.")], iteration=1),
    ]
    path = put(tmp_path / "runs", *lines)
    stamp(path, s2=1, s3=2, s4=10, s5=11)
    force(path, 9)
    blocks = read(path)
    assert [b.call_id or b.notice or b.text for b in blocks] == [
        "Count the rice",
        "Two.",
        "a",
        "forced",
        "b",
        "Done.",
        "interrupted",
    ]
    assert [b.state for b in blocks if b.kind == "tool_call"] == ["done", "done"]


def test_a_run_that_only_just_went_on_says_so_at_its_end(tmp_path: Path) -> None:
    path = put(tmp_path / "runs", j.meta(), j.assistant(2, [j.call("a")]), j.terminal(3))
    stamp(path, s2=1, s3=2)
    transcript = RunTranscript(path)
    transcript.refresh()
    force(path, 9)
    transcript.refresh(live=True)
    assert told(list(transcript.blocks)) == [
        ("suspended", 3, []),
        ("forced", 3, ["model", "tools_hash"]),
    ]
    # Its first record is read before its time is known, and the marker finds its place later.
    with path.open("ab") as file:
        file.write(j.result(4, "a") + j.assistant(5, [j.call("c")], iteration=1))
    transcript.refresh(live=True)
    stamp(path, s4=10, s5=11)
    transcript.refresh(live=True)
    with path.open("ab") as file:
        file.write(j.result(6, "c"))
    transcript.refresh(live=True)
    stamp(path, s6=12)
    transcript.refresh()
    assert told(list(transcript.blocks))[0] == ("suspended", 3, ["model", "tools_hash"])
    assert list(transcript.blocks) == read(path)
    assert [b.state for b in transcript.blocks if b.kind == "tool_call"] == ["done", "done"]


def test_a_marker_moves_when_an_earlier_time_becomes_known(tmp_path: Path) -> None:
    path = put(
        tmp_path / "runs",
        j.meta(),
        j.assistant(2, [j.text("One."), j.call("a")]),
        j.result(3, "a"),
        j.assistant(4, [j.text("Two."), j.call("b")], iteration=1),
    )
    force(path, 9)
    stamp(path, s2=1, s4=11)
    transcript = RunTranscript(path)
    transcript.refresh()
    assert told(list(transcript.blocks))[0] == ("forced", 4, ["model", "tools_hash"])
    stamp(path, s3=10)
    change = transcript.refresh()
    assert told(list(transcript.blocks))[0] == ("forced", 3, ["model", "tools_hash"])
    assert change.first == 2
    with path.open("ab") as file:
        file.write(j.result(5, "b"))
    transcript.refresh()
    assert list(transcript.blocks) == read(path)


def test_the_end_alone_tells_it_too(tmp_path: Path) -> None:
    path = twice_suspended(tmp_path / "runs")
    stamp(path, s2=1, s3=2, s4=10, s5=11, s6=20, s7=21)
    force(path, 3)
    force(path, 19)
    size = path.stat().st_size
    tail = RunTranscript(path).tail_blocks(size - 10)
    assert told(tail)[0] in (("suspended", 3, ["model", "tools_hash"]), ("suspended", 3, []))
    assert ("suspended", 5, ["model", "tools_hash"]) in told(tail)


@pytest.mark.parametrize(
    "data",
    [b"{", b'{"forced":3}', b'{"forced":[{"time":"soon","config":"c","diff":[{"field":[]}]}]}'],
)
def test_notes_that_make_no_sense_change_nothing(tmp_path: Path, data: bytes) -> None:
    path = twice_suspended(tmp_path / "runs")
    (path.parent / "run.notes.json").write_bytes(data)
    assert [fields for _, _, fields in told(read(path))] == [[], [], []]


def test_a_terminal_and_an_export_say_what_was_forced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = twice_suspended(tmp_path / "runs")
    stamp(path, s2=1, s3=2, s4=10, s5=11, s6=20, s7=21)
    force(path, 19)
    where = ("--state-dir", path.parent)
    _, shown, _ = cli.tell(capsys, "session", "show", "--transcript", "run", *where)
    assert f"resumed {at(20)} - forced: model, tool set --" in shown
    for name, form in (("out.md", "markdown"), ("out.html", "html")):
        target = tmp_path / name
        cli.tell(capsys, "session", "export", "run", f"--to={target}", "--format", form, *where)
        assert "forced: model, tool set" in target.read_text()
        assert "/etc/agent.yaml" not in target.read_text()
