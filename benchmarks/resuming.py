# SPDX-License-Identifier: Apache-2.0
"""Run as a process of its own: seconds to fold a journal, or to resume its run up to a model call.

Its words are ``fold JOURNAL`` or ``resume JOURNAL CONFIG``.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from unittest import mock

from tenuto.agent import resume
from tenuto.agent.cancel import AbortError, CancelToken
from tenuto.agent.providers.base import Deltas, Reply, Request
from tenuto.agent.worker import load_agent, worker
from tenuto.fold import fold
from tenuto.runs.file import FileRunStore
from tenuto.runs.reader import scan


def folded(journal: Path) -> float:
    """Seconds to read and fold a journal, its messages decoded as a model call needs them."""
    started = time.perf_counter()
    with journal.open("rb") as file:
        _messages = fold(scan(file).records).messages
    return time.perf_counter() - started


class _FirstCall:
    """A provider that notes when it is called, and how much it is to send; it answers nothing."""

    name = "scripted"
    seconds = 0.0
    messages = 0

    def complete(self, request: Request, deltas: Deltas, cancel: CancelToken) -> Reply:
        self.seconds = time.perf_counter()
        self.messages = len(request.messages)
        raise AbortError

    def close(self) -> None:
        """Nothing is held."""


def resumed(journal: Path, config: str) -> float:
    """Seconds from the wish to resume until the model is called; nothing is added to the run."""
    provider = _FirstCall()
    making = mock.patch.object(resume, "make_provider", return_value=provider)
    with making, worker(remote=False) as process:
        resolved = load_agent(config, process)
        store = FileRunStore(journal.parent)
        started = time.perf_counter()
        try:
            resume.resume_run(process, store, resolved, resume.ResumeOptions(journal.stem))
        except AbortError:
            pass
    assert provider.messages
    return provider.seconds - started


def main() -> None:
    work, journal, *config = sys.argv[1:]
    seconds = folded(Path(journal)) if work == "fold" else resumed(Path(journal), *config)
    print(json.dumps({"seconds": seconds}))


if __name__ == "__main__":
    main()
