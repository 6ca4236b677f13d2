# SPDX-License-Identifier: Apache-2.0
"""Every rule of the resume guard (run-journal.md, "The resume guard")."""

from __future__ import annotations

import itertools

import msgspec
import pytest

from tenuto import fingerprint, guard
from tenuto.fingerprint import Fingerprint
from tenuto.records import Terminal

NEUTRAL = Fingerprint("anthropic", "m", "s3", "t3", "off", 200000, 50)
WIRE = Fingerprint("", "m", "s2", "t2", "off", 200000, 50)
EARLY = Fingerprint("", "m", "s2", "t2-early", "off", 200000, 50)


def changed(base: Fingerprint, **values: str | int) -> Fingerprint:
    return msgspec.structs.replace(base, **values)


def test_the_same_configuration_resumes() -> None:
    verdict = guard.check(NEUTRAL, NEUTRAL, version=3)
    assert verdict.resumable
    assert verdict.allowed
    assert verdict.equal
    assert verdict.reason is None
    assert not verdict.forced
    assert [row.field for row in verdict.rows] == list(fingerprint.FIELDS)


@pytest.mark.parametrize("reason", ["suspended", "error", "budget", "max_iterations", None])
def test_every_other_end_can_go_on(reason: str | None) -> None:
    terminal = None if reason is None else Terminal(reason)
    assert guard.check(NEUTRAL, NEUTRAL, version=3, terminal=terminal).allowed


def test_a_completed_run_is_refused_and_force_does_not_help() -> None:
    verdict = guard.check(NEUTRAL, NEUTRAL, version=3, terminal=Terminal("completed"), force=True)
    assert (verdict.reason, verdict.resumable, verdict.forceable) == ("completed", False, False)
    assert not verdict.allowed
    assert verdict.equal


def test_completed_comes_before_what_else_is_wrong() -> None:
    verdict = guard.check(
        NEUTRAL,
        changed(NEUTRAL, provider="scripted", model="x"),
        version=3,
        terminal=Terminal("completed"),
        as_chat=True,
    )
    assert verdict.reason == "completed"


def test_another_provider_is_refused_and_force_does_not_help() -> None:
    verdict = guard.check(NEUTRAL, changed(NEUTRAL, provider="scripted"), version=3, force=True)
    assert (verdict.reason, verdict.forceable, verdict.allowed) == ("provider", False, False)
    assert "anthropic" in verdict.message
    assert "scripted" in verdict.message


@pytest.mark.parametrize("version", [1, 2])
def test_an_old_run_belongs_to_anthropic(version: int) -> None:
    assert guard.check(WIRE, NEUTRAL, version=version, wire=[WIRE]).allowed
    scripted = changed(WIRE, provider="scripted")
    verdict = guard.check(WIRE, changed(NEUTRAL, provider="scripted"), version=2, wire=[scripted])
    assert verdict.reason == "provider"


@pytest.mark.parametrize("interactive", [False, True])
def test_a_run_resumes_only_as_what_it_is(interactive: bool) -> None:
    verdict = guard.check(
        NEUTRAL,
        NEUTRAL,
        version=3,
        interactive=interactive,
        as_chat=not interactive,
        force=True,
    )
    assert (verdict.reason, verdict.forceable, verdict.allowed) == ("mode", False, False)
    for same in (None, interactive):
        assert guard.check(
            NEUTRAL, NEUTRAL, version=3, interactive=interactive, as_chat=same
        ).allowed


@pytest.mark.parametrize(
    ("field", "value", "line"),
    [
        ("model", "m2", "model: m -> m2"),
        ("system_hash", "x", "system prompt: changed"),
        ("tools_hash", "x", "tool set: changed"),
        ("thinking_mode", "summarized", "thinking: off -> summarized"),
        ("max_tokens", 1, "token budget: 200000 -> 1"),
        ("max_iterations", 7, "iteration budget: 50 -> 7"),
    ],
)
def test_any_other_difference_is_refused_until_forced(
    field: str, value: str | int, line: str
) -> None:
    now = changed(NEUTRAL, **{field: value})
    verdict = guard.check(NEUTRAL, now, version=3)
    assert (verdict.reason, verdict.resumable, verdict.forceable) == ("configuration", False, True)
    assert not verdict.allowed
    assert verdict.message.splitlines()[1:] == [line]
    forced = guard.check(NEUTRAL, now, version=3, force=True)
    assert forced.allowed
    assert forced.forced
    assert [warning.kind for warning in forced.warnings] == ["forced"]


def test_there_is_one_line_for_each_changed_field() -> None:
    verdict = guard.check(NEUTRAL, changed(NEUTRAL, model="b", system_hash="x"), version=3)
    assert verdict.message.splitlines()[1:] == ["model: m -> b", "system prompt: changed"]


#: Another value for each field, and its line; the provider has none, it is refused by itself.
OTHERS: dict[str, tuple[str | int, str]] = {
    "provider": ("scripted", ""),
    "model": ("m2", "model: m -> m2"),
    "system_hash": ("x", "system prompt: changed"),
    "tools_hash": ("x", "tool set: changed"),
    "thinking_mode": ("summarized", "thinking: off -> summarized"),
    "max_tokens": (1, "token budget: 200000 -> 1"),
    "max_iterations": (7, "iteration budget: 50 -> 7"),
}


@pytest.mark.parametrize("pair", list(itertools.combinations(fingerprint.FIELDS, 2)), ids="-".join)
@pytest.mark.parametrize("force", [False, True], ids=["plain", "forced"])
def test_two_differences_at_once(pair: tuple[str, str], force: bool) -> None:
    now = changed(NEUTRAL, **{field: OTHERS[field][0] for field in pair})
    verdict = guard.check(NEUTRAL, now, version=3, force=force)
    assert tuple(row.field for row in verdict.changes) == pair
    assert not verdict.resumable
    if "provider" in pair:
        assert (verdict.reason, verdict.forceable, verdict.allowed) == ("provider", False, False)
        assert "anthropic" in verdict.message
        assert "scripted" in verdict.message
        return
    assert (verdict.reason, verdict.forceable) == ("configuration", True)
    assert verdict.message.splitlines()[1:] == [OTHERS[field][1] for field in pair]
    assert (verdict.allowed, verdict.forced) == (force, force)


def test_force_without_a_difference_is_no_force() -> None:
    verdict = guard.check(NEUTRAL, NEUTRAL, version=3, force=True)
    assert verdict.allowed
    assert not verdict.forced
    assert verdict.warnings == []


def test_old_hashes_are_compared_in_their_own_form() -> None:
    verdict = guard.check(WIRE, NEUTRAL, version=2, wire=[WIRE])
    assert verdict.equal
    assert verdict.current == WIRE
    assert guard.check(NEUTRAL, NEUTRAL, version=3, wire=[WIRE]).current == NEUTRAL
    # A version 3 journal that never was an old one has no business with the wire form.
    assert not guard.check(WIRE, NEUTRAL, version=3, wire=[WIRE]).equal


def test_an_early_build_of_version_2_matches_too() -> None:
    assert guard.check(EARLY, NEUTRAL, version=2, wire=[WIRE, EARLY]).equal
    other = guard.check(changed(WIRE, tools_hash="?"), NEUTRAL, version=2, wire=[WIRE, EARLY])
    assert [row.field for row in other.changes] == ["tools_hash"]
    assert other.current == WIRE


@pytest.mark.parametrize(
    "saved", [NEUTRAL, changed(WIRE, provider="anthropic"), changed(EARLY, provider="anthropic")]
)
def test_an_upgraded_journal_is_compared_in_both_forms(saved: Fingerprint) -> None:
    assert guard.check(saved, NEUTRAL, version=3, wire=[WIRE, EARLY], has_backup=True).equal
    now = changed(NEUTRAL, model="b")
    verdict = guard.check(
        saved,
        now,
        version=3,
        wire=[changed(WIRE, model="b"), changed(EARLY, model="b")],
        has_backup=True,
    )
    assert [row.field for row in verdict.changes] == ["model"]


def test_a_pause_at_a_server_tool_is_a_warning() -> None:
    paused = guard.check(NEUTRAL, NEUTRAL, version=3, last_stop_reason="pause_turn")
    assert [warning.kind for warning in paused.warnings] == ["server_state"]
    assert paused.allowed
    assert not guard.check(
        NEUTRAL, NEUTRAL, version=3, last_stop_reason="pause_turn", pending=True
    ).warnings
    assert not guard.check(NEUTRAL, NEUTRAL, version=3, last_stop_reason="tool_use").warnings


def test_the_json_form() -> None:
    verdict = guard.check(WIRE, NEUTRAL, version=2, wire=[changed(WIRE, tools_hash="now")])
    found = verdict.as_json({"tools_hash": [{"change": "added", "name": "x"}]})
    assert list(found) == [
        "equal", "resumable", "forceable", "reason", "saved", "current", "rows",
    ]  # fmt: skip
    assert (found["equal"], found["resumable"], found["forceable"]) == (False, False, True)
    assert found["saved"]["provider"] == "anthropic"
    assert found["rows"][3] == {
        "field": "tools_hash",
        "saved": "t2",
        "current": "now",
        "changed": True,
        "details": [{"change": "added", "name": "x"}],
    }
    assert found["rows"][0]["details"] == []
