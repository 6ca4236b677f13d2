# SPDX-License-Identifier: Apache-2.0
"""Runs that this window works on, each in a process of its own (design.md, "The worker").

Everything here happens in the GUI thread, on signals of QProcess; nothing ever waits for a worker.
A worker whose window is gone reads the end of its input, finishes its step and suspends.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from PySide6.QtCore import QObject, QProcess, QTimer, Signal

from tenuto_gui.context import AppContext
from tenuto_gui.core_words import in_parts
from tenuto_gui.i18n import translate
from tenuto_gui.runs import protocol

#: Milliseconds that an aborted worker has to end its tool before it is killed.
ABORT_GRACE_MS = 5_000
#: Bytes of events handled before the window gets a turn.
_SLICE = 256 << 10
#: What is kept of a worker's stderr.
_LOG_BYTES = 64 << 10

#: Milliseconds in which a worker's pipe takes the last command of a window that leaves.
_LAST_COMMAND_MS = 2_000

#: ``leaving``: it goes on without the window.
Phase = Literal["starting", "running", "suspending", "aborting", "leaving"]


@dataclass(frozen=True)
class RunOutcome:
    """How a worker ended.

    ``exit_code`` is None when it could not be started or died of a signal; ``event`` is the last
    word it said about the run; ``message`` is one sentence for people, ``log`` the end of stderr.
    """

    exit_code: int | None
    event: protocol.Finished | protocol.Refused | protocol.Failed | None
    message: str
    log: str
    aborted: bool = False
    #: A new run that ended before there was a journal of it.
    never_began: bool = False
    #: What it warned of, oldest first.
    warnings: tuple[str, ...] = ()
    #: How often the model was asked for the reply that never came.
    attempts: int = 1
    #: Its process, 0 where none was started.
    pid: int = 0

    @property
    def is_smooth(self) -> bool:
        """Whether nothing was said but what the journal or the operator knows anyway."""
        said = self.log.strip() or self.warnings
        clean = isinstance(self.event, protocol.Finished | protocol.Refused) or self.aborted
        return not said and (clean or self.exit_code == 0)


@dataclass
class LiveRun:
    """What is known of a run while its worker lives."""

    id: str
    config: str
    forced: bool
    phase: Phase = "starting"
    starting: protocol.Starting | None = None
    #: Open questions, oldest first.
    asks: dict[str, protocol.Ask] = field(default_factory=dict)
    #: Turns and tokens that this worker added.
    iteration: int | None = None
    tokens: int = 0
    #: The tool that runs, "" for none.
    tool: str = ""
    warnings: list[protocol.Warning_] = field(default_factory=list)
    #: How often the model is asked for the reply that is awaited.
    attempts: int = 1
    #: A chat that waits for a prompt.
    ready: bool = False
    #: It was started here, from its first prompt on.
    new: bool = False
    #: The worker's process, 0 before there is one.
    pid: int = 0
    #: Seconds of a clock that only goes forward, when the worker was started.
    since: float = field(default_factory=time.monotonic)

    @property
    def elapsed(self) -> float:
        """Seconds that the worker has been at work."""
        return time.monotonic() - self.since


class RunController(QObject):
    """Starts, steers and ends workers. Emits nothing from within the calls that ask for it."""

    started = Signal(str)
    #: (run id, an event of `protocol`). Not called ``event``: that is a method of every QObject.
    run_event = Signal(str, object)
    #: (run id, RunOutcome): always the last signal of a worker.
    finished = Signal(str, object)
    #: (run id, protocol.Refused): the resume may not go on; `finished` follows.
    refused = Signal(str, object)
    #: The last worker ended.
    idle = Signal()

    def __init__(
        self, context: AppContext, parent: QObject | None = None, *, grace_ms: int = ABORT_GRACE_MS
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._grace_ms = grace_ms
        self._workers: dict[str, _Worker] = {}

    # --- what the window asks --------------------------------------------------------------------

    def resume(self, id: str, config: str, force: bool = False, say: str = "") -> bool:
        """Start a worker on a run. False when one of ours works on it already.

        ``say``: a message of the operator's, "" for none.
        """
        words = ["resume", self._context.source.word(id), "--config", config]
        if force:
            words.append("--force")
        if say:
            words.append(f"--say={say}")
        return self._start(LiveRun(id, config, force), [*words, "--events", "jsonl"])

    def start(self, id: str, config: str, prompt: str, *, chat: bool = False) -> bool:
        """Start a new run under this id. False when a worker of ours has that id."""
        words = ["run", "--config", config, "--checkpoint", f"--name={id}", "--events", "jsonl"]
        if chat:
            words.append("--chat")
        return self._start(LiveRun(id, config, False, new=True), [*words, "--", prompt])

    def _start(self, run: LiveRun, words: list[str]) -> bool:
        if run.id in self._workers:
            return False
        worker = _Worker(self, run, self._context.command(*words), self._grace_ms)
        self._workers[run.id] = worker
        worker.start()
        return True

    def suspend(self, id: str) -> None:
        """Finish the step, then rest. Nothing is lost."""
        worker = self._workers.get(id)
        if worker is not None and worker.run.phase != "aborting":
            worker.run.phase = "suspending"
            worker.send({"type": "suspend"})

    def abort(self, id: str) -> None:
        """Stop at once; the worker is killed when it does not end within the grace."""
        worker = self._workers.get(id)
        if worker is not None:
            worker.abort()

    def answer(self, id: str, ask_id: str, decision: str = "", **more: object) -> bool:
        """Answer a question that is open; False when it is not, or not any more.

        ``decision`` for a call, ``value`` (bool, str) for what was asked in words.
        """
        worker = self._workers.get(id)
        if worker is None or ask_id not in worker.run.asks:
            return False
        ask = worker.run.asks.pop(ask_id)
        words: dict[str, object] = {"type": "answer", "id": ask_id, **more}
        if decision:
            words["decision"] = decision
        if ask.digest:
            # What was shown is what may run, and nothing else.
            words["digest"] = ask.digest
        worker.send(words)
        self.run_event.emit(id, protocol.Answered(id=ask_id, decision=decision))
        return True

    def prompt(self, id: str, text: str) -> None:
        """A chat's next prompt."""
        worker = self._workers.get(id)
        if worker is not None and worker.run.ready:
            worker.run.ready = False
            worker.send({"type": "prompt", "text": text})

    # --- what the window may know ----------------------------------------------------------------

    def is_live(self, id: str) -> bool:
        """Whether a worker of this window works on the run."""
        return id in self._workers

    def live_ids(self) -> list[str]:
        """The runs this window works on, oldest worker first."""
        return list(self._workers)

    def run(self, id: str) -> LiveRun | None:
        """What is known of a live run."""
        worker = self._workers.get(id)
        return worker.run if worker is not None else None

    # --- the end of the window -------------------------------------------------------------------

    def close_inputs(self) -> None:
        """Tell every worker that nobody answers any more: it finishes its step and suspends.

        `idle` follows. A QProcess that is destroyed kills its process: whoever leaves before that
        must leave by ``os._exit``, and the workers end by themselves.
        """
        for worker in self._workers.values():
            worker.close_input()

    def leave(self) -> None:
        """Let every worker go on without the window, its questions denied.

        As with `close_inputs`, this process must then end by ``os._exit``.
        """
        for worker in self._workers.values():
            worker.leave()

    def wait(self, milliseconds: int) -> bool:
        """Wait for workers that were told to end; whether all did. Holds up the window."""
        return all(worker.wait(milliseconds) for worker in list(self._workers.values()))

    # --- what workers report ---------------------------------------------------------------------

    def worker_ended(self, worker: _Worker, outcome: RunOutcome) -> None:
        """Called by a worker, once."""
        id = worker.run.id
        self._workers.pop(id, None)
        for ask_id in list(worker.run.asks):
            self.run_event.emit(id, protocol.Withdrawn(id=ask_id))
        if isinstance(outcome.event, protocol.Refused):
            self.refused.emit(id, outcome.event)
        self.finished.emit(id, outcome)
        worker.deleteLater()
        if not self._workers:
            self.idle.emit()


class _Worker(QObject):
    """One process and what it said so far."""

    def __init__(
        self, controller: RunController, run: LiveRun, argv: list[str], grace_ms: int
    ) -> None:
        super().__init__(controller)
        self.run = run
        self._controller = controller
        self._argv = argv
        self._lines = protocol.LineSplitter()
        self._log: deque[bytes] = deque()
        self._log_size = 0
        #: Whether its beginning is gone.
        self._log_cut = False
        self._last: protocol.Finished | protocol.Refused | protocol.Failed | None = None
        self._ended = False
        self._process = QProcess(self)
        self._process.started.connect(self._on_started)
        self._process.readyReadStandardOutput.connect(self._on_output)
        self._process.readyReadStandardError.connect(self._on_error_output)
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_process_error)
        self._more = QTimer(self)
        self._more.setSingleShot(True)
        self._more.timeout.connect(self._on_output)
        self._kill = QTimer(self)
        self._kill.setSingleShot(True)
        self._kill.setInterval(grace_ms)
        self._kill.timeout.connect(self._process.kill)

    def start(self) -> None:
        self._process.start(self._argv[0], self._argv[1:])

    def send(self, command: Mapping[str, object]) -> None:
        """One command; a worker that is gone reads nothing."""
        if self._process.state() != QProcess.ProcessState.NotRunning:
            self._process.write(json.dumps(command).encode() + b"\n")

    def abort(self) -> None:
        self.run.phase = "aborting"
        self.send({"type": "abort"})
        if not self._kill.isActive():
            self._kill.start()

    def close_input(self) -> None:
        self._process.closeWriteChannel()

    def leave(self) -> None:
        self.run.phase = "leaving"
        self.send({"type": "detach"})
        # The end of its input must not come before the word that makes it harmless.
        self._process.waitForBytesWritten(_LAST_COMMAND_MS)
        self.close_input()

    def wait(self, milliseconds: int) -> bool:
        ended = self._process.state() == QProcess.ProcessState.NotRunning
        return ended or self._process.waitForFinished(milliseconds)

    def log_text(self) -> str:
        data = b"".join(self._log)
        if self._log_cut:
            from tenuto.redact import behind_cut

            data = behind_cut(data)
        return data.decode("utf-8", "replace")

    # --- signals of the process ------------------------------------------------------------------

    def _on_started(self) -> None:
        self.run.pid = self._process.processId()
        self._controller.started.emit(self.run.id)

    def _on_output(self) -> None:
        self._process.setReadChannel(QProcess.ProcessChannel.StandardOutput)
        data = bytes(self._process.read(_SLICE).data())
        for line in self._lines.feed(data):
            self._line(line)
        if self._process.bytesAvailable() and not self._ended:
            self._more.start()

    def _on_error_output(self) -> None:
        data = bytes(self._process.readAllStandardError().data())
        self._log_cut = self._log_cut or len(data) > _LOG_BYTES
        data = data[-_LOG_BYTES:]
        self._log.append(data)
        self._log_size += len(data)
        while self._log_size - len(self._log[0]) >= _LOG_BYTES:
            self._log_size -= len(self._log.popleft())
            self._log_cut = True

    def _on_process_error(self, error: QProcess.ProcessError) -> None:
        # A process that started and died also sends `finished`.
        if error == QProcess.ProcessError.FailedToStart:
            text = translate("Runs", "The worker cannot be started: {reason}")
            self._end(None, text.format(reason=self._process.errorString()))

    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        while self._process.bytesAvailable():
            before = self._process.bytesAvailable()
            self._on_output()
            if self._process.bytesAvailable() == before:
                break
        self._line(self._lines.end())
        self._on_error_output()
        crashed = status == QProcess.ExitStatus.CrashExit
        self._end(None if crashed else code, self._sentence(code, crashed))

    def _sentence(self, code: int, crashed: bool) -> str:
        match self._last:
            case protocol.Finished():
                return self._last.message
            case protocol.Refused():
                return in_parts(self._last.sentence, self._last.facts) or self._last.message
            case protocol.Failed():
                return in_parts(self._last.sentence, self._last.facts) or self._last.text
        if crashed:
            return translate("Runs", "The worker was killed.")
        if self.run.phase == "aborting" or code == 0:
            return ""
        from tenuto.redact import Redactor

        lines = [Redactor().text(x) for x in self.log_text().splitlines() if x.strip()]
        text = translate("Runs", "The worker ended with exit code {code}.").format(code=code)
        return f"{text} {lines[-1]}" if lines else text

    def _end(self, code: int | None, message: str) -> None:
        if self._ended:
            return
        self._ended = True
        self._kill.stop()
        self._more.stop()
        aborted = self.run.phase == "aborting"
        never_began = self.run.new and self.run.starting is None
        outcome = RunOutcome(
            code,
            self._last,
            message,
            self.log_text(),
            aborted,
            never_began,
            tuple(warning.text for warning in self.run.warnings),
            self.run.attempts,
            self.run.pid,
        )
        self._controller.worker_ended(self, outcome)

    # --- events ----------------------------------------------------------------------------------

    def _line(self, line: bytes | None) -> None:
        if line is None:
            event: protocol.AnyEvent | None = protocol.Warning_(
                kind="protocol", text="an event too long to be one"
            )
        else:
            event = protocol.parse(line)
        if event is None:
            return
        self._note(event)
        self._controller.run_event.emit(self.run.id, event)

    def _note(self, event: protocol.AnyEvent) -> None:
        run = self.run
        match event:
            case protocol.Starting():
                run.starting = event
                if run.phase == "starting":
                    run.phase = "running"
            case protocol.Ready():
                run.ready = True
            case protocol.AssistantRecorded():
                run.iteration = event.iteration
                run.tokens += event.usage.total if event.usage is not None else 0
                run.attempts = 1
            case protocol.ToolStart():
                run.tool = event.name
            case protocol.ToolEnd():
                run.tool = ""
            case protocol.Ask():
                run.asks[event.id] = event
            case protocol.Withdrawn():
                run.asks.pop(event.id, None)
            case protocol.Warning_():
                run.attempts += event.kind == "retry"
                run.warnings.append(event)
                del run.warnings[:-100]
            case protocol.Finished() | protocol.Refused() | protocol.Failed():
                self._last = event
