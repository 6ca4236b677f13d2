# SPDX-License-Identifier: Apache-2.0
"""The frozen command line and worker, as the package installs them: what runs in it is itself.

``make test-packages`` builds the package first.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.e2e.bench import TIMEOUT
from tests.packaging.installed import InstalledBench, Root, need
from tests.support.tls import tls_server

pytestmark = [
    pytest.mark.packaging,
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Debian packages"),
]


def test_the_command_line_is_the_one_of_the_sources(bench: InstalledBench) -> None:
    from tenuto.version import VERSION

    said = subprocess.run(
        [bench.program, "--version"], capture_output=True, text=True, env=bench.environment
    )
    assert said.stdout == f"tenuto {VERSION}\n"
    for words in (["--help"], ["session", "--help"], ["session", "export", "--help"]):
        source = subprocess.run(
            [sys.executable, "-m", "tenuto", *words], capture_output=True, text=True
        )
        done = subprocess.run([bench.program, *words], capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (0, source.stdout)


def test_programs_that_it_starts_see_the_users_environment(bench: InstalledBench) -> None:
    """A tool that found our libraries would run with the wrong ones."""
    show = bench.folder / "bin" / "show"
    show.write_text("#!/bin/sh\nenv\n")
    show.chmod(0o755)
    config = bench.script([{"tools": [{"name": "show", "input": {}}]}, {"text": "Seen."}], tools="")
    own = {
        "script": "script.json",
        "commands": [{"name": "show", "description": "Shows", "command": ["show"]}],
    }
    config.with_name("agent.tenuto.yaml").write_text(json.dumps(own))
    done = bench.tenuto("run", "--config", str(config), "--checkpoint", "Show it")
    assert done.returncode == 0, done.stderr + done.stdout
    (path,) = [path for path in bench.runs.glob("*.json") if "." not in path.stem]
    journal = path.read_text()
    assert "HOME=" in journal
    assert "LD_LIBRARY_PATH" not in journal
    assert "_PYI_" not in journal


def test_the_samples_go_on_with_the_frozen_worker_and_program(
    bench: InstalledBench, home: Path
) -> None:
    """No Python but the bundled one: the demo's tools are the executable, too."""
    bench.environment["PATH"] = f"{bench.program.parent}:/usr/bin:/bin"
    demo = home / "demo"
    made = bench.tenuto("demo", "--no-window", "--json", "--dir", str(demo))
    assert made.returncode == 0, made.stderr
    assert len(json.loads(made.stdout)["made"]) > 20
    assert "python" not in (demo / "bin" / "depot").read_text()
    bench.runs = demo / "runs"
    with bench.worker("resume", "nightly-audit") as worker:
        asked = worker.until("ask")
        assert asked["kind"] == "outcome"
        worker.send(type="answer", id=asked["id"], decision="run")
        while (event := worker.next(lambda e: e["type"] in {"ask", "finished"}))["type"] == "ask":
            worker.send(type="answer", id=event["id"], decision="once")
        assert worker.wait() == 0
    ended = [event for event in worker.events if event["type"] == "tool_end"]
    assert ended
    assert not [event for event in ended if event["is_error"]]
    assert bench.kinds("nightly-audit")[-1] == "terminal"


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
def test_a_model_is_asked_over_tls_that_is_checked(
    bench: InstalledBench, provider: str, tmp_path: Path
) -> None:
    with tls_server([{"text": "All well.", "stop": "end_turn"}], tmp_path) as (server, authority):
        base = server.url.replace("http://", "https://").replace("127.0.0.1", "localhost")
        config = bench.configure(
            {
                "identity": "pantry",
                "system_prompt": "You keep the pantry.",
                "llm": {"model": "stub-model", "provider": provider},
            },
            base_url=base if provider == "anthropic" else f"{base}/v1",
        )
        bench.environment["OPENAI_API_KEY"] = "test-key"
        words = ("run", "--config", str(config), "--checkpoint", "Look")
        refused = bench.tenuto(*words)
        assert refused.returncode == 1
        assert "certificate" in (refused.stderr + refused.stdout).lower()
        bench.environment["SSL_CERT_FILE"] = str(authority)
        done = bench.tenuto(*words)
        assert (done.returncode, done.stdout.strip()) == (0, "All well."), done.stderr
        assert len(server.calls) == 1


def test_keyring_time_zone_and_watching_work_as_from_source(bench: InstalledBench) -> None:
    """What is found at run time by name: backends, zones, observers."""
    del bench.environment["ANTHROPIC_API_KEY"]
    bench.environment["PYTHON_KEYRING_BACKEND"] = "keyring.backends.SecretService.Keyring"
    config = bench.configure(
        {
            "identity": "pantry",
            "system_prompt": "You keep the pantry.",
            "llm": {"model": "stub-model", "provider": "anthropic"},
        }
    )
    words = ["run", "--config", str(config), "--checkpoint", "Look"]
    frozen = bench.tenuto(*words)
    source = subprocess.run(
        [sys.executable, "-m", "tenuto", *words, "--state-dir", str(bench.runs)],
        capture_output=True,
        text=True,
        env={**bench.environment, "PATH": os.environ["PATH"]},
    )
    assert "keyring" in frozen.stderr
    assert (frozen.returncode, frozen.stderr) == (source.returncode, source.stderr)

    bench.take("completed")
    os.utime(bench.runs / "completed.json", (1_800_000_000, 1_800_000_000))
    shown = {}
    for zone in ("UTC", "Asia/Tokyo"):
        bench.environment["TZ"] = zone
        shown[zone] = bench.tenuto("session", "ls").stdout
    assert "2027-01-15 08:00" in shown["UTC"]
    assert "2027-01-15 17:00" in shown["Asia/Tokyo"]


# --- Reasonix sessions, and other agents ---------------------------------------------------------


@pytest.fixture
def samples(bench: InstalledBench, home: Path) -> Path:
    """The folder of samples, made by the frozen app; their scripts without pauses."""
    bench.environment["PATH"] = f"{bench.program.parent}:/usr/bin:/bin"
    folder = home / "demo"
    made = bench.tenuto("demo", "--no-window", "--json", "--dir", str(folder))
    assert made.returncode == 0, made.stderr
    for script in folder.glob("*.json"):
        told = json.loads(script.read_bytes())
        for turn in told["turns"]:
            turn.pop("delay", None)
            turn.pop("word_delay", None)
        script.write_text(json.dumps(told))
    bench.runs = folder / "reasonix"
    return folder


def test_samples_of_reasonix_go_on_with_the_frozen_worker(
    bench: InstalledBench, samples: Path
) -> None:
    """Their tools are commands that the executable itself runs; v4 comes as zstandard."""
    listed = bench.tenuto("session", "ls", "--source", "reasonix", "--json")
    assert listed.returncode == 0, listed.stderr
    rows = json.loads(listed.stdout)
    assert len(rows) == 10
    assert any("/sessions-v4/" in row["id"] for row in rows)
    told = bench.tenuto("reasonix", "resume", "1", "--all", "--say", "Who reads ORDERS?")
    assert told.returncode == 0, told.stderr
    assert "audit-archive" in told.stdout
    after = json.loads(bench.tenuto("session", "ls", "--source", "reasonix", "--json").stdout)
    assert sum(row["turns"] for row in after) > sum(row["turns"] for row in rows)


def test_other_agents_read_both_sources_over_mcp(bench: InstalledBench, samples: Path) -> None:
    """The official client asks; sessions of both sources are below the samples' folder."""
    bench.environment["REASONIX_STATE_HOME"] = str(samples / "reasonix")
    words = ["mcp", "--state-dir", str(samples / "runs")]
    server = StdioServerParameters(
        command=str(bench.program), args=words, env=bench.environment, cwd=str(samples)
    )

    async def session() -> tuple[set[str], Any, Any]:
        async with stdio_client(server) as streams, ClientSession(*streams) as client:
            await client.initialize()
            tools = {tool.name for tool in (await client.list_tools()).tools}
            listed = await client.call_tool("list_sessions", {})
            read = await client.call_tool("read_session", {"session": "orders-report.json"})
            return tools, listed, read

    tools, listed, read = asyncio.run(asyncio.wait_for(session(), TIMEOUT))
    assert tools == {"list_sessions", "read_session"}
    assert "orders-report" in listed.content[0].text
    assert "demo-coder" in listed.content[0].text
    assert "weekly review" in read.content[0].text


# --- starting ------------------------------------------------------------------------------------


def test_every_backend_of_the_keyring_is_there(root: Root) -> None:
    """keyring finds them by the metadata of its distribution, which is no module."""
    internal = root.usr / "lib" / "tenuto" / "_internal"
    (entry_points,) = internal.glob("keyring-*.dist-info/entry_points.txt")
    assert "SecretService" in entry_points.read_text()


def test_nothing_is_compiled_at_a_start(
    root: Root, x_display: str, home: Path, tmp_path: Path
) -> None:
    """The support modules of PySide are read as files; from its library they come as sources."""
    need("strace", "xdotool")
    app = root.usr / "lib" / "tenuto"
    log = tmp_path / "opened"
    words = ["strace", "-f", "-qq", "-e", "trace=openat", "-o", str(log)]
    words += [str(app / "tenuto"), "--window"]
    environment = {**root.environment(), "DISPLAY": x_display}
    process = subprocess.Popen(words, env=environment)
    try:
        seek = ["xdotool", "search", "--sync", "--onlyvisible", "--name", "^Tenuto"]
        found = subprocess.run(seek, env=environment, capture_output=True, text=True, timeout=60)
        owner = ["xdotool", "getwindowpid", found.stdout.split()[0]]
        pid = subprocess.run(owner, env=environment, capture_output=True, text=True).stdout
        os.kill(int(pid), 15)
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()
    opened = re.findall(r'openat\(\w+, "([^"]+)", [^)]+\) = \d', log.read_text())
    support = app / "_internal" / "shiboken6" / "files.dir" / "shibokensupport"
    assert str(support / "signature" / "loader.pyc") in opened
    assert not [path for path in opened if path.endswith(".py") and str(app) in path]
