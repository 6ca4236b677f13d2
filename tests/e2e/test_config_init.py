# SPDX-License-Identifier: Apache-2.0
"""``tenuto config init``: asked in a terminal, told on the line, and what it never does."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from tenuto.agent.config import load_config, resolve
from tests.e2e.bench import Bench
from tests.e2e.terminal import terminal
from tests.support import cli


def pair(folder: Path) -> list[Path]:
    return [folder / "agent.yaml", folder / "agent.tenuto.yaml"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "my agent!"
    made.mkdir()
    monkeypatch.chdir(made)
    return made


def test_a_pair_that_runs(folder: Path, capsys: cli.Capture, bench: Bench) -> None:
    (folder / "turns.json").write_text(json.dumps({"turns": [{"text": "It works."}]}))
    words = ("config", "init", "--provider", "scripted", "--script", "turns.json", "--model", "m")
    code, document = cli.ask(capsys, *words, "--memory", "--asks")
    assert code == 0
    assert document["files"] == [str(path) for path in pair(folder)]
    assert document["tools"][0] == "ask_human_confirm"
    assert document["tools"][-1] == "memory_delete"
    assert document["key_needed"] is None
    for path in pair(folder):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sorted(path.name for path in folder.iterdir()) == [
        "agent.tenuto.yaml", "agent.yaml", "turns.json",
    ]  # fmt: skip
    config = load_config(folder / "agent.yaml")
    assert config.identity == "my-agent"
    done = bench.tenuto("run", "Go", "--config", str(folder / "agent.yaml"))
    assert (done.returncode, done.stdout) == (0, "It works.\n")


def test_what_the_comments_show_can_be_used(folder: Path, capsys: cli.Capture) -> None:
    assert cli.ask(capsys, "config", "init", "--model", "m")[0] == 0
    own = folder / "agent.tenuto.yaml"
    shown = own.read_text()
    # All but the servers, which are not there.
    commands = shown[shown.index("# commands:") : shown.index("# MCP servers")]
    own.write_text(commands.replace("# commands", "commands").replace("\n# ", "\n "))
    (tool,) = resolve(load_config(folder / "agent.yaml")).tools
    assert (tool.name, tool.read_only) == ("disk_free", True)
    assert tool.arguments(b'{"path":"--output"}') == ["-h", "--", "--output"]
    servers = shown[shown.index("# mcp_servers:") :]
    own.write_text(servers.replace("# mcp_servers", "mcp_servers").replace("\n#  ", "\n  "))
    assert set(load_config(folder / "agent.yaml").tenuto.mcp_servers) == {"files", "web"}


@pytest.mark.parametrize(
    "prompt",
    [
        "One line: with a colon # and a hash",
        "Two\n\nlines",
        " begins with a space",
        "ends with a line\n",
        "a bell \x07 and \u2028 more\nlines",
        "- a list\n- of 'things' \"quoted\" \\ back",
        "emoji \U0001f600 and \u00e4",
    ],
)
def test_a_prompt_stays_what_it_is(folder: Path, capsys: cli.Capture, prompt: str) -> None:
    assert cli.ask(capsys, "config", "init", "--model", "m", "--prompt", prompt)[0] == 0
    assert load_config(folder / "agent.yaml").system_prompt == prompt


def test_files_that_are_there_stay_unless_forced(folder: Path, capsys: cli.Capture) -> None:
    for there in pair(folder):
        there.write_text("mine")
        code, out, err = cli.tell(capsys, "config", "init", "--model", "m")
        assert (code, out) == (2, "")
        assert f"{there} is there already" in err
        assert there.read_text() == "mine"
        assert cli.tell(capsys, "config", "init", "--model", "m", "--force")[0] == 0
        assert load_config(folder / "agent.yaml").llm.model == "m"
        for path in pair(folder):
            path.unlink()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "--model is needed"),
        (("--model", "m", "--application", "no-such-program"), "not found on PATH"),
        (("--model", "m", "--provider", "scripted"), "needs 'script: FILE'"),
        (("--model", "m", "--base-url", "nowhere"), "http"),
        (("--model", "m", "--identity", "a b"), "identity"),
        (("--model", "m", "agent.json"), "must end in .yaml"),
        (("--model", "m", "no/agent.yaml"), "there is no folder"),
    ],
)
def test_what_does_not_work_is_not_kept(
    folder: Path, capsys: cli.Capture, words: tuple[str, ...], told: str
) -> None:
    code, out, err = cli.tell(capsys, "config", "init", *words)
    assert (code, out) == (2, "")
    assert told in err
    assert ".init-" not in err
    assert list(folder.iterdir()) == []


def test_asked_in_a_terminal(bench: Bench) -> None:
    file = bench.folder / "new" / "agent.yaml"
    file.parent.mkdir()
    bench.environment.pop("OPENAI_API_KEY", None)
    with terminal(bench, "config", "init", str(file), "--identity", "helper") as screen:
        for question, answer in (
            ("Provider", "mistral"),
            ("Provider", "openai"),
            ("Model", ""),
            ("Model", "some-model"),
            ("Address", "http://localhost:1234/v1"),
            ("system prompt", ""),
            ("fisk application", "pantry"),
            ("questions", "n"),
            ("memory", "yes"),
        ):
            screen.expect(question)
            screen.expect("]: " if question in ("Provider", "questions", "memory") else ": ")
            screen.forget()
            screen.type_ahead(answer + "\n")
        assert screen.wait() == 0
    said = (bench.folder / "answer.txt").read_text()
    assert "OPENAI_API_KEY" in said
    config = load_config(file)
    assert (config.identity, config.llm.provider, config.llm.model) == (
        "helper", "openai", "some-model",
    )  # fmt: skip
    assert config.tenuto.base_url == "http://localhost:1234/v1"
    assert config.application_path == "pantry"
    assert (config.harness.human_in_the_loop, config.harness.memory.enabled) == (False, True)
    with terminal(bench, "config", "init", str(file), "--force") as screen:
        screen.expect("Name of the agent [new]: ")
        screen.type_ahead("\x04")
        assert screen.wait() == 2
    assert load_config(file) == config
