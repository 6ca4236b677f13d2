# SPDX-License-Identifier: Apache-2.0
"""What tests of the run store share: records, a layer that fails on purpose, processes that die."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tenuto.fingerprint import Fingerprint
from tenuto.messages import Block, Message, Text, ToolResult, ToolUse
from tenuto.records import VERSION, Assistant, Meta, Terminal, ToolResultRecord
from tenuto.runs.file import FileRunStore
from tenuto.runs.files import FileLayer

FINGERPRINT = Fingerprint("anthropic", "stub-model", "a" * 64, "b" * 64, "off", 1000, 10)


def meta(id: str = "run", prompt: str = "count the <stars>") -> Meta:
    return Meta(VERSION, id, "2026-03-01T10:00:00.5Z", FINGERPRINT, prompt)


def turn(number: int, text: str = "looking", *, call: bool = True) -> Assistant:
    blocks = [Block(text=Text(text))]
    if call:
        use = ToolUse(f"call_{number}", "list", msgspec.Raw(b'{"n":1e+21,"e":"\\u00e8"}'))
        blocks.append(Block(tool_use=use))
    message = Message("assistant", blocks)
    return Assistant(number, message, "tool_use" if call else "end_turn", 10, 5)


def result(number: int, content: str = "done") -> ToolResultRecord:
    return ToolResultRecord(f"call_{number}", ToolResult(f"call_{number}", content))


def end(reason: str = "suspended", message: str = "") -> Terminal:
    return Terminal(reason, message)


def make_run(store: FileRunStore, id: str = "run", turns: int = 2) -> bytes:
    """A closed run of ``1 + 2 * turns`` records; its bytes."""
    with store.create(id, meta(id)) as journal:
        for number in range(turns):
            journal.append(turn(number))
            journal.append(result(number))
    return Path(store.path(id)).read_bytes()


def suspended_runs(store: FileRunStore, *ids: str) -> None:
    """Runs that were suspended, under these ids."""
    for each in ids:
        make_run(store, each)
        with store.open(each) as journal:
            journal.append(end())


def seqs(store: FileRunStore, id: str = "run") -> list[int]:
    return [record.seq for record in store.load(id)]


def snapshot(*folders: str | os.PathLike[str]) -> dict[str, bytes]:
    """Every file under ``folders`` with its bytes, by path."""
    found = {}
    for folder in folders:
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file() and not path.is_symlink():
                found[str(path)] = path.read_bytes()
    return found


class FaultLayer(FileLayer):
    """A layer whose n-th call (1 = the first; of the named calls only) fails.

    ``number``: an errno; ``forever``: all later ones too; ``die``: the process ends there instead,
    as by SIGKILL. ``calls`` names every call that was made.
    """

    def __init__(
        self,
        nth: int = 0,
        number: int = errno.EIO,
        *,
        only: tuple[str, ...] = FileLayer.PRIMITIVES,
        forever: bool = False,
        die: bool = False,
    ) -> None:
        self.nth, self.number, self.only, self.forever, self.die = nth, number, only, forever, die
        self._wrap_calls()

    # What a child does is pickled (`tests.support.small_process`).
    def __getstate__(self) -> dict[str, Any]:
        kept = self.only
        return {name: value for name, value in vars(self).items() if name not in kept}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._wrap_calls()

    def _wrap_calls(self) -> None:
        self.calls: list[str] = []
        self.fired = False
        for name in self.only:
            setattr(self, name, self._wrap(name, getattr(self, name)))

    def _wrap(self, name: str, real: Callable) -> Callable:
        def call(*args):
            self.calls.append(name)
            count = len(self.calls)
            if self.nth and (count == self.nth or (self.forever and count > self.nth)):
                self.fired = True
                if self.die:
                    os._exit(9)
                if name == "close":
                    real(*args)  # Linux closes, whatever it says then
                raise OSError(self.number, os.strerror(self.number))
            return real(*args)

        return call


def in_child(action: Callable[..., object], *args: object) -> int:
    """Run ``action`` in a forked process; its exit code (0: it came to its end, 1: it raised)."""
    pid = os.fork()
    if pid == 0:
        code = 1
        with contextlib.suppress(BaseException):
            action(*args)
            code = 0
        os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def python(code: str, *args: object, **options) -> subprocess.Popen[bytes]:
    """A process that runs ``code`` with this tree on its path; stdout is a pipe."""
    root = Path(__file__).parents[2]
    path = os.pathsep.join([str(root / "core"), str(root)])
    environment = os.environ | {"PYTHONPATH": path} | options.pop("env", {})
    prefix = options.pop("prefix", [])
    return subprocess.Popen(
        [*prefix, sys.executable, "-c", code, *map(str, args)],
        stdout=subprocess.PIPE,
        env=environment,
        **options,
    )


def wait_for(condition: Callable[[], object], what: str, seconds: float = 60) -> None:
    """Wait until ``condition`` holds; the limit is for a hang, not for speed."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"no {what} after {seconds} s"
        time.sleep(0.005)


@contextlib.contextmanager
def quick_folder() -> Iterator[Path]:
    """A folder in memory where the machine has one: for tests that sync thousands of times and
    ask what is on disk, not whether it stays there.
    """
    memory = "/dev/shm"
    where = memory if os.access(memory, os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=where, prefix="tenuto-test-") as folder:
        yield Path(folder)


def need(program: str) -> str:
    """The path of ``program``, or skip."""
    found = shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if found is None:
        pytest.skip(f"no {program} on this machine")
    return found


@contextlib.contextmanager
def mounted(folder: Path, *arguments: str) -> Iterator[Path]:
    """Mount something on ``folder``, or skip where this user may not."""
    folder.mkdir(exist_ok=True)
    done = subprocess.run(
        [need("mount"), *arguments, str(folder)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip(f"mount is not allowed here: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        # Something may still be on its way out of the folder: lazily rather than not at all.
        if subprocess.run([need("umount"), str(folder)], capture_output=True).returncode:
            subprocess.run([need("umount"), "-l", str(folder)], check=True)
