# SPDX-License-Identifier: Apache-2.0
"""Starting a run: in memory, or journaled from its first record on."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from tenuto.agent.budget import Budget
from tenuto.agent.loop import new_conversation
from tenuto.agent.providers.make import make_provider
from tenuto.agent.recorder import CountingRecorder, MemoryJournal, Sink
from tenuto.agent.resolve import ResolvedAgent
from tenuto.agent.resume import ask_file, remember
from tenuto.agent.worker import Worker, announce, working_directory
from tenuto.clock import rfc3339_now
from tenuto.records import VERSION, Meta
from tenuto.runs.file import FileRunStore
from tenuto.runs.ids import new_id


@dataclass(frozen=True)
class StartOptions:
    """What the operator asked for."""

    prompt: str
    #: The run's id; None is a new one.
    name: str | None = None
    chat: bool = False


def start_run(
    worker: Worker, store: FileRunStore | None, resolved: ResolvedAgent, options: StartOptions
) -> int:
    """Run to the end; the exit code. Without a store nothing is kept.

    :raises RunExists, InvalidId: the name cannot be taken; nothing was written.
    :raises StoreError, ConfigError, ProviderError: as they say.
    """
    cwd = working_directory(resolved, None, remote=worker.remote)
    provider = make_provider(resolved.config)
    with contextlib.ExitStack() as stack:
        stack.callback(provider.close)
        sink: Sink = MemoryJournal()
        run_id = None
        if store is not None:
            run_id = new_id() if options.name is None else options.name
            meta = Meta(
                VERSION,
                run_id,
                rfc3339_now(),
                resolved.fingerprint,
                options.prompt,
                options.chat,
            )
            sink = stack.enter_context(store.create(run_id, meta))
            remember(worker, store, run_id, resolved, cwd)
            worker.use_ask_file(ask_file(worker, store, run_id))
        announce(worker, resolved, run_id=run_id, cwd=cwd, interactive=options.chat)
        return worker.drive(
            resolved,
            provider,
            worker.toolbox(resolved, cwd),
            CountingRecorder(sink),
            new_conversation(options.prompt, interactive=options.chat),
            run_id=run_id,
            budget=Budget(
                max_tokens=resolved.fingerprint.max_tokens,
                max_iterations=resolved.fingerprint.max_iterations,
            ),
        )
