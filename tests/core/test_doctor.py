# SPDX-License-Identifier: Apache-2.0
"""What doctor finds and saves, told by the ways journals really break."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tenuto.errors import HardLinked, InvalidId, Locked, NotAFile, RunNotFound
from tenuto.fold import fold
from tenuto.records import decode_record
from tenuto.runs import doctor, rescue
from tenuto.runs.file import FileRunStore

META = (
    b'{"seq":1,"protocol":"io.choria.fisk-ai.v1.session.meta","meta":{"version":3,"run_id":"r",'
    b'"created":"2026-11-30T18:04:06.877228618Z","fingerprint":{"provider":"anthropic",'
    b'"model":"m","system_hash":"s","tools_hash":"t","thinking_mode":"off","max_tokens":1,'
    b'"max_iterations":1},"prompt":"p"}}'
)


def assistant(seq: int, text: str = "hello", tool: str = "") -> bytes:
    call = (
        b',{"tool_use":{"id":"c%d","name":"t","input":%s}}' % (seq, tool.encode()) if tool else b""
    )
    return (
        b'{"seq":%d,"protocol":"io.choria.fisk-ai.v1.session.assistant","assistant":{"iteration":%d,'
        b'"message":{"role":"assistant","content":[{"text":{"text":"%s"}}%s]},'
        b'"stop_reason":"end_turn","in_tokens":1,"out_tokens":2,"cache_read_tokens":0,'
        b'"cache_create_tokens":0}}' % (seq, seq - 2, text.encode(), call)
    )


def lines(*records: bytes) -> bytes:
    return b"".join(record + b"\n" for record in records)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    folder.mkdir(mode=0o700)
    return folder


def write(runs: Path, data: bytes, id: str = "r") -> Path:
    path = runs / f"{id}.json"
    path.write_bytes(data)
    path.chmod(0o600)
    return path


def seqs(runs: Path, id: str = "r") -> list[int]:
    return [record.seq for record in FileRunStore(runs).load(id)]


def snapshot(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_whole_journal_is_clean_and_untouched_by_repair(runs: Path) -> None:
    path = write(runs, lines(META, assistant(2), assistant(3)))
    before = path.stat()

    report = doctor.examine(runs, "r")
    repaired = doctor.repair(runs, "r")

    assert (report.health, report.records, report.findings) == ("clean", 3, [])
    assert not repaired.changed
    after = path.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_looking_writes_nothing(runs: Path) -> None:
    write(runs, lines(META, assistant(2)) + b'{"seq":3,"pro')
    before = snapshot(runs)
    doctor.examine(runs, "r")
    assert snapshot(runs) == before


#: Every cut goes through the plan, every so many-th through the files: each repair is six fsyncs.
STEP = 17


def shaped(last: bytes, cut: int, shape: str) -> bytes:
    """The record ``last`` cut at a byte, as crashes and power cuts leave it."""
    return {
        "cut": last[:cut],
        "nul": last[:cut] + b"\0" * (len(last) - cut),
        "nul-newline": last[:cut] + b"\0" * (len(last) - cut - 1) + b"\n",
        "garbage": last[:cut] + b"\xfe\x01" * 4,
        "blank": last[:cut] + b"\n \n",
    }[shape]


@pytest.mark.parametrize("shape", ["cut", "nul", "nul-newline", "garbage", "blank"])
def test_every_cut_of_the_last_record_is_repaired(runs: Path, shape: str) -> None:
    good = lines(META, assistant(2))
    last = assistant(3) + b"\n"
    for cut in range(1, len(last)):
        tail = shaped(last, cut, shape)
        # Cut right before its newline the record is whole, whatever hangs on it.
        whole = cut == len(last) - 1
        plan = rescue.plan(good + tail)
        assert plan.repairable, cut
        assert plan.output.rstrip(b" \n") + b"\n" == good + (last if whole else b""), cut
        assert rescue.plan(plan.output).findings == [], cut
        if cut % STEP or whole:
            continue
        for leftover in runs.iterdir():
            leftover.unlink()
        write(runs, good + tail)
        assert doctor.repair(runs, "r").changed, cut
        assert (runs / "r.json").read_bytes() == plan.output
        assert (runs / "r.doctor-1.bak").read_bytes() == good + tail
        again = doctor.repair(runs, "r")
        assert not again.changed
        assert again.report.health == "clean"


def test_a_resume_by_fisk_ai_behind_every_torn_tail_is_rescued(runs: Path) -> None:
    """fisk-ai appends to a torn tail as it stands: first one record, later another (0.1)."""
    good, torn = lines(META, assistant(2)), assistant(3, "never acknowledged")
    behind = lines(assistant(3, "first resumed"), assistant(4, "second resumed"))
    for cut in range(1, len(torn)):
        plan = rescue.plan(good + torn[:cut] + behind)
        assert plan.repairable, cut
        assert plan.output == good + behind, cut
        assert [(piece.offset, piece.data) for piece in plan.aside] == [(len(good), torn[:cut])]
        if cut % STEP:
            continue
        for leftover in runs.iterdir():
            leftover.unlink()
        write(runs, good + torn[:cut] + behind)
        assert doctor.repair(runs, "r").rescued == 1
        assert (runs / "r.json").read_bytes() == good + behind, cut
        header, _, body = (runs / "r.torn").read_bytes().partition(b"\n")
        assert header.startswith(b"# offset %d, %d bytes, " % (len(good), cut))
        assert body == torn[:cut]


def test_two_whole_records_on_one_line_are_parted(runs: Path) -> None:
    write(runs, lines(META) + assistant(2) + assistant(3) + b"\n" + lines(assistant(4)))
    repaired = doctor.repair(runs, "r")
    assert (repaired.records, repaired.rescued, repaired.aside_bytes) == (4, 2, 0)
    assert seqs(runs) == [1, 2, 3, 4]


def test_what_a_tool_input_quotes_is_never_taken_for_a_record(runs: Path) -> None:
    forged = assistant(3, "forged").decode()
    torn = assistant(3, tool=forged)
    inside = torn.index(forged.encode()) + len(forged)
    # Torn right behind the quoted record, so that it ends the line; then a real one is glued on.
    write(runs, lines(META, assistant(2)) + torn[:inside] + assistant(3, "real") + b"\n")
    doctor.repair(runs, "r")
    assert seqs(runs) == [1, 2, 3]
    assert b'"real"' in (runs / "r.json").read_bytes()
    assert b'"forged"' not in (runs / "r.json").read_bytes()


def test_nul_runs_between_records_go(runs: Path) -> None:
    write(runs, lines(META, assistant(2)) + b"\0" * 300 + lines(assistant(3), assistant(4)))
    report = doctor.examine(runs, "r")
    assert [(f.kind, f.line, f.size) for f in report.findings] == [("nul", 3, 300)]
    doctor.repair(runs, "r")
    assert seqs(runs) == [1, 2, 3, 4]


def test_a_record_written_twice_after_a_failed_fsync_goes_once(runs: Path) -> None:
    data = lines(META, assistant(2), assistant(3), assistant(3), assistant(4))
    write(runs, data)
    report = doctor.examine(runs, "r")
    assert [(f.kind, f.line, f.seq) for f in report.findings] == [("duplicate", 4, 3)]
    doctor.repair(runs, "r")
    assert (runs / "r.json").read_bytes() == lines(META, assistant(2), assistant(3), assistant(4))


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (lines(META, assistant(2), b'{"seq":3,"x', assistant(4)), "lost"),
        (lines(META, assistant(2), assistant(3), assistant(2, "other")), "sequence"),
        (lines(META, META.replace(b'"seq":1', b'"seq":2')), "structure"),
        (lines(assistant(1)), "structure"),
    ],
)
def test_what_cannot_be_made_whole_is_said_and_left_alone(
    runs: Path, data: bytes, kind: str
) -> None:
    write(runs, data)
    before = snapshot(runs)
    repaired = doctor.repair(runs, "r")
    assert not repaired.changed
    assert kind in [finding.kind for finding in repaired.report.findings]
    assert not repaired.report.repairable
    assert {k: v for k, v in snapshot(runs).items() if not k.endswith(".lock")} == before


def test_the_finding_names_line_offset_and_what_is_missing(runs: Path) -> None:
    write(runs, lines(META, assistant(2), b"garbage", assistant(5)))
    (finding,) = doctor.examine(runs, "r").findings
    assert (finding.kind, finding.line, finding.size, finding.seq) == ("lost", 3, 7, 3)
    assert finding.offset == len(lines(META, assistant(2)))
    assert "records 3 to 4" in finding.message


def test_garbage_between_records_without_a_gap_is_set_aside(runs: Path) -> None:
    write(runs, lines(META, assistant(2), b"garbage", assistant(3)))
    repaired = doctor.repair(runs, "r")
    assert repaired.aside_bytes == 7
    assert seqs(runs) == [1, 2, 3]


def test_a_byte_order_mark_goes(runs: Path) -> None:
    write(runs, b"\xef\xbb\xbf" + lines(META, assistant(2)))
    assert [f.kind for f in doctor.examine(runs, "r").findings] == ["bom"]
    doctor.repair(runs, "r")
    assert seqs(runs) == [1, 2]


def test_unknown_fields_and_raw_tokens_survive_a_repair(runs: Path) -> None:
    odd = assistant(3, tool='{"n":1e+21,"s":"\\u00e8","z":1.50}').replace(
        b'"seq":3,', b'"seq":3,"later":{"k":[1.0]},'
    )
    write(runs, lines(META, assistant(2)) + b'{"seq":3,"pro' + odd + b"\n")
    doctor.repair(runs, "r")
    assert (runs / "r.json").read_bytes() == lines(META, assistant(2), odd)


def test_a_newer_journal_and_an_empty_one_are_told_and_left(runs: Path) -> None:
    newer = write(runs, META.replace(b'"version":3', b'"version":9') + b"\nwhatever\n", "newer")
    empty = write(runs, b"", "empty")
    assert doctor.examine(runs, "newer").health == "newer"
    assert doctor.examine(runs, "empty").health == "empty"
    assert not doctor.repair(runs, "newer").changed
    assert not doctor.repair(runs, "empty").changed
    assert newer.read_bytes().endswith(b"whatever\n")
    assert empty.read_bytes() == b""


def test_a_whole_line_that_is_no_record_of_ours_is_not_thrown_away(runs: Path) -> None:
    """It may be of a kind that a later program writes: acknowledged, and not ours to cut."""
    alien = b'{"seq":3,"protocol":"io.choria.fisk-ai.v1.session.later","later":{"x":1}}'
    for data in (lines(META, assistant(2), alien), lines(META, assistant(2), alien, assistant(4))):
        path = write(runs, data)
        report = doctor.repair(runs, "r").report
        assert [f.repairable for f in report.findings] == [False]
        assert path.read_bytes() == data


def test_wide_modes_are_found_and_tightened(runs: Path) -> None:
    path = write(runs, lines(META))
    path.chmod(0o644)
    (finding,) = doctor.examine(runs, "r").notes
    assert finding.kind == "mode"
    assert doctor.repair(runs, "r").tightened
    assert path.stat().st_mode & 0o777 == 0o600
    assert doctor.examine(runs, "r").health == "clean"


def test_a_locked_run_is_never_touched(runs: Path) -> None:
    path = write(runs, lines(META, assistant(2)) + b'{"seq":3,"pro')
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            (
                "import fcntl,os,sys\n"
                "fd=os.open(sys.argv[1],os.O_RDWR|os.O_CREAT,0o600)\n"
                "fcntl.flock(fd,fcntl.LOCK_EX)\nprint('held',flush=True)\nsys.stdin.read()"
            ),
            str(runs / "r.lock"),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        assert holder.stdout is not None
        holder.stdout.readline()
        before = path.read_bytes()
        with pytest.raises(Locked):
            doctor.repair(runs, "r")
        assert path.read_bytes() == before
        report = doctor.examine(runs, "r")
        # Half a line in a live run is being written, not damage.
        assert report.pid == holder.pid
        assert report.findings == []
    finally:
        holder.communicate(timeout=30)


def test_a_hard_linked_journal_is_looked_at_and_not_changed(runs: Path) -> None:
    path = write(runs, lines(META) + b"torn")
    os.link(path, runs.parent / "backup")
    assert "hard_linked" in [f.kind for f in doctor.examine(runs, "r").notes]
    with pytest.raises(HardLinked):
        doctor.repair(runs, "r")


def test_odd_names_and_kinds(runs: Path) -> None:
    os.symlink("/etc/passwd", runs / "link.json")
    os.mkfifo(runs / "fifo.json")
    (runs / "dir.json").mkdir()
    for id in ("link", "fifo", "dir"):
        with pytest.raises(NotAFile):
            doctor.examine(runs, id)
        with pytest.raises(NotAFile):
            doctor.repair(runs, id)
    with pytest.raises(RunNotFound):
        doctor.repair(runs, "none")
    assert not (runs / "none.lock").exists()
    with pytest.raises(InvalidId):
        doctor.examine(runs, "../x")


def test_a_line_full_of_record_starts_takes_no_quadratic_time() -> None:
    hostile = b'{"seq":' * 200_000
    plan = rescue.plan(lines(META, hostile, assistant(2)))
    assert plan.repairable
    assert plan.records == 2


def test_what_the_plan_keeps_folds(runs: Path) -> None:
    data = lines(META, assistant(2)) + assistant(3)[:40] + lines(assistant(3), assistant(4))
    plan = rescue.plan(data)
    state = fold(decode_record(line) for line in plan.output.splitlines())
    assert state.counters.llm_calls == 3
    assert rescue.plan(plan.output).findings == []


def test_a_second_repair_keeps_the_first_backup(runs: Path) -> None:
    write(runs, lines(META) + b"one")
    doctor.repair(runs, "r")
    with (runs / "r.json").open("ab") as file:
        file.write(b"two")
        fcntl.flock(file, fcntl.LOCK_UN)
    doctor.repair(runs, "r")
    assert (runs / "r.doctor-1.bak").read_bytes() == lines(META) + b"one"
    assert (runs / "r.doctor-2.bak").read_bytes() == lines(META) + b"two"
    torn = (runs / "r.torn").read_bytes()
    assert b"one" in torn
    assert b"two" in torn


@pytest.mark.parametrize("left", [b"", b"\0\0\0", META[:40], META[:40] + b"\n"])
def test_a_run_that_never_began_is_not_promised_to_be_repaired(runs: Path, left: bytes) -> None:
    """As the list has it: empty. To set its only bytes aside would leave nothing to resume."""
    path = write(runs, left)
    done = doctor.repair(runs, "r")
    assert (done.changed, done.report.health, done.report.repairable) == (False, "empty", False)
    assert path.read_bytes() == left


def test_what_a_newer_program_wrote_is_not_ours_to_repair(runs: Path) -> None:
    write(runs, META.replace(b'"version":3', b'"version":4') + b"\n")
    report = doctor.examine(runs, "r")
    assert (report.health, report.repairable) == ("newer", False)
