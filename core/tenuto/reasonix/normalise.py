# SPDX-License-Identifier: Apache-2.0
"""Repairs that a list of messages needs before it can be shown, resumed or sent (reasonix.md 3).

Two variants share one walk. The *session* variant, for loading, keeps every stored message in its
place. The *wire* variant, for sending to a provider, also puts results into the order of their
calls and drops those that no call asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tenuto.reasonix.arguments import close_json, valid_json
from tenuto.reasonix.model import (
    NO_RESULT,
    Message,
    Messages,
    calls_of,
    distinct_ids,
    results_after,
    text_of,
    unanswered,
)


def normalize_session(messages: list[Message]) -> list[Message]:
    """``messages`` with all repairs done; the very same list where none is needed.

    Nothing that is passed in is changed. Never raises.
    """
    return _walk(messages, wire=False)


def normalize_wire(messages: list[Message]) -> list[Message]:
    """``messages`` as a provider takes them: every call has its one result, and none is left over.

    Records that are for the screen only (``local_only``) are not sent.
    """
    return _walk(messages, wire=True)


def _walk(messages: list[Message], *, wire: bool) -> list[Message]:
    if _healthy(messages, wire=wire):
        return messages
    out: list[Message] = []
    at = 0
    while at < len(messages):
        message = messages[at]
        at += 1
        if wire and (message.get("local_only") or message.get("role") == "tool"):
            # A result behind its call is taken together with it, below.
            continue
        calls = calls_of(message)
        if not calls:
            out.append(message)
            continue
        end = results_after(messages, at)
        results = messages[at:end]
        repaired = _repaired(calls, results)
        if repaired is not calls:
            message = {**message, "tool_calls": repaired}
        out.append(message)
        out += _in_call_order(repaired, results) if wire else _completed(repaired, results)
        at = end
    # What is odd and cannot be repaired (a result under another name) is left as it is.
    same = len(out) == len(messages) and all(a is b for a, b in zip(out, messages, strict=True))
    return messages if same else out


def _healthy(messages: Messages, *, wire: bool) -> bool:
    at = 0
    while at < len(messages):
        message = messages[at]
        at += 1
        if message.get("role") == "tool" or message.get("local_only"):
            if wire:
                return False
            continue
        if "tool_calls" not in message:
            continue
        calls = calls_of(message)
        if not calls:
            continue
        end = results_after(messages, at)
        if end - at != len(calls):
            return False
        for call, result in zip(calls, messages[at:end], strict=True):
            if not _matches(call, result):
                return False
        at = end
    return True


def _matches(call: Message, result: Message) -> bool:
    name = text_of(call, "name")
    arguments = text_of(call, "arguments")
    return (
        name != ""
        and name == result.get("name")
        and text_of(call, "id") == text_of(result, "tool_call_id")
        and (not arguments or valid_json(arguments))
    )


def _repaired(calls: list[Message], results: Messages) -> list[Message]:
    """The calls with names and valid arguments; the same list where nothing is to be done."""
    names = [text_of(call, "name") for call in calls]
    if not all(names):
        names = _named(calls, names, results)
    changed = False
    out = []
    for call, name in zip(calls, names, strict=True):
        changes: dict[str, Any] = {}
        if name != text_of(call, "name"):
            changes["name"] = name
        arguments = text_of(call, "arguments")
        if arguments and not valid_json(arguments):
            changes["arguments"] = close_json(arguments)
        changed = changed or bool(changes)
        out.append({**call, **changes} if changes else call)
    return out if changed else calls


def _named(calls: Sequence[Message], names: list[str], results: Messages) -> list[str]:
    if distinct_ids(calls):
        given = {text_of(r, "tool_call_id"): text_of(r, "name") for r in reversed(results)}
        return [
            name or given.get(text_of(call, "id"), "")
            for call, name in zip(calls, names, strict=True)
        ]
    return [
        name or (text_of(results[at], "name") if at < len(results) else "")
        for at, name in enumerate(names)
    ]


def _completed(calls: list[Message], results: list[Message]) -> list[Message]:
    missing = [_placeholder(calls[at]) for at in unanswered(calls, results)]
    return [*results, *missing]


def _in_call_order(calls: list[Message], results: list[Message]) -> list[Message]:
    by_id = distinct_ids(calls)
    found = {text_of(r, "tool_call_id"): r for r in reversed(results)} if by_id else {}
    out = []
    for at, call in enumerate(calls):
        if by_id:
            result = found.get(text_of(call, "id"))
        else:
            result = results[at] if at < len(results) else None
        if result is None:
            out.append(_placeholder(call))
            continue
        out.append(_renamed(result, call))
    return out


def _renamed(result: Message, call: Message) -> Message:
    """``result`` under its call's id and name; the very same where it has them."""
    wanted = {"tool_call_id": text_of(call, "id"), "name": text_of(call, "name")}
    if all(text_of(result, key) == value for key, value in wanted.items()):
        return result
    return {k: v for k, v in {**result, **wanted}.items() if v or k not in wanted}


def _placeholder(call: Message) -> Message:
    message: Message = {"role": "tool", "content": NO_RESULT}
    for key, value in (("tool_call_id", text_of(call, "id")), ("name", text_of(call, "name"))):
        if value:
            message[key] = value
    return message
