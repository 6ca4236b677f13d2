# SPDX-License-Identifier: Apache-2.0
"""Running an application's introspection: scrubbed, bounded, and ended with all it started."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tenuto.agent.config import load_config, resolve
from tenuto.agent.tools import fisk, introspection
from tenuto.errors import ConfigError
from tests.support import fisk as applications


def run(path: Path, timeout: float = 20.0) -> introspection.Application:
    return introspection.run(str(path), {"PATH": os.environ["PATH"]}, timeout=timeout)


def test_the_environment_of_introspection_is_scrubbed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    applications.script(
        tmp_path / "pantry",
        f"#!{sys.executable}\nimport json, os, sys\n"
        "print(json.dumps({'name': json.dumps(dict(os.environ)) + sys.stdin.read(), "
        "'commands': []}))\n",
    )
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret-key")
    monkeypatch.setenv("SOMETHING", "secret-thing")
    monkeypatch.setenv("MY_KEY", "secret-too")
    path = applications.configuration(
        tmp_path / "a.json",
        application_path="./pantry",
        harness={"knowledge": {"embeddings": {"api_key_env": "my_key"}}},
        tenuto={"env": {"GIVEN": "yes", "MY_KEY": None}},
    )
    app = fisk.introspect(load_config(path))
    assert app is not None
    seen = json.loads(app.model.name or "")
    assert seen["LLMFORMAT"] == "1"
    assert seen["GIVEN"] == "yes"
    assert not {"ANTHROPIC_API_KEY", "SOMETHING", "MY_KEY"} & set(seen)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("sys.exit('no such flag')", "exit code 1: no such flag"),
        ("os.kill(os.getpid(), 9)", "signal 9"),
        ("print('usage: pantry')", "no usable introspection"),
        ("print('{} {}')", "no usable introspection"),
        ("print('[' * 100000)", "no usable introspection"),
        ('print(\'{"commands":[{"name":3}]}\')', "no usable introspection"),
        ("sys.stdout.write('x' * (17 * 1024 * 1024))", "more than 16 MiB"),
        ("sys.stderr.write('x' * 10**6); sys.exit(3)", "exit code 3"),
    ],
)
def test_an_application_that_does_not_answer(tmp_path: Path, body: str, words: str) -> None:
    path = applications.script(
        tmp_path / "app", f"#!{sys.executable}\nimport os, sys, time\n{body}\n"
    )
    with pytest.raises(ConfigError, match=words):
        run(path)


@pytest.mark.parametrize(
    "body",
    [
        "time.sleep(60)",
        # Ends its output, not itself.
        "os.close(1); time.sleep(60)",
        # Leaves a child behind with it.
        "subprocess.Popen(['sleep', '60']); time.sleep(60)",
    ],
)
def test_a_hanging_application_is_ended_with_all_it_started(tmp_path: Path, body: str) -> None:
    path = applications.script(
        tmp_path / "app",
        f"#!{sys.executable}\nimport os, subprocess, sys, time\n"
        f"open({str(tmp_path / 'group')!r}, 'w').write(str(os.getpgid(0)))\n{body}\n",
    )
    began = time.monotonic()
    with pytest.raises(ConfigError, match="in 2 s"):
        run(path, timeout=2)
    assert time.monotonic() - began < 15
    group = int((tmp_path / "group").read_text())
    assert group != os.getpgid(0)
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    pytest.fail("the application's group is still there")


@pytest.mark.parametrize("elsewhere", ["stdout=subprocess.DEVNULL", "stderr=subprocess.DEVNULL"])
def test_a_child_left_behind_does_not_hold_the_answer(tmp_path: Path, elsewhere: str) -> None:
    path = applications.script(
        tmp_path / "app",
        f"#!{sys.executable}\nimport subprocess\n"
        'print(\'{"name": "app"}\', flush=True)\n'
        f"subprocess.Popen(['sleep', '60'], {elsewhere})\n",
    )
    began = time.monotonic()
    assert run(path).model.name == "app"
    assert time.monotonic() - began < 15


def test_a_program_that_is_none_cannot_be_started(tmp_path: Path) -> None:
    path = applications.script(tmp_path / "app", "#!/no/such/interpreter\n")
    with pytest.raises(ConfigError, match="cannot be started"):
        run(path)


def test_a_tool_call_runs_the_program_that_was_introspected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    applications.application(tmp_path / "bin")
    applications.put_on_path(monkeypatch, tmp_path / "bin")
    resolved = resolve(load_config(applications.configuration(tmp_path / "a.json")))
    tool = resolved.tool("stock_add")
    assert tool is not None
    assert resolved.tool("nope") is None
    line = [tool.program, *tool.arguments(b'{"item":"x"}')]
    done = subprocess.run(line, capture_output=True, timeout=30)
    assert json.loads(done.stdout)["argv"] == ["stock", "add", "--", "x"]


def test_signals_to_the_group_are_not_ours(tmp_path: Path) -> None:
    """The application leads a group of its own: Ctrl-C in the terminal is the caller's matter."""
    path = applications.script(
        tmp_path / "app",
        f"#!{sys.executable}\nimport os, signal\nos.killpg(0, signal.SIGTERM)\n",
    )
    with pytest.raises(ConfigError, match=f"signal {int(signal.SIGTERM)}"):
        run(path)
