# SPDX-License-Identifier: Apache-2.0
"""Makes a frozen start about as fast as one from source; called by tenuto.spec.

Two things are done anew at each start that a build can do once.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from libraries import Entry
from PyInstaller.building.utils import compile_pymodule

#: The module of PyInstaller's bootstrap that reads the table of all modules in the archive.
_READER = "pyimod01_archive"
_FIELD_BY_FIELD = "dict(marshal.load(fp))"
_AT_ONCE = "dict(marshal.loads(fp.read()))"


def read_at_once(bootstrap: list[Entry], work: Path) -> list[Entry]:
    """The entries of the bootstrap, with a reader that asks for the whole table in one read.

    ``marshal.load`` calls a method of the file for every field. The SDKs have thousands of modules,
    so that was most of what freezing adds to a `tenuto session ls`.

    :raises SystemExit: PyInstaller reads the table in another way now.
    """
    source = Path(str(find_spec(f"PyInstaller.loader.{_READER}").origin))
    text = source.read_text(encoding="utf-8")
    if text.count(_FIELD_BY_FIELD) != 1:
        raise SystemExit(f"speed.py: {source.name} of this PyInstaller does not read as expected")
    changed = work / source.name
    changed.write_text(text.replace(_FIELD_BY_FIELD, _AT_ONCE), encoding="utf-8")
    compiled = compile_pymodule(_READER, str(changed), str(work), optimize=0)
    return [(name, compiled if name == _READER else path, kind) for name, path, kind in bootstrap]


def support_of_qt(work: Path) -> list[Entry]:
    """PySide's Python modules as files that are compiled.

    They are in its library as sources, and compiled when it is imported, unless they are beside it
    in ``files.dir``, where it puts them itself when $SBK_EMBED says so.
    """
    folder = Path(str(find_spec("shiboken6").origin)).parent / "files.dir"
    words = [sys.executable, "-c", "import PySide6.QtCore"]
    subprocess.run(words, env={**os.environ, "SBK_EMBED": "0"}, check=True)
    entries = []
    for source in sorted((folder / "shibokensupport").rglob("*.py")):
        place = source.relative_to(folder).with_suffix("")
        parts = place.parts[:-1] if place.name == "__init__" else place.parts
        compiled = compile_pymodule(".".join(parts), str(source), str(work), optimize=0)
        target = os.path.join("shiboken6", folder.name, f"{place}.pyc")
        entries.append((target, compiled, "DATA"))
    shutil.rmtree(folder)
    return entries
