# SPDX-License-Identifier: Apache-2.0
"""Shared libraries of the system in a frozen app (Linux): which are needed, and which are Debian's.

A Debian package asks apt for them, so that they are updated with the system. The tarball carries
them, but for what every desktop has and must match its drivers.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path, PurePosixPath

#: (name in the app, source, type), as in PyInstaller's tables.
Entry = tuple[str, str, str]
_SYSTEM = ("/lib/", "/usr/lib/", "/lib64/", "/usr/lib64/")
_NEEDED = re.compile(r"^\s+NEEDED\s+(\S+)$", re.MULTILINE)


def is_system(entry: Entry) -> bool:
    """Whether an entry is a library that a package of the system installed."""
    name, source, kind = entry
    if kind not in {"BINARY", "SYMLINK"} or "/" in name or name.startswith("libpython"):
        return False
    # A symlink at the top points at a library in a package's own folder.
    return kind == "BINARY" and source.startswith(_SYSTEM)


def without_system(entries: Iterable[Entry]) -> list[Entry]:
    """The entries less the system's libraries."""
    return [entry for entry in entries if not is_system(entry)]


def with_needed(entries: Iterable[Entry]) -> list[Entry]:
    """The entries less the system's libraries that nothing in the app needs.

    What was pruned had brought its own ones along.
    """
    entries = list(entries)
    system = {entry[0]: entry for entry in entries if is_system(entry)}
    kept = without_system(entries)
    reached: set[str] = set()
    waiting = [source for _, source, kind in kept if kind in {"BINARY", "EXTENSION"}]
    while waiting:
        for name in needed(waiting.pop()):
            if name in system and name not in reached:
                reached.add(name)
                waiting.append(system[name][1])
    return [*kept, *(entry for name, entry in system.items() if name in reached)]


@cache
def needed(file: str) -> tuple[str, ...]:
    """The names of the libraries that an ELF file asks the loader for."""
    words = ["objdump", "--private-headers", file]
    said = subprocess.run(words, capture_output=True, text=True, check=False).stdout
    return tuple(_NEEDED.findall(said))


def elf_files(folder: Path) -> list[Path]:
    """Every program and library under a folder, links left out."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if file.read(4) == b"\x7fELF":
                    found.append(path)
    return found


def unresolved(folder: Path) -> set[str]:
    """Names of libraries that the files of a folder need and do not find among themselves."""
    files = elf_files(folder)
    inside = {path.name for path in folder.rglob("*.so*")}
    return {
        PurePosixPath(name).name
        for file in files
        for name in needed(str(file))
        if PurePosixPath(name).name not in inside
    }
