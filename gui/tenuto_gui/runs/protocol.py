# SPDX-License-Identifier: Apache-2.0
"""What a worker says, line by line, as frozen structs (design.md, "The worker"). Qt-free.

Unknown types and keys are ignored, as the protocol asks; whatever is no event becomes a
``Warning_``, never an error: a worker that talks nonsense must not take the window down.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

#: A longer line is no event of ours: a question shows a command, and commands end well before this.
MAX_LINE = 8 << 20


class Event(msgspec.Struct, frozen=True, tag_field="type"):
    """One event. ``t``: RFC 3339."""

    t: str = ""


class Starting(Event, frozen=True, tag="starting"):
    """The worker holds the run and begins."""

    run_id: str = ""
    resumed: bool = False
    forced: bool = False
    diff: list[dict[str, Any]] | None = None
    model: str = ""
    tools: list[Any] | int | None = None
    pid: int = 0
    cwd: str = ""
    #: Budgets of the run, 0 for none.
    max_tokens: int = 0
    max_iterations: int = 0


class Warning_(Event, frozen=True, tag="warning"):  # noqa: N801 - Warning is Python's
    """Something the operator may want to know."""

    kind: str = ""
    text: str = ""
    #: What the text is made of: a sentence of the core's, and the facts in it.
    sentence: str = ""
    facts: dict[str, Any] = {}


class TextDelta(Event, frozen=True, tag="text"):
    """More of the reply."""

    delta: str = ""


class ThinkingDelta(Event, frozen=True, tag="thinking"):
    """More of the thinking."""

    delta: str = ""


class Usage(msgspec.Struct, frozen=True):
    """Tokens of one reply."""

    in_tokens: int = 0
    out_tokens: int = 0
    cache_read_tokens: int = 0
    cache_create_tokens: int = 0

    @property
    def total(self) -> int:
        """What counts against the token budget."""
        return self.in_tokens + self.out_tokens + self.cache_read_tokens + self.cache_create_tokens


class AssistantRecorded(Event, frozen=True, tag="assistant"):
    """A reply is in the journal."""

    seq: int = 0
    iteration: int = 0
    usage: Usage | None = None


class ToolStart(Event, frozen=True, tag="tool_start"):
    """A tool runs."""

    id: str = ""
    name: str = ""
    display: str = ""
    rerun: bool = False


class ToolEnd(Event, frozen=True, tag="tool_end"):
    """A tool ended; ``ms`` is how long it took."""

    id: str = ""
    is_error: bool = False
    ms: int | float | None = None


class Ask(Event, frozen=True, tag="ask"):
    """A question. ``kind``: approve outcome confirm select input; the rest depends on it."""

    id: str = ""
    kind: str = ""
    call_id: str = ""
    tool: str = ""
    argv: list[str] = []
    cwd: str = ""
    tag: str = ""
    digest: str = ""
    since: str = ""
    #: Of outcome: the configuration takes no such call any more, so it cannot run again.
    gone: bool = False
    text: str = ""
    options: list[str] = []
    default: str | None = None


class Withdrawn(Event, frozen=True, tag="withdrawn"):
    """A question is no more."""

    id: str = ""


class Ready(Event, frozen=True, tag="ready"):
    """A chat waits for a prompt."""


class Finished(Event, frozen=True, tag="finished"):
    """The run rests; ``reason`` is its terminal record's."""

    reason: str = ""
    message: str = ""
    counters: dict[str, Any] | None = None
    #: Of ``error``: the stable word for what failed on the model's side, "" for anything else.
    cause: str = ""


class Refused(Event, frozen=True, tag="refused"):
    """The resume may not go on; nothing was changed."""

    reason: str = ""
    message: str = ""
    #: What the message is made of.
    sentence: str = ""
    facts: dict[str, Any] = {}
    diff: list[dict[str, Any]] | None = None


class Failed(Event, frozen=True, tag="error"):
    """The worker cannot go on."""

    kind: str = ""
    text: str = ""
    #: What the text is made of.
    sentence: str = ""
    facts: dict[str, Any] = {}
    #: The system's name of what went wrong with a file (ENOSPC), "" for anything else.
    cause: str = ""
    #: The process that stands in the way, 0 for none that is known.
    pid: int = 0


class Answered(Event, frozen=True, tag="answered"):
    """An answer was given here: not of the protocol, but news for everybody in the window."""

    id: str = ""
    decision: str = ""


AnyEvent = (
    Starting
    | Warning_
    | TextDelta
    | ThinkingDelta
    | AssistantRecorded
    | ToolStart
    | ToolEnd
    | Ask
    | Withdrawn
    | Ready
    | Finished
    | Refused
    | Failed
)

_decoder = msgspec.json.Decoder(AnyEvent)
_any_type = msgspec.json.Decoder(dict[str, msgspec.Raw])
_KNOWN = frozenset(
    "starting warning text thinking assistant tool_start tool_end ask withdrawn ready finished"
    " refused error".split()
)


def parse(line: bytes) -> AnyEvent | None:
    """One line as an event; None for a blank line or an event that is new to this window."""
    if not line.strip():
        return None
    try:
        return _decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        problem = str(error)
    try:
        kind = msgspec.json.decode(_any_type.decode(line).get("type", msgspec.Raw(b"null")))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        words = line[:200].decode("utf-8", "replace")
        return Warning_(kind="protocol", text=f"no event: {words}", facts={"line": words})
    if isinstance(kind, str) and kind not in _KNOWN:
        return None
    text = f"an event that makes no sense: {problem}"
    return Warning_(kind="protocol", text=text, facts={"problem": problem})


class LineSplitter:
    """Cuts a stream into lines; one longer than the limit is dropped and reported once."""

    def __init__(self, limit: int = MAX_LINE) -> None:
        self._limit = limit
        self._rest = bytearray()
        self._skipping = False

    def feed(self, data: bytes) -> Iterator[bytes | None]:
        """The lines that are whole by now; None stands for one that was too long."""
        start = 0
        while (end := data.find(b"\n", start)) >= 0:
            piece = data[start:end]
            start = end + 1
            if self._skipping:
                self._skipping = False
                continue
            if len(self._rest) + len(piece) > self._limit:
                self._rest.clear()
                yield None
                continue
            self._rest += piece
            line = bytes(self._rest)
            self._rest.clear()
            yield line
        if self._skipping:
            return
        self._rest += data[start:]
        if len(self._rest) > self._limit:
            self._rest.clear()
            self._skipping = True
            yield None

    def end(self) -> bytes:
        """A last line without its newline."""
        rest = bytes(self._rest)
        self._rest.clear()
        return rest
