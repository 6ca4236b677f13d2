# SPDX-License-Identifier: Apache-2.0
"""What Reasonix's desktop app keeps of sessions by their file names (reasonix.md 8.4 and 10).

``.titles.json`` holds the titles that a person gave there, ``.display.json`` how prompts are shown.
"""

from __future__ import annotations

import contextlib
import os
from typing import Any, Final

import msgspec

from tenuto.errors import NotAFile
from tenuto.runs.files import FileLayer, Folder
from tenuto.runs.preview import read_raw

TITLES: Final = ".titles.json"
DISPLAY: Final = ".display.json"


def read_titles(layer: FileLayer, folder: Folder) -> dict[str, str]:
    """File name -> title; nothing where the file is not there or makes no sense."""
    found = _read(layer, folder, TITLES)
    return {name: title for name, title in found.items() if isinstance(title, str) and title}


def titles_in(path: str, layer: FileLayer) -> dict[str, str]:
    """As :func:`read_titles`, of the folder at ``path``; it need not exist."""
    try:
        with layer.open_dir(os.path.realpath(path)) as folder:
            return read_titles(layer, folder)
    except (OSError, NotAFile):
        return {}


def retitle(layer: FileLayer, folder: Folder, name: str, title: str) -> None:
    """Change the title of the session in file ``name``, where it has one here; "" takes it away.

    OSError passes through.
    """
    found = _read(layer, folder, TITLES)
    if name in found:
        _write(layer, folder, TITLES, _without(found, name) | ({name: title} if title else {}))


def forget(layer: FileLayer, folder: Folder, name: str) -> None:
    """Drop what is kept of a session that is no more; best effort, as nobody misses it."""
    for file in (TITLES, DISPLAY):
        found = _read(layer, folder, file)
        if name in found:
            with contextlib.suppress(OSError):
                _write(layer, folder, file, _without(found, name))


def _without(found: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in found.items() if key != name}


def _read(layer: FileLayer, folder: Folder, file: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(read_raw(layer, folder, file) or b"{}", type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return {}


def _write(layer: FileLayer, folder: Folder, file: str, value: dict[str, Any]) -> None:
    layer.atomic_write(folder, file, msgspec.json.format(msgspec.json.encode(value), indent=2))
