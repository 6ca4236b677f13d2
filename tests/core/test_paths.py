# SPDX-License-Identifier: Apache-2.0
"""Folders: XDG variables, and the precedence of the runs folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tenuto import paths
from tenuto.settings import Settings


def test_xdg_variables_are_followed(home: Path) -> None:
    assert paths.data_dir() == home / ".local/share/tenuto"
    assert paths.config_dir() == home / ".config/tenuto"
    assert paths.cache_dir() == home / ".cache/tenuto"
    assert paths.trash_dir() == home / ".local/share/tenuto/trash"
    assert paths.runs_dir() == home / ".local/state/fisk-ai/runs"


@pytest.mark.parametrize("value", ["", "relative/folder", "."])
def test_a_variable_that_is_not_absolute_counts_as_unset(
    value: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, value)
    assert paths.data_dir() == home / ".local/share/tenuto"
    assert paths.config_dir() == home / ".config/tenuto"
    assert paths.cache_dir() == home / ".cache/tenuto"
    assert paths.runs_dir() == home / ".local/state/fisk-ai/runs"


def test_precedence_of_the_runs_folder(tmp_path: Path, home: Path) -> None:
    settings = Settings(runs_dir=str(tmp_path / "settings"))
    assert paths.runs_dir(tmp_path / "a", tmp_path / "b", settings) == tmp_path / "a"
    assert paths.runs_dir(None, tmp_path / "b", settings) == tmp_path / "b"
    assert paths.runs_dir("", "", settings) == tmp_path / "settings"
    assert paths.runs_dir(None, None, Settings()) == home / ".local/state/fisk-ai/runs"


def test_a_runs_folder_is_absolute_and_expanded(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert paths.runs_dir("runs/../other") == tmp_path / "other"
    assert paths.runs_dir("~/runs") == home / "runs"


def test_nothing_is_created(home: Path) -> None:
    before = sorted(home.rglob("*"))
    paths.data_dir(), paths.config_dir(), paths.cache_dir(), paths.runs_dir(), paths.trash_dir()
    assert sorted(home.rglob("*")) == before


def test_the_listing_path_does_not_load_platformdirs(home: Path) -> None:
    code = "import sys; from tenuto import paths; paths.runs_dir(); print(*sys.modules)"
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=dict(os.environ)
    )
    assert found.returncode == 0, found.stderr
    assert "platformdirs" not in found.stdout.split()
