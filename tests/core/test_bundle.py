# SPDX-License-Identifier: Apache-2.0
"""Exported sessions (``*.tenuto``): complete, verified, and never believed."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
import time
import zipfile
from pathlib import Path

import pytest

from tenuto.errors import BadBundle, NotAFile, RunExists, RunNotFound, StoreError
from tenuto.export.target import write_target
from tenuto.runs import archive, bundle
from tenuto.runs.archive import pack
from tenuto.runs.bundle import Bundle, unpack
from tenuto.runs.file import FileRunStore
from tenuto.runs.files import FileLayer
from tests.support.store import FaultLayer, in_child, make_run, meta, quick_folder, snapshot

COMPANIONS = {
    ".notes.json": b'{"title":"A <b>","pinned":true}\n',
    ".times.jsonl": b'{"seq":1,"t":"2026-01-01T00:00:00Z"}\n',
    ".torn": b"# offset 1, 2 bytes\n\x00\xff",
    ".v1.bak": b"old\n",
    ".doctor-2.bak": b"older\n",
}


@pytest.fixture
def tmp_path():
    with quick_folder() as folder:
        yield folder


def make(folder: Path, id: str = "run") -> FileRunStore:
    store = FileRunStore(folder)
    make_run(store, id)
    for suffix, data in COMPANIONS.items():
        Path(store.directory, id + suffix).write_bytes(data)
    return store


def export(store: FileRunStore, id: str, path: Path, *, layer: FileLayer | None = None) -> Path:
    layer = layer or FileLayer()
    write_target(path, lambda fd: pack(layer, store.directory, id, fd, path=str(path)), layer=layer)
    return path


def test_an_export_is_a_zip_of_the_files_and_their_hashes(tmp_path):
    store = make(tmp_path / "runs")
    for suffix in (".preview.json", ".ask.json", ".lock"):
        Path(store.directory, "run" + suffix).write_bytes(b"{}")
    path = export(store, "run", tmp_path / "x.tenuto")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with zipfile.ZipFile(path) as file:
        found = {name: file.read(name) for name in file.namelist()}
    manifest = json.loads(found.pop("manifest.json"))
    expected = {"run.json": Path(store.path("run")).read_bytes()}
    expected |= {f"run{suffix}": data for suffix, data in COMPANIONS.items()}
    assert found == expected
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in expected.items()}
    assert manifest == {"format": 1, "source": "fisk-ai", "id": "run", "files": hashes}


def test_an_import_is_the_same_run(tmp_path):
    store = make(tmp_path / "runs")
    path = export(store, "run", tmp_path / "x.tenuto")
    with Bundle(path) as found:
        done = unpack(found, tmp_path / "other" / "runs")
    assert (done.id, done.exported_id) == ("run", "run")
    other = tmp_path / "other" / "runs"
    assert done.files == ("run.doctor-2.bak", "run.notes.json", "run.times.jsonl", "run.torn",
                          "run.v1.bak", "run.json")  # fmt: skip
    for name in done.files:
        assert (other / name).read_bytes() == Path(store.directory, name).read_bytes()
        assert stat.S_IMODE((other / name).stat().st_mode) == 0o600
    assert {p.name for p in other.iterdir()} == {*done.files, "run.lock"}
    assert (other / "run.lock").read_bytes() == b""
    with FileRunStore(other).open("run") as journal:
        assert journal.last_seq == 5


def test_a_taken_id_gives_a_new_one_and_as_is_refused(tmp_path):
    store = make(tmp_path / "runs")
    before = snapshot(store.directory)
    with Bundle(export(store, "run", tmp_path / "x.tenuto")) as found:
        done = unpack(found, store.directory)
        assert done.id != "run"
        for suffix, data in COMPANIONS.items():
            assert Path(store.directory, done.id + suffix).read_bytes() == data
        assert store.load(done.id)[0].payload.run_id == "run"
        for taken in ("run", "RUN"):
            with pytest.raises(RunExists):
                unpack(found, store.directory, taken)
        assert unpack(found, store.directory, "mine").id == "mine"
    after = snapshot(store.directory)
    assert {path: after[path] for path in before} == before


def test_what_is_left_of_an_earlier_run_is_never_overwritten(tmp_path):
    store = make(tmp_path / "runs")
    path = export(store, "run", tmp_path / "x.tenuto")
    for suffix in (".json", ".lock"):
        Path(store.directory, "run" + suffix).unlink()
    before = snapshot(store.directory)
    with Bundle(path) as found, pytest.raises(RunExists, match="earlier run"):
        unpack(found, store.directory, "run")
    assert snapshot(store.directory) == before


def test_a_run_called_as_the_manifest_is_exported_under_another_id(tmp_path):
    store = make(tmp_path / "runs", "manifest")
    with Bundle(export(store, "manifest", tmp_path / "x.tenuto")) as found:
        assert found.id == "manifest-1"
        unpack(found, tmp_path / "other")
    assert (tmp_path / "other" / "manifest-1.json").read_bytes() == Path(
        store.path("manifest")
    ).read_bytes()


def test_a_link_beside_a_run_is_left_behind(tmp_path):
    store = make(tmp_path / "runs")
    secret = tmp_path / "secret"
    secret.write_text("x")
    notes = Path(store.directory, "run.notes.json")
    notes.unlink()
    notes.symlink_to(secret)
    with (tmp_path / "x").open("wb") as file:
        done = pack(FileLayer(), store.directory, "run", file.fileno(), path="x")
    assert done.left == ("run.notes.json",)
    assert "run.notes.json" not in done.manifest.files


def test_a_very_dense_run_is_stored_as_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "_RATIO_COUNTS_FROM", 100_000)
    store = FileRunStore(tmp_path / "runs")
    store.create("run", meta("run", "x" * 2_000_000)).close()
    path = export(store, "run", tmp_path / "x.tenuto")
    assert path.stat().st_size > 2_000_000
    with Bundle(path) as found:
        found.verify()


# --- archives from strangers ---------------------------------------------------------------------


def rezip(path: Path, change, *, compress: int = zipfile.ZIP_DEFLATED) -> Path:
    """The archive with ``change`` made to its (ZipInfo, bytes) pairs and manifest."""
    with zipfile.ZipFile(path) as file:
        entries = [(info, file.read(info)) for info in file.infolist()]
    manifest = json.loads(entries.pop()[1])
    change(entries, manifest)
    out = path.with_name("changed.tenuto")
    with zipfile.ZipFile(out, "w", compress) as file:
        for info, data in entries:
            file.writestr(info, data)
        if manifest is not None:
            file.writestr("manifest.json", json.dumps(manifest))
    return out


def add(name, data=b"x", *, mode=0o100600, named=True):
    def change(entries, manifest):
        info = zipfile.ZipInfo(name)
        info.external_attr = mode << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        entries.append((info, data))
        if named:
            manifest["files"][name] = hashlib.sha256(data).hexdigest()

    return change


def put(**values):
    return lambda entries, manifest: manifest.update(values)


def drop_hash(entries, manifest):
    del manifest["files"]["run.json"]


def drop_journal(entries, manifest):
    del entries[0], manifest["files"]["run.json"]


def too_many(entries, manifest):
    for number in range(3, bundle.MAX_FILES + 3):
        add(f"run.doctor-{number}.bak")(entries, manifest)


def alter(entries, manifest):
    entries[0] = (entries[0][0], entries[0][1].replace(b"looking", b"lookinG"))


#: What is wrong with an archive, and what is said of it.
BAD = {
    "a path": (add("../run.torn"), "no file of a run"),
    "an absolute path": (add("/tmp/run.torn"), "no file of a run"),
    "a backslash": (add("..\\run.torn"), "no file of a run"),
    "a folder": (add("run.d/", b""), "no file of a run"),
    "a file of no run": (add("evil.sh"), "no file of a run"),
    "a file of another run": (add("other.torn"), "does not belong"),
    "another run": (add("other.json"), "does not belong"),
    "a lock": (add("run.lock"), "does not belong"),
    "an ask file": (add("run.ask.json"), "does not belong"),
    "a sidecar": (add("run.preview.json"), "does not belong"),
    "a temporary file": (add(".run.json.0123456789abcdef.tmp"), "does not belong"),
    "a symlink": (add("run.v2.bak", b"/etc/passwd", mode=0o120777), "no plain file"),
    "a device": (add("run.v2.bak", b"", mode=0o060600), "no plain file"),
    "a file that is not named": (add("run.v2.bak", named=False), "does not name"),
    "a file twice": (add("run.torn"), "twice"),
    "too many files": (too_many, "more than 200 files"),
    "no hash": (drop_hash, "does not name"),
    "no journal": (drop_journal, "no run.json"),
    "another content": (alter, "hash differs"),
    "a newer format": (put(format=2), "format 2"),
    "no format": (put(format="x"), "makes no sense"),
    "format zero": (put(format=0), "makes no sense"),
    "another source": (put(source="other"), "a session of 'other'"),
    "no id": (put(id="../x"), "no id"),
    "an id of another run": (put(id="other"), "no other.json"),
    "no files": (put(files={}), "does not name"),
    "files that are none": (put(files=[1]), "makes no sense"),
}


@pytest.mark.parametrize(("change", "reason"), BAD.values(), ids=BAD.keys())
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_bad_archive_is_refused_and_leaves_nothing(tmp_path, change, reason):
    store = make(tmp_path / "runs")
    path = rezip(export(store, "run", tmp_path / "x.tenuto"), change)
    with pytest.raises(BadBundle, match=reason) as caught, Bundle(path) as found:
        unpack(found, tmp_path / "other")
    assert str(path) in caught.value.message
    assert caught.value.exit_code == 6
    assert list(tmp_path.glob("other/*")) == []


def test_an_archive_of_another_program_is_taken(tmp_path):
    store = make(tmp_path / "runs")
    path = rezip(export(store, "run", tmp_path / "x.tenuto"), add("run.v2.bak", b"x", mode=0))
    with Bundle(path) as found:
        assert "run.v2.bak" in unpack(found, tmp_path / "other").files


def test_an_id_that_does_not_fit_on_the_way_in_is_not_created(tmp_path):
    store = make(tmp_path / "runs")
    with Bundle(export(store, "run", tmp_path / "x.tenuto")) as found:
        for id in ("../x", "con", "", "a.b"):
            with pytest.raises(StoreError):
                unpack(found, tmp_path / "other", id)
    assert not (tmp_path / "other").exists()


def test_bombs_are_refused_before_they_are_unpacked(tmp_path, monkeypatch):
    store = make(tmp_path / "runs")
    path = export(store, "run", tmp_path / "x.tenuto")
    bomb = rezip(path, add("run.v2.bak", b"\0" * (80 << 20)))
    assert bomb.stat().st_size < 1 << 20
    begin = time.process_time()
    with pytest.raises(BadBundle, match="unpack to"):
        Bundle(bomb)
    assert time.process_time() - begin < 1
    monkeypatch.setattr(bundle, "MAX_TOTAL", 10)
    with pytest.raises(BadBundle, match="unpack to"):
        Bundle(path)


def test_sizes_that_lie_give_no_byte_more(tmp_path):
    store = make(tmp_path / "runs")
    data = b"y" * 1_000_000
    path = rezip(export(store, "run", tmp_path / "x.tenuto"), add("run.v2.bak", data))
    raw = path.read_bytes()
    lying = raw.replace((1_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    assert lying != raw
    path.write_bytes(lying)
    with pytest.raises(BadBundle), Bundle(path) as found:
        unpack(found, tmp_path / "other")
    assert list(tmp_path.glob("other/*")) == []


def test_every_cut_and_every_flipped_byte_is_noticed_or_means_nothing(tmp_path):
    store = make(tmp_path / "runs")
    whole = export(store, "run", tmp_path / "x.tenuto").read_bytes()
    journal = Path(store.path("run")).read_bytes()
    path = tmp_path / "y.tenuto"
    for size in range(0, len(whole), 7):
        path.write_bytes(whole[:size])
        with pytest.raises(BadBundle):
            Bundle(path)
    for at in range(0, len(whole), 3):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1 :])
        try:
            with Bundle(path) as found:
                assert b"".join(found.chunks("run.json")) == journal
                found.verify()
        except BadBundle:
            continue


def test_other_methods_and_encryption_are_refused(tmp_path):
    store = make(tmp_path / "runs")
    path = export(store, "run", tmp_path / "x.tenuto")

    def lzma(entries, manifest):
        entries[0][0].compress_type = zipfile.ZIP_LZMA

    with pytest.raises(BadBundle, match="compressed"):
        Bundle(rezip(path, lzma))
    raw = bytearray(path.read_bytes())
    raw[raw.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(raw)
    with pytest.raises(BadBundle, match="encrypted"):
        Bundle(path)


def test_what_is_no_archive(tmp_path):
    with pytest.raises(RunNotFound):
        Bundle(tmp_path / "none")
    os.mkfifo(tmp_path / "fifo")
    for path in (tmp_path, tmp_path / "fifo"):
        with pytest.raises(NotAFile):
            Bundle(path)
    (tmp_path / "text").write_text("hello")
    with pytest.raises(BadBundle, match="no zip file"):
        Bundle(tmp_path / "text")


# --- failing systems -----------------------------------------------------------------------------


@pytest.mark.parametrize("forever", [False, True], ids=["once", "always"])
@pytest.mark.parametrize("number", [errno.EIO, errno.ENOSPC, errno.EROFS])
def test_an_import_that_fails_leaves_nothing_half(tmp_path, number, forever):
    path = export(make(tmp_path / "runs"), "run", tmp_path / "x.tenuto")
    for nth in range(1, 500):
        other = tmp_path / f"other{nth}"
        layer = FaultLayer(nth, number, forever=forever)
        with Bundle(path) as found:
            try:
                unpack(found, other, layer=layer)
            except StoreError:
                # Either nothing, or (a failure behind the last rename that could not be taken
                # back) all of it; and what could not be removed goes with the next sweep.
                store = FileRunStore(other)
                store.sweep()
                left = {p.name for p in other.glob("*")} - {"run.lock"}
                assert left in (set(), {"run.json", *(f"run{s}" for s in COMPANIONS)})
                continue
        if not layer.fired:
            assert nth > 20
            return
        assert (other / "run.json").exists()
    raise AssertionError("still failing")


@pytest.mark.slow
def test_an_import_killed_at_any_call_is_whole_or_swept(tmp_path):
    store = make(tmp_path / "runs")
    path = export(store, "run", tmp_path / "x.tenuto")
    whole = {name: data for name, data in snapshot(store.directory).items() if "lock" not in name}

    def act(layer, folder):
        with Bundle(path) as found:
            unpack(found, folder, layer=layer)

    for nth in range(1, 500):
        other = tmp_path / f"other{nth}"
        code = in_child(act, FaultLayer(nth, die=True), other)
        assert code in (0, 9)
        if (other / "run.json").exists():
            for name, data in whole.items():
                assert (other / Path(name).name).read_bytes() == data
            FileRunStore(other).open("run").close()
        elif other.exists() and nth % 2:
            FileRunStore(other).sweep()
            assert list(other.iterdir()) == []
        elif other.exists():
            # Again, over what is there.
            act(FileLayer(), other)
            assert (other / "run.json").exists()
        if code == 0:
            assert nth > 20
            return
    raise AssertionError("still dying")
