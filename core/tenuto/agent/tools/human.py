# SPDX-License-Identifier: Apache-2.0
"""``ask_human_confirm``, ``ask_human_select`` and ``ask_human_input``: questions to the operator.

Names, properties and results are fisk-ai's, the words are Tenuto's own. Where nobody answers, the
result says no, and says why: that is an answer and no error.
"""

from __future__ import annotations

from typing import Any

from tenuto.agent.approvals import HumanAnswer, HumanQuestion
from tenuto.agent.tools.base import Tool, direct_tool
from tenuto.agent.tools.direct import Answer, Context, as_json, text_member
from tenuto.errors import ToolInputError

CONFIRM, SELECT, INPUT = "ask_human_confirm", "ask_human_select", "ask_human_input"

NOTE = (
    "Nobody reads along while you work, and a question in your text reaches nobody: it only ends"
    " the run. To ask the operator something, call ask_human_confirm (yes or no), ask_human_select"
    " (one of several) or ask_human_input (a text). Ask where your instructions say so, before you"
    " do what cannot be undone, and where you cannot know what the operator wants; decide the rest"
    " yourself. An answer that says no, or that nobody answered, is final."
)

#: More than this nobody chooses from.
_MOST_OPTIONS = 25
#: Characters that a question, an option or a default may have.
_LONGEST = 4_000


def tools() -> list[Tool]:
    """The three of them, in the order in which they are sent."""
    return [
        _tool(
            CONFIRM,
            "Ask the operator a question that is answered with yes or no, and wait for the answer."
            ' Gives {"confirmed": true} only for a yes; else {"confirmed": false}, with a reason'
            " where nobody answered. Do not ask again after a no.",
            {"question": _text("What a yes means must be clear from it.")},
            _confirm,
        ),
        _tool(
            SELECT,
            "Let the operator choose one of several options, and wait for the choice. Gives"
            ' {"selected": "the option"}, or {"selected": null} with a reason.',
            {
                "question": _text("What is to be chosen."),
                "options": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": f"What there is to choose from, at most {_MOST_OPTIONS}.",
                },
            },
            _select,
        ),
        _tool(
            INPUT,
            "Let the operator type a text, and wait for it. Not for passwords or keys. Gives"
            ' {"value": "the text"}, or {"value": null} with a reason.',
            {
                "question": _text("What is to be typed."),
                "default": _text("Offered to be taken as it is."),
            },
            _input,
            optional=("default",),
        ),
    ]


def _text(description: str) -> dict[str, str]:
    return {"type": "string", "description": description}


def _tool(
    name: str, description: str, properties: dict[str, Any], handler: Any, optional: Any = ()
) -> Tool:
    required = [each for each in properties if each not in optional]
    schema = {"type": "object", "properties": properties, "required": required}
    # To ask again is not to do again.
    return direct_tool(name, description, schema, handler, read_only=True, asks=True)


def _confirm(given: dict[str, Any], context: Context) -> Answer:
    question = HumanQuestion(context.call_id, "confirm", _question(given, CONFIRM))
    answer = context.approvals.human(question)
    return _answer("confirmed", answer.value is True, answer)


def _select(given: dict[str, Any], context: Context) -> Answer:
    options = given.get("options")
    if not isinstance(options, list) or not all(isinstance(each, str) for each in options):
        raise ToolInputError("options must be a list of strings", tool=SELECT)
    kept = tuple(_short(option, "an option", SELECT) for option in options if option.strip())
    if not 0 < len(kept) <= _MOST_OPTIONS:
        message = f"there must be 1 to {_MOST_OPTIONS} options, not {len(kept)}"
        raise ToolInputError(message, tool=SELECT)
    question = HumanQuestion(context.call_id, "select", _question(given, SELECT), kept)
    answer = context.approvals.human(question)
    return _answer("selected", answer.value, answer)


def _input(given: dict[str, Any], context: Context) -> Answer:
    default = _short(text_member(given, "default", INPUT), "default", INPUT)
    question = HumanQuestion(context.call_id, "input", _question(given, INPUT), default=default)
    answer = context.approvals.human(question)
    return _answer("value", answer.value, answer)


def _answer(key: str, value: Any, answer: HumanAnswer) -> Answer:
    return as_json({key: value, **({"reason": answer.reason} if answer.reason else {})})


def _question(given: dict[str, Any], tool: str) -> str:
    text = text_member(given, "question", tool).strip()
    if not text:
        raise ToolInputError("question must not be empty", tool=tool)
    return _short(text, "question", tool)


def _short(text: str, what: str, tool: str) -> str:
    if len(text) > _LONGEST:
        # Never cut: half a question may ask for something else.
        raise ToolInputError(f"{what} has more than {_LONGEST} characters", tool=tool)
    return text
