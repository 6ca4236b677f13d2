# SPDX-License-Identifier: Apache-2.0
"""Commands that are killed at any of their calls on the disk: old or new, and they can be repeated.

The commands as they are given, each in a process of its own that SIGKILL ends.
"""

from __future__ import annotations

import itertools
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tenuto.cli.main import main
from tenuto.paths import data_dir
from tenuto.runs.files import FileLayer
from tests.support import reasonix, small_process
from tests.support.cli import Capture, ask, suspended, tell

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")

NAME = "20260601-101010.000000001-m"
#: More calls than any of these commands makes.
MOST = 400


def give(nth: int, words: list[str]) -> None:
    """Give a command in a process that kills itself before its n-th call on the disk."""
    numbers = itertools.count(1)
    for name in FileLayer.PRIMITIVES:
        setattr(FileLayer, name, _deadly(getattr(FileLayer, name), numbers, nth))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if main(words):
        raise AssertionError(words)


def give_named(nth: int, words: list[str]) -> None:
    """The same where no file can be without a name."""
    FileLayer.open_unnamed = lambda _self, _folder: None  # type: ignore[method-assign]
    give(nth, words)


def _deadly(real: Callable[..., object], numbers: Iterator[int], nth: int) -> Callable[..., object]:
    def call(*args: object) -> object:
        if next(numbers) == nth:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*args)

    return call


def kills(
    words: Callable[[int], list[str]], how: Callable[[int, list[str]], None] = give
) -> Iterator[int]:
    """Give the command killed at each call in turn; the last time it comes to its end."""
    for nth in range(1, MOST):
        code = small_process.start(how, nth, words(nth)).wait()
        assert code in (0, -signal.SIGKILL)
        yield nth
        if code == 0:
            assert nth > 5
            return
    raise AssertionError("still dying")


def has_unnamed(folder: Path) -> bool:
    """Whether a file can be made without a name here."""
    layer = FileLayer()
    with layer.open_dir(os.path.realpath(folder)) as opened:
        fd = layer.open_unnamed(opened)
    if fd is not None:
        os.close(fd)
    return fd is not None


def leftovers(folder: Path) -> list[str]:
    return [name for name in os.listdir(folder) if name.endswith(".tmp")]


def age(folder: Path) -> None:
    """There is something left, and a file of somebody else's; two hours go by."""
    assert leftovers(folder)
    (folder / "mine.tmp").touch()
    for name in leftovers(folder):
        os.utime(folder / name, (time.time() - 7200,) * 2)


@pytest.fixture
def session(home: Path) -> tuple[Path, list[str]]:
    """A Reasonix session, and the words with which a command finds it."""
    folder = home / "state" / "sessions"
    folder.mkdir(parents=True)
    path = reasonix.write(folder / f"{NAME}.jsonl")
    return path, ["--source", "reasonix", "--state-dir", str(home / "state")]


def test_a_pin_on_a_session_is_there_or_not(
    home: Path, session: tuple[Path, list[str]], capsys: Capture
) -> None:
    path, at = session
    before = path.read_bytes()
    notes = data_dir() / "reasonix-notes"
    seen = set()
    for _nth in kills(lambda nth: ["session", "note", NAME, "--pin", "--text", str(nth), *at]):
        code, found = ask(capsys, "session", "note", NAME, *at)
        assert code == 0
        assert found["pinned"] == (found["note"] is not None)
        seen.add(found["note"])
        if found["pinned"]:
            assert tell(capsys, "session", "note", NAME, "--unpin", "--text", "", *at)[0] == 0
    assert len(seen) > 1
    assert path.read_bytes() == before
    age(notes)
    assert tell(capsys, "session", "note", NAME, "--pin", *at)[0] == 0
    assert leftovers(notes) == ["mine.tmp"]


@pytest.mark.parametrize("how", [give, give_named])
@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("form", ["tenuto", "md"])
def test_an_export_is_whole_or_not_there(
    home: Path,
    tmp_path: Path,
    form: str,
    force: bool,
    how: Callable[[int, list[str]], None],
    capsys: Capture,
) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    suspended(runs)
    out = tmp_path / "out"
    out.mkdir()
    at = ["--state-dir", str(runs)]
    assert tell(capsys, "session", "export", "r", "--to", out / f"whole.{form}", *at)[0] == 0
    whole = (out / f"whole.{form}").read_bytes()
    target = out / f"x.{form}"
    words = ["session", "export", "r", "--to", str(target), *at, *(["--force"] if force else [])]
    kept = 0
    if force:
        target.write_bytes(b"old")
    for nth in kills(lambda _nth: words, how):
        if not target.exists():
            assert not force
            continue
        if force and target.read_bytes() == b"old":
            kept += 1
            continue
        assert target.stat().st_mode & 0o777 == 0o600
        if form == "md":
            assert target.read_bytes() == whole
        else:
            # It says when it was made: whole is what can be put in again.
            again = tmp_path / f"again{nth}"
            words_in = ["session", "import", target, "--state-dir", again]
            assert tell(capsys, *words_in)[0] == 0
            assert (again / "r.json").read_bytes() == (runs / "r.json").read_bytes()
        target.unlink()
        if force:
            target.write_bytes(b"old")
    assert kept > 5 or not force
    if how is give and not force and has_unnamed(out):
        assert leftovers(out) == [], "it had a name before it was whole"
        return
    age(out)
    target.unlink(missing_ok=True)
    assert tell(capsys, *words)[0] == 0
    assert leftovers(out) == ["mine.tmp"]
