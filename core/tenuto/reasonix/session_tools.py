# SPDX-License-Identifier: Apache-2.0
"""What the tools ``list_sessions`` and ``read_session`` answer a model (reasonix.md, section 7).

Both only read. Their answers have the structure, the fields and the limits of Reasonix's own, with
its faults mended: cells are escaped, rows are closed, paths are resolved before they are judged.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from tenuto.errors import StoreError, TenutoError, ToolInputError
from tenuto.fingerprint import ToolDefinition
from tenuto.reasonix.listing import SessionInfo, list_sessions
from tenuto.reasonix.model import Messages, calls_of, is_host, text_of
from tenuto.reasonix.names import model_of
from tenuto.reasonix.store import load_session
from tenuto.text import visible

#: User-visible characters of one message, and of a call's arguments.
MESSAGE_LIMIT: Final = 2000
ARGUMENTS_LIMIT: Final = 1200
DEFAULT_TURNS: Final = 50
#: A user-visible character may be of many code points; this bounds what is looked at.
_POINTS: Final = 64

LIST_TOOL: Final = ToolDefinition(
    "list_sessions",
    "List the saved sessions, newest first: when each was last used, its model, its number of "
    "turns, how it begins, and the name by which read_session opens it.",
    {"type": "object", "properties": {}},
)
READ_TOOL: Final = ToolDefinition(
    "read_session",
    "Read a saved session as Markdown: what was asked, answered and called. Long texts are cut; "
    "tool results are left out unless they are asked for.",
    {
        "type": "object",
        "properties": {
            "session": {
                "type": "string",
                "description": "A name from the File column of list_sessions, or a full path.",
            },
            "max_turns": {
                "type": "integer",
                "description": "Stop after so many turns (50); 0 for all of them.",
            },
            "show_tool_results": {
                "type": "boolean",
                "description": "Show what tools answered, too (false).",
            },
        },
        "required": ["session"],
    },
)


class ReadArguments(msgspec.Struct, frozen=True):
    """The arguments of ``read_session``."""

    session: str | None = None
    max_turns: int | None = None
    show_tool_results: bool | None = None

    @classmethod
    def parse(cls, raw: bytes | str) -> ReadArguments:
        """Read a model's JSON. Raises ToolInputError."""
        try:
            found = msgspec.json.decode(raw, type=cls)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise refusal(f"invalid args: {error}") from None
        if not found.session:
            raise refusal("'session' argument is required")
        return found

    @property
    def turns(self) -> int:
        """How many turns to show; 0: all."""
        if self.max_turns is None or self.max_turns < 0:
            return DEFAULT_TURNS
        return self.max_turns


class Row(msgspec.Struct, frozen=True):
    """One session in the table. ``time``: RFC 3339, UTC."""

    time: str
    model: str
    turns: int
    preview: str
    file: str


def refusal(reason: str) -> ToolInputError:
    """Why ``read_session`` did not read."""
    return ToolInputError(f"read_session: {reason}", tool="read_session")


def list_sessions_tool(dir: str | os.PathLike[str]) -> str:
    """The sessions in ``dir`` as a table.

    :raises ToolInputError: the folder cannot be read.
    """
    try:
        found = list_sessions(dir)
    except StoreError as error:
        raise ToolInputError(f"list_sessions: {error.message}", tool="list_sessions") from error
    return table(map(row_of, found))


def row_of(info: SessionInfo) -> Row:
    """The row of a session of generations A to C."""
    name = os.path.basename(info.path)
    return Row(info.last_activity, model_of(name), info.turns, info.preview, name)


def table(rows: Iterable[Row]) -> str:
    """Sessions as a Markdown table."""
    lines = [
        f"| {number} | {_minute(row.time)} | {_cell(row.model)} | {row.turns} "
        f"| {_cell(row.preview)} | `{_cell(row.file)}` |\n"
        for number, row in enumerate(rows, 1)
    ]
    if not lines:
        return "No sessions found.\n"
    return "".join(
        [
            f"# Saved Sessions ({len(lines)} total)\n\n",
            "| # | Timestamp | Model | Turns | Preview | File |\n",
            "|---|-----------|-------|-------|-----------------|-----|\n",
            *lines,
            "\nCall `read_session` with a name from the File column to read one of them.\n",
        ]
    )


def _minute(time: str) -> str:
    return time[:16].replace("T", " ")


def _cell(text: str) -> str:
    """``text`` in one cell: on one line, and no pipe of its own ends it."""
    line = " ".join(visible(text, prose=True).split())
    return line.replace("|", "\\|")


def read_session_tool(dir: str | os.PathLike[str], raw: bytes | str) -> str:
    """One session in ``dir`` as Markdown. ``raw``: the arguments, as a model wrote them.

    :raises ToolInputError: what was asked for cannot be read, and why.
    """
    arguments = ReadArguments.parse(raw)
    path = resolve(dir, arguments.session or "")
    try:
        messages = load_session(path)
    except TenutoError as error:
        raise refusal(error.message) from error
    return transcript(os.path.basename(path), messages, arguments)


def resolve(dir: str | os.PathLike[str], session: str) -> str:
    """The file that ``session`` names in ``dir``: symlinks resolved first, then judged.

    :raises ToolInputError: it is outside.
    """
    folder = os.path.realpath(dir)
    bare = os.sep not in session and "/" not in session
    try:
        path = os.path.realpath(os.path.join(folder, session) if bare else session)
        inside = os.path.commonpath([folder, path]) == folder and path != folder
    except ValueError:
        # A NUL character, or another drive.
        inside, path = False, ""
    if not inside:
        raise refusal(f"path {session!r} is outside the session directory")
    return path


def transcript(title: str, messages: Messages, arguments: ReadArguments) -> str:
    """Messages as Markdown. Instructions are never shown, results only on request.

    What the host program said, as it does since generation C, is no turn and left out.
    """
    if not messages:
        return "Session is empty.\n"
    out = [f"# Session: {title}\n"]
    turn = 0
    for message in messages:
        match message.get("role"):
            case "user" if is_host(message):
                continue
            case "user":
                turn += 1
                if arguments.turns and turn > arguments.turns:
                    out.append("... (truncated, more with a larger max_turns)\n")
                    break
                out.append(f"## User (turn {turn})\n{shorten(text_of(message))}\n\n")
            case "assistant":
                out += _assistant(message, max(turn, 1))
            case "tool":
                out.append(f"### Tool Result: {text_of(message, 'name')}\n\n")
                if arguments.show_tool_results:
                    out.append(f"{shorten(text_of(message))}\n\n")
    return "".join(out)


def _assistant(message: dict[str, Any], turn: int) -> list[str]:
    out = []
    content = text_of(message)
    if content:
        out.append(f"## Assistant (turn {turn})\n{shorten(content)}\n\n")
    calls = calls_of(message)
    if calls:
        out.append("### Tool Calls\n\n")
        for call in calls:
            arguments = shorten(text_of(call, "arguments"), ARGUMENTS_LIMIT)
            out.append(f"- `{text_of(call, 'name')}({arguments})`\n")
        out.append("\n")
    return out


def shorten(text: str, limit: int = MESSAGE_LIMIT) -> str:
    """The first ``limit`` user-visible characters of ``text``, outer white space left out."""
    text = text.strip()
    if len(text) <= limit:
        return text
    if text.isascii() and "\r\n" not in text:
        return text[:limit] + "..."
    import regex  # only for text that needs all of Unicode's rules

    for count, character in enumerate(regex.finditer(r"\X", text[: limit * _POINTS])):
        if count == limit:
            return text[: character.start()] + "..."
    return text if len(text) <= limit * _POINTS else text[: limit * _POINTS] + "..."
