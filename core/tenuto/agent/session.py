# SPDX-License-Identifier: Apache-2.0
"""Going on with a Reasonix session: the loop of runs, over a session's file (reasonix.md, 6).

A session has no fingerprint and no end: any configuration may go on with it, and its own
instructions stay. As in :mod:`tenuto.agent.resume`, everything that may refuse comes first.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tenuto.agent import session_notes
from tenuto.agent.budget import Budget
from tenuto.agent.loop import Conversation
from tenuto.agent.providers.make import make_provider
from tenuto.agent.recorder import CountingRecorder
from tenuto.agent.resolve import ResolvedAgent
from tenuto.agent.resume import moved
from tenuto.agent.worker import Worker, announce, working_directory
from tenuto.errors import NewerGeneration, Refused, SessionConflict
from tenuto.reasonix.autosave import Autosave
from tenuto.reasonix.cold import DAY, ColdResume
from tenuto.reasonix.controller import Controller, Resumed
from tenuto.reasonix.convert import conversation, system_text
from tenuto.reasonix.eventlog import refuse_logged
from tenuto.reasonix.model import Messages
from tenuto.reasonix.recorder import SessionRecorder
from tenuto.reasonix.sidecar import load_meta
from tenuto.reasonix.store import Session, load_session
from tenuto.sentences import sentence
from tenuto.sources.reasonix_facts import unfinished

#: Seconds between two saves while a turn runs, as Reasonix does.
AUTOSAVE = 30.0


@dataclass(frozen=True)
class SessionOptions:
    """What the operator asked for. ``path``: the session's file."""

    path: str
    say: str | None = None


def resume_session(
    worker: Worker,
    resolved: ResolvedAgent,
    options: SessionOptions,
    *,
    replay: Callable[[], None] | None = None,
) -> int:
    """Go on with a session until nothing more is to be done or said; the exit code.

    :param replay: shows the conversation so far, once nothing refuses the resume any more.
    :raises Refused: it may not go on; nothing was changed.
    :raises Leased: another process has it open.
    :raises DamagedSession, StoreError, ConfigError, ProviderError: as they say.
    """
    path = os.path.abspath(options.path)
    refuse_foreign(path)
    session = load_session(path)
    interactive = options.say is None and worker.prompts is not None
    _check_message(session, options, interactive)
    meta = load_meta(path)
    last = session_notes.recall(path).cwd or (meta.workspace_root if meta else "")
    cwd = working_directory(resolved, last or None, remote=worker.remote)
    provider = make_provider(resolved.config)
    worker.closing.callback(provider.close)
    controller = worker.closing.enter_context(
        Controller(
            os.path.dirname(path),
            _model(resolved, meta.model if meta else ""),
            cold=cold_resume(resolved, os.path.dirname(path)),
        )
    )
    resumed = controller.resume(session, path)
    if resumed.read_only is not None:
        raise resumed.read_only
    if replay is not None:
        replay()
    announce(worker, resolved, run_id=path, cwd=cwd, interactive=interactive, resumed=True)
    _warn(worker, session, resumed, last, cwd)
    session_notes.remember(path, str(resolved.config.path), cwd)
    own = system_text(session)
    messages = controller.history()
    recorder = SessionRecorder(controller)
    with _kept(controller), contextlib.closing(recorder), Autosave(recorder.autosave, AUTOSAVE):
        return worker.drive(
            resolved,
            provider,
            worker.toolbox(resolved, cwd),
            CountingRecorder(recorder),
            # As Reasonix does, nothing is said to the model of the pause.
            Conversation(conversation(messages), interactive=interactive),
            run_id=path,
            budget=Budget(
                max_tokens=resolved.fingerprint.max_tokens,
                max_iterations=resolved.fingerprint.max_iterations,
            ),
            say=options.say,
            system=(own,) if own else None,
        )


@contextlib.contextmanager
def _kept(controller: Controller) -> Iterator[None]:
    """Where another program changed the session meanwhile, what was said here goes to a copy.

    Builds of June 2026 write without a lease.
    """
    try:
        yield
    except SessionConflict as error:
        copy = controller.branch()
        error.add(sentence("the session as it was here is kept in {copy}", copy=copy))
        error.fields["copy"] = copy
        raise


def refuse_foreign(path: str) -> None:
    """:raises Refused: only Reasonix itself writes such a session; the ways that there are."""
    if os.path.isdir(path):
        which = sentence("v4 store")
    else:
        try:
            refuse_logged(path)
        except NewerGeneration:
            which = sentence("event log")
        else:
            return
    raise Refused(
        sentence(
            "only Reasonix itself writes the {which} of {path}. To go on with it: "
            "`tenuto session fork` makes a session of generation A (or, with --config, "
            "a run) of it, which Tenuto resumes; `tenuto reasonix open` hands it over "
            "to the installed reasonix program",
            which=which,
            path=path,
        ),
        reason="mode",
        diff=[],
    )


def cold_resume(resolved: ResolvedAgent, folder: str) -> ColdResume:
    """When a session counts as cold under this configuration."""
    own = resolved.config.tenuto
    hours = own.cold_resume_hours
    return ColdResume(
        folder,
        after=DAY if hours is None else hours * 3600 if hours > 0 else None,
        context_window=own.context_window or 0,
    )


def _check_message(session: Messages, options: SessionOptions, interactive: bool) -> None:
    if options.say is not None or interactive or unfinished(session):
        return
    raise Refused(
        sentence(
            "the session waits for what comes next, and nobody can type here: say it "
            "(--say TEXT), or go on with it in a terminal or in the window"
        ),
        reason="message_required",
        diff=[],
    )


def _model(resolved: ResolvedAgent, known: str) -> str:
    """The model for the metadata: as it stands there, where it is the same one."""
    model = resolved.config.llm.model
    if known.rpartition("/")[2] == model:
        return known
    return f"{resolved.config.llm.provider}/{model}"


def _warn(worker: Worker, session: Session, resumed: Resumed, last: str, cwd: str) -> None:
    if session.dirty:
        worker.warn("repaired", sentence("the session was repaired; the next save keeps that"))
    pruned = resumed.pruned
    if pruned is not None:
        worker.warn(
            "pruned",
            sentence(
                "after {idle_minutes} minutes at rest {results} old tool results were "
                "taken out; they are kept in {archive}",
                idle_minutes=pruned.idle_minutes,
                results=pruned.results,
                archive=pruned.archive,
            ),
        )
    if resumed.prune_problem:
        worker.warn(
            "pruned",
            sentence("old tool results stay: {what}", what=resumed.prune_problem),
        )
    if last and os.path.realpath(last) != os.path.realpath(cwd):
        worker.warn("cwd", moved(cwd, last))
