# SPDX-License-Identifier: Apache-2.0
"""The transcript of a run: from real journals, while they grow, and around damage."""

from __future__ import annotations

import gc
import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tenuto.errors import NotAFile, RunNotFound
from tenuto.runs import notes
from tenuto.sources import follow as module
from tenuto.sources.base import Block
from tenuto.sources.transcript import RunTranscript
from tests.support import journals as j
from tests.support.paths import CONFORMANCE

REAL = CONFORMANCE / "fisk-real"
FOLDED = sorted((CONFORMANCE / "fold/journals").glob("*.json"))


def read(path: Path, *, live: bool = False) -> list[Block]:
    transcript = RunTranscript(path)
    transcript.refresh(live=live)
    return list(transcript.blocks)


def write(path: Path, *lines: bytes) -> Path:
    path.write_bytes(b"".join(line if line.endswith(b"\n") else line + b"\n" for line in lines))
    return path


def calls(blocks: list[Block]) -> list[tuple[str, str]]:
    return [(block.name, block.state) for block in blocks if block.kind == "tool_call"]


def notices(blocks: list[Block]) -> list[str]:
    return [block.notice for block in blocks if block.kind == "notice"]


# --- what real runs look like ---------------------------------------------------------------------


def test_a_suspended_run_reads_as_it_happened() -> None:
    blocks = read(REAL / "runs/suspended.json")
    assert [(b.kind, b.turn) for b in blocks] == [
        ("prompt", 0),
        ("text", 1),
        ("tool_call", 1),
        ("text", 2),
        ("tool_call", 2),
        ("tool_call", 2),
        ("tool_call", 2),
        ("notice", 0),
    ]
    assert blocks[0].text == "Please handle suspended"
    assert blocks[5].result == "start\nend\n"
    assert blocks[5].exit_code == 0
    assert notices(blocks) == ["suspended"]
    assert not blocks[-1].resumed


def test_of_a_killed_batch_only_the_first_open_call_may_have_run() -> None:
    path = REAL / "runs/killed-in-tool.json"
    assert calls(read(path))[1:] == [
        ("stock_add", "done"),
        ("wait", "unknown"),
        ("stock_add", "not_started"),
    ]
    assert notices(read(path)) == ["interrupted"]
    live = read(path, live=True)
    assert calls(live)[2:] == [("wait", "running"), ("stock_add", "not_started")]
    assert notices(live) == []


@pytest.mark.parametrize("name", ["budget", "cut-reply"])
def test_calls_before_a_terminal_record_never_started(name: str) -> None:
    assert calls(read(REAL / f"runs/{name}.json"))[-1][1] == "not_started"


def test_a_call_that_a_resume_began_behind_a_terminal_record_may_have_run(tmp_path: Path) -> None:
    batch = [j.call("c1"), j.call("c2")]
    path = tmp_path / "run.json"
    write(path, j.meta(), j.assistant(2, batch, stop_reason="tool_use"), j.terminal(3, "budget"))
    transcript = RunTranscript(path)
    transcript.refresh()
    assert [state for _, state in calls(list(transcript.blocks))] == ["not_started"] * 2
    notes.update(tmp_path, "run", begun=3)
    for live, first in ((True, "running"), (False, "unknown")):
        assert transcript.refresh(live=live).first == 1
        assert [state for _, state in calls(list(transcript.blocks))] == [first, "not_started"]
    with path.open("ab") as file:
        file.write(j.result(4, "c1") + j.terminal(5))
    transcript.refresh()
    assert [state for _, state in calls(list(transcript.blocks))] == ["done", "not_started"]


def test_outcomes_are_told_apart() -> None:
    denied = next(b for b in read(REAL / "runs/denied.json") if b.kind == "tool_call")
    assert denied.state == "denied"
    assert denied.result == "no interactive terminal is attached, so no operator could be asked"
    failed = [b for b in read(REAL / "runs/completed.json") if b.state == "failed"]
    assert [(b.exit_code, b.result) for b in failed] == [(3, "start\nend\n")]
    refused = [b for b in read(REAL / "runs/missing-required.json") if b.state == "failed"]
    assert refused
    assert all(b.exit_code is None and b.is_error for b in refused)


@pytest.mark.parametrize("path", sorted((REAL / "v2/runs").glob("*.json")), ids=lambda p: p.stem)
def test_old_versions_read_as_the_new_one_does(path: Path) -> None:
    def shape(blocks: list[Block]) -> list[tuple[object, ...]]:
        # The port of the model server is in the message of failed-400.
        return [
            (
                b.kind,
                b.seq,
                b.turn,
                b.name,
                b.state,
                b.result,
                "" if b.notice == "error" else b.text,
            )
            for b in blocks
        ]

    assert shape(read(path)) == shape(read(REAL / "runs" / path.name))


# --- growth ---------------------------------------------------------------------------------------


def grow(path: Path, target: Path, cuts: list[int]) -> None:
    """Copy byte ranges one after another; after each, the splices must give the whole list."""
    data = path.read_bytes()
    target.write_bytes(b"")
    transcript = RunTranscript(target)
    mirror: list[Block] = []
    for end in [*cuts, len(data)]:
        written = target.stat().st_size
        with target.open("ab") as file:
            file.write(data[written:end])
        change = transcript.refresh()
        assert change.old_count == len(mirror)
        mirror[change.first :] = transcript.blocks[change.first :]
        assert len(mirror) == change.new_count
        assert mirror == list(transcript.blocks)
        assert mirror == read(target)


@pytest.mark.parametrize("path", sorted((REAL / "runs").glob("*.json")), ids=lambda p: p.stem)
def test_following_a_run_gives_what_reading_it_gives(path: Path, tmp_path: Path) -> None:
    data = path.read_bytes()
    ends = [index + 1 for index, byte in enumerate(data) if byte == ord("\n")]
    grow(path, tmp_path / "r.json", ends)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_following_any_journal_in_any_pieces(tmp_path: Path, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(FOLDED))
    size = path.stat().st_size
    cuts = sorted(data.draw(st.lists(st.integers(0, size), max_size=6)))
    grow(path, tmp_path / "r.json", cuts)


@pytest.mark.parametrize("chunk", [1, 64, 700])
def test_chunks_do_not_show(chunk: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    damaged = write(tmp_path / "d.json", *j.three_records(), b'{"cut', b"", *_more(4))
    paths = [*FOLDED[:40], *sorted((REAL / "runs").glob("*.json")), damaged]
    whole = [read(path) for path in paths]
    monkeypatch.setattr(module, "CHUNK", chunk)
    assert [read(path) for path in paths] == whole


def test_a_reading_can_be_stopped_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = write(tmp_path / "r.json", *j.three_records(), *_more(4, 40))
    monkeypatch.setattr(module, "CHUNK", 512)
    transcript = RunTranscript(path)
    transcript.refresh(stop=lambda: True)
    begun = len(transcript.blocks)
    assert 0 < begun < len(read(path))
    transcript.refresh()
    assert list(transcript.blocks) == read(path)


def _more(first: int, count: int = 3) -> list[bytes]:
    lines = []
    for number in range(count):
        seq = first + 2 * number
        lines.append(j.assistant(seq, [j.call(f"m{seq}")], iteration=seq))
        lines.append(j.result(seq + 1, f"m{seq}"))
    return lines


def test_a_suspended_run_that_goes_on_has_one_marker(tmp_path: Path) -> None:
    path = write(tmp_path / "r.json", j.meta(), j.assistant(2, [j.text("Hm.")]), j.terminal(3))
    transcript = RunTranscript(path)
    transcript.refresh()
    assert [b.resumed for b in transcript.blocks if b.notice == "suspended"] == [False]
    with path.open("ab") as file:
        file.write(j.assistant(4, [j.text("Done.")], iteration=1))
    change = transcript.refresh(live=True)
    assert [b.resumed for b in transcript.blocks if b.notice == "suspended"] == [True]
    assert change.first == 2
    assert transcript.refresh(live=True).first == change.new_count


def test_another_file_under_the_name_is_read_anew(tmp_path: Path) -> None:
    path = write(tmp_path / "r.json", *j.three_records())
    transcript = RunTranscript(path)
    transcript.refresh()
    other = write(tmp_path / "new", j.meta(prompt="Something else"), j.terminal(2))
    os.replace(other, path)
    transcript.refresh()
    assert list(transcript.blocks) == read(path)
    assert transcript.blocks[0].text == "Something else"


# --- damage ---------------------------------------------------------------------------------------


def test_both_sides_of_damage_are_shown(tmp_path: Path) -> None:
    start = j.three_records()
    bad = b'{"seq":4,"protocol":"io.choria.fisk-ai.v1.session.assi' + _more(4)[0]
    path = write(tmp_path / "r.json", *start, bad, *_more(5))
    blocks = read(path)
    place = next(i for i, b in enumerate(blocks) if b.notice == "damaged")
    damage = blocks[place]
    assert (damage.line, damage.offset, damage.size) == (
        4,
        sum(len(line) for line in start),
        len(bad) - 1,
    )
    assert [b.kind for b in blocks[:place]] == [
        b.kind for b in read(write(tmp_path / "s", *start))
    ][:-1]
    assert [b.seq for b in blocks[place + 1 :] if b.kind == "tool_call"] == [5, 7, 9]


def test_a_result_whose_call_is_lost_is_shown(tmp_path: Path) -> None:
    path = write(tmp_path / "r.json", j.meta(), b"\0" * 40, j.result(3, "gone", "rice"))
    orphan = next(b for b in read(path) if b.kind == "tool_call")
    assert (orphan.name, orphan.result, orphan.state) == ("", "rice", "done")


def test_a_record_that_is_there_twice_is_shown_once(tmp_path: Path) -> None:
    lines = j.three_records()
    path = write(tmp_path / "r.json", *lines, lines[-1])
    blocks = read(path)
    assert notices(blocks)[0] == "damaged"
    assert len([b for b in blocks if b.kind == "tool_call"]) == 1


def test_a_torn_tail_says_how_much_is_kept_and_goes_when_it_is_mended(tmp_path: Path) -> None:
    path = write(tmp_path / "r.json", *j.three_records())
    whole = path.stat().st_size
    with path.open("ab") as file:
        file.write(b'{"seq":4,"pro')
    transcript = RunTranscript(path)
    transcript.refresh()
    torn = next(b for b in transcript.blocks if b.notice == "torn")
    assert (torn.offset, torn.size, torn.line) == (whole, 13, 4)
    os.truncate(path, whole)
    with path.open("ab") as file:
        file.write(j.terminal(4))
    transcript.refresh()
    assert list(transcript.blocks) == read(path)
    assert notices(list(transcript.blocks)) == ["suspended"]


def test_a_newer_version_is_named_and_not_guessed_at(tmp_path: Path) -> None:
    path = write(tmp_path / "r.json", j.meta(version=4), *_more(2))
    blocks = read(path)
    assert notices(blocks) == ["newer"]
    assert "4" in blocks[-1].text
    assert not [b for b in blocks if b.kind == "tool_call"]


def test_an_empty_file_says_so(tmp_path: Path) -> None:
    assert notices(read(write(tmp_path / "r.json"))) == ["empty"]


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    with pytest.raises(RunNotFound):
        read(tmp_path / "none.json")
    (tmp_path / "link.json").symlink_to(write(tmp_path / "r.json", *j.three_records()))
    os.mkfifo(tmp_path / "fifo.json")
    for name in ("link.json", "fifo.json"):
        with pytest.raises(NotAFile):
            read(tmp_path / name)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0), st.integers(0, 255))
def test_one_damaged_byte_hides_nothing_without_a_notice(
    tmp_path: Path, place: int, value: int
) -> None:
    data = bytearray((REAL / "runs/completed.json").read_bytes())
    before = read(REAL / "runs/completed.json")
    data[place % len(data)] = value
    path = tmp_path / "r.json"
    path.write_bytes(bytes(data))
    after = read(path)
    told = set(notices(after)) & {"damaged", "torn", "newer", "interrupted", "provider"}
    shown = [b for b in after if b.kind != "notice"]
    assert told or len(shown) >= len([b for b in before if b.kind != "notice"]) - 1


# --- times and the tail ---------------------------------------------------------------------------


def test_times_are_shown_where_somebody_saw_them(tmp_path: Path) -> None:
    path = write(tmp_path / "r.json", *j.three_records())
    transcript = RunTranscript(path)
    transcript.refresh()
    assert [b.ms for b in transcript.blocks if b.kind == "tool_call"] == [None]
    noted = [{"seq": 2, "t": "2026-03-01T14:02:11Z", "ms": 900}]
    noted.append({"seq": 3, "t": "2026-03-01T14:02:12Z", "ms": 400})
    text = "".join(json.dumps(each) + "\n" for each in noted)
    (tmp_path / "r.times.jsonl").write_text(text + "nonsense\n")
    transcript.refresh()
    call = next(b for b in transcript.blocks if b.kind == "tool_call")
    assert (call.time, call.ms) == ("2026-03-01T14:02:11Z", 400)
    assert list(transcript.blocks) == read(path)


def test_the_tail_is_the_end_of_the_whole(tmp_path: Path) -> None:
    path = write(tmp_path / "r.json", *j.three_records(), *_more(4, 60), j.terminal(200))
    whole = read(path)
    for size in (1000, 3000, path.stat().st_size):
        tail = RunTranscript(path).tail_blocks(size)
        assert tail
        assert whole[-len(tail) :] == tail or size == path.stat().st_size
    old = REAL / "v2/runs/suspended.json"
    tail = RunTranscript(old).tail_blocks(1900)
    assert read(old)[-len(tail) :] == tail
    assert RunTranscript(path).tail_blocks(3) == []


def test_reading_in_pieces_leaves_nothing_to_the_collector(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A window reads with the collector off: a cycle would keep every record until it runs."""
    monkeypatch.setattr(module, "CHUNK", 1000)
    path = tmp_path / "r.json"
    lines = [j.assistant(seq, [j.text(f"reply {seq}")], iteration=seq) for seq in range(2, 60)]
    path.write_bytes(j.meta() + b"".join(lines))
    transcript = RunTranscript(path)
    gc.collect()
    gc.disable()
    try:
        transcript.refresh()
        assert gc.collect() == 0
    finally:
        gc.enable()
    assert len(transcript.blocks) == 60
