# SPDX-License-Identifier: Apache-2.0
"""A folder of runs, the pantry program, configurations, and `tenuto` as a process of its own."""

from __future__ import annotations

import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.e2e.messages_server import MessagesServer
from tests.e2e.pantry import CONFORMANCE, install
from tests.support import warm

#: Generous: two slow cores may be busy with other things.
TIMEOUT = 60.0
Event = dict[str, Any]


class Bench:
    """Everything under one folder of the test's own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.runs = folder / "runs"
        self.runs.mkdir(parents=True, mode=0o700)
        self.pantry = install(folder / "bin")
        self.environment = {
            **os.environ,
            "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "ANTHROPIC_API_KEY": "test-key-that-no-tool-may-see",
        }

    def use(self, server: MessagesServer) -> None:
        """Let the SDK's environment variable point at ``server``."""
        self.environment["ANTHROPIC_BASE_URL"] = server.url

    def take(self, name: str, *, version: int = 3) -> Path:
        """A journal of the conformance data in the runs folder, and nothing else of that run."""
        source = CONFORMANCE / ("v2/runs" if version == 2 else "runs") / f"{name}.json"
        id = json.loads(source.read_bytes().split(b"\n")[0])["meta"]["run_id"]
        for old in self.runs.glob(f"{id}.*"):
            old.unlink()
        path = self.runs / f"{id}.json"
        shutil.copyfile(source, path)
        path.chmod(0o600)
        return path

    def configure(self, config: dict[str, Any], name: str = "agent.yaml", **own: Any) -> Path:
        """Write a configuration, with Tenuto's own keys in its second file."""
        path = self.folder / name
        path.write_text(json.dumps(config))
        if own:
            path.with_name(f"{path.stem}.tenuto.yaml").write_text(json.dumps(own))
        return path

    def script(
        self,
        turns: Sequence[Event],
        *,
        tools: str = "pantry",
        harness: Event | None = None,
        **llm: Any,
    ) -> Path:
        """A configuration with the scripted provider."""
        (self.folder / "script.json").write_text(json.dumps({"turns": list(turns)}))
        config: dict[str, Any] = {
            "identity": "pantry",
            "system_prompt": "You keep the pantry.",
            "llm": {"model": "scripted-1", "provider": "scripted", **llm},
        }
        if tools:
            config["application_path"] = tools
        if harness:
            config["harness"] = harness
        return self.configure(config, script="script.json")

    def command(self, *arguments: str) -> list[str]:
        line = [sys.executable, "-c", "from tenuto.cli.main import entry; entry()"]
        return [*line, *arguments, "--state-dir", str(self.runs)]

    def tenuto(self, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Run a command to its end: no terminal, nobody to ask."""
        words = [*arguments, "--state-dir", str(self.runs)]
        return warm.run(words, self.environment, TIMEOUT, cwd=cwd)

    def started(self, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        """The same by an interpreter of its own."""
        return subprocess.run(
            self.command(*arguments),
            env=self.environment,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            start_new_session=True,
            check=False,
        )

    @contextmanager
    def worker(self, *arguments: str, started: bool = False) -> Iterator[Worker]:
        """A worker that speaks the protocol; killed at the end if it still runs.

        ``started``: by an interpreter of its own, which its command line tells.
        """
        words = [*arguments, "--events", "jsonl"]
        worker = Worker(
            begin(self.command(*words), self.environment)
            if started
            else warm.Process([*words, "--state-dir", str(self.runs)], self.environment, stdin=True)
        )
        try:
            yield worker
        finally:
            worker.stop()

    def snapshot(self) -> dict[str, tuple[bytes, int, int]]:
        """Every file of the runs folder: bytes, mtime, inode."""
        found = {}
        for path in sorted(self.runs.iterdir()):
            status = path.stat()
            found[path.name] = (path.read_bytes(), status.st_mtime_ns, status.st_ino)
        return found

    def records(self, id: str) -> list[Event]:
        """The journal of a run, decoded."""
        data = (self.runs / f"{id}.json").read_bytes()
        return [json.loads(line) for line in data.splitlines()]

    def kinds(self, id: str) -> list[str]:
        return [record["protocol"].rpartition(".")[2] for record in self.records(id)]


def begin(line: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
    """A process in a session of its own, with pipes."""
    pipe = subprocess.PIPE
    return subprocess.Popen(
        line, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
    )


class Worker:
    """A worker process: its events in, commands out."""

    def __init__(self, process: subprocess.Popen[bytes] | warm.Process) -> None:
        """``process``: its three streams are pipes."""
        self.process = process
        self.events: list[Event] = []
        self._queue: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
        self.log = b""
        self._threads = [
            threading.Thread(target=self._read_events, daemon=True),
            threading.Thread(target=self._read_log, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def _read_events(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._queue.put(json.loads(line))
        self._queue.put(None)

    def _read_log(self) -> None:
        assert self.process.stderr is not None
        self.log = self.process.stderr.read()

    def send(self, **command: Any) -> None:
        self.send_raw(json.dumps(command).encode() + b"\n")

    def send_raw(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def keep_up(self) -> None:
        """Wait until the worker has done all that it was sent.

        It takes them in their order: what it says of a line that is none comes after the others.
        """
        self.send_raw(b"?\n")
        self.until("warning", kind="command")

    def hang_up(self) -> None:
        """End the worker's stdin."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def threads(self) -> int:
        """How many threads the worker has; the one that reads commands ends with its stdin."""
        return len(os.listdir(f"/proc/{self.process.pid}/task"))

    def until(self, kind: str, /, **fields: Any) -> Event:
        """The next event of this type with these fields; the ones before it are kept too."""
        return self.next(
            lambda event: (
                event["type"] == kind
                and all(event.get(name) == value for name, value in fields.items())
            )
        )

    def next(self, wanted: Callable[[Event], bool]) -> Event:
        deadline = time.monotonic() + TIMEOUT
        while True:
            event = self._queue.get(timeout=max(0.01, deadline - time.monotonic()))
            if event is None:
                self._threads[1].join(TIMEOUT)
                seen = [event["type"] for event in self.events]
                raise AssertionError(f"the worker ended after {seen}: {self.log.decode()}")
            self.events.append(event)
            if wanted(event):
                return event

    def signal(self, number: int = signal.SIGINT) -> None:
        self.process.send_signal(number)

    def wait(self) -> int:
        """Take what is left and return the exit code."""
        while (event := self._queue.get(timeout=TIMEOUT)) is not None:
            self.events.append(event)
        return self.process.wait(TIMEOUT)

    def types(self) -> list[str]:
        return [event["type"] for event in self.events]

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None and not stream.closed:
                try:
                    stream.close()
                except BrokenPipeError:
                    continue
