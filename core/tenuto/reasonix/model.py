# SPDX-License-Identifier: Apache-2.0
"""What a Reasonix message is: a plain dict with the keys of the file (reasonix.md, section 2.1).

Known keys hold the types below and are left out when they are empty, except ``role`` and the three
of a tool call. Keys of newer generations are kept beside them as they were read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, Self

Message = dict[str, Any]
Messages = Sequence[Message]

Kind = Literal["string", "strings", "bool", "int", "calls", "objects"]

#: Generations A and B, in the order in which they are written.
MESSAGE_KEYS: Final[dict[str, Kind]] = {
    "role": "string",
    "content": "string",
    "images": "strings",
    "reasoning_content": "string",
    "reasoning_signature": "string",
    "tool_calls": "calls",
    "tool_call_id": "string",
    "name": "string",
    "memoryCitations": "objects",
    "edited": "bool",
    "original": "string",
}
CALL_KEYS: Final[dict[str, Kind]] = {
    "id": "string",
    "name": "string",
    "arguments": "string",
    "diff": "string",
    "added": "int",
    "removed": "int",
}
#: Only windows show these: where an answer took something from.
CITATION_KEYS: Final[dict[str, Kind]] = {
    "id": "string",
    "source": "string",
    "lineStart": "int",
    "lineEnd": "int",
    "note": "string",
    "kind": "string",
}
#: Written even when empty.
MESSAGE_ALWAYS: Final = frozenset({"role"})
CALL_ALWAYS: Final = frozenset({"id", "name", "arguments"})
CITATION_ALWAYS: Final = frozenset({"source"})

#: The content of a result that Reasonix puts in the place of one that never came.
NO_RESULT: Final = "[no result: the previous turn was interrupted before this tool call completed]"
#: How a result begins whose content a cold resume took out.
ELIDED: Final = "[elided tool result \u2014 "
#: How a user message begins that holds a summary of what was compacted away.
SUMMARY: Final = "<compaction-summary>"


class Number(float):
    """A number of an unknown key that float64 would write otherwise: its token is kept."""

    token: str

    def __new__(cls, token: str) -> Self:
        number = super().__new__(cls, token)
        number.token = token
        return number

    def __reduce__(self) -> tuple[type[Number], tuple[str]]:
        return Number, (self.token,)


def text_of(message: Mapping[str, Any], key: str = "content") -> str:
    """The string under ``key``, "" where there is none."""
    found = message.get(key)
    return found if isinstance(found, str) else ""


def calls_of(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The tool calls of an assistant message; of any other, and where they make no sense, none."""
    if message.get("role") != "assistant":
        return []
    found = message.get("tool_calls")
    if not isinstance(found, list):
        return []
    return [call for call in found if isinstance(call, dict)]


def results_after(messages: Messages, index: int) -> int:
    """The end of the run of tool messages that begins at ``index``."""
    end = index
    while end < len(messages) and messages[end].get("role") == "tool":
        end += 1
    return end


def distinct_ids(calls: Sequence[Mapping[str, Any]]) -> bool:
    """Whether results can be told apart by id: all are there, and no two are the same."""
    ids = [text_of(call, "id") for call in calls]
    return all(ids) and len(set(ids)) == len(ids)


def unanswered(calls: Sequence[Message], results: Messages) -> list[int]:
    """The places of those calls that have no result, in the calls' order."""
    if distinct_ids(calls):
        answered = {text_of(result, "tool_call_id") for result in results}
        return [at for at, call in enumerate(calls) if text_of(call, "id") not in answered]
    return list(range(len(results), len(calls)))


def open_calls(messages: Messages) -> list[Message]:
    """The calls of the last reply that have no result, where nothing was said after it."""
    for at in range(len(messages) - 1, -1, -1):
        if messages[at].get("role") == "tool":
            continue
        calls = calls_of(messages[at])
        end = results_after(messages, at + 1)
        return [calls[place] for place in unanswered(calls, messages[at + 1 : end])]
    return []


def is_host(message: Mapping[str, Any]) -> bool:
    """Whether the host program wrote it, not a person: never a turn, never a preview."""
    return message.get("role") == "user" and message.get("origin") == "host"


def is_summary(message: Mapping[str, Any]) -> bool:
    """Whether it stands for what was compacted away."""
    return message.get("role") == "user" and text_of(message).startswith(SUMMARY)


def turns(messages: Messages) -> Iterator[int]:
    """The places of the user messages that a person wrote, host context left out."""
    for at, message in enumerate(messages):
        if message.get("role") == "user" and not is_host(message):
            yield at
