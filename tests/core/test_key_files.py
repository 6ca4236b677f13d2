# SPDX-License-Identifier: Apache-2.0
"""A model's key out of Reasonix's ``.env`` files: that key, and nothing else of them."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenuto.agent.config import load_config
from tenuto.agent.providers.credentials import find_key
from tenuto.agent.providers.keyfiles import key_in
from tenuto.agent.providers.make import make_provider
from tenuto.errors import ProviderError
from tests.core.test_reasonix_config import WHOLE


def env(folder: Path, text: str, name: str = ".env") -> Path:
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("KEY=sk-1", "sk-1"),
        ("  export KEY = sk-1  ", "sk-1"),
        ("KEY='sk 1 # kept'", "sk 1 # kept"),
        ('KEY="s\\"k" # not kept', 's"k'),
        ("KEY=sk-1 # said by me", "sk-1"),
        ("KEY=sk#1", "sk#1"),
        ("\ufeffKEY=sk-1", "sk-1"),
        ("KEY=first\nOTHER=x\nKEY=last", "last"),
        ("KEY=sk-1\r\nOTHER=x\r\n", "sk-1"),
        ("KEY=", None),
        ("KEY= # nothing", None),
        ("# KEY=sk-1", None),
        ("KEYS=sk-1\nMY_KEY=sk-2\nkey=sk-3", None),
        ("KEY", None),
        ("", None),
    ],
)
def test_a_line_of_a_file_of_keys(tmp_path: Path, line: str, value: str | None) -> None:
    assert key_in(env(tmp_path, line), "KEY") == value


@given(st.text(st.characters(codec="utf-8", exclude_characters="'\r\n\0"), min_size=1))
def test_a_quoted_value_is_what_it_says(
    tmp_path_factory: pytest.TempPathFactory, value: str
) -> None:
    path = tmp_path_factory.mktemp("k") / ".env"
    path.write_bytes(f"A=1\nKEY='{value}'\nB=2\n".encode())
    kept = "".join(value.splitlines()) == value
    assert key_in(path, "KEY") == value or not kept


@given(st.binary(max_size=200))
def test_any_file_is_read_without_a_word(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.mktemp("k") / ".env"
    path.write_bytes(data)
    found = key_in(path, "KEY")
    assert found is None or b"KEY" in data


def test_what_is_no_plain_file_gives_none(tmp_path: Path) -> None:
    assert key_in(tmp_path / "none", "KEY") is None
    assert key_in(tmp_path, "KEY") is None
    os.mkfifo(tmp_path / "fifo")
    assert key_in(tmp_path / "fifo", "KEY") is None
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "s"))
        assert key_in(tmp_path / "s", "KEY") is None
    large = env(tmp_path, "KEY=sk-1\n" + "#" * (1 << 20), "large")
    assert key_in(large, "KEY") is None


def test_the_environment_goes_first_then_file_by_file(tmp_path: Path) -> None:
    files = (env(tmp_path, "A=1\nKEY=one", "a"), tmp_path / "none", env(tmp_path, "B=two", "b"))
    assert find_key("openai", ("KEY",), {"KEY": "own"}, files) == ("KEY", "own")
    assert find_key("openai", ("KEY", "B"), {}, files) == ("KEY", "one")
    assert find_key("openai", ("B",), {}, files) == ("B", "two")


def test_reasonix_own_file_goes_before_the_users(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DEEPSEEK_API_KEY", raising=False)
    folder = home / ".reasonix"
    folder.mkdir()
    (folder / "config.toml").write_text(WHOLE)
    config = load_config(folder / "config.toml")
    with pytest.raises(ProviderError) as caught:
        make_provider(config)
    assert str(folder / ".env") in caught.value.message
    before = dict(os.environ)
    for where, text, name, key in (
        (home, "DEEPSEEK_API_KEY=sk-user", ".env", "sk-user"),
        (folder, "DEEPSEEK_API_KEY=sk-early", "credentials", "sk-early"),
        (folder, "OTHER_KEY=sk-other\nDEEPSEEK_API_KEY=sk-own", ".env", "sk-own"),
    ):
        env(where, text, name)
        provider = make_provider(config)
        assert find_key("x", ("DEEPSEEK_API_KEY",), {}, config.key_files)[1] == key
        assert key not in repr(provider)
        assert key not in repr(config)
    # No tool sees any of it, asked for or not.
    assert dict(os.environ) == before
    assert "sk-" not in str(config.tool_environment())


def test_a_projects_file_is_not_asked(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DEEPSEEK_API_KEY", raising=False)
    (home / ".reasonix").mkdir()
    (home / ".reasonix" / "config.toml").write_text(WHOLE)
    (tmp_path / "project").mkdir()
    env(tmp_path / "project", "DEEPSEEK_API_KEY=sk-theirs")
    monkeypatch.chdir(tmp_path / "project")
    with pytest.raises(ProviderError):
        make_provider(load_config(home / ".reasonix" / "config.toml"))
