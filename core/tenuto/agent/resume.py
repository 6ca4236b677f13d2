# SPDX-License-Identifier: Apache-2.0
"""Going on with a run: everything that may refuse it comes first and changes nothing.

Order: configuration, journal, guard, message, budget, key, the call whose outcome is unknown; only
then is the journal opened for appending (which repairs its tail and upgrades old versions).
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tenuto import guard
from tenuto.agent import digests, folder_choice, outcome
from tenuto.agent.approvals import AskFile
from tenuto.agent.budget import Budget
from tenuto.agent.loop import Conversation, OpenBatch
from tenuto.agent.providers.make import make_provider
from tenuto.agent.recorder import CountingRecorder
from tenuto.agent.resolve import ResolvedAgent
from tenuto.agent.worker import Worker, announce, working_directory
from tenuto.clock import rfc3339_now
from tenuto.errors import Locked, Refused, StoreError
from tenuto.fold import RunState
from tenuto.runs import ask, notes
from tenuto.runs.companions import lock_name, was_upgraded
from tenuto.runs.file import FileJournal, FileRunStore, Snapshot
from tenuto.runs.holders import holder
from tenuto.runs.lock import RunLock
from tenuto.sentences import Sentence, sentence


@dataclass(frozen=True)
class ResumeOptions:
    """What the operator asked for."""

    id: str
    force: bool = False
    say: str | None = None
    decision: outcome.Decision = "ask"


def resume_run(
    worker: Worker,
    store: FileRunStore,
    resolved: ResolvedAgent,
    options: ResumeOptions,
    *,
    replay: Callable[[], None] | None = None,
) -> int:
    """Go on with a run to its next end; the exit code.

    :param replay: shows the conversation so far, once nothing refuses the resume any more.
    :raises Refused: it may not go on; nothing was changed.
    :raises Locked: another process has it.
    :raises StoreError, JournalError, ConfigError, ProviderError: as they say.
    """
    snapshot = _look(store, options.id)
    state = snapshot.state
    verdict = _judge(store, state, resolved, options)
    _check_message(state, options, worker)
    saved = notes.load(store.directory, options.id)
    cwd = working_directory(resolved, saved.cwd, remote=worker.remote)
    tools = worker.toolbox(resolved, cwd)
    provider = make_provider(resolved.config)
    try:
        worker.use_ask_file(ask_file(worker, store, options.id))
        first_call, unknown = outcome.decide(
            worker,
            store,
            options.id,
            state,
            tools,
            options.decision,
            begun=saved.begun == state.last_seq,
            forced=verdict.forced,
        )
        fingerprint = resolved.fingerprint if verdict.equal else None
        with store.open(
            options.id, upgrade=True, fingerprint=fingerprint, snapshot=snapshot
        ) as journal:
            if journal.last_seq != state.last_seq:
                # Somebody went on with it since it was judged: what was decided may not hold.
                raise Locked(
                    sentence("run {id} was just changed by another process", id=options.id),
                    id=options.id,
                )
            if replay is not None:
                replay()
            rows = diff_rows(verdict, resolved)
            announce(
                worker,
                resolved,
                run_id=options.id,
                cwd=cwd,
                interactive=state.interactive,
                resumed=True,
                forced=verdict.forced,
                diff=rows,
            )
            _warn(worker, journal, state, verdict, resolved, saved.cwd, cwd)
            if unknown:
                decided = "skip" if first_call == "skip" else "rerun"
                worker.warn("outcome_unknown", unknown, decided=decided)
            forced = rows if verdict.forced else None
            remember(worker, store, options.id, resolved, cwd, forced=forced)
            if (
                state.terminal_in_force is not None
                and outcome.unknown_call(state, begun=True) is not None
            ):
                # The journal says that nothing of the batch started. From here on it may have, and
                # the next record comes only when the first call has its result.
                notes.update(store.directory, options.id, begun=state.last_seq)
            return worker.drive(
                resolved,
                provider,
                tools,
                CountingRecorder(journal, state.counters),
                conversation_of(state),
                run_id=options.id,
                budget=Budget(
                    max_tokens=resolved.fingerprint.max_tokens,
                    max_iterations=resolved.fingerprint.max_iterations,
                    tokens=state.counters.tokens,
                    iteration=state.next_iteration,
                    allowance_from=state.next_iteration if state.interactive else 0,
                ),
                first_call=first_call,
                say=options.say,
            )
    finally:
        provider.close()


def conversation_of(state: RunState) -> Conversation:
    """The loop's view of a folded journal."""
    pending = state.pending
    batch = None
    if pending is not None:
        batch = OpenBatch(
            pending.assistant, pending.stop_reason, list(pending.blocks), list(pending.unanswered)
        )
    return Conversation(
        list(state.messages), batch, state.interactive, True, state.last_stop_reason
    )


def _look(store: FileRunStore, id: str) -> Snapshot:
    _refuse_held(store, id)
    return store.snapshot(id)


def _refuse_held(store: FileRunStore, id: str) -> None:
    """Ask for the lock without making its file: a refusal leaves nothing behind."""
    path = os.path.join(store.directory, lock_name(id))
    held = holder(path)
    if held is not None:
        raise Locked(
            sentence("run {id} is in use by process {pid}", id=id, pid=held.pid),
            id=id,
            pid=held.pid,
        )
    if os.path.lexists(path) and os.path.lexists(store.path(id)):
        lock = RunLock(store.directory, id)
        try:
            lock.acquire()
        finally:
            lock.release()


def judge(
    store: FileRunStore, id: str, state: RunState, resolved: ResolvedAgent, *, force: bool
) -> guard.GuardVerdict:
    """Ask the guard about a folded run and today's configuration."""
    return guard.check(
        state.fingerprint,
        resolved.fingerprint,
        version=state.version,
        wire=resolved.wire_forms,
        has_backup=was_upgraded(store.directory, id),
        interactive=state.interactive,
        terminal=state.terminal_in_force,
        last_stop_reason=state.last_stop_reason,
        pending=state.pending is not None,
        force=force,
    )


def _judge(
    store: FileRunStore, state: RunState, resolved: ResolvedAgent, options: ResumeOptions
) -> guard.GuardVerdict:
    verdict = judge(store, options.id, state, resolved, force=options.force)
    if not verdict.allowed:
        raise Refused(
            verdict.message,
            reason=verdict.reason,
            forceable=verdict.forceable,
            diff=diff_rows(verdict, resolved),
        )
    return verdict


def diff_rows(verdict: guard.GuardVerdict, resolved: ResolvedAgent) -> list[dict[str, Any]]:
    """The seven rows, with what is known of the inside of the changed hashes."""
    if not verdict.changes:
        return verdict.rows_json()
    return verdict.rows_json(digests.details(verdict.changes, resolved))


def _check_message(state: RunState, options: ResumeOptions, worker: Worker) -> None:
    """Refuse where the next word is the operator's, and none is given or can be typed."""
    if options.say is not None:
        return
    if state.interactive:
        if worker.prompts is None:
            raise Refused(
                sentence(
                    "run {id} is a chat, and nobody can type here: go on with it in a terminal "
                    "or in the window, or say what comes next (--say TEXT)",
                    id=options.id,
                ),
                reason="mode",
                diff=[],
            )
        return
    ends_with_reply = state.pending is None and state.messages[-1].role == "assistant"
    if ends_with_reply and state.last_stop_reason != "pause_turn":
        raise Refused(
            sentence(
                "the conversation ends with the model's own words and nothing is left to "
                "do: say what comes next (--say TEXT)"
            ),
            reason="message_required",
            diff=[],
        )


def ask_file(worker: Worker, store: FileRunStore, id: str) -> AskFile:
    """``<id>.ask.json`` while a question waits, so that other windows see it too."""

    @contextlib.contextmanager
    def waiting(question: dict[str, Any]) -> Iterator[None]:
        try:
            ask.write(store.directory, id, question)
        except StoreError as error:
            worker.warn(
                "ask_file",
                sentence("other windows cannot see this question: {what}", what=error.said),
            )
        try:
            yield
        finally:
            ask.remove(store.directory, id)

    return waiting


def _warn(
    worker: Worker,
    journal: FileJournal,
    state: RunState,
    verdict: guard.GuardVerdict,
    resolved: ResolvedAgent,
    last_cwd: str | None,
    cwd: str,
) -> None:
    for warning in verdict.warnings:
        worker.warn(warning.kind, warning.text)
    for warned in journal.warnings:
        worker.warn("store", warned)
    if journal.repaired is not None:
        worker.warn("repaired", sentence("an incomplete record at the journal's end was set aside"))
    if journal.upgraded is not None:
        upgraded = journal.upgraded
        worker.warn(
            "upgraded",
            sentence(
                "the journal was rewritten from version {version}; the original is kept as "
                "{backup}",
                version=upgraded.version,
                backup=upgraded.backup,
            ),
        )
    if last_cwd and os.path.realpath(last_cwd) != os.path.realpath(cwd):
        worker.warn("cwd", moved(cwd, last_cwd))
    for text in budget_warnings(state, resolved):
        worker.warn("budget", text)


def moved(now: str, before: str) -> Sentence:
    """What to say when tools run in another folder than before."""
    return sentence("tools now run in {now}, before they ran in {before}", now=now, before=before)


def budget_warnings(state: RunState, resolved: ResolvedAgent) -> list[Sentence]:
    """What to know before a run goes on that has used up what it may spend."""
    limits = resolved.fingerprint
    found = []
    if state.counters.tokens >= limits.max_tokens:
        found.append(
            sentence(
                "the token budget ({max_tokens}) is used up: one more call ends the run again;"
                " raise llm.budget.max_tokens and force the resume",
                max_tokens=limits.max_tokens,
            )
        )
    if not state.interactive and state.next_iteration >= limits.max_iterations:
        found.append(
            sentence(
                "the iteration budget ({max_iterations}) is used up: the run ends again"
                " without a call; raise llm.budget.max_iterations and force the resume",
                max_iterations=limits.max_iterations,
            )
        )
    return found


def remember(
    worker: Worker,
    store: FileRunStore,
    id: str,
    resolved: ResolvedAgent,
    cwd: str,
    *,
    forced: Sequence[dict[str, Any]] | None = None,
) -> None:
    """Keep with which configuration it went on: never in the journal.

    ``forced``: the rows of the comparison, where that is why it went on.
    """
    config = str(resolved.config.path)
    folder_choice.remember(store.directory, config)
    try:
        notes.update(store.directory, id, config=config, cwd=cwd)
        if forced is not None:
            rows = [_without_text(row) for row in forced if row["changed"]]
            notes.add_forced(store.directory, id, notes.Forced(rfc3339_now(), config, rows))
    except StoreError as error:
        worker.warn(
            "notes", sentence("what this run was made with is not kept: {what}", what=error.said)
        )


def _without_text(row: dict[str, Any]) -> dict[str, Any]:
    """A row of the comparison as it may be kept: of a prompt's lines, where they are and no word.

    No prompt is ever stored (design.md, "Configuration").
    """
    if row["field"] != "system_hash":
        return row
    details = [
        {key: value for key, value in detail.items() if key != "text" or "line" not in detail}
        for detail in row["details"]
    ]
    return {**row, "details": details}
