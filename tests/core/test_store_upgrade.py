# SPDX-License-Identifier: Apache-2.0
"""Version 1 and 2 journals: read as they are, rewritten as version 3 before anything is added."""

import errno
import json
import os
from pathlib import Path

import pytest

from tenuto.errors import Locked, NewerVersion, OldVersion, StoreIO
from tenuto.fold import fold, state_json
from tenuto.records import PROTOCOL_PREFIX
from tenuto.runs.file import FileRunStore
from tests.support.paths import FISK_REAL
from tests.support.store import FINGERPRINT, FaultLayer, end, in_child, quick_folder, seqs

REAL = sorted((FISK_REAL / "v2" / "runs").glob("*.json"))


def line(seq, kind, payload):
    record = {"seq": seq, "protocol": PROTOCOL_PREFIX + kind, kind: payload}
    return json.dumps(record, separators=(",", ":")).encode() + b"\n"


def old_journal(version=2):
    wire = [
        {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "b2xk"},
        {"type": "tool_use", "id": "t1", "name": "list", "input": {"n": 1e21}},
    ]
    answer = {
        "type": "tool_result",
        "tool_use_id": "t1",
        "content": [{"type": "text", "text": "a"}],
        "is_error": False,
    }
    return b"".join(
        [
            line(1, "meta", {"version": version, "run_id": "run", "created": "2025-01-01T00:00:00Z",
                             "fingerprint": {"model": "m", "system_hash": "s", "tools_hash": "t",
                                             "thinking_mode": "off", "max_tokens": 1,
                                             "max_iterations": 2}, "prompt": "p"}),
            line(2, "assistant", {"iteration": 0, "message": {"role": "assistant", "content": wire},
                                  "in_tokens": 1, "out_tokens": 2}),
            line(3, "tool_result", {"tool_use_id": "t1", "result": answer}),
            line(7, "terminal", {"reason": "suspended"}),
        ]
    )  # fmt: skip


@pytest.fixture
def tmp_path():
    with quick_folder() as folder:
        yield folder


@pytest.fixture
def store(tmp_path):
    store = FileRunStore(tmp_path / "runs")
    os.mkdir(store.directory, 0o700)
    return store


def put(store, data, id="run"):
    path = Path(store.path(id))
    path.write_bytes(data)
    path.chmod(0o600)
    return path


@pytest.mark.parametrize("version", [1, 2])
def test_an_old_journal_is_read_but_not_appended_to(store, version):
    path = put(store, old_journal(version))
    assert seqs(store) == [1, 2, 3, 7]
    with pytest.raises(OldVersion) as caught:
        store.open("run")
    assert caught.value.fields == {"id": "run", "version": version}
    assert path.read_bytes() == old_journal(version)


@pytest.mark.parametrize("version", [1, 2])
def test_an_upgrade_keeps_the_original_and_says_what_it_did(store, version):
    original = old_journal(version)
    path = put(store, original)
    with store.open("run", upgrade=True, fingerprint=FINGERPRINT) as journal:
        changed = journal.upgraded
        assert (changed.id, changed.version, changed.records) == ("run", version, 4)
        assert changed.backup == f"run.v{version}.bak"
        assert changed.left_out == 0
        assert journal.state.version == 3
        assert journal.state.fingerprint == FINGERPRINT
        assert journal.last_seq == 7
        assert journal.append(end()) == 8
        # The lock stayed held all along.
        with pytest.raises(Locked):
            store.open("run")
    backup = Path(store.directory, changed.backup)
    assert backup.read_bytes() == original
    assert backup.stat().st_mode & 0o777 == path.stat().st_mode & 0o777 == 0o600
    assert seqs(store) == [1, 2, 3, 7, 8]
    with store.open("run", upgrade=True) as again:
        assert again.upgraded is None
    blocks = json.loads(path.read_bytes().splitlines()[1])["assistant"]["message"]["content"]
    assert blocks[0] == {"thinking": {"text": "hm", "signature": "YzJsbg=="}}
    assert blocks[1]["provider"]["kind"] == "redacted_thinking"


def test_without_a_new_fingerprint_the_old_hashes_stay(store):
    put(store, old_journal())
    with store.open("run", upgrade=True) as journal:
        saved = journal.state.fingerprint
    assert (saved.provider, saved.model, saved.system_hash) == ("anthropic", "m", "s")
    assert (saved.tools_hash, saved.max_tokens, saved.max_iterations) == ("t", 1, 2)


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_what_the_real_program_wrote_folds_to_the_same(store, path):
    put(store, path.read_bytes(), path.stem)
    old = state_json(fold(store.load(path.stem)))
    with store.open(path.stem, upgrade=True) as journal:
        new = state_json(journal.state)
    for state in (old, new):
        state.pop("version")
        state["fingerprint"].pop("provider", None)
    assert new == old
    assert Path(store.directory, f"{path.stem}.v2.bak").read_bytes() == path.read_bytes()


def test_there_are_real_ones():
    assert len(REAL) >= 5


def test_a_backup_that_is_there_is_never_overwritten(store):
    put(store, old_journal())
    other = Path(store.directory, "run.v2.bak")
    other.write_bytes(b"somebody else's")
    with store.open("run", upgrade=True) as journal:
        assert journal.upgraded.backup == "run.v2-2.bak"
    assert other.read_bytes() == b"somebody else's"
    assert Path(store.directory, "run.v2-2.bak").read_bytes() == old_journal()
    # One that holds these bytes already serves.
    put(store, old_journal())
    with store.open("run", upgrade=True) as journal:
        assert journal.upgraded.backup == "run.v2-2.bak"


@pytest.mark.parametrize(
    ("tail", "left_out"),
    [(b'{"seq":8,"pro', 13), (b"\0\0\0", 3), (line(8, "terminal", {"reason": "error"})[:-1], 0)],
)
def test_a_torn_tail_is_in_the_backup(store, tail, left_out):
    put(store, old_journal() + tail)
    with store.open("run", upgrade=True) as journal:
        assert journal.upgraded.left_out == left_out
        assert journal.last_seq == (7 if left_out else 8)
    assert Path(store.directory, "run.v2.bak").read_bytes() == old_journal() + tail
    assert store.load("run").tail is None


def test_a_newer_version_is_refused_also_with_upgrade(store):
    path = put(store, line(1, "meta", {"version": 4, "run_id": "run"}))
    before = path.read_bytes()
    with pytest.raises(NewerVersion) as caught:
        store.open("run", upgrade=True)
    assert (caught.value.fields["found"], caught.value.fields["supported"]) == (4, 3)
    assert path.read_bytes() == before


def old_or_new(store, new):
    """The journal is the old or the new one, whole, and an upgrade brings it to an end."""
    data = Path(store.path("run")).read_bytes()
    assert data in (old_journal(), new)
    if data == new:
        assert Path(store.directory, "run.v2.bak").read_bytes() == old_journal()
    with store.open("run", upgrade=True) as journal:
        assert journal.append(end()) == 8
    assert Path(store.directory, "run.v2.bak").read_bytes() == old_journal()


def said(error):
    assert error.fields["errno"] == errno.ENOSPC


def upgraded_bytes(store):
    put(store, old_journal())
    store.open("run", upgrade=True).close()
    new = Path(store.path("run")).read_bytes()
    store.delete("run")
    return new


@pytest.mark.parametrize("forever", [False, True], ids=["once", "always"])
@pytest.mark.slow
def test_an_upgrade_that_fails_at_any_call(store, forever):
    new = upgraded_bytes(store)
    for nth in range(1, 300):
        put(store, old_journal())
        layer = FaultLayer(nth, errno.ENOSPC, forever=forever)
        try:
            FileRunStore(store.directory, layer=layer).open("run", upgrade=True).close()
        except StoreIO as error:
            said(error)
        old_or_new(store, new)
        assert forever or not [n for n in os.listdir(store.directory) if n.endswith(".tmp")]
        store.delete("run")
        if not layer.fired:
            assert nth > 30
            return
    raise AssertionError("the upgrade never ended")


@pytest.mark.slow
def test_an_upgrade_killed_at_any_call(store):
    new = upgraded_bytes(store)
    for nth in range(1, 300):
        put(store, old_journal())
        layer = FaultLayer(nth, die=True)

        def upgrade(layer=layer):
            FileRunStore(store.directory, layer=layer).open("run", upgrade=True)

        code = in_child(upgrade)
        assert code in (0, 9)
        # The copy appears under its name whole or not at all.
        old_or_new(store, new)
        store.delete("run")
        assert os.listdir(store.directory) == []
        if code == 0:
            assert nth > 30
            return
    raise AssertionError("the upgrade never ended")
