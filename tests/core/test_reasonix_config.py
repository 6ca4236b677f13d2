# SPDX-License-Identifier: Apache-2.0
"""Reasonix's own configuration as one to resume with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tenuto.agent.config import load_config
from tenuto.agent.reasonix_config import find
from tenuto.agent.schema import AgentConfig
from tenuto.errors import ConfigError
from tenuto.settings import Settings, save

WHOLE = """
config_version = 3
default_model = "deepseek/v4-pro"

[agent]
temperature = 0.0
cold_resume_prune = false

[[providers]]
name = "other"
kind = "anthropic"
base_url = "https://other.example"
model = "one"
api_key_env = "OTHER_KEY"

[[providers]]
name = "deepseek"
kind = "openai"
base_url = "https://api.deepseek.example"
models = ["v4-flash", "v4-pro"]
default = "v4-flash"
api_key_env = "DEEPSEEK_API_KEY"
context_window = 128000

[[plugins]]
name = "x"
"""


def loaded(folder: Path, text: str) -> AgentConfig:
    path = folder / "config.toml"
    path.write_text(text)
    return load_config(path)


def test_model_endpoint_and_key_are_taken(tmp_path: Path) -> None:
    config = loaded(tmp_path, WHOLE)
    own = config.tenuto
    assert (config.llm.provider, config.llm.model) == ("openai", "v4-pro")
    assert (own.base_url, own.api_key_env) == ("https://api.deepseek.example", "DEEPSEEK_API_KEY")
    assert (own.context_window, own.cold_resume_hours) == (128000, 0)
    assert config.credentials == ("DEEPSEEK_API_KEY",)
    assert config.path == tmp_path / "config.toml"


@pytest.mark.parametrize(
    ("named", "found"),
    [
        ("deepseek", ("openai", "v4-flash")),
        ("other", ("anthropic", "one")),
        ("v4-pro", ("openai", "v4-pro")),
        ("", ("anthropic", "one")),
    ],
)
def test_which_model_is_meant(tmp_path: Path, named: str, found: tuple[str, str]) -> None:
    config = loaded(tmp_path, WHOLE.replace("deepseek/v4-pro", named))
    assert (config.llm.provider, config.llm.model) == found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "names no model"),
        ("a = ", "not TOML"),
        ("default_model = 1", "default_model"),
        (WHOLE.replace("deepseek/v4-pro", "nobody"), "which no provider has"),
        (WHOLE.replace('"openai"', '"gemini"'), "no provider of the kind 'gemini'"),
        (WHOLE.replace("https://api.", "ftp://api."), "must begin with http"),
    ],
)
def test_what_cannot_be_used_is_said(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        loaded(tmp_path, text)
    assert words in caught.value.message
    assert caught.value.fields["problems"]


def test_it_is_looked_for_where_reasonix_keeps_it(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert find() is None
    old = home / ".config" / "reasonix" / "config.toml"
    old.parent.mkdir(parents=True)
    old.write_text(WHOLE)
    assert find() == old
    new = home / ".reasonix" / "config.toml"
    new.parent.mkdir()
    new.write_text(WHOLE)
    assert find() == new
    monkeypatch.setenv("REASONIX_HOME", str(home / "elsewhere"))
    assert find() == old


def test_a_session_of_another_home_goes_on_with_what_is_configured_there(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = home / ".reasonix" / "config.toml"
    own.parent.mkdir()
    own.write_text(WHOLE)
    session = "projects/-srv-app/sessions/20260601-101010.000000001-m.jsonl"
    other = home / "copied" / "config.toml"
    assert find(str(own.parent / session)) == own
    assert find(str(home / "alone.jsonl")) == own
    assert find(str(other.parent / session)) is None
    save(Settings(reasonix_dir=str(other.parent)))
    assert find(str(other.parent / session)) == own, "the settings make it this user's own"
    other.parent.mkdir()
    other.write_text(WHOLE)
    assert find(str(other.parent / session)) == other
    monkeypatch.setenv("REASONIX_STATE_HOME", str(other.parent))
    assert find(str(other.parent / session)) == own
