# SPDX-License-Identifier: Apache-2.0
"""Which programs a start uses, on each system, frozen and not; what a frozen start hands down."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from tenuto.agent.config import load_config, resolve
from tenuto.cli import frozen
from tenuto.cli.window import command
from tenuto.demo.make import make_demo
from tenuto.program import command_line, name_of, window_line


@pytest.fixture
def frozen_at(monkeypatch: pytest.MonkeyPatch):
    def freeze(executable: str) -> None:
        monkeypatch.setattr(sys, "frozen", True, raising=False)
        monkeypatch.setattr(sys, "executable", executable)

    return freeze


def test_from_source_it_is_this_interpreter() -> None:
    assert command_line() == (sys.executable, "-m", "tenuto")
    assert window_line() == (sys.executable, "-m", "tenuto_gui")
    done = subprocess.run([*command_line(), "--version"], capture_output=True, text=True)
    assert done.stdout.startswith("tenuto ")


@pytest.mark.parametrize(
    ("system", "executable", "expected_command", "expected_window"),
    [
        ("linux", "/usr/lib/tenuto/tenuto", "/usr/lib/tenuto/tenuto", "/usr/lib/tenuto/tenuto"),
        (
            "win32",
            r"C:\Users\Ada Byron\Tenuto\tenuto-gui.exe",
            r"C:\Users\Ada Byron\Tenuto\tenuto.exe",
            r"C:\Users\Ada Byron\Tenuto\tenuto-gui.exe",
        ),
        (
            "darwin",
            "/Applications/Tenuto.app/Contents/MacOS/tenuto-gui",
            "/Applications/Tenuto.app/Contents/MacOS/tenuto",
            "/Applications/Tenuto.app/Contents/MacOS/tenuto-gui",
        ),
    ],
)
def test_frozen_it_is_the_executable_and_a_worker_has_a_console(
    frozen_at, system: str, executable: str, expected_command: str, expected_window: str
) -> None:
    frozen_at(executable)
    assert command_line(system) == (expected_command,)
    assert window_line(system) == (expected_window, "--window")


def test_the_window_is_told_its_folder_as_an_absolute_path(
    frozen_at, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    frozen_at("/usr/lib/tenuto/tenuto")
    line = command(["some-run"], state_dir="runs")
    assert line[-4:] == ["--window", "--state-dir", str(tmp_path / "runs"), "some-run"]


@pytest.mark.parametrize(
    ("system", "name", "expected"),
    [
        ("linux", "/usr/bin/tenuto-gui", "tenuto-gui"),
        ("linux", "tenuto", "tenuto"),
        ("win32", r"C:\Programs\Tenuto-GUI.EXE", "tenuto-gui"),
    ],
)
def test_a_program_is_known_by_its_name(system: str, name: str, expected: str) -> None:
    assert name_of(name, system) == expected


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # The user's own path comes back.
        (
            {"LD_LIBRARY_PATH": "/app:/home/a/lib", "LD_LIBRARY_PATH_ORIG": "/home/a/lib"},
            {"LD_LIBRARY_PATH": "/home/a/lib"},
        ),
        # There was none.
        ({"LD_LIBRARY_PATH": "/app", "_PYI_APPLICATION_HOME_DIR": "/app"}, {}),
        # Not ours: the bootloader had nothing to do.
        ({"LD_LIBRARY_PATH": "/home/a/lib"}, {"LD_LIBRARY_PATH": "/home/a/lib"}),
        ({"_PYI_PARENT_PROCESS_LEVEL": "1", "_PYI_ARCHIVE_FILE": "/app/tenuto"}, {}),
    ],
)
def test_programs_that_a_frozen_app_starts_get_the_users_environment(
    before: dict[str, str], after: dict[str, str]
) -> None:
    environment = {"HOME": "/home/a", **before}
    frozen.give_back_environment(environment)
    assert environment == {"HOME": "/home/a", **after}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["/usr/bin/tenuto-gui", "a.tenuto"], ("window", ["a.tenuto"])),
        (["/usr/bin/tenuto-gui"], ("window", [])),
        (["tenuto", "--window", "--state-dir", "d"], ("window", ["--state-dir", "d"])),
        (["tenuto", "session", "ls"], ("command", ["session", "ls"])),
        (["tenuto"], ("command", [])),
    ],
)
def test_a_frozen_start_is_what_its_name_and_first_word_say(
    words: list[str], expected: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def standing_in(name: str):
        def entry() -> None:
            raise SystemExit((name, sys.argv[1:]))

        return entry

    monkeypatch.setattr("tenuto.cli.main.entry", standing_in("command"))
    monkeypatch.setattr("tenuto_gui.start.entry", standing_in("window"))
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit) as ended:
        frozen.entry()
    assert ended.value.code == expected


def test_the_demo_program_of_a_frozen_app_is_the_app(
    frozen_at, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stand-in for the executable has a space in its path and starts the frozen entry."""
    app = tmp_path / "my apps" / "tenuto"
    app.parent.mkdir()
    python = sys.executable
    program = "from tenuto.cli.frozen import entry; entry()"
    app.write_text(f"#!/bin/sh\nexec {python} -c '{program}' \"$@\"\n")
    app.chmod(0o755)
    frozen_at(str(app))
    demo = make_demo(tmp_path / "demo")
    depot = demo.folder / "bin" / "depot"
    done = subprocess.run([depot, "stream", "ls"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "ORDERS" in done.stdout
    source = runpy.run_path(
        os.path.join(os.path.dirname(__file__), "../../resources/tenuto_resources/demo/depot.py")
    )
    assert done.stdout == source["answer"](["stream", "ls"])[1]


def test_on_windows_the_frozen_app_runs_each_tool_of_the_demo(frozen_at, tmp_path: Path) -> None:
    """No script is written: nothing there could be started."""
    app = tmp_path / "my apps" / "tenuto"
    app.parent.mkdir()
    program = "from tenuto.cli.frozen import entry; entry()"
    app.write_text(f"#!/bin/sh\nexec {sys.executable} -c '{program}' \"$@\"\n")
    app.chmod(0o755)
    frozen_at(str(app))
    demo = make_demo(tmp_path / "demo", system="win32")
    assert not (demo.folder / "bin").exists()
    tools = resolve(load_config(demo.config)).tools
    assert {tool.program for tool in tools} == {str(app)}
    [listing] = [tool for tool in tools if tool.name == "stream_info"]
    line = [listing.program, *listing.arguments(b'{"stream": "ORDERS"}')]
    assert line[1:] == ["--demo-program", "stream", "info", "--", "ORDERS"]
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.stdout.startswith("Information for Stream ORDERS"), done.stderr
