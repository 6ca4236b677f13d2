# SPDX-License-Identifier: Apache-2.0
"""Torn tails (reliability.md, T3): every byte offset of the last record, every shape of damage."""

import os
import random
from pathlib import Path

import pytest

from tenuto.errors import CorruptJournal, StoreIO
from tenuto.runs.file import FileRunStore
from tenuto.runs.tail import Repair
from tests.support.small_process import in_small_child
from tests.support.store import (
    FaultLayer,
    end,
    make_run,
    meta,
    quick_folder,
    result,
    seqs,
    turn,
)

SEED = 20260301


def shapes(data: bytes, start: int, cut: int) -> dict[str, bytes]:
    """What a crash can leave of ``data`` from byte ``cut`` of its last record."""
    kept, size = data[:cut], len(data) - cut
    dice = random.Random(SEED + cut)
    noise = bytes(dice.randrange(256) for _ in range(size)).replace(b"\n", b"x")
    return {
        "cut": kept,
        "nul": kept + b"\0" * size,
        "nul_newline": kept + b"\0" * size + b"\n",
        "random": kept + noise,
        "random_newline": kept + noise + b"\n",
        "blank_line": kept + b"\n\n",
    }


def torn_bytes(path: Path) -> list[bytes]:
    """The pieces in a .torn file, by what its header lines say."""
    data, pieces = path.read_bytes(), []
    while data:
        header, _, data = data.partition(b"\n")
        words = header.split()
        assert words[:2] == [b"#", b"offset"], header
        assert words[4] == b"bytes,"
        size = int(words[3])
        pieces.append(data[:size])
        data = data[size:].removeprefix(b"\n")
    return pieces


@pytest.fixture
def tmp_path():
    with quick_folder() as folder:
        yield folder


@pytest.fixture
def store(tmp_path):
    return FileRunStore(tmp_path / "runs")


@pytest.mark.slow
@pytest.mark.parametrize(
    "shape", ["cut", "nul", "nul_newline", "random", "random_newline", "blank_line"]
)
def test_every_offset_of_the_last_record(store, shape):
    whole = make_run(store, turns=2)
    path = Path(store.path("run"))
    torn = path.with_suffix(".torn")
    start = whole.rindex(b"\n", 0, len(whole) - 1) + 1
    for cut in range(start, len(whole)):
        damaged = shapes(whole, start, cut)[shape]
        path.write_bytes(damaged)
        torn.unlink(missing_ok=True)
        where = f"{shape} at byte {cut - start} of {len(whole) - start}"

        whole_line = cut == len(whole) - 1 and shape in ("cut", "blank_line")
        # Garbage in front of a blank line is no tail for fisk-ai either (reliability.md, 4.4).
        if shape == "blank_line" and start < cut < len(whole) - 1:
            with pytest.raises(CorruptJournal):
                store.load("run")
            with pytest.raises(CorruptJournal):
                store.open("run")
            assert path.read_bytes() == damaged, where
            continue

        kept = 5 if whole_line else 4
        found = store.load("run")
        assert [record.seq for record in found] == list(range(1, kept + 1)), where
        with store.open("run") as journal:
            assert journal.last_seq == kept, where
            changed = journal.repaired
            assert journal.append(end()) == kept + 1
            assert journal.append(turn(2)) == kept + 2
        assert seqs(store) == list(range(1, kept + 3)), where
        assert path.read_bytes().startswith(whole if whole_line else whole[:start]), where

        lost = damaged[start:]
        if whole_line and shape == "cut":
            assert changed == Repair("newline", len(damaged), 0), where
        elif whole_line or not lost.strip(b"\n"):
            assert changed is None, where
        else:
            assert changed == Repair("cut", start, len(lost), "run.torn"), where
            assert torn_bytes(torn) == [lost], where
            continue
        assert not torn.exists(), where


def test_repairs_add_up_in_one_file(store):
    make_run(store, turns=1)
    path = Path(store.path("run"))
    lost = [b'{"seq":4,"pro', b"\0" * 4096, b"x\n", b'{"seq":4\n']
    for tail in lost:
        with path.open("ab") as file:
            file.write(tail)
        store.open("run").close()
    torn = path.with_suffix(".torn")
    assert torn_bytes(torn) == lost
    assert torn.stat().st_mode & 0o777 == 0o600
    assert seqs(store) == [1, 2, 3]


def test_a_tail_of_random_bytes_with_line_breaks_is_repaired_or_refused(store):
    make_run(store, turns=1)
    path = Path(store.path("run"))
    good = path.read_bytes()
    dice = random.Random(SEED)
    refused = 0
    for _ in range(200):
        damaged = good + bytes(dice.choice(b"\n\n {}[]0\0x\xff") for _ in range(dice.randrange(9)))
        path.write_bytes(damaged)
        try:
            journal = store.open("run")
        except CorruptJournal:
            refused += 1
            assert path.read_bytes() == damaged
            continue
        with journal:
            assert journal.append(end()) == 4
        assert seqs(store) == [1, 2, 3, 4]
    assert 0 < refused < 200


def test_spaces_behind_the_last_record_are_no_part_of_the_next(store):
    good = make_run(store, turns=1)
    path = Path(store.path("run"))
    path.write_bytes(good + b"  \r")
    with store.open("run") as journal:
        journal.append(end())
    assert seqs(store) == [1, 2, 3, 4]
    assert path.read_bytes().startswith(good + b"{")


def says(error):
    assert error.fields["name"] == "EIO"
    assert "run" in str(error)


@pytest.mark.parametrize("tail", [b'{"seq":4,"pro', b"\0\0\0\n"])
def test_a_repair_that_fails_at_any_call_touches_no_record(tmp_path, tail):
    store = FileRunStore(tmp_path / "runs")
    good = make_run(store, turns=1)
    path = Path(store.path("run"))
    torn = path.with_suffix(".torn")
    nth = 0
    while True:
        nth += 1
        path.write_bytes(good + tail)
        torn.unlink(missing_ok=True)
        layer = FaultLayer(nth)
        try:
            FileRunStore(store.directory, layer=layer).open("run").close()
        except StoreIO as error:
            says(error)
        if not layer.fired:
            break
        after = path.read_bytes()
        assert after in (good + tail, good), layer.calls
        if after == good:
            # The bytes were safe elsewhere before they were cut off.
            assert torn_bytes(torn)[0] == tail, layer.calls
        assert seqs(store) == [1, 2, 3]
        with store.open("run") as journal:
            assert journal.append(end()) == 4
        assert seqs(store) == [1, 2, 3, 4]
    assert nth > 20
    assert torn_bytes(torn) == [tail]


def test_a_process_killed_at_any_call_of_a_repair_loses_nothing(tmp_path):
    store = FileRunStore(tmp_path / "runs")
    good = make_run(store, turns=1)
    path = Path(store.path("run"))
    torn = path.with_suffix(".torn")
    tail = b'{"seq":4,"pro'
    nth = 0
    while True:
        nth += 1
        path.write_bytes(good + tail)
        torn.unlink(missing_ok=True)
        layer = FaultLayer(nth, die=True)
        code = in_small_child(FileRunStore(store.directory, layer=layer).open, "run")
        if code == 0:
            break
        assert code == 9
        after = path.read_bytes()
        assert after in (good + tail, good)
        if after == good:
            assert torn_bytes(torn)[0] == tail
        with store.open("run") as journal:
            assert journal.append(end()) == 4
        assert seqs(store) == [1, 2, 3, 4]
        assert tail in b"".join(torn_bytes(torn))
    assert nth > 20


def test_the_file_of_cut_bytes_is_never_somebody_elses(store, tmp_path):
    good = make_run(store, turns=1)
    path = Path(store.path("run"))
    path.write_bytes(good + b"{")
    outside = tmp_path / "outside"
    outside.write_bytes(b"precious")
    for make in (os.symlink, os.link):
        torn = path.with_suffix(".torn")
        make(outside, torn)
        with pytest.raises(Exception, match=r"run\.torn"):
            store.open("run")
        torn.unlink()
        assert outside.read_bytes() == b"precious"
        assert path.read_bytes() == good + b"{"
    store.open("run").close()
    assert path.read_bytes() == good


def test_a_record_of_four_megabytes_torn_anywhere(store):
    with store.create("run", meta()) as journal:
        journal.append(turn(0, "x" * 4_000_000))
        journal.append(result(0, "y" * 4_000_000))
    path = Path(store.path("run"))
    whole = path.read_bytes()
    start = whole.rindex(b"\n", 0, len(whole) - 1) + 1
    for cut in (start + 1, start + 4096, start + 2_000_000, len(whole) - 2, len(whole) - 1):
        path.write_bytes(whole[:cut])
        last = 3 if cut == len(whole) - 1 else 2
        with store.open("run") as journal:
            assert journal.append(end()) == last + 1
        assert seqs(store) == list(range(1, last + 2))
