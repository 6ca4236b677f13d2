# SPDX-License-Identifier: Apache-2.0
"""Tenuto's own keys of a configuration, and where programs are looked for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tenuto.agent.config import load_config, resolve
from tenuto.agent.own import Command, McpServer, OwnKeys
from tenuto.errors import ConfigError
from tests.support import fisk
from tests.support.agent_files import MINIMAL, load, problems
from tests.support.paths import REPOSITORY

pytestmark = pytest.mark.usefixtures("applications")


OWN = """
script: turns.json
base_url: http://127.0.0.1:8080/v1
working_directory: ~/work
read_only: [look]
read_only_tags: [safe, 1]
env: {A: 1_000, B: "x", C: , D: no}
commands:
- name: look
  description: Looks
  command: [cat, "{file}"]
  input_schema: {type: object, properties: {file: {type: string, default: 1}}, required: [file]}
  tags: [ai:confirm]
  timeout: 1m
"""


@pytest.mark.parametrize("place", ["beside", "inside"])
def test_own_keys(tmp_path: Path, home: Path, place: str) -> None:
    inside = "tenuto:\n" + "".join(f"  {line}\n" for line in OWN.splitlines())
    if place == "inside":
        config = load(tmp_path, MINIMAL + inside)
    else:
        config = load(tmp_path, MINIMAL, OWN)
        assert config.files == (tmp_path / "agent.yaml", tmp_path / "agent.tenuto.yaml")
    assert config.script == tmp_path / "turns.json"
    assert config.working_directory == home / "work"
    own = config.tenuto
    assert own.base_url == "http://127.0.0.1:8080/v1"
    assert own.read_only == ("look",)
    assert own.read_only_tags == ("safe", "1")
    assert own.env == {"A": "1_000", "B": "x", "C": None, "D": "no"}
    (command,) = own.commands
    assert command.timeout == 60.0
    assert command.input_schema["properties"]["file"]["default"] == 1
    (tool,) = resolve(config).tools
    assert (tool.name, tool.source, tool.confirm) == ("look", "command", "ai:confirm")
    assert (tool.read_only, tool.timeout) == (True, 60.0)
    assert Path(tool.program).is_absolute()


def test_the_documentation_shows_every_own_key_and_its_example_loads(tmp_path: Path) -> None:
    text = (REPOSITORY / "docs" / "configuration.md").read_text()
    section = text.split("## Tenuto's own keys")[1].split("\n## ")[0]
    (example,) = re.findall(r"```yaml\n(.*?)```", section, re.DOTALL)
    own = load(tmp_path, MINIMAL, example).tenuto
    assert [command.name for command in own.commands] == ["disk_free"]
    assert set(own.mcp_servers) == {"files", "web"}
    for model in (OwnKeys, Command, McpServer):
        for name in model.model_fields:
            assert re.search(rf"\b{name}\b", section), name


def test_own_keys_in_both_places_are_an_error(tmp_path: Path) -> None:
    ((line, _, key, message),) = problems(tmp_path, MINIMAL + "tenuto: {}\n", "script: x\n")
    assert (line, key) == (4, "tenuto")
    assert "agent.tenuto.yaml" in message


@pytest.mark.parametrize(
    ("own", "key", "words"),
    [
        ("scirpt: x", "scirpt", "unknown key"),
        ("script: x\nscript: y", "script", "given twice"),
        ("base_url: ftp://x", "base_url", "http://"),
        ("base_url: https://me:pw@x", "base_url", "password"),
        ("read_only: x", "read_only", "tuple"),
        ("env: {'A=B': x}", "env.A=B", "environment variable"),
        ("commands: [{name: x}]", "commands.0.command", "required"),
        ("commands: [{name: 'a b', command: [x]}]", "commands.0.name", "pattern"),
        ("commands: [{name: a, command: []}]", "commands.0.command", "at least 1"),
        ("commands: [{name: a, command: [x], x: 1}]", "commands.0.x", "unknown key"),
        ("commands: [{name: a, command: [x], timeout: 5}]", "commands.0.timeout", "duration"),
        ("commands: [{name: a, command: [x], timeout: 0}]", "commands.0.timeout", "above 0"),
        (
            "commands: [{name: a, command: [x], read_only: perhaps}]",
            "commands.0.read_only",
            "boolean",
        ),
        (
            "commands: [{name: a, command: [x], working_directory: [x]}]",
            "commands.0.working_directory",
            "string",
        ),
        (
            "commands: [{name: a, command: [x], input_schema: {type: string}}]",
            "commands.0.input_schema",
            "type object",
        ),
        (
            "commands: [{name: a, command: [x]}, {name: a, command: [y]}]",
            "commands.1.name",
            "two commands",
        ),
        ("- x", "", "must be a mapping"),
    ],
)
def test_wrong_own_keys_are_named(tmp_path: Path, own: str, key: str, words: str) -> None:
    found = problems(tmp_path, MINIMAL, own + "\n")
    assert found[0][2] == key
    assert words in found[0][3]
    assert "agent.tenuto.yaml" in found[0][3]
    assert found[0][0] is not None


def test_a_command_and_an_application_cannot_share_a_name(tmp_path: Path) -> None:
    path = fisk.configuration(
        tmp_path / "a.json", tenuto={"commands": [{"name": "wait", "command": ["true"]}]}
    )
    with pytest.raises(ConfigError, match="'wait'"):
        resolve(load_config(path))


# --- names of programs ----------------------------------------------------------------------------


def test_a_relative_application_is_relative_to_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fisk.application(tmp_path / "project" / "tools")
    monkeypatch.chdir("/")
    path = fisk.configuration(tmp_path / "project" / "a.json", application_path="./tools/pantry")
    tools = resolve(load_config(path)).tools
    assert {tool.program for tool in tools} == {str(tmp_path / "project" / "tools" / "pantry")}


@pytest.mark.parametrize("name", ["no-such-program", "./no-such", "./bin", "./plain"])
def test_an_application_that_is_none_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / "plain").write_text("x")
    path = fisk.configuration(tmp_path / "a.json", application_path=name)
    with pytest.raises(ConfigError, match="the application") as caught:
        resolve(load_config(path))
    assert caught.value.fields["path"] == str(path)
