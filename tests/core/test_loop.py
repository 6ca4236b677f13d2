# SPDX-License-Identifier: Apache-2.0
"""The loop on its own: the order of records, and every way a run ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from tenuto.agent.approvals import WithdrawnError
from tenuto.agent.budget import Budget
from tenuto.agent.cancel import AbortError, CancelToken
from tenuto.agent.events import NoEvents
from tenuto.agent.loop import (
    CUT_CALL,
    CUT_REPLY,
    REFUSAL,
    SKIPPED_CALL,
    AgentLoop,
    Conversation,
    Ending,
    OpenBatch,
    new_conversation,
)
from tenuto.agent.prompt import RESUME_REMINDER
from tenuto.agent.providers.base import Deltas, Reply, Request, Usage
from tenuto.errors import ProviderError, StoreIO
from tenuto.fingerprint import Fingerprint
from tenuto.fold import fold
from tenuto.messages import Block, Message, Text, ToolResult, ToolUse, user_text
from tenuto.records import Meta, Payload, Record, Terminal

Say = Callable[[Request], Reply]


def call(id: str, name: str = "t") -> Block:
    return Block(tool_use=ToolUse(id, name, msgspec.Raw(b"{}")))


def reply(*content: Block | str, stop: str = "", tokens: int = 10) -> Reply:
    blocks = tuple(Block(text=Text(c)) if isinstance(c, str) else c for c in content)
    calls = any(block.tool_use for block in blocks)
    return Reply(blocks, stop or ("tool_use" if calls else "end_turn"), Usage(in_tokens=tokens))


class World:
    """Everything the loop touches, and one list of what happened in which order."""

    name = "fake"

    def __init__(self, *replies: Reply | Exception, prompts: list[str] | None = None) -> None:
        self.replies = list(replies)
        self.log: list[Any] = []
        self.records: list[Payload] = []
        self.requests: list[Request] = []
        self.cancel = CancelToken()
        self.budget = Budget(1000, 10)
        self.prompts = prompts
        self.on_tool: Callable[[str], None] = lambda id: None
        self.fail_at: int | None = None

    # provider
    def complete(self, request: Request, deltas: Deltas, cancel: CancelToken) -> Reply:
        self.log.append("model")
        self.requests.append(
            Request(list(request.messages), request.system, request.tools, request.fixed_system)
        )
        found = self.replies.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    def close(self) -> None:
        raise AssertionError("whoever made the provider closes it")

    # tools
    started = 0.0

    def run(self, call: ToolUse, *, rerun: bool = False, approved: bool = False) -> ToolResult:
        self.log.append(("tool", call.id, rerun, approved))
        self.on_tool(call.id)
        return ToolResult(call.id, f"done {call.id}")

    # recorder
    def append(self, record: Payload, *, ms: int | None = None) -> int:
        if self.fail_at == len(self.records):
            raise StoreIO("disk full")
        self.records.append(record)
        self.log.append(Record(0, record).kind)
        return len(self.records) + 1

    # prompts
    def next(self) -> str | None:
        assert self.prompts is not None
        return self.prompts.pop(0) if self.prompts else None

    def go(self, conversation: Conversation | None = None, **options: Any) -> Ending:
        loop = AgentLoop(
            provider=self,
            tools=self,
            definitions=[],
            system=["fixed"],
            recorder=self,
            events=NoEvents(),
            cancel=self.cancel,
            budget=self.budget,
            prompts=None if self.prompts is None else self,
        )
        return loop.run(conversation or new_conversation("begin"), **options)


def test_each_event_is_journaled_before_the_next() -> None:
    world = World(reply("a", call("1"), call("2")), reply("b", call("3")), reply("c"))
    assert world.go() == Ending("completed", answer="c")
    assert world.log == [
        "model", "assistant", ("tool", "1", False, False), "tool_result",
        ("tool", "2", False, False), "tool_result",
        "model", "assistant", ("tool", "3", False, False), "tool_result",
        "model", "assistant", "terminal",
    ]  # fmt: skip
    assert world.records[-1] == Terminal("completed")


def test_what_the_model_sees_is_what_the_fold_of_the_journal_says() -> None:
    world = World(reply("a", call("1")), reply(stop="pause_turn"), reply("c"))
    world.go()
    meta = Meta(3, "r", "2026-01-01T00:00:00Z", Fingerprint(), "begin")
    records = [Record(i, p) for i, p in enumerate([meta, *world.records], 1)]
    for number, request in enumerate(world.requests):
        before = [i for i, r in enumerate(records) if r.kind == "assistant"][number]
        assert list(request.messages) == fold(records[:before]).messages
    assert [request.system for request in world.requests] == [["fixed"]] * 3


def test_the_reminder_follows_the_fixed_parts_of_a_resumed_run() -> None:
    world = World(reply("c"))
    world.go(Conversation([user_text("begin")], resumed=True))
    assert world.requests[0].system == ["fixed", RESUME_REMINDER]
    assert world.requests[0].fixed_system == 1


@pytest.mark.parametrize(
    ("replies", "ending"),
    [
        ([reply("half", stop="max_tokens")], Ending("error", CUT_REPLY, "half")),
        ([reply("half", call("1"), stop="max_tokens")], Ending("error", CUT_REPLY, "half")),
        (
            [reply("half", call("1"), stop="model_context_window_exceeded")],
            Ending("error", CUT_REPLY, "half"),
        ),
        ([reply("no", stop="refusal")], Ending("error", REFUSAL, "no")),
        ([ProviderError("boom")], Ending("error", "llm call: boom")),
        (
            [reply(call("1"), tokens=1000)],
            Ending("budget", "token budget (1000) exhausted after 1 iterations"),
        ),
        (
            [reply("x", stop="pause_turn", tokens=1000)],
            Ending("budget", "token budget (1000) exhausted after 1 iterations"),
        ),
        ([reply("last words", tokens=1000)], Ending("completed", answer="last words")),
        (
            [reply(call(str(i))) for i in range(10)],
            Ending("max_iterations", "iteration budget (10) exhausted"),
        ),
    ],
)
def test_endings(replies: list[Reply | Exception], ending: Ending) -> None:
    world = World(*replies)
    assert world.go() == ending
    assert world.records[-1] == Terminal(ending.reason, ending.message)
    assert [r for r in world.records if isinstance(r, Terminal)] == [world.records[-1]]
    if ending.reason == "budget" or ending.message == CUT_REPLY:
        assert not any(isinstance(entry, tuple) for entry in world.log)


@pytest.mark.parametrize(
    "kind", ["in_tokens", "out_tokens", "cache_read_tokens", "cache_create_tokens"]
)
def test_tokens_of_every_kind_count_to_the_last_one(kind: str) -> None:
    def spent(tokens: int) -> World:
        world = World(Reply((call("1"),), "tool_use", Usage(**{kind: tokens})), reply("b"))
        # What the run spent before it was resumed counts, too.
        world.budget = Budget(1000, 10, tokens=400, iteration=3)
        return world

    assert spent(599).go().reason == "completed"
    world = spent(600)
    assert world.go().message == "token budget (1000) exhausted after 4 iterations"
    assert world.log == ["model", "assistant", "terminal"]


def test_iterations_of_before_count_in_a_one_shot_run_and_not_in_a_chat() -> None:
    def go(*, allowance_from: int) -> tuple[str, int]:
        world = World(*(reply(call(str(number))) for number in range(4)))
        world.budget = Budget(1000, 4, iteration=3, allowance_from=allowance_from)
        return world.go().reason, len(world.requests)

    assert go(allowance_from=0) == ("max_iterations", 1)
    assert go(allowance_from=3) == ("max_iterations", 4)


def test_suspend_is_looked_at_between_turns_only() -> None:
    world = World(reply(call("1"), call("2")), reply("never"))
    world.on_tool = lambda id: world.cancel.suspend()
    assert world.go() == Ending("suspended")
    assert world.log == [
        "model", "assistant", ("tool", "1", False, False), "tool_result",
        ("tool", "2", False, False), "tool_result", "terminal",
    ]  # fmt: skip
    assert world.budget.iteration == 1


def test_suspended_before_the_first_call_it_spends_nothing() -> None:
    world = World()
    world.cancel.suspend()
    assert world.go() == Ending("suspended")
    assert world.log == ["terminal"]


def test_abort_leaves_no_record_of_what_it_killed() -> None:
    world = World(reply(call("1"), call("2")))
    world.on_tool = lambda id: world.cancel.abort()
    with pytest.raises(AbortError):
        world.go()
    assert world.log == ["model", "assistant", ("tool", "1", False, False)]


@pytest.mark.parametrize("at", range(5))
def test_a_journal_that_fails_stops_everything(at: int) -> None:
    world = World(reply(call("1"), call("2")), reply("b"))
    world.fail_at = at
    with pytest.raises(StoreIO):
        world.go()
    assert len(world.records) == at
    # Nothing was done whose record could not be written first.
    assert world.log.count("model") == (1 if at < 3 else 2)
    assert len([e for e in world.log if isinstance(e, tuple)]) == min(at, 2)


# --- a pending batch ----------------------------------------------------------------------------


def pending(stop: str = "tool_use", answered: int = 1) -> Conversation:
    calls = [call("1"), call("2"), call("3")]
    batch = OpenBatch(
        Message("assistant", calls),
        stop,
        [Block(tool_result=ToolResult(str(i + 1), "old")) for i in range(answered)],
        [block.tool_use for block in calls[answered:] if block.tool_use is not None],
    )
    return Conversation([user_text("begin")], batch, resumed=True)


@pytest.mark.parametrize(
    ("first", "ran"),
    [
        ("run", [("tool", "2", False, False), ("tool", "3", False, False)]),
        ("rerun", [("tool", "2", True, False), ("tool", "3", False, False)]),
        ("approved", [("tool", "2", True, True), ("tool", "3", False, False)]),
        ("skip", [("tool", "3", False, False)]),
    ],
)
def test_only_unanswered_calls_run(first: str, ran: list[Any]) -> None:
    world = World(reply("c"))
    world.go(pending(), first_call=first)
    assert [entry for entry in world.log if isinstance(entry, tuple)] == ran
    sent = world.requests[0].messages
    assert [message.role for message in sent] == ["user", "assistant", "user"]
    contents = [b.tool_result.content for b in sent[2].content or [] if b.tool_result]
    skipped = SKIPPED_CALL if first == "skip" else "done 2"
    assert contents == ["old", skipped, "done 3"]


@pytest.mark.parametrize("stop", ["max_tokens", "model_context_window_exceeded"])
def test_the_calls_of_a_cut_reply_never_run(stop: str) -> None:
    world = World(reply("c"))
    world.go(pending(stop, answered=0), say="go on")
    assert not any(isinstance(entry, tuple) for entry in world.log)
    last = world.requests[0].messages[-1].content or []
    assert [b.tool_result.content for b in last if b.tool_result] == [CUT_CALL] * 3
    assert last[-1].text == Text("go on")
    assert world.log[:4] == ["tool_result", "tool_result", "tool_result", "user"]


def test_a_question_taken_back_leaves_the_rest_of_the_batch_pending() -> None:
    world = World()

    def take_back(id: str) -> None:
        if id == "3":
            raise WithdrawnError

    world.on_tool = take_back
    assert world.go(pending()) == Ending("suspended")
    assert world.log[-2:] == [("tool", "3", False, False), "terminal"]


def test_a_call_of_unknown_outcome_stays_unknown_when_its_question_is_taken_back() -> None:
    world = World()

    def take_back(id: str) -> None:
        raise WithdrawnError

    world.on_tool = take_back
    with pytest.raises(WithdrawnError):
        world.go(pending(), first_call="rerun")
    assert world.records == []


# --- chats --------------------------------------------------------------------------------------


def test_a_chat_goes_on_with_each_prompt_and_ends_suspended() -> None:
    world = World(reply("a"), reply(call("1")), reply("b"), prompts=["next"])
    assert world.go(new_conversation("begin", interactive=True)) == Ending("suspended")
    assert [e for e in world.log if isinstance(e, str)] == [
        "model", "assistant", "user", "model", "assistant", "tool_result", "model", "assistant",
        "terminal",
    ]  # fmt: skip


def test_each_prompt_of_a_chat_has_a_fresh_allowance() -> None:
    turns = [reply(call("1")), reply("a")]
    world = World(*turns, *turns, *turns, prompts=["one", "two"])
    world.budget = Budget(1000, 2)
    assert world.go(new_conversation("begin", interactive=True)) == Ending("suspended")
    assert world.budget.iteration == 6


def test_a_resumed_chat_waits_for_a_prompt_first() -> None:
    world = World(reply("b"), prompts=["and?"])
    talk = [user_text("begin"), Message("assistant", [Block(text=Text("a"))])]
    world.go(Conversation(talk, interactive=True, resumed=True, last_stop_reason="end_turn"))
    assert world.log == ["user", "model", "assistant", "terminal"]
