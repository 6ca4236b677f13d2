# SPDX-License-Identifier: Apache-2.0
"""The sample Reasonix sessions as they are written down: `tenuto_resources/demo/sessions.yaml`."""

from __future__ import annotations

import functools
import json
from importlib.resources import files
from typing import Any, Literal

import msgspec

from tenuto.demo.stories import StoryTurn, script_of, seconds_of
from tenuto.reasonix.model import Message

#: How often a script is told from its beginning: for as long as anybody will talk to a sample.
_ROUNDS = 20


class SessionCall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A call of one of Reasonix's own tools; without ``output`` it never came back."""

    name: str
    input: dict[str, Any] = {}
    output: str | None = None
    #: What an edit changed, as a diff.
    diff: str = ""


class Said(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that was said: by a person, by the host program, or by the model."""

    user: str = ""
    host: str = ""
    thinking: str = ""
    text: str = ""
    calls: tuple[SessionCall, ...] = ()


class SessionStory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    #: Names it among the samples.
    key: str
    ago: str
    said: tuple[Said, ...]
    generation: Literal["A", "B", "C", "v4"] = "A"
    #: The folder of its project, made in that of the samples; "" for a session of none.
    project: str = ""
    title: str = ""
    #: The key of the session it is a branch of, and how much of that was taken.
    parent: str = ""
    taken: int = 0
    #: The configuration that it is resumed with.
    config: str = "coding"
    #: The file breaks in the middle, or at its end.
    damaged: bool = False
    torn: bool = False

    def seconds_ago(self) -> int:
        return seconds_of(self.ago)


class Sessions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    system: str
    model: str
    stories: tuple[SessionStory, ...]
    #: By configuration: what the model says when a sample is resumed. An even number of turns, the
    #: second of each two an answer; the samples rest where an even number of replies was given.
    scripts: dict[str, tuple[StoryTurn, ...]]

    def all_said(self, story: SessionStory) -> tuple[Said, ...]:
        """What was said in a session, in the one that it is a branch of, too."""
        if not story.parent:
            return story.said
        parent = next(other for other in self.stories if other.key == story.parent)
        return self.all_said(parent)[: story.taken] + story.said


@functools.cache
def load_sessions() -> Sessions:
    """The sessions, newest first. They are parsed once, as the stories are.

    Raises ValueError where one would resume out of step.
    """
    from ruamel.yaml import YAML

    text = files("tenuto_resources").joinpath("demo/sessions.yaml").read_text(encoding="utf-8")
    found = msgspec.convert(YAML(typ="safe", pure=True).load(text), Sessions)
    for story in found.stories:
        replies = sum(not (said.user or said.host) for said in found.all_said(story))
        if replies % 2:
            raise ValueError(f"{story.key} rests after {replies} replies")
    return found


def session_scripts(sessions: Sessions) -> dict[str, bytes]:
    """The scripts by name."""
    told = sessions.scripts.items()
    return {name: script_of(dict(enumerate(turns * _ROUNDS))) for name, turns in told}


def messages_of(sessions: Sessions, story: SessionStory) -> list[Message]:
    """The session's messages as Reasonix stores them."""
    found: list[Message] = [{"role": "system", "content": sessions.system}]
    for number, said in enumerate(sessions.all_said(story)):
        if said.host:
            found.append({"role": "user", "content": said.host, "origin": "host"})
        elif said.user:
            found.append({"role": "user", "content": said.user})
        else:
            found += _reply(said, number)
    return found


def _reply(said: Said, number: int) -> list[Message]:
    reply: Message = {"role": "assistant"}
    if said.text:
        reply["content"] = said.text
    if said.thinking:
        reply["reasoning_content"] = said.thinking
    calls, results = [], []
    for place, call in enumerate(said.calls):
        id = f"call_{number}_{place}"
        made: Message = {
            "id": id,
            "name": call.name,
            "arguments": json.dumps(call.input, ensure_ascii=False, separators=(",", ":")),
        }
        if call.diff:
            changed = call.diff.splitlines()
            made["diff"] = call.diff
            made["added"] = sum(line.startswith("+") for line in changed)
            made["removed"] = sum(line.startswith("-") for line in changed)
        calls.append(made)
        if call.output is not None:
            results.append(
                {"role": "tool", "content": call.output, "tool_call_id": id, "name": call.name}
            )
    if calls:
        reply["tool_calls"] = calls
    return [reply, *results]
