# SPDX-License-Identifier: Apache-2.0
"""A story as a journal: its records, their times, and the bytes of any version."""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from tenuto import gojson, wire
from tenuto.agent.approvals import DENIED
from tenuto.agent.resolve import ResolvedAgent
from tenuto.agent.tools.command import CommandOutcome, result_json
from tenuto.clock import rfc3339
from tenuto.demo.stories import Story, StoryTool, StoryTurn
from tenuto.errors import ToolInputError
from tenuto.messages import Block, Message, Text, Thinking, ToolResult, ToolUse, user_text
from tenuto.records import (
    PROTOCOL_PREFIX,
    VERSION,
    Assistant,
    Meta,
    Payload,
    Record,
    Terminal,
    ToolResultRecord,
    User,
    encode_record,
)
from tenuto.runs.times import RecordTime

#: What the demo's program answers: exit code and output.
Answer = Callable[[list[str]], tuple[int, str]]
_SECOND = 1_000_000_000
#: Seconds that a suspended sample rested.
_PAUSE = 26 * 60.0


@dataclass
class Told:
    """The journal of a story."""

    data: bytes
    times: list[RecordTime]
    #: Nanoseconds since the epoch.
    ended: int
    #: When it went on after its pause; 0 without one.
    resumed: int = 0


@dataclass
class _Teller:
    """Makes records with times between them, backwards from nothing: shifted at the end."""

    dice: random.Random
    payloads: list[Payload] = field(default_factory=list)
    #: Seconds after the first record, and what the record's own work took (None: no work).
    moments: list[tuple[float, float | None]] = field(default_factory=list)
    clock: float = 0.0

    def add(self, payload: Payload, low: float = 0.0, high: float = 0.0) -> None:
        took = self.dice.uniform(low, high)
        self.clock += took + 0.02
        self.payloads.append(payload)
        self.moments.append((self.clock, took if high else None))


def tell(
    story: Story, resolved: ResolvedAgent, answer: Answer, now: int, parent: Told | None = None
) -> Told:
    """The journal of ``story`` as it would be had it ended ``story.ago`` before ``now`` (ns).

    ``parent``: the journal that it is a fork of.
    """
    ended = now - story.seconds_ago() * _SECOND
    if story.empty:
        return Told(b"", [], ended)
    # The same figures each time, and for a fork those of its parent: chance is for looks only.
    teller = _Teller(random.Random(story.parent or story.id))  # noqa: S311
    fingerprint = resolved.fingerprint if story.version == VERSION else resolved.wire_fingerprint
    if story.version < VERSION:
        fingerprint = msgspec.structs.replace(fingerprint, provider="", model=story.model)
    teller.add(Meta(story.version, story.id, "", fingerprint, story.prompt, story.chat))
    turns = story.expanded()
    resumed = 0.0
    for number, turn in enumerate(turns):
        if story.paused and number == story.paused:
            teller.add(Terminal("suspended"))
            teller.clock += _PAUSE
            resumed = teller.clock
        if turn.user:
            teller.add(User(user_text(turn.user)), 20, 90)
        _tell_turn(teller, turn, number, resolved, answer)
    if story.tokens:
        _spend(teller, story.tokens)
    message = story.message
    if story.parent:
        message = f"forked from {story.parent} at record {len(teller.payloads)}"
    if story.end != "interrupted":
        teller.add(Terminal(story.end, message))
    begun = ended - round(teller.clock * _SECOND)
    created = rfc3339(begun if parent is None else ended)
    teller.payloads[0] = msgspec.structs.replace(teller.payloads[0], created=created)
    times = [
        RecordTime(
            seq,
            rfc3339(begun + round(after * _SECOND) // 1000 * 1000),
            None if took is None else round(took * 1000),
        )
        for seq, (after, took) in enumerate(teller.moments, 1)
    ]
    lines = [_line(Record(seq, p), story.version) for seq, p in enumerate(teller.payloads, 1)]
    if parent is not None:
        # What was taken over happened when it did; only the fork is new.
        times = parent.times[: len(lines) - 1]
    went_on = begun + round(resumed * _SECOND) if resumed else 0
    return Told(_harm(story, lines), times, ended, went_on)


def _tell_turn(
    teller: _Teller, turn: StoryTurn, number: int, resolved: ResolvedAgent, answer: Answer
) -> None:
    content: list[Block] = []
    if turn.thinking:
        signature = base64.b64encode(b"demo").decode()
        content.append(Block(thinking=Thinking(turn.thinking, signature)))
    if turn.text:
        content.append(Block(text=Text(turn.text)))
    calls = []
    for position, tool in enumerate(turn.tools):
        raw = json.dumps(tool.input, ensure_ascii=False).encode()
        call = ToolUse(f"call_{number}_{position}", tool.name, msgspec.Raw(gojson.compact(raw)))
        calls.append((tool, call))
        content.append(Block(tool_use=call))
    teller.add(
        Assistant(
            number,
            Message("assistant", content),
            "tool_use" if calls else "end_turn",
            240 + teller.dice.randrange(180),
            40 + (len(turn.text) + len(turn.thinking)) // 4 + 30 * len(calls),
            1500 + 30 * number,
            teller.dice.randrange(300, 700),
        ),
        2.5,
        14.0,
    )
    for tool, call in calls:
        if not tool.unanswered:
            result = _result(tool, call, resolved, answer)
            teller.add(ToolResultRecord(call.id, result), 0.15, 1.4)


def _result(tool: StoryTool, call: ToolUse, resolved: ResolvedAgent, answer: Answer) -> ToolResult:
    if tool.denied:
        reason = gojson.encode_string(DENIED).decode()
        return ToolResult(call.id, f'{{"allowed":false,"reason":{reason}}}')
    found = resolved.tool(tool.name)
    if found is None:
        raise ToolInputError(f"a story calls {tool.name}, which is no tool", tool=tool.name)
    arguments = found.arguments(bytes(call.input))
    code, output = answer(arguments)
    outcome = CommandOutcome(code, output.encode(), truncated=False)
    return ToolResult(call.id, result_json(tuple(arguments), outcome))


def _spend(teller: _Teller, tokens: int) -> None:
    """Let the last turn read so much from the cache that the run comes to ``tokens``."""
    turns = [(i, p) for i, p in enumerate(teller.payloads) if isinstance(p, Assistant)]
    spent = sum(
        p.in_tokens + p.out_tokens + p.cache_read_tokens + p.cache_create_tokens for _, p in turns
    )
    missing = tokens - spent
    for share, (index, turn) in enumerate(turns, 1):
        part = missing * share // len(turns) - missing * (share - 1) // len(turns)
        teller.payloads[index] = msgspec.structs.replace(
            turn, cache_read_tokens=turn.cache_read_tokens + part
        )


def _line(record: Record, version: int) -> bytes:
    line = encode_record(record, record.seq)
    if version == VERSION:
        return line
    # Versions 1 and 2 hold messages as the provider's wire has them.
    kind, payload = record.kind, record.payload
    members = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    inner = msgspec.json.decode(bytes(members[kind]), type=dict[str, msgspec.Raw])
    if isinstance(payload, Assistant | User):
        inner["message"] = msgspec.Raw(wire.to_wire(payload.message))
    elif isinstance(payload, ToolResultRecord):
        inner["result"] = msgspec.Raw(wire.block_to_wire(Block(tool_result=payload.result)))
    prefix = b'{"seq":%d,"protocol":%s,' % (
        record.seq,
        gojson.encode_string(PROTOCOL_PREFIX + kind),
    )
    return prefix + gojson.encode_string(kind) + b":" + msgspec.json.encode(inner) + b"}\n"


def _harm(story: Story, lines: list[bytes]) -> bytes:
    if story.newer:
        lines[0] = lines[0].replace(b'"version":3', b'"version":4')
    if story.damage:
        # Cut off, and the next writer went on in its line: a repair finds the whole record in it.
        line = lines[story.damage - 1]
        lines[story.damage - 1] = line[: len(line) // 3] + line
    if story.torn:
        cut = encode_record(
            Record(0, Assistant(len(story.turns), Message("assistant", [Block(text=Text("T"))]))),
            len(lines) + 1,
        )
        lines.append(cut[: len(cut) * 2 // 3])
    return b"".join(lines)
