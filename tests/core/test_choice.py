# SPDX-License-Identifier: Apache-2.0
"""Which configuration a run goes on with when nobody names one."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from tenuto.agent import choice, seen
from tenuto.agent.config import load_config, resolve
from tenuto.errors import NotAFile
from tenuto.paths import default_runs_dir
from tenuto.payloads import Meta
from tenuto.runs import notes
from tenuto.runs.file import FileRunStore
from tenuto.settings import Settings
from tests.support import fisk


@pytest.fixture
def known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration that Tenuto has met, and the run ``a`` that was saved under it."""
    fisk.application(tmp_path / "bin")
    fisk.put_on_path(monkeypatch, tmp_path / "bin")
    path = fisk.configuration(tmp_path / "agent.json")
    agent = resolve(load_config(path))
    seen.remember(path, agent)
    fingerprint = msgspec.to_builtins(agent.fingerprint)
    meta = {"version": 3, "run_id": "a", "prompt": "hello", "fingerprint": fingerprint}
    FileRunStore(tmp_path / "runs").create("a", {"created": "2026-01-01T00:00:00Z", **meta}).close()
    return path


def test_a_run_without_notes_gets_the_configuration_that_matches(
    tmp_path: Path, known: Path
) -> None:
    assert choice.last_used(tmp_path / "runs", "a") is None
    assert choice.configuration_for(tmp_path / "runs", "a") == str(known)


def test_the_last_used_one_comes_first_while_it_is_there(tmp_path: Path, known: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text("{}")
    notes.update(tmp_path / "runs", "a", config=str(other))
    assert choice.configuration_for(tmp_path / "runs", "a") == str(other)
    other.unlink()
    assert choice.configuration_for(tmp_path / "runs", "a") == str(known)


def test_damage_behind_the_first_record_hides_no_match(tmp_path: Path, known: Path) -> None:
    with (tmp_path / "runs" / "a.json").open("ab") as journal:
        journal.write(b"garbage\n\n")
    assert choice.matching(tmp_path / "runs", "a") == str(known)


@pytest.mark.parametrize("content", [b"", b"\n", b"garbage\n"])
def test_without_a_first_record_nothing_matches(
    tmp_path: Path, known: Path, content: bytes
) -> None:
    (tmp_path / "runs" / "a.json").write_bytes(content)
    assert choice.matching(tmp_path / "runs", "a") is None


def test_another_fingerprint_matches_nothing(tmp_path: Path, known: Path) -> None:
    journal = tmp_path / "runs" / "a.json"
    meta = FileRunStore(tmp_path / "runs").load("a")[0].payload
    assert isinstance(meta, Meta)
    model = meta.fingerprint.model.encode()
    journal.write_bytes(journal.read_bytes().replace(b'"' + model + b'"', b'"another-model"'))
    assert choice.configuration_for(tmp_path / "runs", "a") is None


def test_a_pipe_under_a_journals_name_holds_nobody(tmp_path: Path, known: Path) -> None:
    os.mkfifo(tmp_path / "runs" / "pipe.json")
    with pytest.raises(NotAFile):
        choice.matching(tmp_path / "runs", "pipe")


def test_where_a_resume_looks_that_names_no_folder(tmp_path: Path, known: Path) -> None:
    in_settings = Settings(runs_dir=str(tmp_path / "settings"))
    assert choice.runs_dir_with(str(known), Settings()) == default_runs_dir()
    assert choice.runs_dir_with(str(known), in_settings) == tmp_path / "settings"
    agent = msgspec.json.decode(known.read_bytes())
    agent.setdefault("harness", {})["sessions"] = {
        "backend": "file",
        "options": {"directory": "kept"},
    }
    named = known.with_name("named.json")
    named.write_bytes(msgspec.json.encode(agent))
    assert choice.runs_dir_with(str(named), in_settings) == tmp_path / "kept"
    named.write_text("harness: [")
    assert choice.runs_dir_with(str(named), in_settings) is None
