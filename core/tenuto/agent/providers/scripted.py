# SPDX-License-Identifier: Apache-2.0
"""The ``scripted`` provider: plays the turns of a file, with no network and no key.

The file's form: agent-config.md, "The scripted provider". For demos and tests.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import msgspec

from tenuto import gojson
from tenuto.agent.cancel import CancelToken
from tenuto.agent.providers.base import Deltas, Reply, Request, Usage
from tenuto.agent.tree import Problem
from tenuto.errors import ConfigError, ProviderError
from tenuto.messages import Block, Text, Thinking, ToolUse
from tenuto.sentences import Sentence, others_words, sentence, system_said

#: A word with the white space after it.
_WORD = re.compile(r"\s*\S+\s*")


class ScriptTool(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    input: msgspec.Raw = msgspec.Raw(b"{}")


class ScriptUsage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    input: int = 100
    output: int = 10


class ScriptError(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: str = "provider"
    text: str = ""


class ScriptTurn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: str = ""
    thinking: str = ""
    tools: tuple[ScriptTool, ...] = ()
    stop: Literal["tool_use", "end_turn", "max_tokens", "refusal", "pause_turn", ""] = ""
    #: Seconds before the turn, and between words.
    delay: float = 0.0
    word_delay: float = 0.0
    usage: ScriptUsage = ScriptUsage()
    error: ScriptError | None = None


class Script(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    turns: tuple[ScriptTurn, ...]


def load_script(path: Path) -> Script:
    """Read and check a script. Raises ConfigError."""
    try:
        script = msgspec.json.decode(path.read_bytes(), type=Script)
    except OSError as error:
        raise _problem(
            path, sentence("cannot read the script: {reason}", reason=system_said(error))
        ) from None
    except msgspec.DecodeError as error:
        raise _problem(
            path, sentence("not a script: {reason}", reason=others_words(str(error)))
        ) from None
    if not script.turns:
        raise _problem(path, sentence("the script has no turns"))
    for number, turn in enumerate(script.turns):
        if not (turn.text or turn.tools or turn.error):
            raise _problem(
                path, sentence("turn {number} has none of text, tools, error", number=number)
            )
    return script


def _problem(path: Path, what: Sentence) -> ConfigError:
    problem = Problem(what, key="script").as_row()
    return ConfigError(
        sentence("{path}: {what}", path=path, what=what),
        path=str(path),
        problems=[problem],
    )


class ScriptedProvider:
    """Plays the turn with the number of assistant turns in the conversation so far."""

    name = "scripted"

    def __init__(self, script: Script) -> None:
        self._turns = script.turns

    def complete(self, request: Request, deltas: Deltas, cancel: CancelToken) -> Reply:
        number = sum(message.role == "assistant" for message in request.messages)
        turn = self._turns[min(number, len(self._turns) - 1)]
        cancel.sleep(turn.delay)
        if turn.error is not None:
            raise ProviderError(
                turn.error.text or turn.error.kind,
                provider=self.name,
                status=None,
                retryable=False,
                cause=turn.error.kind,
            )
        content: list[Block] = []
        if turn.thinking:
            _speak(turn.thinking, turn.word_delay, deltas.thinking, cancel)
            content.append(Block(thinking=Thinking(turn.thinking)))
        if turn.text:
            _speak(turn.text, turn.word_delay, deltas.text, cancel)
            content.append(Block(text=Text(turn.text)))
        for index, tool in enumerate(turn.tools):
            # Unique inside the conversation even where the last turn repeats.
            call = ToolUse(
                f"call_{number}_{index}", tool.name, msgspec.Raw(gojson.compact(bytes(tool.input)))
            )
            content.append(Block(tool_use=call))
        stop = turn.stop or ("tool_use" if turn.tools else "end_turn")
        return Reply(tuple(content), stop, Usage(turn.usage.input, turn.usage.output))

    def close(self) -> None:
        """Nothing is held."""


def _speak(text: str, word_delay: float, say: Callable[[str], None], cancel: CancelToken) -> None:
    if not word_delay:
        cancel.check()
        say(text)
        return
    for word in _WORD.findall(text):
        say(word)
        cancel.sleep(word_delay)
