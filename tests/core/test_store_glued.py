# SPDX-License-Identifier: Apache-2.0
"""A whole record glued behind a torn one, as fisk-ai appends it, is never cut off."""

from __future__ import annotations

from pathlib import Path

import pytest

from tenuto.errors import CorruptJournal
from tenuto.records import Record, encode_record
from tenuto.runs import doctor
from tenuto.runs.file import FileRunStore
from tests.support import journals as j
from tests.support.store import end, make_run, meta, quick_folder, result, seqs, snapshot, turn


@pytest.fixture
def tmp_path():
    with quick_folder() as folder:
        yield folder


@pytest.fixture
def store(tmp_path):
    return FileRunStore(tmp_path / "runs")


def glue(store: FileRunStore, cut: int) -> Path:
    """Cut the last record (number 5) after ``cut`` of its bytes, and append it again, plainly."""
    data = make_run(store)
    start = data.rindex(b"\n", 0, -1) + 1
    path = Path(store.path("run"))
    path.write_bytes(data[: start + cut] + encode_record(Record(5, result(1, "again")), 5))
    return path


def size_of_last(tmp_path: Path) -> int:
    data = make_run(FileRunStore(tmp_path / "other"))
    return len(data) - data.rindex(b"\n", 0, -1) - 1


def test_what_was_appended_behind_a_torn_record_survives_at_every_cut(store, tmp_path):
    # At the last cut only the newline is missing: two whole records on one line.
    for cut in range(1, size_of_last(tmp_path)):
        path = glue(store, cut)
        before = snapshot(tmp_path)
        # What a reader sees is what fisk-ai sees.
        assert seqs(store) == [1, 2, 3, 4]
        with pytest.raises(CorruptJournal) as refused:
            store.open("run")
        assert "whole" in refused.value.message
        assert refused.value.fields["path"] == str(path)
        after = snapshot(tmp_path)
        assert {k: v for k, v in after.items() if not k.endswith(".lock")} == {
            k: v for k, v in before.items() if not k.endswith(".lock")
        }
        store.delete("run")


def test_doctor_saves_it_and_the_run_goes_on(store):
    glue(store, 40)
    assert doctor.repair(store.directory, "run").rescued == 1
    assert seqs(store) == [1, 2, 3, 4, 5]
    assert store.load("run")[-1].payload.result.content == "again"
    with store.open("run") as journal:
        assert journal.append(end()) == 6


def test_the_original_of_an_older_version_is_not_rewritten_without_it(store):
    record = j.terminal(2)
    lines = [j.meta(version=2), record[:30] + record]
    path = Path(store.directory) / "run.json"
    path.parent.mkdir(mode=0o700)
    path.write_bytes(b"".join(lines))
    path.chmod(0o600)
    with pytest.raises(CorruptJournal):
        store.open("run", upgrade=True)
    assert path.read_bytes() == b"".join(lines)


def test_a_call_that_quotes_a_record_is_no_record(store):
    """Torn right behind the quotation, so that it ends the line."""
    quoted = encode_record(Record(9, end()), 9).decode().rstrip("\n")
    with store.create("run", meta()) as journal:
        journal.append(turn(0, "a text"))
    path = Path(store.path("run"))
    whole = path.read_bytes()
    torn = b'{"seq":3,"protocol":"io.choria.fisk-ai.v1.session.terminal","terminal":{"reason":"'
    path.write_bytes(whole + torn + quoted.replace('"', '\\"').encode() + b"\n")
    with store.open("run") as journal:
        assert journal.repaired is not None
        assert journal.append(result(0)) == 3
