# SPDX-License-Identifier: Apache-2.0
"""Built-in tools in a configuration: their place, their part in the fingerprint, in deferral."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tenuto.agent.config import load_config, resolve
from tenuto.agent.memory import index
from tenuto.agent.resolve import ResolvedAgent
from tenuto.agent.tools.direct import direct_input
from tests.support import fisk

BOTH = {"human_in_the_loop": {"enabled": True}, "memory": {"enabled": True}}
HUMAN = ["ask_human_confirm", "ask_human_select", "ask_human_input"]
MEMORY = ["memory_list", "memory_read", "memory_write", "memory_delete"]


@pytest.fixture(autouse=True)
def _applications(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fisk.application(tmp_path / "bin")
    fisk.put_on_path(monkeypatch, tmp_path / "bin")


def agent(tmp_path: Path, **more: Any) -> ResolvedAgent:
    return resolve(load_config(fisk.configuration(tmp_path / "a.json", **more)))


def names(resolved: ResolvedAgent) -> list[str]:
    return [tool.name for tool in resolved.tools]


def test_they_come_last_in_a_fixed_order(tmp_path: Path) -> None:
    plain = agent(tmp_path)
    own = {"commands": [{"name": "mine", "command": ["true"]}]}
    found = agent(tmp_path, harness=BOTH, tenuto=own)
    assert names(found) == [*names(plain), "mine", *HUMAN, *MEMORY]
    assert len(found.system_parts) == 3
    assert found.system_parts[0] == plain.system_parts[0]
    assert "ask_human_confirm" in found.system_parts[1]
    assert "memory_list" in found.system_parts[2]
    human = agent(tmp_path, harness={"human_in_the_loop": {"enabled": True}})
    assert names(human) == [*names(plain), *HUMAN]
    hashes = {(r.fingerprint.system_hash, r.fingerprint.tools_hash) for r in (plain, human, found)}
    assert len(hashes) == 3


def test_they_count_for_deferral_and_are_never_deferred(tmp_path: Path) -> None:
    few = agent(tmp_path)
    assert len(few.tools) < 10
    assert not any(tool.definition.defer_loading for tool in few.tools)
    many = agent(tmp_path, harness=BOTH)
    assert len(many.tools) >= 10
    deferred = {tool.name: tool.definition.defer_loading for tool in many.tools}
    # One of the application's asks not to be (ai:no_defer).
    assert [name for name in names(few) if not deferred[name]] == ["stock_list"]
    assert not any(deferred[name] for name in (*HUMAN, *MEMORY))


def test_what_the_memory_holds_is_no_part_of_the_fingerprint(tmp_path: Path) -> None:
    before = agent(tmp_path, harness=BOTH)
    assert index(before.config) is None
    folder = tmp_path / "memory" / before.config.identity
    folder.mkdir(parents=True)
    (folder / "k.md").write_text('---\ndescription: "evil\\u001b[2J \\u202e"\n---\n\nx')
    after = agent(tmp_path, harness=BOTH)
    assert (after.fingerprint, after.system_parts) == (before.fingerprint, before.system_parts)
    shown = index(after.config)
    assert shown is not None
    assert "- k: evil" in shown
    assert not {"\x1b", "\u202e"} & set(shown)
    silent = agent(tmp_path, harness={"memory": {"enabled": True, "no_index": True}})
    assert index(silent.config) is None


def test_which_may_be_repeated_after_a_crash(tmp_path: Path) -> None:
    found = agent(tmp_path, harness=BOTH)
    again = {tool.name for tool in found.tools if tool.read_only and tool.source == "builtin"}
    assert again == {*HUMAN, "memory_list", "memory_read"}


def test_inputs_stay_what_the_model_wrote() -> None:
    assert direct_input("t", b' {"a" : 1.50, "b": "\\u00e4"} ') == '{"a":1.50,"b":"\\u00e4"}'
    for nothing in (b"", b"null", b"{}", b" {} "):
        assert json.loads(direct_input("t", nothing)) == {}
