# SPDX-License-Identifier: Apache-2.0
"""``tenuto config check``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tenuto.agent import seen
from tenuto.cli.main import main
from tests.support import fisk

REAL: list[dict[str, Any]] = json.loads((fisk.FISK_REAL / "fingerprints.json").read_bytes())


@pytest.fixture(autouse=True)
def _applications(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pantry", "depot"):
        fisk.application(tmp_path / "bin", name)
    fisk.put_on_path(monkeypatch, tmp_path / "bin")


@pytest.mark.parametrize("row", REAL, ids=lambda row: row["name"])
def test_json(row: dict[str, Any], tmp_path: Path, capsysbinary: Any) -> None:
    path = tmp_path / "agent.yaml"
    path.write_text(json.dumps(row["config"]), "utf-8")
    code = main(["config", "check", str(path), "--json"])
    found = json.loads(capsysbinary.readouterr().out)
    keys = ["ok", "errors", "warnings", "warning_parts", "fingerprint", "tools"]
    assert list(found) == keys
    assert found["ok"] is row["accepted"]
    assert code == (0 if row["accepted"] else 2)
    if not row["accepted"]:
        ((error),) = found["errors"]
        assert list(error) == ["line", "column", "key", "message", "sentence", "facts"]
        assert error["key"] == "system_prompt"
        assert (found["fingerprint"], found["tools"]) == (None, [])
        return
    assert found["errors"] == found["warnings"] == []
    assert found["fingerprint"] == row["fingerprint"]
    names = [name for name in row["sent_tools"] if name != "tool_search_tool_bm25"]
    assert [tool["name"] for tool in found["tools"]] == names
    assert {tuple(tool) for tool in found["tools"]} == {
        ("name", "description", "input_schema", "defer_loading", "confirm", "source")
    }
    assert {tool["source"] for tool in found["tools"]} == {"application"}
    assert {tool["name"] for tool in found["tools"] if tool["confirm"]} <= {
        "stock_remove",
        "parcel_lose",
    }
    assert seen.known() == [path]


def test_every_problem_by_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "agent.yaml"
    path.write_text("identity: a\nllm: {model: m, nope: 1}\nmod\x1bel: 2\n".replace("\x1b", ""))
    assert main(["config", "check", str(path)]) == 2
    lines = capsys.readouterr().out.splitlines()
    assert [line.removeprefix(f"{path}:").split(":")[:2] for line in lines[:-1]] == [
        ["1", "1"],
        ["2", "17"],
        ["3", "1"],
    ]
    assert lines[-1] == "3 problems: this configuration cannot be used"


def test_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = fisk.configuration(
        tmp_path / "a.json", application_path="depot", harness={"memory": {"enabled": True}}
    )
    assert main(["config", "check", str(path)]) == 0
    out = capsys.readouterr().out
    assert "16 tools" in out
    assert "parcel_lose" in out
    assert "asks first (ai:confirm), found by search" in out
    assert "warning: harness.memory" in out
    assert "Tags:" not in out


def test_nothing_from_a_file_acts_on_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = {
        "commands": [
            {
                "name": "x\x1b[31m",
                "help": "\x9b31m\u202eevil",
                "tags": ["ai:confirm"],
                "restricted_schema": {"type": "object"},
            }
        ]
    }
    fisk.application(tmp_path / "bin", "pantry", json.dumps(document).encode())
    path = fisk.configuration(tmp_path / "a.json", llm={"model": "m\x1b]0;x\x07"})
    assert main(["config", "check", str(path)]) == 0
    out = capsys.readouterr().out
    assert not {"\x1b", "\x9b", "\u202e", "\x07"} & set(out)


@pytest.mark.parametrize("as_json", [False, True])
def test_a_backend_that_is_not_there_is_listed_and_refused(
    tmp_path: Path, capsysbinary: Any, as_json: bool
) -> None:
    path = fisk.configuration(
        tmp_path / "a.json",
        harness={"sessions": {"backend": "jetstream", "options": {"stream": "S"}}},
    )
    assert main(["config", "check", str(path), *(["--json"] if as_json else [])]) == 2
    out = capsysbinary.readouterr().out
    assert b"jetstream" in out
    assert REAL[0]["fingerprint"]["tools_hash"].encode() in out
    if as_json:
        found = json.loads(out)
        assert (found["ok"], len(found["tools"]), len(found["errors"])) == (False, 5, 1)


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "check", str(tmp_path / "none.yaml")]) == 2
    assert "No such file" in capsys.readouterr().out


def test_no_tools(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = fisk.configuration(tmp_path / "a.json", application_path=None)
    assert main(["config", "check", str(path)]) == 0
    assert "no tools" in capsys.readouterr().out
