# SPDX-License-Identifier: Apache-2.0
"""``tenuto ID`` and ``tenuto FILE``: in which folder the window is opened."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tenuto.cli.main import main
from tenuto.paths import default_runs_dir, samples_dir, settings_file
from tests.support.cli import Capture, suspended, tell


class _Replaced(Exception):
    """This process would be the window now."""


def opened(monkeypatch: pytest.MonkeyPatch, *words: str | Path) -> list[str]:
    """The words that the window is started with, behind its program."""
    lines: list[list[str]] = []

    def replace(_program: str, line: list[str]) -> None:
        lines.append(line)
        raise _Replaced

    monkeypatch.setattr(os, "execv", replace)
    with pytest.raises(_Replaced):
        main([*map(str, words)])
    (line,) = lines
    return line[line.index("tenuto_gui") + 1 :]


def folder(path: Path) -> Path:
    path.mkdir(parents=True, mode=0o700)
    return path


def test_a_run_of_the_usual_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    path = suspended(folder(default_runs_dir()), "tea")
    assert opened(monkeypatch, "tea") == ["tea"]
    assert opened(monkeypatch, path) == [str(path)]


def test_a_run_of_the_folder_in_the_settings(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, tmp_path: Path
) -> None:
    suspended(folder(default_runs_dir()), "there")
    suspended(folder(tmp_path / "elsewhere"), "tea")
    settings_file().parent.mkdir(parents=True)
    settings_file().write_text(json.dumps({"runs_dir": str(tmp_path / "elsewhere")}))
    # The window reads the same settings.
    assert opened(monkeypatch, "tea") == ["tea"]
    code, _out, err = tell(capsys, "there")
    assert (code, "no session is called there" in err) == (2, True)


def test_a_sample_is_shown_among_the_samples(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, tmp_path: Path
) -> None:
    samples = folder(samples_dir() / "runs")
    suspended(samples, "tea")
    assert opened(monkeypatch, "tea") == ["--state-dir", str(samples), "tea"]
    # One of the operator's own goes before it.
    suspended(folder(default_runs_dir()), "tea")
    assert opened(monkeypatch, "tea") == ["tea"]
    # Where a folder is named, nothing is looked for anywhere else.
    code, _out, err = tell(capsys, "tea", "--state-dir", folder(tmp_path / "empty"))
    assert (code, "no session is called tea" in err) == (2, True)


def test_no_session_is_no_window(capsys: Capture) -> None:
    code, _out, err = tell(capsys, "sesion")
    assert (code, "did you mean session?" in err) == (2, True)
