# SPDX-License-Identifier: Apache-2.0
"""The samples as they are written down: `tenuto_resources/demo/stories.yaml`."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Sequence
from importlib.resources import files
from typing import Any, Literal

import msgspec

_UNITS = {"m": 60, "h": 3600, "d": 86400}
#: Said where no story goes on, and past every story's end.
_CLOSING = {"text": "There is nothing left to do here: all that was asked for is done."}


class StoryTool(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A call; its result is what the demo's program answers, unless it has none or was denied."""

    name: str
    input: dict[str, str] = {}
    unanswered: bool = False
    denied: bool = False


class StoryTurn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: str = ""
    thinking: str = ""
    tools: tuple[StoryTool, ...] = ()
    #: A follow-up of the operator's, before this turn (chats).
    user: str = ""
    each: tuple[str, ...] = ()


class Story(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    prompt: str
    ago: str
    turns: tuple[StoryTurn, ...]
    #: A terminal reason, or ``interrupted`` for none.
    end: Literal["completed", "suspended", "error", "budget", "max_iterations", "interrupted"] = (
        "interrupted"
    )
    message: str = ""
    title: str | None = None
    pinned: bool = False
    #: The operator's own words on it.
    note: str | None = None
    #: The run that it is a fork of; its turns are the first ones of that one.
    parent: str = ""
    model: str = "demo-sonnet"
    version: int = 3
    chat: bool = False
    script: str = "script"
    next: tuple[StoryTurn, ...] = ()
    #: All tokens of the run, where they matter.
    tokens: int = 0
    #: After so many turns it was suspended, and went on a good while later.
    paused: int = 0
    #: And then it was forced under another configuration.
    forced: bool = False
    #: It was saved under a configuration that is not today's.
    changed: bool = False
    #: The line that cannot be read.
    damage: int = 0
    torn: bool = False
    newer: bool = False
    empty: bool = False

    def expanded(self) -> list[StoryTurn]:
        """The turns with ``each`` spelled out."""
        return [turn for written in self.turns for turn in _expand(written)]

    def seconds_ago(self) -> int:
        return seconds_of(self.ago)


def seconds_of(ago: str) -> int:
    """Seconds in ``1d 3h 20m``."""
    parts = re.findall(r"(\d+)([mhd])", ago)
    return sum(int(count) * _UNITS[unit] for count, unit in parts)


def _expand(written: StoryTurn) -> list[StoryTurn]:
    if not written.each:
        return [written]
    turns = []
    for value in written.each:
        tools = tuple(
            msgspec.structs.replace(
                tool, input={key: text.replace("{}", value) for key, text in tool.input.items()}
            )
            for tool in written.tools
        )
        text, thinking = (t.replace("{}", value) for t in (written.text, written.thinking))
        turns.append(StoryTurn(text=text, thinking=thinking, tools=tools, user=written.user))
    return turns


@functools.cache
def load_stories() -> tuple[Story, ...]:
    """The stories, newest first. They are parsed once: they come with the program."""
    from ruamel.yaml import YAML

    text = files("tenuto_resources").joinpath("demo/stories.yaml").read_text(encoding="utf-8")
    return msgspec.convert(YAML(typ="safe", pure=True).load(text), tuple[Story, ...])


def scripts(stories: Sequence[Story]) -> dict[str, bytes]:
    """The scripts by name: what goes on in each story, at the number of turns it has by then.

    Raises ValueError where two stories of a script want the same turn.
    """
    turns: dict[str, dict[int, StoryTurn]] = {}
    for story in stories:
        told = story.expanded()
        places = turns.setdefault(story.script, {})
        for number, turn in enumerate(story.next, len(told)):
            if number in places:
                raise ValueError(f"turn {number} of {story.script} is in two stories: {story.id}")
            places[number] = turn
    # A new run begins as the story that goes on at turn 1 did.
    first = next(story for story in stories if story.script == "script" and len(story.turns) == 1
                 and story.next)  # fmt: skip
    turns["script"].setdefault(0, first.expanded()[0])
    return {name: script_of(places) for name, places in turns.items()}


def script_of(places: dict[int, StoryTurn]) -> bytes:
    """A script with these turns at their numbers, and a closing word everywhere else."""
    found = [
        _script_turn(places[number]) if number in places else dict(_CLOSING)
        for number in range(max(places) + 1)
    ]
    return json.dumps({"turns": [*found, _CLOSING]}, ensure_ascii=False, indent=1).encode() + b"\n"


def _script_turn(turn: StoryTurn) -> dict[str, Any]:
    told: dict[str, Any] = {"text": turn.text, "delay": 0.6, "word_delay": 0.03}
    if turn.thinking:
        told["thinking"] = turn.thinking
    if turn.tools:
        told["tools"] = [{"name": tool.name, "input": tool.input} for tool in turn.tools]
    told["usage"] = {"input": 1800, "output": 60 + len(turn.text) // 4}
    return told
