# SPDX-License-Identifier: Apache-2.0
"""Runs in threads of one process: ``side_by_side.py CONFIG FOLDER ID...``. They begin together.

Says ``ready`` and waits for the end of stdin before the first record.
"""

from __future__ import annotations

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

from tenuto.agent.approvals import NobodyToAsk
from tenuto.agent.cancel import CancelToken
from tenuto.agent.config import load_config, resolve
from tenuto.agent.events import NoEvents
from tenuto.agent.start import StartOptions, start_run
from tenuto.agent.worker import Worker
from tenuto.runs.file import FileRunStore


def main(config: str, folder: str, *ids: str) -> None:
    resolved = resolve(load_config(config))
    gate = threading.Barrier(len(ids))

    def one(id: str) -> int:
        # Signals belong to the main thread: nothing stops these runs.
        worker = Worker(NoEvents(), CancelToken(), mock.Mock(), NobodyToAsk(), remote=False)
        store = FileRunStore(folder)
        gate.wait()
        with worker.closing:
            return start_run(worker, store, resolved, StartOptions(f"Go, {id}", name=id))

    print("ready", flush=True)
    sys.stdin.read()
    with ThreadPoolExecutor(len(ids)) as pool:
        codes = list(pool.map(one, ids))
    print(codes)
    sys.exit(any(codes))


if __name__ == "__main__":
    main(*sys.argv[1:])
