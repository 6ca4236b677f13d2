# SPDX-License-Identifier: Apache-2.0
"""What is said before a force, and before a budget is spent; what a configuration comes to."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QLabel

from tenuto.runs.notes import Forced
from tenuto.sources.base import Block, PreviewCounters, SessionSummary, blank_summary
from tenuto_gui import i18n
from tenuto_gui.command import Outcome
from tenuto_gui.config_check import checked
from tenuto_gui.diff.model import Comparison, comparison
from tenuto_gui.runs.budget import used_up
from tenuto_gui.runs.force_facts import Fact, Used, facts, used_tools
from tests.gui.driver import Open

FIELDS = (
    "provider model system_hash tools_hash thinking_mode max_tokens max_iterations".split()
)  # fmt: skip


@pytest.fixture(autouse=True)
def _english(qapp: QApplication) -> None:
    i18n.install(qapp, "en")


def compared(changed: dict[str, list[dict[str, Any]]]) -> Comparison:
    rows = [
        {
            "field": field,
            "saved": "a",
            "current": "b" if field in changed else "a",
            "changed": field in changed,
            "details": changed.get(field, []),
        }
        for field in FIELDS
    ]
    found = comparison(
        {"equal": False, "resumable": False, "forceable": True, "reason": "x", "rows": rows}
    )
    assert found is not None
    return found


def call(name: str, result: str | None) -> Block:
    return Block("tool_call", 2, name=name, result=result)


def text(found: Comparison, used: Used, today: set[str] | None, **more: Any) -> str:
    names = None if today is None else frozenset(today)
    lines = facts(found, used, names, more.get("forced", ()), more.get("budgets", ()))
    return "\n".join(f"{line.mono} {line.text}".strip() for line in lines)


def test_calls_are_counted_and_the_open_ones_named() -> None:
    blocks = [call("a", "x"), call("b", None), call("a", None), Block("text", 3, text="a")]
    assert used_tools(blocks) == Used({"a": 2, "b": 1}, ("b", "a"))


def test_tools_that_are_gone_come_before_those_that_changed() -> None:
    details = [
        {"change": "changed", "name": "look", "what": ["schema"]},
        {"change": "removed", "name": "drop"},
        {"change": "added", "name": "new"},
    ]
    found = compared({"tools_hash": details})
    said = text(found, Used({"look": 9, "drop": 1, "keep": 2}, ("drop",)), {"look", "keep", "new"})
    assert said.splitlines()[1:4] == [
        "drop is gone; this run called it 1 time. Its open call cannot be run any more",
        "look is not as it was (input schema); this run called it 9 times",
        "As they were: 1 other tool that it called",
    ]


def test_what_was_never_seen_is_not_called_unchanged() -> None:
    found = compared({"tools_hash": []})
    said = text(found, Used({"look": 1, "drop": 4}), {"look"})
    assert "drop is gone; this run called it 4 times" in said
    assert "Still there: 1 tool that it called; whether anything changed" in said
    assert "As they were" not in said
    # Not even today's tools are known: nothing is claimed about them.
    assert "is gone" not in text(found, Used({"look": 1}), None)


def test_a_tool_set_that_no_call_depends_on() -> None:
    found = compared({"tools_hash": [{"change": "removed", "name": "drop"}]})
    assert "This run has called no tool so far" in text(found, Used({}), set())


@pytest.mark.parametrize(
    ("field", "lost"),
    [
        ("model", True),
        ("system_hash", True),
        ("tools_hash", True),
        ("thinking_mode", True),
        ("max_tokens", False),
        ("max_iterations", False),
    ],
)
def test_the_cache_is_lost_with_what_it_begins_with(field: str, lost: bool) -> None:
    said = text(compared({field: []}), Used({}), set())
    assert ("reads the whole conversation anew" in said) is lost


def test_earlier_forces_latest_first() -> None:
    forced = [
        Forced(f"2026-0{n}-02T10:00:00Z", "/agents/a.yaml", [{"field": "model"}])
        for n in range(1, 8)
    ]
    lines = text(compared({"model": []}), Used({}), set(), forced=forced).splitlines()
    told = [line for line in lines if line.startswith("Forced before")]
    assert len(told) == 5
    assert "2 Jul" in told[0]
    assert told[0].endswith("with /agents/a.yaml: Model")


def summary(tokens: int, turns: int, *, chat: bool = False) -> SessionSummary:
    found = blank_summary("r1", "/runs/r1.json")
    found.counters = PreviewCounters(in_tokens=tokens)
    found.next_iteration = turns
    found.interactive = chat
    return found


LIMITS = {
    "rows": [
        {"field": "max_tokens", "saved": 1, "current": 1000},
        {"field": "max_iterations", "saved": 1, "current": 10},
    ]
}


@pytest.mark.parametrize(
    ("tokens", "turns", "chat", "keys"),
    [
        (999, 9, False, []),
        (1000, 9, False, ["llm.budget.max_tokens"]),
        (5, 10, False, ["llm.budget.max_iterations"]),
        (5, 10, True, []),
        (2000, 20, False, ["llm.budget.max_tokens", "llm.budget.max_iterations"]),
    ],
)
def test_which_key_is_to_be_raised(tokens: int, turns: int, chat: bool, keys: list[str]) -> None:
    found = used_up(summary(tokens, turns, chat=chat), LIMITS)
    assert [each.key for each in found] == keys


def test_an_answer_without_limits_says_nothing() -> None:
    assert used_up(summary(10**9, 10**6), {"error": "config"}) == []
    assert used_up(summary(10**9, 10**6), None) == []


def test_a_check_that_failed_is_a_problem() -> None:
    assert not checked(Outcome(-1, None, "no such program")).ok
    found = checked(Outcome(-1, None, "no such program"))
    assert [each.message for each in found.problems] == ["no such program"]


def test_the_tools_of_a_check_are_fit_to_be_shown() -> None:
    tools = [{"name": "rm\u202e", "description": "Removes.\n\nTags: ai:confirm", "confirm": True}]
    answer = {"ok": True, "tools": tools, "warnings": ["odd\x1b[31m"], "errors": []}
    found = checked(Outcome(0, answer, ""))
    assert found.ok
    assert found.asking == 1
    assert found.tools[0].description == "Removes."
    assert "\u202e" not in found.tools[0].name
    assert "\x1b" not in found.warnings[0]


def test_all_that_a_force_means_is_in_sight(opened: Open) -> None:
    """As far as 60 % of the height goes (look.md); what is more scrolls, the buttons do not."""
    window = opened("one")
    window.until_listed("one")
    window.click("one")
    main, panel = window.window, window.window.resume_flow.force_panel
    main.resize(1280, 800)
    panel.ask("one", "/somewhere/agent.yaml")
    panel.set_facts([Fact("bolt", "text2", f"Fact {n}") for n in range(10)])

    def in_sight() -> list[str]:
        labels = panel.list.findChildren(QLabel)
        seen = [each.text() for each in labels if not each.visibleRegion().isEmpty()]
        return [text for text in seen if text]

    window.until(lambda: in_sight() == [f"Fact {n}" for n in range(10)], "it is cut")
    window.until(lambda: panel.list.verticalScrollBar().maximum() == 0, "it scrolls")
    panel.set_facts([Fact("bolt", "text2", f"Fact {n}") for n in range(60)])
    window.until(lambda: panel.list.verticalScrollBar().maximum() > 0, "it does not scroll")
    for height in (800, 600, 900):
        main.resize(1280, height)
        most = main.detail.height() * 6 // 10
        window.until(lambda most=most: most - 8 <= panel.height() <= most, "not 60 %")
        corner = panel.confirm.mapTo(panel, panel.confirm.rect().bottomRight())
        assert panel.rect().contains(corner), "the button is out of sight"
