# SPDX-License-Identifier: Apache-2.0
"""What one Reasonix session comes to, read from its own file: what a list shows of it."""

from __future__ import annotations

import os
from typing import Literal

import msgspec

from tenuto.errors import StoreError
from tenuto.reasonix.eventlog import read_logged
from tenuto.reasonix.model import Message, Messages, calls_of, is_host, open_calls, text_of
from tenuto.reasonix.previews import authored_preview, preview
from tenuto.reasonix.store import read_session_file
from tenuto.reasonix.stream import Damage, Reading
from tenuto.reasonix.v4 import FRAMES, read_v4
from tenuto.runs.files import FileLayer
from tenuto.runs.preview import TEXT_LIMIT, Integrity, PendingCall
from tenuto.text import one_line

Generation = Literal["A", "B", "C", "v4"]


class Facts(msgspec.Struct, gc=False):
    """Trusted as long as the file has this size, time and inode."""

    size: int
    mtime_ns: int
    inode: int
    prompt: str = ""
    last_text: str = ""
    turns: int = 0
    calls: int = 0
    messages: int = 0
    pending: list[PendingCall] = []
    #: The last turn has not ended.
    unfinished: bool = False
    integrity: Integrity = "ok"
    problem: str = ""
    model: str = ""
    #: RFC 3339, where the file itself says so (v4).
    created: str = ""
    updated: str = ""


def facts_file(path: str, generation: Generation) -> str:
    """The file whose change means that a session has changed."""
    if generation == "v4":
        return os.path.join(path, FRAMES)
    if generation == "C":
        from tenuto.reasonix.eventlog import log_path

        return log_path(path)
    return path


def read_facts(path: str, generation: Generation, layer: FileLayer) -> Facts:
    """Read a session to its end; never raises for what it holds.

    Raises SessionNotFound where it is gone.
    """
    try:
        status = os.stat(facts_file(path, generation), follow_symlinks=False)
        facts = Facts(status.st_size, status.st_mtime_ns, status.st_ino)
    except OSError:
        facts = Facts(0, 0, 0)
    try:
        match generation:
            case "v4":
                _v4(path, layer, facts)
            case "C":
                logged = read_logged(path, layer=layer)
                _plain(logged.reading, facts)
                facts.prompt, facts.turns = authored_preview(logged.reading.messages)
                facts.problem = facts.problem or logged.problem
            case _:
                _plain(read_session_file(path, layer=layer)[0], facts)
    except StoreError as error:
        facts.integrity, facts.problem = "damaged", error.message
    facts.prompt = one_line(facts.prompt, TEXT_LIMIT)
    return facts


def _plain(reading: Reading, facts: Facts) -> None:
    messages = reading.messages
    facts.prompt, facts.turns = preview(messages)
    _count(messages, facts)
    if reading.damage:
        facts.integrity, facts.problem = "damaged", _place(reading.damage[0])
    elif not messages:
        facts.integrity, facts.problem = "empty", "it holds no messages"


def _place(damage: Damage) -> str:
    """Where a file breaks, for a row that says already that it does."""
    return (
        f"line {damage.line}, byte {damage.offset}: {damage.reason} (after {damage.index} messages)"
    )


def _v4(path: str, layer: FileLayer, facts: Facts) -> None:
    reader = read_v4(path, layer=layer)
    messages = [item.message for item in reader.messages]
    facts.prompt, facts.turns = reader.preview
    _count(messages, facts, turn_open=reader.status == "interrupted")
    facts.model, facts.created, facts.updated = reader.model, reader.created, reader.updated
    if reader.damage:
        first = reader.damage[0]
        facts.integrity, facts.problem = "damaged", f"byte {first.offset}: {first.reason}"
    elif reader.torn_tail:
        facts.integrity, facts.problem = "torn", f"{reader.torn_size} bytes of a record set aside"
    elif not messages:
        facts.integrity, facts.problem = "empty", "it holds no messages"


def _count(messages: list[Message], facts: Facts, *, turn_open: bool | None = None) -> None:
    facts.messages = len(messages)
    facts.calls = sum(len(calls_of(message)) for message in messages)
    facts.pending = [
        PendingCall(text_of(call, "id"), text_of(call, "name")) for call in open_calls(messages)
    ]
    facts.unfinished = unfinished(messages, turn_open)
    for message in reversed(messages):
        if message.get("role") == "assistant" and text_of(message):
            facts.last_text = one_line(text_of(message), TEXT_LIMIT)
            break


def unfinished(messages: Messages, turn_open: bool | None = None) -> bool:
    """Whether the last turn has no end: a prompt without an answer, results without a reply.

    ``turn_open``: what the file itself says of it, where it does.
    """
    if turn_open is not None:
        return turn_open
    for message in reversed(messages):
        if is_host(message) or message.get("local_only"):
            continue
        if message.get("role") == "assistant":
            return bool(calls_of(message))
        return message.get("role") in ("user", "tool")
    return False
