# SPDX-License-Identifier: Apache-2.0
"""A run that was suspended on one machine goes on upon another, where its folder was copied.

There the home, the configuration, the application and Tenuto's own data stand at other paths, and
what the notes of the run say of the first machine is true of none of them.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from tests.e2e.bench import Bench
from tests.e2e.messages_server import MessagesServer
from tests.e2e.pantry import HELD
from tests.e2e.runs import DONE, PANTRY, call, resume, start, suspend_in_wait, turn, wait_turn
from tests.support import isolation

#: A tool of each kind that a configuration has at a path of its own.
CONFIG = {
    **PANTRY,
    "application_path": "./bin/pantry",
    "harness": {"memory": {"enabled": True}, "human_in_the_loop": {"enabled": True}},
}
OWN: dict[str, Any] = {
    "commands": [{"name": "count", "command": ["./bin/pantry", "stock", "list"]}]
}
TURNS = [wait_turn(), turn(call("stock_add", item="salt"), call("count")), DONE]
CALLS = [["wait", f"--seconds={HELD}"], ["stock", "add", "--", "salt"], ["stock", "list"]]


class Machine(Bench):
    """A bench with a home of its own."""

    def __init__(self, folder: Path, server: MessagesServer | None = None) -> None:
        super().__init__(folder)
        path = self.environment["PATH"]
        key = self.environment["ANTHROPIC_API_KEY"]
        self.home = folder / "home"
        self.home.mkdir(mode=0o700)
        self.environment = {**isolation.environment(self.home), "PATH": path}
        self.environment["ANTHROPIC_API_KEY"] = key
        if server is not None:
            self.use(server)
            self.config = self.configure(CONFIG, **OWN)
            return
        self.script(TURNS)
        llm = {"model": "scripted-1", "provider": "scripted"}
        self.config = self.configure({**CONFIG, "llm": llm}, script="script.json", **OWN)


def moved(tmp_path: Path, server: MessagesServer | None = None) -> Machine:
    """The second machine, with a run in its folder that the first one suspended and lost.

    ``server``: its model, on the wire; without one it is scripted.
    """
    first = Machine(tmp_path / "first", server)
    with first.worker(*start(first.config)) as worker:
        suspend_in_wait(first, worker)
    second = Machine(tmp_path / "elsewhere" / "second", server)
    shutil.rmtree(second.runs)
    shutil.copytree(first.runs, second.runs)
    second.pantry.log.write_bytes(first.pantry.log.read_bytes())
    shutil.rmtree(first.folder)
    return second


def goes_on_in_a_terminal(here: Machine, *line: str) -> None:
    """It ends as it would have there: its journal goes on, and the notes say where it is now."""
    before = (here.runs / "r1.json").read_bytes()
    done = here.tenuto(*line, "--no-replay", cwd=here.home)
    assert (done.returncode, done.stdout) == (0, "Done.\n"), done.stderr
    assert f"tools now run in {here.home}" in done.stderr
    assert here.pantry.calls() == CALLS
    assert (here.runs / "r1.json").read_bytes().startswith(before)
    assert here.kinds("r1").count("terminal") == 2
    notes = json.loads((here.runs / "r1.notes.json").read_bytes())
    assert (notes["config"], notes["cwd"]) == (str(here.config), str(here.home))
    assert "forced" not in notes


def test_in_a_terminal_under_a_configuration_that_is_named(tmp_path: Path) -> None:
    with MessagesServer(TURNS) as server:
        here = moved(tmp_path, server)
        goes_on_in_a_terminal(here, *resume(here.config))
    assert len(server.calls) == 3
    # The prompt and the tools are what they were there, byte for byte, and so is the journal.
    first, last = server.calls[0].body, server.calls[-1].body
    assert first["tools"] == last["tools"]
    assert first["system"] == last["system"][: len(first["system"])]


def test_in_a_terminal_under_a_configuration_that_is_found(tmp_path: Path) -> None:
    """It was met here before: the one that the notes name is not."""
    here = moved(tmp_path)
    assert here.tenuto("config", "check", str(here.config)).returncode == 0
    goes_on_in_a_terminal(here, "resume", "r1")


def test_in_a_window(tmp_path: Path) -> None:
    """It knows no present folder: where the last one is not, tools run beside the configuration."""
    here = moved(tmp_path)
    with here.worker(*resume(here.config)) as worker:
        assert worker.until("starting")["cwd"] == str(here.folder)
        gone = str(tmp_path / "first")
        assert gone in worker.until("warning", kind="cwd")["text"]
        assert worker.wait() == 0
        assert worker.events[-1]["reason"] == "completed"
    assert here.pantry.calls() == CALLS
    assert {record["cwd"] for record in here.pantry.records()[1:]} == {str(here.folder)}


def test_nothing_of_the_first_machine_is_asked_for_without_a_configuration(tmp_path: Path) -> None:
    here = moved(tmp_path)
    before = here.snapshot()
    done = here.tenuto("resume", "r1", "--no-replay")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--config" in done.stderr
    assert here.snapshot() == before
