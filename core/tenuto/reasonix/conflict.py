# SPDX-License-Identifier: Apache-2.0
"""Whether a session may be written over what its file holds now (reasonix.md, section 11).

Programs of generation A take no lock, so the file may have grown or changed since it was loaded.
"""

from __future__ import annotations

import os

from tenuto.errors import SessionConflict, SessionNotFound
from tenuto.reasonix.model import Message, Messages
from tenuto.reasonix.normalise import normalize_session
from tenuto.reasonix.store import FileState, damaged, read_session_file
from tenuto.runs.files import FileLayer
from tenuto.sentences import sentence


def file_state(path: str) -> FileState | None:
    """The state of the file at ``path``; None where there is none."""
    try:
        return FileState.of(os.stat(path, follow_symlinks=False))
    except OSError:
        return None


def check_unchanged(
    path: str, known: FileState | None, messages: Messages, *, layer: FileLayer | None = None
) -> None:
    """Refuse what would lose messages. ``known``: the file as it was when last read or written.

    A changed file is no matter as long as all it holds is the beginning of ``messages``.

    :raises SessionConflict: it holds something else.
    """
    if file_state(path) in (None, known):
        return
    try:
        reading, _ = read_session_file(path, layer=layer)
    except SessionNotFound:
        return
    if reading.damage:
        raise SessionConflict(
            sentence(
                "{path} was changed by another program and is damaged: {what}",
                path=path,
                what=damaged(path, reading).sentence,
            ),
            path=path,
            how="diverged",
        )
    disk = normalize_session(reading.messages)
    if _begins_with(messages, disk):
        return
    how = "stale" if _begins_with(disk, messages) else "diverged"
    text = sentence(
        "{path} was changed by another program and differs from what would be saved", path=path
    )
    if how == "stale":
        text = sentence(
            "{path} was changed by another program and holds more than what would be saved",
            path=path,
        )
    raise SessionConflict(text, path=path, how=how)


def _begins_with(whole: Messages, part: Messages) -> bool:
    whole, part = _spoken(whole), _spoken(part)
    return len(part) <= len(whole) and all(
        a == b for a, b in zip(part, whole[: len(part)], strict=True)
    )


def _spoken(messages: Messages) -> list[Message]:
    """Without leading instructions, which differ from program to program."""
    return list(messages[1:] if messages and messages[0].get("role") == "system" else messages)
