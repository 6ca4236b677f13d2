# SPDX-License-Identifier: Apache-2.0
"""Agent configurations as a test writes them down, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tenuto.agent.config import load_config
from tenuto.agent.schema import AgentConfig
from tenuto.errors import ConfigError

MINIMAL = "identity: a\nsystem_prompt: be brief\nllm: {model: m}\n"


def load(folder: Path, text: str, own: str | None = None) -> AgentConfig:
    """``agent.yaml`` with this text, and with Tenuto's own keys in its second file."""
    path = folder / "agent.yaml"
    path.write_text(text, "utf-8")
    if own is not None:
        (folder / "agent.tenuto.yaml").write_text(own, "utf-8")
    return load_config(path)


def problems(folder: Path, text: str, own: str | None = None) -> list[tuple[Any, Any, str, str]]:
    """Line, column, key and message of each; the first one is what the error says."""
    with pytest.raises(ConfigError) as caught:
        load(folder, text, own)
    assert caught.value.exit_code == 2
    rows = caught.value.fields["problems"]
    assert rows
    assert rows[0]["message"] in str(caught.value)
    return [(row["line"], row["column"], row["key"], row["message"]) for row in rows]
