# SPDX-License-Identifier: Apache-2.0
"""The agent loop: synchronous, one thing after another, every event journaled before the next.

The order is the promise (run-journal.md, "Writing"): the assistant record before any tool of its
turn runs, each tool result the moment its tool returns, one terminal record at the end. So a clean
suspend is exactly-once and a crash repeats at most one tool call.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from tenuto.agent.approvals import WithdrawnError
from tenuto.agent.budget import Budget
from tenuto.agent.cancel import CancelToken
from tenuto.agent.events import Events
from tenuto.agent.prompt import add_user_blocks, system_parts
from tenuto.agent.providers.base import Provider, Reply, Request
from tenuto.errors import ProviderError
from tenuto.fingerprint import ToolDefinition
from tenuto.messages import Block, Message, ToolResult, ToolUse, user_text
from tenuto.records import Assistant, Payload, Terminal, TerminalReason, ToolResultRecord, User

#: Word for word as fisk-ai ends such a run.
CUT_REPLY = "model reply truncated at the output token limit; the answer is incomplete"
REFUSAL = "the model refused to answer"
#: What the operator is told whose message could not be added.
UNSAID = "your message was not added, since a call before it waits: say it with the next resume"
#: What the model is told of the calls of a reply that was cut.
CUT_CALL = (
    "this call was not run: the reply that made it was cut off at the output token limit, so its "
    "input may be incomplete. Make the call again if it is still needed."
)
#: What the model is told of a call that may have happened and is not repeated.
SKIPPED_CALL = (
    "the outcome of this call is unknown: the run was interrupted while it may have been running, "
    "and it is not run again. Check the present state before you go on."
)


class Recorder(Protocol):
    """Where records go: a journal, or memory. Returns the record's number."""

    def append(self, record: Payload, *, ms: int | None = None) -> int: ...


class ToolRunner(Protocol):
    """Runs one call to a result; never raises for what a tool or a model did wrong.

    Raises AbortError, and WithdrawnError when the question for its approval was taken back.
    ``approved``: the operator was shown this very call and said yes. ``started``: when the last
    call began to run (monotonic seconds), its question over: waiting for somebody is no duration.
    """

    @property
    def started(self) -> float: ...

    def run(self, call: ToolUse, *, rerun: bool = False, approved: bool = False) -> ToolResult: ...


class Prompts(Protocol):
    """Where a chat's follow-ups come from: None means that no more will come."""

    def next(self) -> str | None: ...


@dataclass
class OpenBatch:
    """A turn of which some calls have no result yet."""

    assistant: Message
    stop_reason: str
    #: The results so far, as blocks of the conversation.
    results: list[Block] = field(default_factory=list)
    unanswered: list[ToolUse] = field(default_factory=list)


@dataclass
class Conversation:
    """Where a run stands: new, or as the fold of its journal says."""

    messages: list[Message]
    pending: OpenBatch | None = None
    interactive: bool = False
    resumed: bool = False
    last_stop_reason: str = ""


def new_conversation(prompt: str, *, interactive: bool = False) -> Conversation:
    return Conversation([user_text(prompt)], interactive=interactive)


#: What happens to the first unanswered call of a pending batch.
FirstCall = Literal["run", "rerun", "approved", "skip"]


@dataclass(frozen=True)
class Ending:
    """How a run ended: the terminal record that was written, and the answer if there is one."""

    reason: TerminalReason
    message: str = ""
    answer: str = ""
    #: Of ``error``: the stable word for what failed on the model's side; "" for anything else.
    cause: str = ""


class AgentLoop:
    """Drives one conversation to its end. Everything it touches is handed in."""

    def __init__(
        self,
        *,
        provider: Provider,
        tools: ToolRunner,
        definitions: Sequence[ToolDefinition],
        system: Sequence[str],
        recorder: Recorder,
        events: Events,
        cancel: CancelToken,
        budget: Budget,
        added: Sequence[str] = (),
        prompts: Prompts | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._provider = provider
        self._tools = tools
        self._definitions = tuple(definitions)
        self._system = tuple(system)
        #: Parts of the prompt that the fingerprint does not know.
        self._added = tuple(added)
        self._recorder = recorder
        self._events = events
        self._cancel = cancel
        self._budget = budget
        self._prompts = prompts
        self._clock = clock
        #: Text of the last reply: the answer, if it stays the last.
        self._answer = ""

    def run(
        self, conversation: Conversation, *, first_call: FirstCall = "run", say: str | None = None
    ) -> Ending:
        """Go on until the end; write the terminal record.

        :param first_call: what to do with the first unanswered call of the pending batch.
        :param say: a message of the operator's, added once the pending batch is answered.
        :raises AbortError: the operator aborted; nothing more was written.
        :raises WithdrawnError: the call to run again was not approved before the operator
            suspended; nothing was written, its outcome is as unknown as before.
        :raises StoreError: the journal failed; the run stops where it is.
        """
        ending = self._settle_and_talk(conversation, first_call, say)
        self._append(Terminal(ending.reason, ending.message))
        return ending

    def _settle_and_talk(
        self, conversation: Conversation, first_call: FirstCall, say: str | None
    ) -> Ending:
        batch = conversation.pending
        if batch is not None:
            answered = len(batch.results)
            try:
                self._settle(conversation, batch, first_call)
            except WithdrawnError:
                if first_call == "rerun" and len(batch.results) == answered:
                    # A terminal record would say that this call never started.
                    raise
                if say is not None:
                    # A batch with calls that wait takes no message.
                    self._events.emit("warning", kind="unsaid", text=UNSAID)
                return Ending("suspended")
        if say is not None:
            self._follow_up(conversation, say)
        return self._talk(conversation)

    def _talk(self, conversation: Conversation) -> Ending:
        """The loop itself."""
        while True:
            if self._cancel.suspended:
                return Ending("suspended")
            # A chat's turn is over: what is next is the operator's to say.
            waits = conversation.interactive and _awaits_prompt(conversation)
            if waits and not self._next_prompt(conversation):
                return Ending("suspended")
            if self._budget.iterations_used_up:
                return Ending("max_iterations", self._budget.iterations_message())
            try:
                reply = self._call_model(conversation)
            except ProviderError as error:
                cause = str(error.fields.get("cause") or "")
                return Ending("error", f"llm call: {error.message}", cause=cause)
            ending = self._take(conversation, reply)
            if ending is not None:
                return ending

    def _call_model(self, conversation: Conversation) -> Reply:
        started = self._clock()
        request = Request(
            messages=conversation.messages,
            system=system_parts(self._system, added=self._added, resumed=conversation.resumed),
            tools=self._definitions,
            fixed_system=len(self._system),
        )
        reply = self._provider.complete(request, _Deltas(self._events), self._cancel)
        usage, iteration = reply.usage, self._budget.iteration
        seq = self._append(
            Assistant(
                iteration,
                Message("assistant", list(reply.content) or None),
                reply.stop_reason,
                usage.in_tokens,
                usage.out_tokens,
                usage.cache_read_tokens,
                usage.cache_create_tokens,
            ),
            started,
        )
        self._budget.spend(usage)
        conversation.last_stop_reason = reply.stop_reason
        self._answer = "".join(block.text.text for block in reply.content if block.text)
        self._events.emit(
            "assistant",
            seq=seq,
            iteration=iteration,
            stop_reason=reply.stop_reason,
            usage={
                "in_tokens": usage.in_tokens,
                "out_tokens": usage.out_tokens,
                "cache_read_tokens": usage.cache_read_tokens,
                "cache_create_tokens": usage.cache_create_tokens,
            },
        )
        return reply

    def _take(self, conversation: Conversation, reply: Reply) -> Ending | None:
        """What a reply leads to; None: the conversation goes on."""
        message = Message("assistant", list(reply.content) or None)
        calls = [block.tool_use for block in reply.content if block.tool_use is not None]
        batch = OpenBatch(message, reply.stop_reason, unanswered=calls)
        if reply.stop_reason in ("max_tokens", "model_context_window_exceeded"):
            return Ending("error", CUT_REPLY, self._answer)
        if not calls:
            if reply.stop_reason == "refusal":
                return Ending("error", REFUSAL, self._answer)
            conversation.messages.append(message)
            if reply.stop_reason == "pause_turn" or conversation.interactive:
                return self._over_budget()
            return Ending("completed", answer=self._answer)
        if (ending := self._over_budget()) is not None:
            return ending
        try:
            self._settle(conversation, batch, "run")
        except WithdrawnError:
            return Ending("suspended")
        return None

    def _over_budget(self) -> Ending | None:
        if self._budget.tokens_used_up:
            return Ending("budget", self._budget.tokens_message())
        return None

    def _settle(self, conversation: Conversation, batch: OpenBatch, first_call: FirstCall) -> None:
        """Answer every open call of a batch, in order, and commit the turn."""
        cut = batch.stop_reason in ("max_tokens", "model_context_window_exceeded")
        for position, call in enumerate(batch.unanswered):
            started = self._clock()
            if cut:
                result = ToolResult(call.id, CUT_CALL, is_error=True)
            elif position == 0 and first_call == "skip":
                result = ToolResult(call.id, SKIPPED_CALL, is_error=True)
            else:
                again = position == 0 and first_call in ("rerun", "approved")
                approved = position == 0 and first_call == "approved"
                result = self._tools.run(call, rerun=again, approved=approved)
                started = self._tools.started
            self._cancel.check()
            self._append(ToolResultRecord(call.id, result), started)
            batch.results.append(Block(tool_result=result))
        conversation.messages.append(batch.assistant)
        if batch.results:
            add_user_blocks(conversation.messages, batch.results)

    def _next_prompt(self, conversation: Conversation) -> bool:
        """Wait for a chat's follow-up; False when none will come."""
        if self._prompts is None:
            return False
        self._events.emit("ready")
        text = self._prompts.next()
        self._cancel.check()
        if text is None:
            return False
        self._follow_up(conversation, text)
        self._budget.fresh_allowance()
        return True

    def _follow_up(self, conversation: Conversation, text: str) -> None:
        typed = user_text(text)
        self._append(User(typed))
        add_user_blocks(conversation.messages, typed.content or [])

    def _append(self, payload: Payload, started: float | None = None) -> int:
        # Never a record after abort: a tool that abort killed must read as unanswered.
        self._cancel.check()
        ms = None if started is None else round((self._clock() - started) * 1000)
        return self._recorder.append(payload, ms=ms)


def _awaits_prompt(conversation: Conversation) -> bool:
    return (
        conversation.messages[-1].role == "assistant"
        and conversation.last_stop_reason != "pause_turn"
    )


class _Deltas:
    def __init__(self, events: Events) -> None:
        self._events = events

    def text(self, delta: str) -> None:
        self._events.emit("text", delta=delta)

    def thinking(self, delta: str) -> None:
        self._events.emit("thinking", delta=delta)

    def trouble(self, kind: str, text: str, facts: dict[str, Any]) -> None:
        self._events.emit("warning", kind=kind, text=text, facts=facts)
