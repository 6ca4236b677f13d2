# SPDX-License-Identifier: Apache-2.0
"""The one call that may have happened before a crash, and what becomes of it on a resume.

Run it again, skip it, or leave the run alone (agent-config.md, "Resuming", the row on crashes): the
operator says so on the command line beforehand, or is asked. Nothing is changed here.
"""

from __future__ import annotations

import os
from typing import Literal

from tenuto.agent.approvals import OutcomeQuestion, WithdrawnError
from tenuto.agent.loop import FirstCall
from tenuto.agent.tools.base import Tool
from tenuto.agent.tools.run import CommandTools
from tenuto.agent.worker import Worker, outcome_unknown
from tenuto.clock import rfc3339
from tenuto.errors import ToolInputError
from tenuto.fold import RunState
from tenuto.messages import ToolUse
from tenuto.runs import times
from tenuto.runs.file import FileRunStore
from tenuto.runs.lock import RunLock
from tenuto.sentences import Sentence, sentence
from tenuto.text import single_line

#: What the operator decided beforehand.
Decision = Literal["ask", "rerun", "skip"]
_CUT = ("max_tokens", "model_context_window_exceeded")


def unknown_call(state: RunState, *, begun: bool = False) -> ToolUse | None:
    """The one call that may have happened before a crash, if there is one.

    Calls run one after another, so it is the first without a result. After a terminal record
    nothing is unknown: the batch had not started, unless an earlier resume has ``begun`` it; nor
    were calls of a cut reply ever run.
    """
    pending = state.pending
    if pending is None or pending.stop_reason in _CUT:
        return None
    if state.terminal_in_force is not None and not begun:
        return None
    return pending.unanswered[0] if pending.unanswered else None


def decide(
    worker: Worker,
    store: FileRunStore,
    id: str,
    state: RunState,
    tools: CommandTools,
    decision: Decision,
    *,
    begun: bool,
    forced: bool,
) -> tuple[FirstCall, Sentence | None]:
    """What becomes of the call whose outcome is unknown, and a sentence on it (None: no such call).

    :param begun: a resume began the batch behind the terminal record in force.
    :param forced: the configuration is not the one that the call was made under.
    :raises Refused: nobody decides, or what was decided cannot be done; nothing was changed.
    """
    call = unknown_call(state, begun=begun)
    if call is None:
        return "run", None
    tool = tools.find(call.name)
    # Only under a forced configuration: what ran, if it ran, cannot be run from here.
    command = call.name
    argv: tuple[str, ...] = (call.name, bytes(call.input).decode("utf-8", "replace"))
    if tool is not None:
        try:
            argv = tuple(tools.freeze(call).argv)
            command = _line(tool, call)
        except ToolInputError:
            if not forced:
                # No command came of it, so none can have run: it gets its error result again.
                return "run", None
            tool = None
    if tool is not None and tool.asks:
        # Nothing came of a question that was not answered: it is simply asked.
        return "run", None
    gated = tool is not None and bool(tool.confirm)
    if tool is not None and tool.read_only:
        return "rerun", _again_since_harmless(command, gated=gated)
    if decision == "skip":
        return "skip", _skipped(command)
    if tool is None and (decision == "rerun" or not worker.can_ask):
        raise outcome_unknown(
            sentence(
                "a call of `{command}` may have run before the interruption, and the configuration"
                " takes no such call any more, so it cannot run again; --skip tells the model that"
                " its outcome is unknown",
                command=command,
            )
        )
    if gated and not worker.can_ask:
        # To deny it now would tell the model that it never ran.
        raise outcome_unknown(
            sentence(
                "`{command}` may have run before the interruption; it runs again only when it is"
                " allowed, and nobody can be asked here: resume it in a terminal or in the window,"
                " or --skip tells the model that its outcome is unknown",
                command=command,
            )
        )
    if decision == "rerun":
        return "rerun", _again(command, gated=gated)
    if not worker.can_ask:
        raise outcome_unknown(
            sentence(
                "`{command}` may have run before the interruption; --rerun runs it again, --skip"
                " tells the model that its outcome is unknown",
                command=command,
            )
        )
    since = _since(store, id, state)
    question = OutcomeQuestion(call.id, call.name, argv, since, gone=tool is None)
    decided = _ask_outcome(worker, store, id, question)
    return decided, _skipped(command) if decided == "skip" else _again(command, gated=False)


def _skipped(command: str) -> Sentence:
    return sentence(
        "`{command}` may have run before the interruption, its outcome is unknown: it is not run,"
        " and the model is told so",
        command=command,
    )


def _again(command: str, *, gated: bool) -> Sentence:
    if gated:
        return sentence(
            "`{command}` may have run before the interruption, its outcome is unknown: it runs"
            " again if it is allowed",
            command=command,
        )
    return sentence(
        "`{command}` may have run before the interruption, its outcome is unknown: it runs again",
        command=command,
    )


def _again_since_harmless(command: str, *, gated: bool) -> Sentence:
    if gated:
        return sentence(
            "`{command}` may have run before the interruption, its outcome is unknown: it is"
            " read-only, and it runs again if it is allowed",
            command=command,
        )
    return sentence(
        "`{command}` may have run before the interruption, its outcome is unknown: it is"
        " read-only, and it runs again",
        command=command,
    )


def _line(tool: Tool, call: ToolUse) -> str:
    """The call as one line; of a declared command with its program, which means something."""
    line = tool.command(bytes(call.input))
    if tool.source == "command":
        line = f"{os.path.basename(tool.program)} {line}".rstrip()
    return single_line(line)


def _ask_outcome(
    worker: Worker, store: FileRunStore, id: str, question: OutcomeQuestion
) -> FirstCall:
    # The lock says that this run is being dealt with; the journal stays untouched until "run".
    lock = RunLock(store.directory, id)
    lock.acquire()
    try:
        decision = worker.approvals.outcome(question)
    except WithdrawnError:
        decision = "stop"
    finally:
        lock.release()
    match decision:
        case "run":
            # The operator saw this very command: no second question for it.
            return "approved"
        case "skip":
            return "skip"
    raise outcome_unknown(sentence("the operator stopped; the run stays as it was"))


def _since(store: FileRunStore, id: str, state: RunState) -> str:
    """When the last record was written: right after it the call began, if it began."""
    record = times.read(store.directory, id).get(state.last_seq)
    if record is not None:
        return record.t
    # The times of the last moments die with a killed worker; the journal's own time does not.
    try:
        return rfc3339(os.stat(store.path(id)).st_mtime_ns)
    except OSError:
        return ""
