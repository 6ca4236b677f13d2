# SPDX-License-Identifier: Apache-2.0
"""Tools that are no command of a program: this process answers them, or a server that it talks to.

Such a call is frozen and asked about as a command is; its words are the tool and the input.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tenuto import gojson
from tenuto.agent.approvals import Approvals
from tenuto.agent.cancel import CancelToken
from tenuto.agent.tools.command import CUT_LINE, HEAD_BYTES, TAIL_BYTES
from tenuto.errors import ToolInputError


@dataclass(frozen=True)
class Answer:
    """What came of a call."""

    content: str
    is_error: bool = False


@dataclass(frozen=True)
class Context:
    """What a call may use while it is answered."""

    call_id: str
    approvals: Approvals
    cancel: CancelToken


#: Answers a call with this input. Raises ToolInputError, AbortError and WithdrawnError only.
Handler = Callable[[dict[str, Any], Context], Answer]


@dataclass(frozen=True)
class DirectCall:
    """A frozen call. What is shown is this, what is answered is this."""

    tool: str
    #: The input as one JSON object.
    input: str
    cwd: str
    handler: Handler

    @property
    def argv(self) -> list[str]:
        return [self.tool, self.input]

    def digest(self) -> str:
        """Hex SHA-256 over the canonical JSON of the call; approval is bound to it."""
        whole = {"tool": self.tool, "input": self.input, "cwd": self.cwd}
        return hashlib.sha256(gojson.canonical(whole)).hexdigest()

    def answer(self, context: Context) -> Answer:
        """Carry it out; a result that is too long is cut in the middle, as a command's output is.

        :raises AbortError, WithdrawnError: the operator stopped it.
        """
        try:
            found = self.handler(json.loads(self.input), context)
        except ToolInputError as error:
            return Answer(error.message, is_error=True)
        return Answer(clip(gojson.replace_surrogates(found.content)), found.is_error)


def direct_input(tool: str, raw_input: bytes) -> str:
    """An input as one line of JSON; absent and ``null`` are no members. Raises ToolInputError."""
    raw = raw_input.strip()
    try:
        value = json.loads(raw, parse_constant=_refuse) if raw else {}
        text = gojson.compact(raw).decode("utf-8", "replace") if value else "{}"
    except (ValueError, RecursionError) as error:
        raise ToolInputError(f"invalid JSON arguments: {error}", tool=tool) from None
    if value is not None and not isinstance(value, dict):
        raise ToolInputError("the arguments must be a JSON object", tool=tool)
    return gojson.replace_surrogates(text)


def text_member(given: dict[str, Any], name: str, tool: str) -> str:
    """A member that must be text, "" where it is left out. Raises ToolInputError."""
    value = given.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ToolInputError(f"{name} must be a string", tool=tool)
    return gojson.replace_surrogates(value)


def as_json(value: dict[str, Any], *, is_error: bool = False) -> Answer:
    """An answer that is one JSON object."""
    return Answer(json.dumps(value, ensure_ascii=False, separators=(",", ":")), is_error)


def clip(text: str) -> str:
    """``text`` without its middle where it is longer than a result may be."""
    data = text.encode("utf-8", "replace")
    if len(data) <= HEAD_BYTES + TAIL_BYTES:
        return text
    kept = data[:HEAD_BYTES] + CUT_LINE + data[-TAIL_BYTES:]
    # A character that was cut through is left out.
    return kept.decode("utf-8", "ignore")


def _refuse(token: str) -> None:
    raise ValueError(f"{token} is not JSON")
