# SPDX-License-Identifier: Apache-2.0
"""Known configurations, and which of them fits a run."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tenuto.agent import seen
from tenuto.agent.config import load_config, resolve
from tenuto.agent.resolve import ResolvedAgent
from tests.support import fisk


@pytest.fixture(autouse=True)
def _pantry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fisk.application(tmp_path / "bin")
    fisk.put_on_path(monkeypatch, tmp_path / "bin")


def make(tmp_path: Path, name: str, **changes: Any) -> tuple[Path, ResolvedAgent]:
    path = fisk.configuration(tmp_path / name, **changes)
    return path, resolve(load_config(path))


def count_runs(tmp_path: Path) -> Path:
    """Make the application note each of its runs; the file it notes them in."""
    log = tmp_path / "runs.log"
    log.write_text("")
    fisk.script(
        tmp_path / "bin" / "pantry",
        f"#!/bin/sh\necho x >> '{log}'\nexec cat '{tmp_path}/bin/pantry.document.json'\n",
    )
    return log


def test_the_one_that_matches_is_found(tmp_path: Path) -> None:
    a, agent_a = make(tmp_path, "a.json")
    b, agent_b = make(tmp_path, "b.json", system_prompt="other")
    assert seen.remember(a, agent_a)
    assert seen.remember(b)
    assert seen.matching(agent_a.fingerprint) == [a]
    assert seen.matching(agent_b.fingerprint) == [b]
    other = msgspec.structs.replace(agent_a.fingerprint, model="other")
    assert seen.matching(other) == []


def test_old_and_upgraded_runs_match_in_their_own_form(tmp_path: Path) -> None:
    path, agent = make(tmp_path, "a.json")
    seen.remember(path, agent)
    assert seen.matching(agent.wire_fingerprint, version=2) == [path]
    assert seen.matching(agent.wire_fingerprint, version=3) == []
    assert seen.matching(agent.wire_fingerprint, version=3, has_backup=True) == [path]


def test_the_last_used_comes_first_and_none_twice(tmp_path: Path) -> None:
    paths = [make(tmp_path, f"{name}.json")[0] for name in "abc"]
    for path in [*paths, paths[0]]:
        seen.remember(path)
    assert seen.known() == [paths[0], paths[2], paths[1]]
    fingerprint = resolve(load_config(paths[0])).fingerprint
    assert seen.matching(fingerprint) == [paths[0], paths[2], paths[1]]
    seen.forget(paths[2])
    assert seen.known() == [paths[0], paths[1]]


def test_asking_again_runs_nothing(tmp_path: Path) -> None:
    log = count_runs(tmp_path)
    path, agent = make(tmp_path, "a.json")
    log.write_text("")
    seen.remember(path)
    assert seen.matching(agent.fingerprint) == [path]
    assert log.read_text() == "x\n"
    for _ in range(3):
        assert seen.matching(agent.fingerprint) == [path]
    assert log.read_text() == "x\n"


def test_what_was_resolved_already_is_not_resolved_again(tmp_path: Path) -> None:
    log = count_runs(tmp_path)
    path, agent = make(tmp_path, "a.json")
    log.write_text("")
    seen.remember(path, agent)
    assert seen.matching(agent.fingerprint) == [path]
    assert log.read_text() == ""


@pytest.mark.parametrize("what", ["file", "own keys", "application"])
def test_a_change_is_noticed(tmp_path: Path, what: str) -> None:
    path, agent = make(tmp_path, "a.json")
    seen.remember(path, agent)
    assert seen.matching(agent.fingerprint) == [path]
    if what == "file":
        fisk.configuration(path, system_prompt="another prompt")
    elif what == "own keys":
        own = '{"commands": [{"name": "t", "command": ["true"]}]}'
        (tmp_path / "a.tenuto.yaml").write_text(own)
    else:
        fisk.script(
            tmp_path / "bin" / "pantry",
            "#!/bin/sh\n# changed\n"
            'echo \'{"commands":[{"name":"x","restricted_schema":{"type":"object"}}]}\'\n',
        )
    assert seen.matching(agent.fingerprint) == []
    assert seen.matching(resolve(load_config(path)).fingerprint) == [path]


def test_missing_and_broken_ones_are_skipped_and_come_back(tmp_path: Path) -> None:
    path, agent = make(tmp_path, "a.json")
    seen.remember(path, agent)
    content = path.read_text()
    path.unlink()
    assert seen.matching(agent.fingerprint) == []
    assert seen.known() == []
    path.write_text("{")
    assert seen.matching(agent.fingerprint) == []
    path.write_text(content)
    assert seen.matching(agent.fingerprint) == [path]


def test_the_list_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seen, "MOST", 3)
    paths = [make(tmp_path, f"{number}.json")[0] for number in range(5)]
    for path in paths:
        seen.remember(path)
    assert seen.known() == paths[:1:-1]


@pytest.mark.parametrize("content", [b"", b"{", b'{"configs":3}', b"\xff\xfe", b"[]"])
def test_a_broken_list_begins_anew(tmp_path: Path, home: Path, content: bytes) -> None:
    folder = home / ".local/share/tenuto"
    folder.mkdir(parents=True)
    (folder / "known_configs.json").write_bytes(content)
    path, agent = make(tmp_path, "a.json")
    assert seen.known() == []
    assert seen.remember(path, agent)
    assert seen.known() == [path]
    assert stat.S_IMODE((folder / "known_configs.json").stat().st_mode) == 0o600


def test_a_folder_that_cannot_be_used_is_no_error(tmp_path: Path) -> None:
    path, agent = make(tmp_path, "a.json")
    (tmp_path / "file").write_text("x")
    directory = tmp_path / "file" / "d"
    assert not seen.remember(path, agent, directory=directory)
    assert seen.matching(agent.fingerprint, directory=directory) == []
    assert seen.known(directory=directory) == []
    assert os.listdir(tmp_path)
