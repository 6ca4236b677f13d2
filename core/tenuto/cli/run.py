# SPDX-License-Identifier: Apache-2.0
"""``tenuto run``: start a run of an agent."""

from __future__ import annotations

import argparse
from functools import partial

from tenuto.agent.start import StartOptions, start_run
from tenuto.agent.worker import Worker, load_agent, work
from tenuto.cli.common import folder_of
from tenuto.errors import UsageError
from tenuto.gojson import replace_surrogates
from tenuto.runs.file import FileRunStore


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "run",
        help="start a run",
        description=(
            "Start a run and print its answer. It is kept in memory only, unless --checkpoint "
            "journals it so that it can be resumed. Interrupt once to suspend after the present "
            "step, twice to abort."
        ),
    )
    parser.add_argument("prompt", metavar="PROMPT", help="what the agent is to do")
    parser.add_argument("--config", metavar="FILE", required=True, help="the agent configuration")
    parser.add_argument(
        "--checkpoint", action="store_true", help="journal every step, so that it can be resumed"
    )
    parser.add_argument(
        "--name", metavar="N", help="the id of the run (default: a new one); needs --checkpoint"
    )
    parser.add_argument(
        "--chat", action="store_true", help="ask for a follow-up after each answer; Ctrl-D suspends"
    )
    parser.add_argument(
        "--events", choices=["jsonl"], help="speak the worker protocol on stdin and stdout"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    return work(partial(_run, args), remote=args.events == "jsonl", as_json=args.json)


def _run(args: argparse.Namespace, worker: Worker) -> int:
    if not args.prompt.strip():
        raise UsageError("the prompt is empty")
    if args.name is not None and not args.checkpoint:
        raise UsageError("--name is for a run that is journaled: add --checkpoint")
    if args.chat and worker.prompts is None:
        raise UsageError("--chat needs a terminal to type at, or --events jsonl")
    resolved = load_agent(args.config, worker)
    store = None
    if args.checkpoint:
        configured = resolved.config.runs_directory
        store = FileRunStore(configured if configured and not args.state_dir else folder_of(args))
    # Arguments may be no UTF-8: what is journaled and sent is text.
    options = StartOptions(replace_surrogates(args.prompt), name=args.name, chat=args.chat)
    return start_run(worker, store, resolved, options)
