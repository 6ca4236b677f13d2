# SPDX-License-Identifier: Apache-2.0
"""The fold: against what fisk-ai's own store answered, and against a naive model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenuto.errors import CorruptJournal, EmptyJournal, JournalError, NewerVersion, NoMeta
from tenuto.fold import Folder, fold, state_json
from tenuto.records import Assistant, Record, decode_record
from tenuto.runs.reader import scan
from tests.support import journals
from tests.support.journals import assistant, call, line, meta, result, terminal, text
from tests.support.paths import CONFORMANCE, FISK_REAL

EXPECTED: dict[str, dict[str, Any]] = json.loads(
    (CONFORMANCE / "fold" / "expected.json").read_bytes()
)


def answer(data: bytes) -> dict[str, Any]:
    try:
        found = scan(data)
        if found.error is not None:
            raise found.error
        return {"error": None, "state": state_json(fold(found.records))}
    except JournalError as error:
        return {"error": error.kind, "state": None}


def records(data: bytes) -> list[Record]:
    found = scan(data)
    assert found.error is None
    return found.records


def test_the_conformance_data_is_whole() -> None:
    assert len(EXPECTED) == 118


@pytest.mark.parametrize("name", EXPECTED)
def test_folds_to_what_fisk_ai_answered(name: str) -> None:
    data = (CONFORMANCE / "fold" / "journals" / f"{name}.json").read_bytes()
    found = answer(data)
    assert found == EXPECTED[name]
    # Key order, too, where the journal has one: what JSON shows is what the journal shows.
    if found["state"] is not None:
        assert json.loads(json.dumps(found["state"], allow_nan=False)) == found["state"]


@pytest.mark.parametrize(
    "path", sorted((FISK_REAL / "v2" / "runs").iterdir()), ids=lambda p: p.stem
)
def test_a_version_2_journal_folds_to_what_its_version_3_twin_folds_to(path: Path) -> None:
    old = answer(path.read_bytes())["state"]
    new = answer((FISK_REAL / "runs" / path.name).read_bytes())["state"]
    assert old.pop("version") == 2
    assert new.pop("version") == 3
    assert "provider" not in old.pop("fingerprint")
    assert new.pop("fingerprint")["provider"] == "anthropic"
    if path.stem == "failed-400":
        # Another port of the local server.
        assert (
            old.pop("terminal")["message"].split("1:", 1)[0]
            == (new.pop("terminal")["message"].split("1:", 1)[0])
        )
    assert old == new


# --- what the state says beyond fisk-ai's -------------------------------------------------------


def test_a_terminal_record_is_in_force_while_nothing_follows_it() -> None:
    lines = [meta(), assistant(2, [text("a")]), terminal(3), assistant(4, [text("b")])]
    suspended = fold(records(b"".join(lines[:3])))
    assert suspended.terminal is not None
    assert suspended.terminal_in_force == suspended.terminal
    assert (suspended.terminal_seq, suspended.last_seq, suspended.last_kind) == (3, 3, "terminal")
    going = fold(records(b"".join(lines)))
    assert going.terminal == suspended.terminal
    assert going.terminal_in_force is None
    assert (going.terminal_seq, going.last_seq, going.last_kind) == (3, 4, "assistant")
    ended = fold(records(b"".join([*lines, terminal(5, "completed")])))
    assert ended.terminal_in_force is not None
    assert ended.terminal_in_force.reason == "completed"


def test_pending_names_the_calls_without_a_result_in_the_turns_order() -> None:
    data = (
        meta() + assistant(2, [call("a"), text("x"), call("b"), call("c")]) + result(3, "b", "ok")
    )
    pending = fold(records(data)).pending
    assert pending is not None
    assert [use.id for use in pending.unanswered] == ["a", "c"]
    assert pending.answered == ["b"]
    assert [answer.content for answer in pending.results] == ["ok"]
    assert fold(records(data + result(4, "c") + result(5, "a"))).pending is None


def test_answered_ids_are_the_records_not_the_results() -> None:
    odd = {"tool_use_id": "a", "result": {"tool_use_id": "other", "content": ""}}
    state = fold(records(meta() + assistant(2, [call("a")]) + line(3, "tool_result", odd)))
    assert state.pending is None


def test_single_messages_without_the_rest() -> None:
    data = meta(prompt="p") + assistant(2, [call("a")]) + result(3, "a") + assistant(4, [text("z")])
    state = fold(records(data))
    assert state.message_count == len(state.messages) == 4
    assert [state.message(index) for index in range(4)] == state.messages
    assert state.message(-1) == state.messages[-1]
    assert state == fold(records(data))
    assert state != fold(records(data + terminal(5)))


@pytest.mark.parametrize(
    ("data", "kind", "words"),
    [
        ([], EmptyJournal, "no records"),
        ([terminal(1)], NoMeta, "terminal"),
        ([meta(version=7)], NewerVersion, "version 7"),
        ([meta(), terminal(1)], CorruptJournal, "seq 1 not increasing after 1"),
        (
            [meta(), meta().replace(b'"seq":1', b'"seq":2')],
            CorruptJournal,
            "duplicate meta at seq 2",
        ),
        ([meta(), result(2, "x")], CorruptJournal, "seq 2"),
    ],
)
def test_the_fold_refuses_by_itself(
    data: list[bytes], kind: type[JournalError], words: str
) -> None:
    made = [decode_record(item) for item in data]
    with pytest.raises(kind, match=words):
        fold(made)


def test_mappings_fold_as_the_lines_they_are() -> None:
    for path in sorted((FISK_REAL / "runs").iterdir()):
        lines = path.read_bytes().splitlines()
        assert (
            state_json(fold(json.loads(item) for item in lines))
            == answer(path.read_bytes())["state"]
        )
    old = (FISK_REAL / "v2" / "runs" / "completed.json").read_bytes().splitlines()
    assert fold(json.loads(item) for item in old).version == 2
    with pytest.raises(NoMeta):
        fold([{"seq": 1, "protocol": "x"}])
    with pytest.raises(CorruptJournal):
        fold([json.loads(meta()), {"seq": 2, "protocol": "x"}])


# --- a naive model ------------------------------------------------------------------------------

ids = st.sampled_from(["a", "b", "c"])
blocks = st.lists(st.builds(text, st.text(max_size=3)) | st.builds(call, ids), max_size=3)
steps = st.lists(
    st.one_of(
        st.tuples(
            st.just("assistant"), blocks, st.integers(0, 9), st.sampled_from(["", "end_turn"])
        ),
        st.tuples(st.just("tool_result"), ids, st.booleans()),
        st.tuples(
            st.just("user"), st.none() | blocks, st.sampled_from(["user", "user", "assistant"])
        ),
        st.tuples(st.just("terminal"), st.sampled_from(["suspended", "completed"])),
    ),
    max_size=12,
)


def journal(moves: list[Any]) -> list[bytes]:
    """Lines for ``moves``; a result with no turn open is left out."""
    lines = [meta(prompt="p")]
    turn_open = False
    for move in moves:
        seq = len(lines) + 1
        match move:
            case "assistant", content, iteration, stop:
                said = {"stop_reason": stop} if stop else {}
                lines.append(assistant(seq, content, iteration=iteration, **said))
                turn_open = True
            case "tool_result", id, remote:
                if not turn_open:
                    continue
                answer = {"tool_use_id": id, "result": {"tool_use_id": id, "content": str(seq)}}
                lines.append(line(seq, "tool_result", {**answer, "remote": remote}))
            case "user", content, role:
                lines.append(line(seq, "user", {"message": {"role": role, "content": content}}))
                turn_open = False
            case "terminal", reason:
                lines.append(terminal(seq, reason))
    return lines


def model(lines: list[bytes]) -> dict[str, Any]:
    """run-journal.md's "Fold", word for word, on decoded lines and with no thought for speed."""
    decoded = [json.loads(item) for item in lines]
    messages = [{"role": "user", "content": [text("p")]}]
    calls, tools, remote, turn, results = 0, 0, 0, None, []
    last: dict[str, Any] = {"iteration": -1}
    end = None

    def commit() -> None:
        assert turn is not None
        messages.append(turn["message"])
        if results:
            content = [{"tool_result": item["result"]} for item in results]
            messages.append({"role": "user", "content": content})

    for item in decoded[1:]:
        kind = item["protocol"].rsplit(".", 1)[1]
        payload = item[kind]
        if kind == "assistant":
            if turn is not None:
                commit()
            turn, results, last = payload, [], payload
            calls += 1
        elif kind == "tool_result":
            results.append(payload)
            tools += 1
            remote += payload["remote"]
        elif kind == "user":
            if turn is not None:
                commit()
            turn, results = None, []
            message = payload["message"]
            if messages[-1]["role"] == "user":
                both = [*(messages[-1]["content"] or []), *(message["content"] or [])]
                empty = messages[-1]["content"] is None and message["content"] is None
                messages[-1] = {"role": "user", "content": None if empty else both}
            else:
                messages.append(message)
        else:
            end = payload
    pending = None
    if turn is not None:
        asked = [
            block["tool_use"]["id"] for block in turn["message"]["content"] if "tool_use" in block
        ]
        answered = list(dict.fromkeys(item["tool_use_id"] for item in results))
        if set(asked) <= set(answered):
            commit()
        else:
            pending = {
                "assistant": turn["message"],
                "iteration": turn["iteration"],
                "stop_reason": turn.get("stop_reason", ""),
                "results": [item["result"] for item in results],
                "answered": answered,
            }
    return {
        "messages": messages,
        "pending": pending,
        "terminal": end,
        "next_iteration": last["iteration"] + 1,
        "last_stop_reason": last.get("stop_reason", ""),
        "calls": [calls, tools, remote, calls * 10, calls * 2],
    }


def of_state(state: dict[str, Any]) -> dict[str, Any]:
    counters = state["counters"]
    names = ["llm_calls", "tool_calls", "remote_tool_calls", "in_tokens", "out_tokens"]
    kept = ["messages", "pending", "terminal", "next_iteration", "last_stop_reason"]
    return {**{name: state[name] for name in kept}, "calls": [counters[name] for name in names]}


@given(steps)
def test_the_fold_is_the_naive_model(moves: list[Any]) -> None:
    lines = journal(moves)
    assert of_state(state_json(fold(records(b"".join(lines))))) == model(lines)


@given(steps, st.data())
def test_folding_on_is_folding_whole_and_leaves_earlier_states_alone(
    moves: list[Any], data: st.DataObject
) -> None:
    made = records(b"".join(journal(moves)))
    folder = Folder()
    earlier = []
    for count, record in enumerate(made, 1):
        folder.feed(record)
        if data.draw(st.booleans()):
            earlier.append((count, folder.state()))
    for count, state in earlier:
        assert state == fold(made[:count])
        assert state_json(state) == state_json(fold(made[:count]))
    assert folder.state() == fold(made)
    assert folder.last_seq == made[-1].seq


def test_a_record_made_here_folds_like_one_that_was_read() -> None:
    for path in sorted((FISK_REAL / "runs").iterdir()):
        read = records(path.read_bytes())
        made = [Record(record.seq, record.payload) for record in read]
        assert state_json(fold(made)) == state_json(fold(read))
        assert any(isinstance(record.payload, Assistant) for record in made)


def test_invalid_utf8_is_seen_when_the_text_is() -> None:
    data = meta() + journals.assistant(2, [text("caf@")]).replace(b"@", b"\xe9")
    state = fold(records(data))
    assert state.messages[1].content is not None
    assert state_json(state)["messages"][1]["content"] == [text("caf\ufffd")]
