# SPDX-License-Identifier: Apache-2.0
"""The operator's terminal: which one is found, and that a command reaches it word by word."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tenuto_gui import terminal

HOSTILE = ["$(touch x)", "a b", "'", '"', ";", "-e", "--", "\\n", "\u202e", "*"]


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of programs, the only one; ``sh`` is in it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    shell = "/bin/sh"
    (folder / "sh").symlink_to(shell)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("TERMINAL", raising=False)
    return folder


def install(folder: Path, name: str) -> str:
    path = folder / name
    path.write_text("#!/bin/sh\nexit 0\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("name", "before"),
    [
        ("xdg-terminal-exec", ["--"]),
        ("gnome-terminal", ["--"]),
        ("ptyxis", ["--"]),
        ("konsole", ["-e"]),
        ("xfce4-terminal", ["-x"]),
        ("kitty", []),
        ("foot", []),
        ("alacritty", ["-e"]),
        ("wezterm", ["start", "--"]),
        ("xterm", ["-e"]),
    ],
)
def test_each_terminal_is_told_in_its_own_way(programs: Path, name: str, before: list[str]) -> None:
    path = install(programs, name)
    assert terminal.command("", ["tenuto", *HOSTILE]) == [path, *before, "tenuto", *HOSTILE]
    assert terminal.command(f"{name} --wide", ["x"]) == [path, "--wide", *before, "x"]


def test_the_choice_goes_from_the_setting_to_the_environment_to_the_system(
    programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert terminal.find() == []
    for name in ("xterm", "x-terminal-emulator", "xdg-terminal-exec", "foot", "own"):
        install(programs, name)
    assert terminal.find() == [str(programs / "xdg-terminal-exec"), "--"]
    monkeypatch.setenv("TERMINAL", "foot")
    assert terminal.find() == [str(programs / "foot")]
    assert terminal.find("own -a") == [str(programs / "own"), "-a", "-e"]
    monkeypatch.setenv("TERMINAL", "gone")
    assert terminal.find() == [str(programs / "xdg-terminal-exec"), "--"]
    assert terminal.find("gone") == [], "what was named is not replaced behind one's back"


def test_a_setting_that_cannot_be_read_opens_nothing(programs: Path) -> None:
    install(programs, "xterm")
    assert terminal.command("xterm 'half", ["x"]) == []


def run_held(argv: list[str]) -> tuple[subprocess.Popen[bytes], int]:
    """A held command on a terminal of its own; the terminal's side of it."""
    line = terminal.command("env", argv, "It ended with")
    ours, theirs = pty.openpty()
    # "env -e" is no terminal: what comes after that is what a terminal would run.
    words = line[line.index("-e") + 1 :]
    process = subprocess.Popen(
        words, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    )
    os.close(theirs)
    return process, ours


def read_until(side: int, text: bytes) -> bytes:
    found = b""
    while text not in found:
        found += os.read(side, 4096)
    return found


def test_the_end_stays_on_the_screen_until_enter(tmp_path: Path) -> None:
    code = "import json, sys; print(json.dumps(sys.argv[1:])); sys.exit(3)"
    process, side = run_held([sys.executable, "-c", code, *HOSTILE])
    shown = read_until(side, b"It ended with 3").decode()
    import json

    first = shown.splitlines()[0]
    assert json.loads(first) == HOSTILE, "no word was read by the shell"
    assert process.poll() is None, "it waits"
    os.write(side, b"\n")
    assert process.wait() == 3
    os.close(side)
    assert not Path("x").exists()


def test_ctrl_c_is_for_the_command_alone() -> None:
    code = (
        "import signal, sys, time\n"
        "def stop(*_): print('suspended', flush=True); sys.exit(0)\n"
        "signal.signal(signal.SIGINT, stop)\n"
        "print('at work', flush=True)\n"
        "while True: time.sleep(0.05)\n"
    )
    process, side = run_held([sys.executable, "-c", code])
    read_until(side, b"at work")
    # What Ctrl+C does: the signal goes to all of the foreground group.
    os.killpg(process.pid, signal.SIGINT)
    shown = read_until(side, b"It ended with 0")
    assert b"suspended" in shown
    assert process.poll() is None
    os.write(side, b"\n")
    assert process.wait() == 0
    os.close(side)
