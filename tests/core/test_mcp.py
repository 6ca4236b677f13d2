# SPDX-License-Identifier: Apache-2.0
"""MCP servers: real ones on stdio and on HTTP, their tools, their calls, their end."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tenuto.agent import seen
from tenuto.agent.approvals import NobodyToAsk
from tenuto.agent.cancel import AbortError, CancelToken
from tenuto.agent.config import load_config, resolve
from tenuto.agent.events import NoEvents
from tenuto.agent.resolve import ResolvedAgent
from tenuto.agent.schema import AgentConfig
from tenuto.agent.servers import Servers
from tenuto.agent.tools.command import CUT_LINE
from tenuto.agent.tools.direct import Answer, Context
from tenuto.agent.tools.run import CommandTools
from tenuto.errors import ConfigError
from tenuto.messages import ToolUse
from tests.support import cli
from tests.support.mcp_server import TOKEN, command, http_server


def configure(tmp_path: Path, servers: dict[str, Any], **more: Any) -> Path:
    path = tmp_path / "agent.json"
    own = {"mcp_servers": servers, **more.pop("own", {})}
    whole = {"identity": "a", "system_prompt": "x", "llm": {"model": "m"}, **more, "tenuto": own}
    path.write_text(json.dumps(whole))
    return path


def config(tmp_path: Path, servers: dict[str, Any], **more: Any) -> AgentConfig:
    return load_config(configure(tmp_path, servers, **more))


def call(
    resolved: ResolvedAgent, tool: str, cancel: CancelToken | None = None, **given: Any
) -> Answer:
    found = resolved.tool(tool)
    assert found is not None
    assert found.handler is not None
    return found.handler(given, Context("c", NobodyToAsk(), cancel or CancelToken()))


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_two_servers_and_what_they_can(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", TOKEN)
    monkeypatch.setenv("LEAKED", "no")
    pid = tmp_path / "pid"
    with http_server() as url:
        agent = config(
            tmp_path,
            {
                "web": {"url": url, "headers_env": {"Authorization": "SECRET_TOKEN"}},
                "here": {
                    "command": command("--pid-file", str(pid)),
                    "env": {"ADDED": "yes", "SECRET_TOKEN": None},
                    "tags": ["local"],
                    "tool_tags": {"end": ["ai:deny"], "add": ["impact:ro"], "file.note": ["w"]},
                },
            },
            own={"read_only": ["here_tell"]},
            harness={"confirm_tags": ["w"]},
        )
        with Servers(agent, CancelToken()) as servers:
            resolved = resolve(agent, servers)
            names = [tool.name for tool in resolved.tools]
            # Servers as in the file, the tools of each by name.
            assert names == [
                *[f"web_{n}" for n in ("add", "end", "fail", "file_note", "kinds", "large")],
                *["web_slow", "web_tell"],
                *[f"here_{n}" for n in ("add", "fail", "file_note", "kinds", "large", "slow")],
                "here_tell",
            ]
            add = resolved.tool("here_add")
            assert add is not None
            assert (add.source, add.definition.description) == ("mcp", "Adds numbers.")
            assert add.definition.schema()["required"] == ["a"]
            assert [t.name for t in resolved.tools if t.read_only] == ["here_add", "here_tell"]
            assert [(t.name, t.confirm) for t in resolved.tools if t.confirm] == [
                ("here_file_note", "w")
            ]
            assert call(resolved, "here_add", a=2) == Answer("3")
            assert call(resolved, "web_add", a=2, b=5) == Answer("7")
            assert call(resolved, "here_fail", why="not today") == Answer(
                "Error executing tool fail: not today", is_error=True
            )
            assert call(resolved, "web_kinds") == Answer(
                "one\n[image left out: image/png, about 30 bytes]\ntwo"
            )
            told = json.loads(call(resolved, "here_tell").content)
            assert told["cwd"] == str(tmp_path)
            assert told["environment"]["ADDED"] == "yes"
            # The allow-list; and the variable of a header is a key, whoever asks for it.
            assert {"LEAKED", "SECRET_TOKEN"} & set(told["environment"]) == set()
        assert gone(int(pid.read_text()))
        assert call(resolved, "here_add", a=2) == Answer(
            "the MCP server here is not running", is_error=True
        )


def test_a_server_that_dies_or_dawdles_is_an_error_result(tmp_path: Path) -> None:
    server = {"command": command(), "timeout": "1s"}
    agent = config(tmp_path, {"one": server})
    with Servers(agent, CancelToken()) as servers:
        resolved = resolve(agent, servers)
        began = time.monotonic()
        late = call(resolved, "one_slow", seconds=5)
        assert late.is_error
        assert time.monotonic() - began < 4
        assert call(resolved, "one_end").is_error
        after = call(resolved, "one_add", a=1)
        assert after.is_error
        assert after.content.startswith("the MCP server one: ")


def test_a_long_result_loses_its_middle(tmp_path: Path) -> None:
    agent = config(tmp_path, {"one": {"command": command()}})
    with Servers(agent, CancelToken()) as servers:
        tools = CommandTools(
            resolve(agent, servers).tools,
            cwd=str(tmp_path),
            environment={},
            approvals=NobodyToAsk(),
            events=NoEvents(),
            cancel=CancelToken(),
        )
        result = tools.run(ToolUse("c", "one_large", msgspec.Raw(b'{"size":200000}')))
        missing = tools.run(ToolUse("c", "one_add", msgspec.Raw(b"null")))
    assert len(result.content) == 65536 + len(CUT_LINE)
    assert result.content.endswith("az")
    assert missing.is_error
    assert "without required parameter(s): a." in missing.content


def test_abort_ends_a_stubborn_server_at_once(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    arguments = command("--stubborn", "--pid-file", str(pid))
    agent = config(tmp_path, {"one": {"command": arguments}})
    cancel = CancelToken()
    began = 0.0
    with pytest.raises(AbortError), Servers(agent, cancel) as servers:
        resolved = resolve(agent, servers)
        timer = threading.Timer(0.3, cancel.abort)
        timer.start()
        began = time.monotonic()
        call(resolved, "one_slow", cancel, seconds=30)
    assert time.monotonic() - began < 5
    assert gone(int(pid.read_text()))
    timer.join()


@pytest.mark.slow
def test_a_stubborn_server_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    arguments = command("--stubborn", "--pid-file", str(pid))
    agent = config(tmp_path, {"one": {"command": arguments}})
    with Servers(agent, CancelToken()):
        pass
    # Its child, too: what is left behind fails this test.
    assert gone(int(pid.read_text()))


@pytest.mark.parametrize(
    ("server", "words"),
    [
        ({"command": command("--broken")}, "no configuration, no service"),
        ({"command": command("--silent"), "start_timeout": "1s"}, "not ready within 1 seconds"),
        ({"command": "no-such-program-anywhere"}, "not found on PATH"),
        ({"command": command(), "working_directory": "nowhere"}, "nowhere is not there"),
        ({"url": "http://127.0.0.1:9/mcp"}, "cannot be used"),
        ({"url": "http://127.0.0.1:9/mcp", "headers_env": {"A": "UNSET_ONE"}}, "UNSET_ONE is not"),
    ],
)
@pytest.mark.allow_log("mcp")
def test_a_server_that_does_not_start_is_a_configuration_that_cannot_be_used(
    tmp_path: Path, capsys: cli.Capture, server: dict[str, Any], words: str
) -> None:
    path = configure(tmp_path, {"good": {"command": command()}, "bad": server})
    code, document = cli.ask(capsys, "config", "check", path)
    assert code == 2
    assert document["ok"] is False
    assert words in document["errors"][0]["message"]


def test_wrong_keys_name_their_place(tmp_path: Path) -> None:
    servers = {
        "a": {},
        "b": {"command": "x", "url": "http://h/"},
        "c": {"url": "http://h/", "args": ["x"]},
        "d": {"command": "x", "headers": {"A": "b"}},
        "e": {"url": "ftp://h/"},
        "f": {"command": "x", "timeout": "0s"},
        "not this": {"command": "x"},
        "g": {"command": "x", "other": 1},
    }
    with pytest.raises(ConfigError) as caught:
        config(tmp_path, servers)
    found = {problem["key"]: problem["message"] for problem in caught.value.fields["problems"]}
    words = "\n".join(found.values())
    assert len(caught.value.fields["problems"]) == len(servers)
    assert "args does not go with url" in words
    assert "headers does not go with command" in words
    assert "must have a command or a url, and not both" in words
    assert "tenuto.mcp_servers.g.other" in found


def test_a_name_that_is_taken_is_an_error(tmp_path: Path) -> None:
    agent = config(
        tmp_path,
        {"one": {"command": command()}},
        own={"commands": [{"name": "one_add", "command": ["true"]}]},
    )
    with pytest.raises(ConfigError, match="'commands' and 'mcp_servers' both have") as caught:
        resolve(agent)
    assert caught.value.fields["problems"][0]["key"] == "mcp_servers"


def test_config_check_lists_them(tmp_path: Path, capsys: cli.Capture) -> None:
    servers = {"one": {"command": command(), "tags": ["ai:confirm"]}}
    path = configure(tmp_path, servers)
    code, document = cli.ask(capsys, "config", "check", path)
    assert code == 0
    assert [(t["name"], t["source"], t["confirm"]) for t in document["tools"]][:2] == [
        ("one_add", "mcp", True),
        ("one_end", "mcp", True),
    ]
    # Tags of the operator's are no part of what the model, and so the fingerprint, is told.
    configure(tmp_path, {"one": {"command": command()}})
    assert cli.ask(capsys, "config", "check", path)[1]["fingerprint"] == document["fingerprint"]


def test_looking_for_a_configuration_starts_no_server(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    arguments = command("--pid-file", str(pid))
    path = configure(tmp_path, {"one": {"command": arguments}})
    resolved = resolve(load_config(path))
    seen.remember(path, resolved)
    assert seen.matching(resolved.fingerprint) == [path]
    os.utime(path)
    assert seen.matching(resolved.fingerprint) == []
    assert len(pid.read_text().split()) == 1
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), signal.SIGCONT)
