# SPDX-License-Identifier: Apache-2.0
"""What a model's side counts is somebody else's number: it must not spoil a journal or a budget."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tenuto.agent.providers.base import Usage
from tests.support.cli import Capture, ask

MOST = 2**63 - 1


@pytest.mark.parametrize(
    ("said", "kept"), [(-5, 0), (0, 0), (7, 7), (MOST, MOST), (MOST + 1, MOST), (10**30, MOST)]
)
def test_a_count_is_kept_within_what_a_journal_can_hold(said: int, kept: int) -> None:
    assert Usage(said, said, said, said) == Usage(kept, kept, kept, kept)
    assert Usage(said).total == kept


@pytest.mark.parametrize("count", [-5, 2**63, 10**30])
def test_a_run_stays_readable_whatever_was_counted(
    tmp_path: Path, capsys: Capture, count: int
) -> None:
    turn = {"text": "Yes.", "usage": {"input": count, "output": count}}
    (tmp_path / "script.json").write_text(json.dumps({"turns": [turn]}))
    config = tmp_path / "agent.yaml"
    config.write_text(
        "identity: a\nsystem_prompt: p\nllm: {model: m, provider: scripted}\n"
        "tenuto: {script: script.json}\n"
    )
    place = ("--state-dir", tmp_path / "runs")
    words = ("run", "--checkpoint", "--name", "r", "--config", config, "Well?")
    assert ask(capsys, *words, *place)[0] == 0
    code, shown = ask(capsys, "session", "show", "r", *place)
    assert (code, shown["error"], shown["status"]) == (0, None, "completed")
    assert shown["state"]["counters"]["in_tokens"] >= 0
