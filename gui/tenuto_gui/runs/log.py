# SPDX-License-Identifier: Apache-2.0
"""What workers said besides their events, kept for whoever asks why: one file a run.

It lies in Tenuto's own data, never beside the run, and holds no secrets that `tenuto.redact` knows.
Best effort: a log that cannot be written stops nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

#: Bytes of a log; of a longer one the older half goes.
MAX_BYTES = 512 << 10
#: Logs that are kept, of all folders.
MAX_FILES = 200
_NAME = 120


def entry(
    *, when: str, pid: int, exit_code: int | None, message: str, warnings: Sequence[str], log: str
) -> str:
    """What is kept of one worker: how it ended, what it warned of, what it wrote to stderr."""
    ended = "killed, or not started" if exit_code is None else f"exit code {exit_code}"
    lines = [f"# {when} process {pid}, {ended}", message]
    lines += [f"warning: {each}" for each in warnings]
    return "\n".join(line for line in [*lines, log.strip()] if line)


class WorkerLogs:
    """The logs of one folder of runs. Every call may wait for a disk: not for the GUI thread."""

    def __init__(self, logs: Path, runs: Path) -> None:
        self._logs = logs
        self._folder = hashlib.sha256(os.fsencode(runs)).hexdigest()[:12]

    def path(self, session_id: str) -> Path:
        """Where the log of a session is, if there is one."""
        name = quote(session_id, safe="")
        if len(name) > _NAME:
            name = hashlib.sha256(session_id.encode(errors="replace")).hexdigest()
        return self._logs / f"{name}.{self._folder}.log"

    def add(self, session_id: str, text: str) -> None:
        """Append what one worker said, redacted here.

        :raises OSError: it cannot be written.
        """
        from tenuto.redact import Redactor

        self._logs.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self.path(session_id)
        data = Redactor().text(text).rstrip().encode(errors="replace") + b"\n\n"
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0)
        with open(os.open(path, flags, 0o600), "r+b") as file:
            file.seek(0)
            before = file.read()
            if len(before) + len(data) > MAX_BYTES:
                kept = (before + data)[-MAX_BYTES // 2 :]
                file.truncate(0)
                data = kept[kept.find(b"\n") + 1 :]
            file.write(data)
        self._sweep()

    def read(self, session_id: str) -> str:
        """All that is kept of a session's workers.

        :raises OSError: there is no log, or it cannot be read.
        """
        return self.path(session_id).read_bytes().decode(errors="replace")

    def _sweep(self) -> None:
        found = []
        for path in self._logs.glob("*.log"):
            with contextlib.suppress(OSError):
                found.append((path.stat().st_mtime_ns, path))
        for _time, path in sorted(found)[:-MAX_FILES]:
            with contextlib.suppress(OSError):
                path.unlink()
