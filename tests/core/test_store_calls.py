# SPDX-License-Identifier: Apache-2.0
"""The nth call of a kind to the system fails, or is the last one there is (T5), by strace."""

import subprocess
from pathlib import Path

import pytest

from tenuto.runs import notes
from tenuto.runs.file import FileRunStore
from tests.support.store import (
    end,
    make_run,
    need,
    python,
    seqs,
    snapshot,
)

WORK = """
import os, sys
from tenuto.errors import StoreError
from tenuto.runs.file import FileRunStore
from tests.support.store import meta, turn, result, end
import portalocker
store = FileRunStore(sys.argv[1])
try:
    with store.open("run") as journal:
        for payload in (turn(7), result(7), end()):
            os.write(1, b"%d\\n" % journal.append(payload))
except StoreError as error:
    print(error.kind, error.fields.get("name"), flush=True)
"""


@pytest.fixture(scope="module")
def strace():
    """The words before a command. With the filter only the calls that are traced stop it."""
    words = [need("strace"), "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null"]
    probe = subprocess.run([*words, "true"], capture_output=True)
    if probe.returncode:
        pytest.skip(f"strace may not trace here: {probe.stderr.decode().strip()}")
    return words


def run_with(strace, store, call, number, when):
    """The numbers that were acknowledged and the error's kind and name, or None."""
    path = store.path("run")
    prefix = [*strace, "-e", f"trace={call}", "-P", path, "-P", path[:-5] + ".lock",
              "-P", store.directory, "-e", f"inject={call}:error={number}:when={when}"]  # fmt: skip
    process = python(WORK, store.directory, prefix=prefix)
    lines = process.communicate()[0].decode().splitlines()
    assert process.returncode == 0, lines
    numbers = [int(line) for line in lines if line.isdigit()]
    errors = [line for line in lines if not line.isdigit()]
    return numbers, errors[0] if errors else None


def sweep(strace, tmp_path, calls, numbers, forms):
    """Inject each error into each call in turn, until one run meets none."""
    for call in calls:
        for number in numbers:
            for form in forms:
                for nth in range(1, 40):
                    store = FileRunStore(tmp_path / f"{call}-{number}-{nth}-{len(form)}")
                    good = make_run(store, turns=1)
                    # A torn tail, so that the open repairs.
                    Path(store.path("run")).write_bytes(good + b'{"seq":4,"torn')
                    told, error = run_with(strace, store, call, number, f"{nth}{form}")
                    found = seqs(store)
                    acknowledged = [1, 2, 3, *told]
                    assert found[: len(acknowledged)] == acknowledged
                    assert len(found) <= len(acknowledged) + 1
                    with store.open("run") as journal:
                        assert journal.append(end()) == found[-1] + 1
                    if number == "EINTR":
                        # Python tries again by itself (PEP 475); forever would never end.
                        assert error is None
                    if error is None:
                        assert told == [4, 5, 6]
                        assert nth > 1 or number == "EINTR", f"no {call} was met"
                        break
                    assert error == f"io {number}", (call, number, nth)
                else:
                    raise AssertionError(f"{call} still fails at its {nth}th time")


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("call", "number"),
    [("write", "ENOSPC"), ("fsync", "EIO"), ("ftruncate", "EIO"), ("openat", "EMFILE"),
     ("write", "EINTR"), ("fsync", "EINTR"), ("ftruncate", "EINTR")],
)  # fmt: skip
def test_the_nth_call_fails(strace, tmp_path, call, number):
    sweep(strace, tmp_path, [call], [number], [""])


@pytest.mark.soak
@pytest.mark.timeout(36_000)
@pytest.mark.parametrize("call", ["write", "fsync", "ftruncate", "openat"])
def test_the_nth_call_fails_long(strace, tmp_path, call):
    numbers = ["EIO", "ENOSPC", "EDQUOT", "EROFS", "EACCES", "EMFILE", "EAGAIN"]
    sweep(strace, tmp_path, [call], numbers, ["", "+"])
    sweep(strace, tmp_path, [call], ["EINTR"], [""])


NOTE = """
import sys
from tenuto.errors import StoreError
from tenuto.runs import notes
try:
    notes.update(sys.argv[1], "run", title="new")
except StoreError as error:
    print(error.kind, error.fields.get("name"))
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", ["EIO", "ENOSPC", "EROFS"])
def test_a_rename_that_fails_leaves_the_old_notes_and_no_other_file(strace, tmp_path, number):
    store = FileRunStore(tmp_path / "runs")
    make_run(store)
    notes.update(store.directory, "run", title="old")
    before = snapshot(store.directory)
    for nth, told, title in ((1, f"io {number}\n", "old"), (2, "", "new")):
        calls = "rename,renameat,renameat2"
        prefix = [*strace, "-e", f"trace={calls}", "-P", store.directory, "-e",
                  f"inject={calls}:error={number}:when={nth}"]  # fmt: skip
        assert python(NOTE, store.directory, prefix=prefix).communicate()[0].decode() == told
        assert snapshot(store.directory).keys() == before.keys()
        assert notes.load(store.directory, "run").title == title


@pytest.mark.slow
@pytest.mark.parametrize("nth", [1, 2, 3])
def test_a_process_killed_exactly_at_its_fsync(strace, tmp_path, nth):
    store = FileRunStore(tmp_path / "runs")
    make_run(store, turns=1)
    path = store.path("run")
    # With the filter strace 6.1 injects no signal.
    words = [word for word in strace if word != "--seccomp-bpf"]
    prefix = [*words, "-P", path, "-e", f"inject=fsync:signal=KILL:when={nth}"]
    process = python(WORK, store.directory, prefix=prefix)
    told = [int(line) for line in process.communicate()[0].split()]
    assert told == [4, 5, 6][: nth - 1]
    acknowledged = [1, 2, 3, *told]
    assert seqs(store) in (acknowledged, [*acknowledged, len(acknowledged) + 1])
    store.open("run").close()
