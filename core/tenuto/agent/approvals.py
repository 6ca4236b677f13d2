# SPDX-License-Identifier: Apache-2.0
"""Asking the operator: whether a call may run, and what to do about one that may have run.

A question shows the frozen call itself, word by word, and its answer is bound to that call's id
and digest, once (reliability.md part 2, "Confirmation = execution"). Nobody there: denied.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from tenuto.agent.cancel import CancelToken
from tenuto.agent.events import Events

Outcome = Literal["run", "skip", "stop"]

#: What fisk-ai tells the model when there is nobody to ask, word for word.
NOBODY = "no interactive terminal is attached, so no operator could be asked"
DENIED = "the operator did not allow this call"
#: Characters of an operator's reason that the model is told.
_MOST_REASON = 2_000


@dataclass(frozen=True)
class Denied:
    """The operator said no, and may have said why."""

    reason: str = ""

    @property
    def words(self) -> str:
        """What the model is told."""
        return f"{DENIED}: {self.reason}" if self.reason else DENIED


Approval = Literal["once", "run", "nobody"] | Denied


class WithdrawnError(Exception):
    """The question was taken back: the run suspends (or was left alone) before an answer came."""


@dataclass(frozen=True)
class ApprovalQuestion:
    """Whether a call may run."""

    call_id: str
    tool: str
    argv: tuple[str, ...]
    cwd: str
    #: The tag for which the operator is asked.
    tag: str
    digest: str

    def fields(self) -> dict[str, Any]:
        return {
            "kind": "approve",
            "call_id": self.call_id,
            "tool": self.tool,
            "argv": list(self.argv),
            "cwd": self.cwd,
            "tag": self.tag,
            "digest": self.digest,
        }


@dataclass(frozen=True)
class OutcomeQuestion:
    """What to do about a call that may have run before a crash: run, skip or stop."""

    call_id: str
    tool: str
    argv: tuple[str, ...]
    #: When the turn that made the call was journaled (RFC 3339), or "" where nothing tells.
    since: str
    #: The configuration takes no such call any more: it cannot run again.
    gone: bool = False

    def fields(self) -> dict[str, Any]:
        found = {
            "kind": "outcome",
            "call_id": self.call_id,
            "tool": self.tool,
            "argv": list(self.argv),
            "since": self.since,
        }
        return {**found, "gone": True} if self.gone else found


#: The operator saw a question of the model's and gave no answer to it.
UNANSWERED = "the operator did not answer"


@dataclass(frozen=True)
class HumanQuestion:
    """A question of the model's own (``ask_human_*``)."""

    call_id: str
    kind: Literal["confirm", "select", "input"]
    text: str
    #: Of ``select``.
    options: tuple[str, ...] = ()
    #: Of ``input``: what is offered.
    default: str = ""

    def fields(self) -> dict[str, Any]:
        found: dict[str, Any] = {"kind": self.kind, "call_id": self.call_id, "text": self.text}
        if self.kind == "select":
            found["options"] = list(self.options)
        elif self.kind == "input":
            found["default"] = self.default
        return found

    def fits(self, value: Any) -> bool:
        """Whether ``value`` is an answer to it; None is: that there is none."""
        if value is None:
            return True
        if self.kind == "confirm":
            return isinstance(value, bool)
        return isinstance(value, str) and (self.kind == "input" or value in self.options)


@dataclass(frozen=True)
class HumanAnswer:
    """What the operator said; None and the reason where there is no answer."""

    value: bool | str | None
    reason: str = ""


class Approvals(Protocol):
    """Whoever answers. Raises WithdrawnError and AbortError while it waits."""

    def approve(self, question: ApprovalQuestion) -> Approval: ...

    def outcome(self, question: OutcomeQuestion) -> Outcome: ...

    def human(self, question: HumanQuestion) -> HumanAnswer: ...


class NobodyToAsk:
    """Unattended: every gated call is denied, an unknown outcome stops the resume."""

    def approve(self, question: ApprovalQuestion) -> Approval:
        return "nobody"

    def outcome(self, question: OutcomeQuestion) -> Outcome:
        return "stop"

    def human(self, question: HumanQuestion) -> HumanAnswer:
        return HumanAnswer(None, NOBODY)


#: Marks a question as waiting where other programs see it (``<id>.ask.json``).
AskFile = Callable[[dict[str, Any]], AbstractContextManager[None]]


def no_ask_file(question: dict[str, Any]) -> AbstractContextManager[None]:  # noqa: ARG001
    """For a run that has no files."""
    return nullcontext()


#: Whether an answer is one to the open question.
_Fits = Callable[[dict[str, Any]], bool]


def _decision_of(decisions: tuple[str, ...]) -> _Fits:
    return lambda answer: answer.get("decision") in decisions


class RemoteApprovals:
    """Asks over the worker protocol; another thread brings the answers."""

    def __init__(self, events: Events, cancel: CancelToken) -> None:
        self._events = events
        self._cancel = cancel
        self._numbers = itertools.count(1)
        self._changed = threading.Condition()
        self._open: str | None = None
        self._fits: _Fits = _decision_of(())
        #: What an answer must be, for whoever gives another.
        self._wanted = ""
        self._answer: dict[str, Any] | None = None
        self._nobody = False
        #: Set once the run has files.
        self.ask_file: AskFile = no_ask_file
        cancel.watch(self._wake)

    def approve(self, question: ApprovalQuestion) -> Approval:
        answer = self._decide(question.fields(), ("once", "run", "deny"))
        if answer is None:
            return "nobody"
        if answer.get("digest", question.digest) != question.digest:
            # Whatever was approved, it was not this call.
            return Denied()
        match answer["decision"]:
            case "once":
                return "once"
            case "run":
                return "run"
        reason = answer.get("reason")
        return Denied(reason.strip()[:_MOST_REASON] if isinstance(reason, str) else "")

    def outcome(self, question: OutcomeQuestion) -> Outcome:
        decisions = ("skip", "stop") if question.gone else ("run", "skip", "stop")
        answer = self._decide(question.fields(), decisions)
        match answer and answer["decision"]:
            case "run":
                return "run"
            case "skip":
                return "skip"
        return "stop"

    def human(self, question: HumanQuestion) -> HumanAnswer:
        answer = self._ask(
            question.fields(),
            lambda answer: "value" in answer and question.fits(answer["value"]),
            f"whose value does not answer a question of kind {question.kind}",
        )
        if answer is None:
            return HumanAnswer(None, NOBODY)
        value = answer["value"]
        return HumanAnswer(value, UNANSWERED if value is None else "")

    def answer(self, id: str, answer: dict[str, Any]) -> None:
        """Called from the command reader. An answer to no open question is ignored."""
        with self._changed:
            if id != self._open or self._answer is not None:
                return
            if self._fits(answer):
                self._answer = answer
                self._changed.notify_all()
                return
            text = f"an answer to {id} {self._wanted} was ignored"
        self._events.emit("warning", kind="command", text=text)

    def nobody_answers(self) -> None:
        """From now on questions are denied, an open one too (``detach``)."""
        with self._changed:
            self._nobody = True
            self._changed.notify_all()

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _decide(self, fields: dict[str, Any], decisions: tuple[str, ...]) -> dict[str, Any] | None:
        wanted = f"whose decision is none of {', '.join(decisions)}"
        return self._ask(fields, _decision_of(decisions), wanted)

    def _ask(self, fields: dict[str, Any], fits: _Fits, wanted: str) -> dict[str, Any] | None:
        """The answer, or None when nobody gives one."""
        self._cancel.check()
        if self._nobody:
            return None
        id = f"ask-{next(self._numbers)}"
        question = {"id": id, **fields}
        with self._changed:
            self._open, self._fits, self._wanted, self._answer = id, fits, wanted, None
        try:
            with self.ask_file(question):
                self._events.emit("ask", **question)
                return self._wait(id)
        finally:
            with self._changed:
                self._open = None

    def _wait(self, id: str) -> dict[str, Any] | None:
        with self._changed:
            self._changed.wait_for(
                lambda: (
                    self._answer is not None
                    or self._nobody
                    or self._cancel.suspended
                    or self._cancel.aborted
                )
            )
            answer = self._answer
        self._cancel.check()
        if answer is not None:
            return answer
        self._events.emit("withdrawn", id=id)
        if self._nobody:
            return None
        raise WithdrawnError
