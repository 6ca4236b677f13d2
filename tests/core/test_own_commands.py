# SPDX-License-Identifier: Apache-2.0
"""``commands`` among Tenuto's own keys: input to arguments."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tenuto.agent.approvals import ApprovalQuestion, Denied, NobodyToAsk
from tenuto.agent.cancel import CancelToken
from tenuto.agent.config import load_config, resolve
from tenuto.agent.events import NoEvents
from tenuto.agent.tools.base import Tool
from tenuto.agent.tools.run import CommandTools
from tenuto.errors import ConfigError, ToolInputError
from tenuto.messages import ToolUse
from tests.support import fisk

SCHEMA = {
    "type": "object",
    "properties": {"file": {"type": "string"}, "n": {"type": "integer"}, "all": {"type": "array"}},
    "required": ["file"],
}


def tool(tmp_path: Path, command: list[str], **more: Any) -> Tool:
    entry = {"name": "t", "command": command, "input_schema": SCHEMA, **more}
    path = fisk.configuration(
        tmp_path / "a.json", application_path=None, tenuto={"commands": [entry]}
    )
    (found,) = resolve(load_config(path)).tools
    return found


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ('{"file":"x"}', ["-f", "x", "{other}"]),
        ('{"file":"a b","n":1.50}', ["-f", "a b", "--n=1.50", "{other}"]),
        ('{"file":"x","all":["p","q",3]}', ["-f", "x", "p", "q", "3", "{other}"]),
        ('{"file":"x","all":[]}', ["-f", "x", "{other}"]),
        ('{"file":"x","all":"one"}', ["-f", "x", "one", "{other}"]),
        ('{"file":null,"n":true}', ["-f", "", "--n=true", "{other}"]),
        ('{"file":"{n}","n":2}', ["-f", "{n}", "--n=2", "{other}"]),
        ('{"file":"$(id); ls"}', ["-f", "$(id); ls", "{other}"]),
    ],
)
def test_values_take_their_places(tmp_path: Path, raw: str, expected: list[str]) -> None:
    found = tool(tmp_path, ["cat", "-f", "{file}", "--n={n}", "{all}", "{other}"])
    assert found.program == shutil.which("cat")
    assert found.arguments(raw.encode()) == expected


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("{}", "without required parameter(s): file. required: file; optional: all, n"),
        ('{"file":"x","nope":1}', 'unknown property "nope"'),
        ('{"file":"x","n":{}}', "unsupported value type object"),
        ('{"file":"x","n":[1]}', "unsupported value type array"),
        ('{"file":"x","all":[[1]]}', "unsupported value type array"),
        ('{"file":"a\\u0000b"}', "NUL"),
        ("[]", "must be a JSON object"),
    ],
)
def test_what_must_not_run(tmp_path: Path, raw: str, words: str) -> None:
    found = tool(tmp_path, ["cat", "{file}", "x{n}", "{all}"])
    with pytest.raises(ToolInputError) as caught:
        found.arguments(raw.encode())
    assert words in str(caught.value)
    assert caught.value.fields["tool"] == "t"


def test_tags_stand_in_the_description_as_those_of_fisk_commands(tmp_path: Path) -> None:
    assert tool(tmp_path, ["cat"], tags=["a", "b"]).definition.description == "Tags: a, b"
    described = tool(tmp_path, ["cat"], description="D", tags=["a"])
    assert described.definition.description == "D\n\nTags: a"
    assert tool(tmp_path, ["cat"], description="D").definition.description == "D"


def test_without_a_schema_it_takes_nothing(tmp_path: Path) -> None:
    entry = {"name": "t", "command": ["true", "{x}"]}
    path = fisk.configuration(
        tmp_path / "a.json", application_path=None, tenuto={"commands": [entry]}
    )
    (found,) = resolve(load_config(path)).tools
    assert found.arguments(b"") == ["{x}"]
    with pytest.raises(ToolInputError):
        found.arguments(b'{"x":1}')


def test_the_program_is_found_beside_the_file_or_on_path(tmp_path: Path) -> None:
    fisk.script(tmp_path / "bin" / "mine", "#!/bin/sh\n")
    assert tool(tmp_path, ["./bin/mine"]).program == str(tmp_path / "bin" / "mine")
    with pytest.raises(ConfigError, match="no-such"):
        tool(tmp_path, ["no-such-program"])


def test_read_only_and_the_gate_go_by_tags(tmp_path: Path) -> None:
    found = tool(tmp_path, ["cat"], tags=["impact:ro", "ai:confirm"])
    assert (found.read_only, found.confirm) == (True, "ai:confirm")
    plain = tool(tmp_path, ["cat"])
    assert (plain.read_only, plain.confirm, plain.timeout) == (False, "", None)
    assert json.loads(json.dumps(plain.definition.schema())) == SCHEMA


def test_read_only_goes_by_the_entry_too(tmp_path: Path) -> None:
    assert tool(tmp_path, ["cat"], read_only=True).read_only
    assert tool(tmp_path, ["cat"], read_only=False, tags=["impact:ro"]).read_only
    # What the model is told, and so the fingerprint, stays the same.
    assert tool(tmp_path, ["cat"], read_only=True).definition == tool(tmp_path, ["cat"]).definition


class Asked(NobodyToAsk):
    """Notes in which folder a call is said to run."""

    def __init__(self) -> None:
        self.folders: list[str] = []

    def approve(self, question: ApprovalQuestion) -> Denied:
        self.folders.append(question.cwd)
        return Denied()


@pytest.mark.parametrize(("named", "expected"), [("sub", "sub"), (None, "all")])
def test_it_runs_in_a_folder_of_its_own(tmp_path: Path, named: str | None, expected: str) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "all").mkdir()
    call = ToolUse("c1", "t", msgspec.Raw(b'{"file":"x"}'))
    more = {} if named is None else {"working_directory": named}
    asked = Asked()

    def run(*tags: str) -> str:
        tools = CommandTools(
            [tool(tmp_path, ["pwd"], tags=list(tags), **more)],
            cwd=str(tmp_path / "all"),
            environment={},
            approvals=asked,
            events=NoEvents(),
            cancel=CancelToken(),
        )
        return tools.run(call).content

    assert json.loads(run())["output"].strip() == str((tmp_path / expected).resolve())
    run("ai:confirm")
    assert asked.folders == [str(tmp_path / expected)]


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"t: the working .*gone is not there") as caught:
        tool(tmp_path, ["cat"], working_directory="gone")
    assert caught.value.fields["problems"][0]["key"] == "commands.0.working_directory"


def test_what_is_too_long_to_start_does_not_fill_the_conversation(tmp_path: Path) -> None:
    """Linux takes 128 KiB an argument: the refusal names the command, cut as an output is."""
    arguments = json.dumps({"file": "x" * 300_000}).encode()
    tools = CommandTools(
        [tool(tmp_path, ["cat", "{file}"])],
        cwd=str(tmp_path),
        environment={},
        approvals=NobodyToAsk(),
        events=NoEvents(),
        cancel=CancelToken(),
    )
    result = tools.run(ToolUse("c1", "t", msgspec.Raw(arguments)))
    assert result.is_error
    assert result.content.endswith("Argument list too long")
    assert len(result.content) < 70_000
