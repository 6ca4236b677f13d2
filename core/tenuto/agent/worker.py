# SPDX-License-Identifier: Apache-2.0
"""The process around a run: who is told, who is asked, how it is stopped, how it ends.

``tenuto run`` and ``tenuto resume`` are workers (design.md, "The worker"). With events as JSON
lines they speak the worker protocol on stdin and stdout; without, they talk to a terminal.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tenuto import gojson
from tenuto.agent.approvals import AskFile, NobodyToAsk, RemoteApprovals, WithdrawnError
from tenuto.agent.budget import Budget
from tenuto.agent.cancel import AbortError, CancelToken
from tenuto.agent.commands import CommandReader
from tenuto.agent.events import Events, JsonlEvents
from tenuto.agent.loop import AgentLoop, Conversation, Ending, FirstCall
from tenuto.agent.providers.base import Provider
from tenuto.agent.recorder import CountingRecorder
from tenuto.agent.resolve import ResolvedAgent
from tenuto.agent.stopping import EXIT_ABORTED, Stopping, forbid_inspection
from tenuto.agent.terminal import TerminalApprovals, TerminalEvents, TerminalPrompts, say
from tenuto.agent.tools.run import CommandTools
from tenuto.agent.tree import unusable_config
from tenuto.agent.tty import attended
from tenuto.errors import ConfigError, JournalError, Refused, StoreError, TenutoError
from tenuto.sentences import Sentence, others_words, parts_of, sentence


@dataclass
class Worker:
    """What a run needs of the process that it is in."""

    events: Events
    cancel: CancelToken
    stopping: Stopping
    approvals: RemoteApprovals | TerminalApprovals | NobodyToAsk
    #: Speaks the worker protocol.
    remote: bool
    #: One JSON document at the end instead of the answer (terminal only).
    as_json: bool = False
    #: Follow-ups of a chat; None where nobody can type any.
    prompts: RemotePrompts | TerminalPrompts | None = None
    #: The run's counters, once there is a run.
    recorder: CountingRecorder | None = None
    #: Closed with the worker, before its signals and events.
    closing: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    _told: bool = field(default=False, init=False)

    @property
    def can_ask(self) -> bool:
        return not isinstance(self.approvals, NobodyToAsk)

    def warn(self, kind: str, said: str | Sentence, **facts: Any) -> None:
        """``facts``: what else there is to tell for those who word it themselves."""
        parts = parts_of(said)
        if all_facts := parts.get("facts", {}) | facts:
            parts["facts"] = all_facts
        self.events.emit("warning", kind=kind, text=str(said), **parts)

    def use_ask_file(self, ask_file: AskFile) -> None:
        if not isinstance(self.approvals, NobodyToAsk):
            self.approvals.ask_file = ask_file

    def toolbox(self, resolved: ResolvedAgent, cwd: str) -> CommandTools:
        """The tools of a configuration, as this worker runs them."""
        return CommandTools(
            resolved.tools,
            cwd=cwd,
            environment=resolved.config.tool_environment(),
            approvals=self.approvals,
            events=self.events,
            cancel=self.cancel,
        )

    def drive(
        self,
        resolved: ResolvedAgent,
        provider: Provider,
        tools: CommandTools,
        recorder: CountingRecorder,
        conversation: Conversation,
        *,
        run_id: str | None,
        budget: Budget,
        first_call: FirstCall = "run",
        say: str | None = None,
        system: Sequence[str] | None = None,
    ) -> int:
        """Run the loop to its end and report it; the exit code.

        ``system``: the instructions of the conversation itself, where it has its own.

        :raises StoreError: the journal failed.
        :raises AbortError: the operator aborted.
        """
        self.recorder = recorder
        loop = AgentLoop(
            provider=provider,
            tools=tools,
            definitions=resolved.definitions,
            system=resolved.system_parts if system is None else system,
            recorder=recorder,
            events=self.events,
            cancel=self.cancel,
            budget=budget,
            added=self._memory_index(resolved),
            prompts=self.prompts,
        )
        try:
            ending = loop.run(conversation, first_call=first_call, say=say)
        except WithdrawnError:
            raise outcome_unknown(sentence("the question about the call was taken back")) from None
        self.finished(ending.reason, ending.message, ending.cause)
        if self.as_json or not conversation.interactive:
            self._answer(ending, run_id)
        return 0 if ending.reason in ("completed", "suspended") else 1

    def _memory_index(self, resolved: ResolvedAgent) -> list[str]:
        """As it is now, and for as long as this worker runs: a prompt that stays is cached."""
        from tenuto.agent import memory

        try:
            found = memory.index(resolved.config)
        except (OSError, StoreError) as error:
            self.warn(
                "memory",
                sentence(
                    "what is in the memory cannot be told: {reason}",
                    reason=others_words(str(error)),
                ),
            )
            return []
        return [] if found is None else [found]

    def finished(self, reason: str, message: str, cause: str = "") -> None:
        """Tell the end, once: an abort may come while what was used is being closed."""
        if self._told:
            return
        self._told = True
        counters = self.recorder.as_json() if self.recorder is not None else None
        more = {"cause": cause} if cause else {}
        self.events.emit("finished", reason=reason, message=message, counters=counters, **more)

    def _answer(self, ending: Ending, run_id: str | None) -> None:
        """The result, alone on stdout."""
        if self.remote:
            return
        if self.as_json:
            counters = self.recorder.as_json() if self.recorder is not None else None
            document = {
                "run_id": run_id,
                "reason": ending.reason,
                "message": ending.message,
                "answer": ending.answer,
                "counters": counters,
            }
            say(gojson.encode_any(document).decode())
        elif ending.answer:
            say(ending.answer)


def outcome_unknown(why: Sentence) -> Refused:
    """The refusal of a resume that would repeat a call which may have happened."""
    return Refused(
        sentence("the outcome of a call is unknown: {why}", why=why),
        reason="outcome_unknown",
        diff=[],
    )


class RemotePrompts:
    """Follow-ups that arrive as commands."""

    def __init__(self, cancel: CancelToken) -> None:
        self._cancel = cancel
        self._changed = threading.Condition()
        self._waiting: list[str] = []
        self._ended = False
        cancel.watch(self._wake)

    def next(self) -> str | None:
        with self._changed:
            self._changed.wait_for(
                lambda: (
                    self._waiting or self._ended or self._cancel.suspended or self._cancel.aborted
                )
            )
            if self._cancel.suspended or self._cancel.aborted or not self._waiting:
                return None
            return self._waiting.pop(0)

    def add(self, text: str) -> None:
        with self._changed:
            self._waiting.append(text)
            self._changed.notify_all()

    def end(self) -> None:
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()


class _Commands:
    """What the worker does for each command of whoever started it."""

    def __init__(
        self, stopping: Stopping, approvals: RemoteApprovals, prompts: RemotePrompts
    ) -> None:
        self._stopping = stopping
        self._approvals = approvals
        self._prompts = prompts
        self._detached = False

    def answer(self, id: str, answer: dict[str, Any]) -> None:
        self._approvals.answer(id, answer)

    def suspend(self) -> None:
        self._stopping.suspend()

    def abort(self) -> None:
        self._stopping.abort()

    def detach(self) -> None:
        self._detached = True
        self._approvals.nobody_answers()

    def prompt(self, text: str) -> None:
        self._prompts.add(text)

    def end_of_input(self) -> None:
        self._prompts.end()
        if not self._detached:
            self._stopping.suspend()


def work(body: Callable[[Worker], int], *, remote: bool, as_json: bool = False) -> int:
    """Run ``body`` as a worker; the exit code.

    :raises TenutoError: in a terminal, for the command line to tell; a remote worker tells it as
        an event.
    """
    with worker(remote=remote, as_json=as_json) as process:
        try:
            return body(process)
        except AbortError:
            process.finished("aborted", "")
            return EXIT_ABORTED
        except TenutoError as error:
            if remote:
                return report_error(process, error)
            raise


@contextlib.contextmanager
def worker(*, remote: bool, as_json: bool = False) -> Iterator[Worker]:
    """Be a worker until the end of the block. On the main thread only."""
    forbid_inspection()
    cancel = CancelToken()
    with contextlib.ExitStack() as stack:
        events: Events
        if remote:
            events = JsonlEvents(stack.enter_context(_private_stdout()))
        else:
            events = TerminalEvents(answers=not as_json)
        stack.callback(events.close)
        made: list[Worker] = []

        def last_words() -> None:
            if made:
                made[0].finished("aborted", "")
            events.close()

        def say_suspending() -> None:
            if not remote:
                events.emit(
                    "warning",
                    kind="suspending",
                    text="suspending after this step; interrupt again to abort",
                )

        stopping = stack.enter_context(
            Stopping(cancel, on_suspend=say_suspending, last_words=last_words)
        )
        if remote:
            approvals = RemoteApprovals(events, cancel)
            prompts = RemotePrompts(cancel)
            handler = _Commands(stopping, approvals, prompts)
            made.append(Worker(events, cancel, stopping, approvals, True, prompts=prompts))
            CommandReader(sys.stdin.fileno(), handler, events).start()
        else:
            there = attended()
            asks = TerminalApprovals(cancel) if there else NobodyToAsk()
            typed = TerminalPrompts(cancel) if there else None
            made.append(Worker(events, cancel, stopping, asks, False, as_json, prompts=typed))
        with made[0].closing:
            yield made[0]


@contextlib.contextmanager
def _private_stdout() -> Iterator[int]:
    """A descriptor of stdout's own; whatever else is printed goes to the log, stderr."""
    sys.stdout.flush()
    ours = os.dup(1)
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield ours
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)


def report_error(worker: Worker, error: TenutoError) -> int:
    """Tell an error as an event; the exit code."""
    if isinstance(error, Refused):
        worker.events.emit(
            "refused",
            reason=error.fields.get("reason", ""),
            message=error.message,
            **parts_of(error.said),
            diff=error.fields.get("diff", []),
        )
        return error.exit_code
    if isinstance(error, JournalError):
        error.add(sentence("`tenuto session doctor` tells what can be saved"))
    # The system's own name of what went wrong with a file: ENOSPC and the like.
    more: dict[str, Any] = {}
    if error.fields.get("name"):
        more["cause"] = str(error.fields["name"])
    if error.fields.get("pid"):
        more["pid"] = int(error.fields["pid"])
    more |= parts_of(error.said)
    worker.events.emit("error", kind=error.kind, text=error.message, **more)
    return error.exit_code


def working_directory(resolved: ResolvedAgent, last: str | None, *, remote: bool) -> str:
    """Where tools run (design.md, "Command line": precedence). Raises ConfigError."""
    config = resolved.config
    if config.working_directory is not None:
        chosen = str(config.working_directory)
    elif not remote:
        chosen = os.getcwd()
    elif last is not None and os.path.isdir(last):
        chosen = last
    else:
        chosen = str(config.directory)
    if not os.path.isdir(chosen):
        text = sentence("the working directory {folder} is not there", folder=chosen)
        raise unusable_config(text, "working_directory", path=str(config.path))
    return chosen


def announce(
    worker: Worker,
    resolved: ResolvedAgent,
    *,
    run_id: str | None,
    cwd: str,
    interactive: bool,
    resumed: bool = False,
    forced: bool = False,
    diff: Sequence[dict[str, Any]] = (),
) -> None:
    """The first event of a run that goes ahead."""
    worker.events.emit(
        "starting",
        run_id=run_id,
        interactive=interactive,
        resumed=resumed,
        forced=forced,
        diff=list(diff),
        model=resolved.config.llm.model,
        tools=[tool.name for tool in resolved.tools],
        pid=os.getpid(),
        cwd=cwd,
        max_tokens=resolved.fingerprint.max_tokens,
        max_iterations=resolved.fingerprint.max_iterations,
    )
    for text in resolved.warnings:
        worker.warn("configuration", text)


def load_agent(path: str | os.PathLike[str], worker: Worker) -> ResolvedAgent:
    """The configuration, resolved, usable, and remembered as seen. Raises ConfigError.

    Its MCP servers run from now on, and end with the worker.
    """
    from tenuto.agent import digests, seen
    from tenuto.agent.config import load_config, resolve

    config = load_config(path)
    servers = None
    if config.tenuto.mcp_servers:
        from tenuto.agent.servers import Servers

        try:
            servers = worker.closing.enter_context(Servers(config, worker.cancel))
        except ConfigError as error:
            error.fields["path"] = str(config.path)
            raise
    resolved = resolve(config, servers)
    seen.remember(resolved.config.path, resolved)
    digests.record(resolved)
    resolved.check_usable()
    return resolved
