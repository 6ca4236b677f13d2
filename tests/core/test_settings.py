# SPDX-License-Identifier: Apache-2.0
"""Settings: bad values stop nothing, unknown keys survive, a write is whole or not at all."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenuto import settings as module
from tenuto.settings import Settings, load, save

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def test_no_file_is_the_defaults(home: Path) -> None:
    loaded = load()
    assert loaded.settings == Settings()
    assert loaded.problems == []
    assert list((home / ".config").rglob("*")) == []


def test_saved_settings_come_back(home: Path) -> None:
    chosen = Settings(runs_dir="/var/runs", theme="dark", notifications=False)
    save(chosen)
    assert load().settings == chosen
    file = home / ".config/tenuto/settings.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert json.loads(file.read_text()) == {
        "schema": 1, "runs_dir": "/var/runs", "theme": "dark", "notifications": False,
    }  # fmt: skip


def test_a_bad_value_is_its_default_and_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text('{"theme": "pink", "runs_dir": 7, "notifications": "yes", "terminal": "xterm"}')
    loaded = load(file)
    assert loaded.settings == Settings(terminal="xterm")
    assert sorted(problem.key for problem in loaded.problems) == [
        "notifications", "runs_dir", "theme",
    ]  # fmt: skip
    assert all(problem.reason for problem in loaded.problems)


@pytest.mark.parametrize("key", ["runs_dir", "reasonix_dir"])
@pytest.mark.parametrize("value", ["a\0b", "/a\0b", "relative/folder", "~no-such-user-here/x", " "])
def test_what_names_no_folder_is_reported(tmp_path: Path, key: str, value: str) -> None:
    """Else a command ends with a traceback, or looks somewhere else in each folder."""
    file = tmp_path / "settings.json"
    file.write_text(json.dumps({key: value, "text_size": 120}))
    loaded = load(file)
    assert getattr(loaded.settings, key) == ""
    assert loaded.settings.text_size == 120
    assert [problem.key for problem in loaded.problems] == [key]


@pytest.mark.parametrize("value", ["", "~", "~/runs", os.sep])
def test_a_folder_may_be_named_from_home(tmp_path: Path, value: str) -> None:
    file = tmp_path / "settings.json"
    file.write_text(json.dumps({"runs_dir": value}))
    assert load(file).settings.runs_dir == value
    assert load(file).problems == []


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[1]", b"null", b"\xff\xfe", b'{"theme": NaN}', b"[" * 100_000]
)
def test_a_file_that_is_no_object_is_reported_whole(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "settings.json"
    file.write_bytes(content)
    loaded = load(file)
    assert loaded.settings == Settings()
    assert [problem.key for problem in loaded.problems] == [""]
    assert file.read_bytes() == content


def test_a_file_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    loaded = load(tmp_path)
    assert loaded.settings == Settings()
    assert [problem.key for problem in loaded.problems] == [""]


def test_unknown_keys_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text('{"schema": 9, "theme": "dark", "from_the_future": {"a": [1]}}')
    loaded = load(file)
    assert loaded.settings == Settings(theme="dark")
    save(Settings(theme="light"), file, unknown=loaded.unknown)
    assert json.loads(file.read_text()) == {
        "schema": 9, "theme": "light", "from_the_future": {"a": [1]},
    }  # fmt: skip


@given(
    content=st.dictionaries(st.sampled_from(Settings.__struct_fields__) | st.text(), json_values)
)
def test_no_content_stops_a_load(tmp_path_factory: pytest.TempPathFactory, content: object) -> None:
    file = tmp_path_factory.mktemp("settings") / "settings.json"
    file.write_text(json.dumps(content), encoding="utf-8", errors="surrogatepass")
    loaded = load(file)
    save(loaded.settings, file, unknown=loaded.unknown)
    again = load(file)
    assert again.settings == loaded.settings
    assert again.problems == []
    assert again.unknown.keys() == loaded.unknown.keys()


def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "settings.json"
    save(Settings(theme="dark"), file)

    def fail(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module.os, "fsync", fail)
    with pytest.raises(OSError, match="No space"):
        save(Settings(theme="light"), file)
    assert load(file).settings == Settings(theme="dark")
    assert os.listdir(tmp_path) == ["settings.json"]


def test_a_symlinked_file_stays_a_symlink(tmp_path: Path) -> None:
    target = tmp_path / "dotfiles.json"
    target.write_text("{}")
    link = tmp_path / "settings.json"
    link.symlink_to(target)
    save(Settings(theme="dark"), link)
    assert link.is_symlink()
    assert load(target).settings == Settings(theme="dark")


def test_what_is_no_file_is_not_waited_for(home: Path) -> None:
    file = home / ".config/tenuto/settings.json"
    file.parent.mkdir(parents=True)
    os.mkfifo(file)
    loaded = load()
    assert loaded.settings == Settings()
    assert [problem.key for problem in loaded.problems] == [""]
