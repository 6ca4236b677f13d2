# SPDX-License-Identifier: Apache-2.0
"""What reaches a tool's environment: what is listed, and never a credential."""

from __future__ import annotations

import pytest

from tenuto.agent.environment import is_credential, tool_environment

CURRENT = {
    "PATH": "/bin",
    "HOME": "/home/me",
    "LANG": "C",
    "LC_ALL": "C",
    "XDG_DATA_HOME": "/d",
    "TERM": "dumb",
    "SECRET": "s",
    "ANTHROPIC_API_KEY": "k",
    "anthropic_auth_token": "k",
    "OpenAI_Api_Key": "k",
    "LD_PRELOAD": "x.so",
    "PYTHONPATH": "x",
    "LLMFORMAT": "0",
}


def test_only_what_is_listed_gets_through() -> None:
    assert tool_environment(current=CURRENT) == {
        "PATH": "/bin",
        "HOME": "/home/me",
        "LANG": "C",
        "LC_ALL": "C",
        "XDG_DATA_HOME": "/d",
        "TERM": "dumb",
        "LLMFORMAT": "1",
    }


def test_extras_are_set_or_passed_on() -> None:
    found = tool_environment(
        {"A": "1", "SECRET": None, "NONE": None, "HOME": "/x"}, current=CURRENT
    )
    assert (found["A"], found["SECRET"], found["HOME"]) == ("1", "s", "/x")
    assert "NONE" not in found


@pytest.mark.parametrize(
    "name",
    ["ANTHROPIC_API_KEY", "anthropic_api_key", "Anthropic_Auth_Token", "OPENAI_API_KEY", "Mine"],
)
def test_a_credential_never_gets_through_even_when_asked_for(name: str) -> None:
    assert is_credential(name, ["MINE"])
    current = {**CURRENT, name: "k"}
    for extras in ({name: None}, {name: "k"}):
        assert name not in tool_environment(extras, credentials=["MINE"], current=current)


def test_llmformat_is_always_one() -> None:
    assert tool_environment({"LLMFORMAT": "0"}, current=CURRENT)["LLMFORMAT"] == "1"
