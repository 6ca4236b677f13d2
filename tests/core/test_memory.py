# SPDX-License-Identifier: Apache-2.0
"""The memory's files: shared with fisk-ai, whole or not there, and nobody else's."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from tenuto.agent.memory import MOST_CONTENT, MOST_MEMORIES, Memory, MemoryStore, check_key
from tenuto.errors import NotAFile
from tests.support.store import FaultLayer


def keys(store: MemoryStore) -> list[str]:
    return [memory.key for memory in store.all()]


@pytest.mark.parametrize("key", ["a", "a.b", "A_=-1", "x" * 200])
def test_keys(key: str) -> None:
    assert check_key(key) == key


@pytest.mark.parametrize(
    "key", ["", ".", "..", ".a", "a.", "a..b", "a/b", "a b", "\u00e4", "a\n", "x" * 201, "../a"]
)
def test_no_keys(key: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is no key"):
        check_key(key)
    with pytest.raises(ValueError, match="is no key"):
        MemoryStore(tmp_path).write(key, "d", "c", overwrite=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("description", "kept"),
    [
        ("plain", "plain"),
        ('with: "quotes" # and \\ all', 'with: "quotes" # and \\ all'),
        ("  two\nlines\tand\x1b more  ", "two lines and more"),
        ("\u00e4 \U0001f600 \u2028 x", "\u00e4 \U0001f600 x"),
        ("x" * 600, "x" * 500),
        ("---", "---"),
    ],
)
def test_what_is_written_is_read(tmp_path: Path, description: str, kept: str) -> None:
    store = MemoryStore(tmp_path / "m" / "n")
    content = "---\nfirst\n\n---\n \u00e4"
    assert store.write("k", description, content, overwrite=False)
    assert store.read("k") == Memory("k", kept, content)
    assert store.all() == [Memory("k", kept, content)]
    assert stat.S_IMODE((tmp_path / "m" / "n" / "k.md").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "m").stat().st_mode) == 0o700


@pytest.mark.parametrize(
    ("text", "description", "content"),
    [
        ("---\ndescription: as fisk-ai writes\n---\n\nbody", "as fisk-ai writes", "body"),
        ("---\ndescription: |-\n  folded\n---\nbody\n", "folded", "body\n"),
        ("---\ndescription: x\n---", "x", ""),
        ("---\nother: x\n---\nbody", "", "body"),
        ("by hand", "", "by hand"),
        ("---\nnever closed", "", "---\nnever closed"),
        ("---\n[no, mapping]\n---\nbody", "", "---\n[no, mapping]\n---\nbody"),
        ("---\ndescription: [1, 2\n---\nbody", "", "---\ndescription: [1, 2\n---\nbody"),
    ],
)
def test_files_of_others(tmp_path: Path, text: str, description: str, content: str) -> None:
    (tmp_path / "k.md").write_text(text)
    assert MemoryStore(tmp_path).read("k") == Memory("k", description, content)


def test_a_key_is_taken_until_it_is_overwritten(tmp_path: Path) -> None:
    store = MemoryStore(tmp_path)
    assert store.write("k", "d", "1", overwrite=False)
    assert not store.write("k", "d", "2", overwrite=False)
    assert store.write("k", "d", "3", overwrite=True)
    assert store.read("k") == Memory("k", "d", "3")
    assert store.delete("k")
    assert not store.delete("k")
    assert store.read("k") is None
    assert list(tmp_path.iterdir()) == []


def test_only_files_that_are_memories_count(tmp_path: Path) -> None:
    store = MemoryStore(tmp_path)
    assert MemoryStore(tmp_path / "none").all() == []
    store.write("k", "d", "c", overwrite=False)
    (tmp_path / "folder.md").mkdir()
    (tmp_path / "a b.md").write_text("x")
    (tmp_path / "note.txt").write_text("x")
    os.mkfifo(tmp_path / "pipe.md")
    secret = tmp_path / "secret"
    secret.write_text("secret")
    (tmp_path / "link.md").symlink_to(secret)
    (tmp_path / "huge.md").write_bytes(b"x" * (2 << 20))
    assert keys(store) == ["k"]
    for key in ("folder", "pipe", "link"):
        with pytest.raises(NotAFile):
            store.read(key)
        with pytest.raises(NotAFile):
            store.write(key, "d", "c", overwrite=True)
    assert secret.read_text() == "secret"


def test_limits(tmp_path: Path) -> None:
    store = MemoryStore(tmp_path)
    with pytest.raises(ValueError, match="description must not be empty"):
        store.write("k", " \n", "c", overwrite=False)
    with pytest.raises(ValueError, match="more than 64 KiB"):
        store.write("k", "d", "\u00e4" * (MOST_CONTENT // 2 + 1), overwrite=False)
    for number in range(MOST_MEMORIES):
        (tmp_path / f"k{number}.md").touch()
    with pytest.raises(ValueError, match="delete one first"):
        store.write("one-more", "d", "c", overwrite=False)
    assert store.write("k0", "d", "c", overwrite=True)


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_failing_disk_leaves_the_old_or_the_new(tmp_path: Path, overwrite: bool) -> None:
    store = MemoryStore(tmp_path)
    nth = 0
    while True:
        nth += 1
        for path in tmp_path.iterdir():
            path.unlink()
        if overwrite:
            store.write("k", "d", "old", overwrite=False)
        layer = FaultLayer(nth, errno.ENOSPC)
        try:
            MemoryStore(tmp_path, layer=layer).write("k", "d", "new", overwrite=overwrite)
        except OSError:
            found = store.read("k")
            assert (found.content if found else None) in ("new", "old" if overwrite else None)
        if not layer.fired:
            break
    assert nth > 8
    assert store.read("k") == Memory("k", "d", "new")
