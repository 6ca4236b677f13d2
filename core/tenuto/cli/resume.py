# SPDX-License-Identifier: Apache-2.0
"""``tenuto resume``: go on with a run, under the configuration it was saved with."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from typing import Any

from tenuto.agent import choice
from tenuto.agent.resolve import ResolvedAgent
from tenuto.agent.resume import ResumeOptions, resume_run
from tenuto.agent.worker import Worker, load_agent, work
from tenuto.cli.common import message_of
from tenuto.cli.targets import Target, any_reasonix, target
from tenuto.errors import EmptyJournal, JournalError, NewerVersion, Refused, UsageError
from tenuto.runs.file import FileRunStore
from tenuto.sentences import sentence


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "resume",
        help="go on with a session",
        description=(
            "Go on with a run where it stopped: calls without a result first, then the model. "
            "Refused (exit 4) when the configuration is not the one the run was saved with, "
            "unless it is forced. Interrupt once to suspend after the present step, twice to "
            "abort. A Reasonix session goes on under any configuration, with its own instructions."
        ),
    )
    parser.add_argument("id", metavar="ID", help="the session, or its file")
    parser.add_argument(
        "--config",
        metavar="FILE",
        help="the agent configuration (default: the one of the last time, else one that matches)",
    )
    parser.add_argument("--force", action="store_true", help="go on under a changed configuration")
    parser.add_argument("--say", metavar="TEXT", help="a message of yours, added before going on")
    unknown = parser.add_mutually_exclusive_group()
    unknown.add_argument(
        "--rerun", action="store_true", help="run a call of unknown outcome again without asking"
    )
    unknown.add_argument(
        "--skip", action="store_true", help="tell the model that its outcome is unknown instead"
    )
    parser.add_argument(
        "--events", choices=["jsonl"], help="speak the worker protocol on stdin and stdout"
    )
    parser.add_argument(
        "--no-replay", action="store_true", help="do not print the conversation so far first"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    try:
        return work(partial(_resume, args), remote=args.events == "jsonl", as_json=args.json)
    except Refused as error:
        reason = error.fields.get("reason")
        if reason == "configuration" and not args.json:
            error.reword(_changed(args.id, error.fields["diff"]))
        elif reason == "completed":
            way = sentence(
                "`tenuto session fork {id} --at SEQ` makes a run of its records up to one, and"
                " `tenuto resume --say TEXT` goes on with that",
                id=args.id,
            )
            error.reword(f"{error.message}; {way}")
        raise
    except (NewerVersion, EmptyJournal):
        # Nothing is wrong with it, or nothing is in it.
        raise
    except JournalError as error:
        error.add(sentence("`tenuto session doctor {id}` tells what can be saved", id=args.id))
        raise


def _changed(id: str, rows: list[dict[str, Any]]) -> str:
    """Why a run does not go on with this configuration, and what can be done."""
    from tenuto.cli.session_diff import refusal

    way = (
        "Nothing was done. With --force it goes on with the configuration of today; its cached"
        " prompt is then paid for anew."
    )
    return "\n".join([f"the configuration has changed since {id} was saved:", *refusal(rows), way])


def _resume(args: argparse.Namespace, worker: Worker) -> int:
    message = message_of(args)
    if any_reasonix([args.id], args):
        from tenuto.cli import reasonix_going

        return reasonix_going.resume(args, worker)
    found = target(args.id, args)
    resolved = load_agent(_configuration(found) if args.config is None else args.config, worker)
    found = _placed(found, args, resolved)
    replay = None if worker.remote or args.no_replay else partial(_replay, found)
    options = ResumeOptions(
        found.id,
        force=args.force,
        say=message,
        decision="rerun" if args.rerun else "skip" if args.skip else "ask",
    )
    return resume_run(worker, FileRunStore(found.directory), resolved, options, replay=replay)


def _placed(found: Target, args: argparse.Namespace, resolved: ResolvedAgent) -> Target:
    """The run's place; a configuration may name the runs folder where the line does not."""
    folder = resolved.config.runs_directory
    if folder is None or args.state_dir or found.word != found.id:
        return found
    return Target(folder, found.id, found.word)


def _configuration(found: Target) -> str:
    """The configuration to go on with when none is given. Raises UsageError."""
    config = choice.configuration_for(found.directory, found.id)
    if config is not None:
        return config
    scan = FileRunStore(found.directory).scan(found.id)
    if scan.error is not None:
        raise scan.error
    if not scan.records:
        raise EmptyJournal(
            sentence("run {id} was never started: its journal is empty", id=found.id)
        )
    raise UsageError(f"no known configuration matches run {found.id}: name one with --config FILE")


def _replay(found: Target) -> None:
    """The conversation so far, on stderr: the answer alone belongs on stdout."""
    from tenuto.cli.transcript_text import render
    from tenuto.sources.transcript import RunTranscript

    transcript = RunTranscript(found.path)
    transcript.refresh()
    for line in render(transcript.blocks):
        sys.stderr.write(line + "\n")
    sys.stderr.flush()
