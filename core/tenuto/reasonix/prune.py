# SPDX-License-Identifier: Apache-2.0
"""Large tool results taken out of a session that was left alone for long (reasonix.md 6.3).

A provider's cache of the conversation is cold by then, so everything would be paid for again. No
message is removed, and what the model is likely to need stays: the beginning, the end, errors.
"""

from __future__ import annotations

from typing import Final

from tenuto.reasonix.model import ELIDED, Message, Messages, calls_of, is_summary, text_of

#: Tokens a byte is taken for before a provider has counted any.
_RATIO: Final = 0.25
_HEAD_TOKENS: Final = 1500
_HEAD_SHARE: Final = 0.15
_TAIL_TOKENS: Final = 16384
_TAIL_SHARE: Final = 0.5
_LEAST_TAIL: Final = 2
#: Bytes of content from which on a result is worth taking out.
_LARGE: Final = 1024


def prune_stale(
    messages: list[Message], context_window: int, recent_keep: int, keep_errors: bool = True
) -> tuple[list[Message], int]:
    """``messages`` with stale tool results elided, and how many were.

    ``context_window``: tokens of the model; 0 where it is not known, and nothing is pruned.
    ``recent_keep``: messages at the end that are kept whatever their size. The very same list comes
    back where nothing is to be done; nothing that is passed in is changed.
    """
    stale = stale_results(messages, context_window, recent_keep, keep_errors=keep_errors)
    if not stale:
        return messages, 0
    out = list(messages)
    for at in stale:
        out[at] = {**out[at], "content": _placeholder(out[at])}
    return out, len(stale)


def stale_results(
    messages: Messages, context_window: int, recent_keep: int, *, keep_errors: bool = True
) -> list[int]:
    """The places of the results that a prune takes out."""
    if context_window <= 0:
        return []
    head = _head(messages, context_window)
    tail = _tail(messages, context_window, recent_keep)
    return [at for at in range(head, tail) if _eligible(messages[at], keep_errors)]


def _tokens(message: Message) -> int:
    size = len(_bytes(text_of(message)))
    for call in calls_of(message):
        size += len(_bytes(text_of(call, "name"))) + len(_bytes(text_of(call, "arguments")))
    return int(size * _RATIO)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _head(messages: Messages, window: int) -> int:
    """Where the pinned beginning ends: instructions, a short first task, what was compacted."""
    at = 0
    if messages and messages[0].get("role") == "system":
        at = 1
    limit = min(_HEAD_TOKENS, int(window * _HEAD_SHARE))
    if at < len(messages) and messages[at].get("role") == "user":
        if _tokens(messages[at]) > limit:
            return at
        at += 1
    while at < len(messages) and is_summary(messages[at]):
        at += 1
    return at


def _tail(messages: Messages, window: int, recent_keep: int) -> int:
    """Where the protected end begins."""
    limit = min(_TAIL_TOKENS, int(window * _TAIL_SHARE))
    least = max(recent_keep, _LEAST_TAIL)
    at = len(messages)
    used = 0
    while at > 0:
        used += _tokens(messages[at - 1])
        if used > limit and len(messages) - at >= least:
            break
        at -= 1
    # A result is never parted from its call.
    while 0 < at < len(messages) and messages[at].get("role") == "tool":
        at -= 1
    return at


def _eligible(message: Message, keep_errors: bool) -> bool:
    content = text_of(message)
    if message.get("role") != "tool" or content.startswith(ELIDED):
        return False
    if len(_bytes(content)) < _LARGE:
        return False
    start = content.lstrip()[:8].lower()
    return not (keep_errors and start.startswith(("error:", "blocked:")))


def _placeholder(message: Message) -> str:
    size = len(_bytes(text_of(message)))
    return (
        f"{ELIDED}{text_of(message, 'name')}, {size} bytes dropped to save context; "
        "re-run the tool if the data is needed again]"
    )
