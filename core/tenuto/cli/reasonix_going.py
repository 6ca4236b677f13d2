# SPDX-License-Identifier: Apache-2.0
"""Going on with a Reasonix session from the command line, whichever verb asks for it."""

from __future__ import annotations

import argparse
import sys

from tenuto.agent import choice
from tenuto.agent.session import SessionOptions, refuse_foreign, resume_session
from tenuto.agent.worker import Worker, load_agent
from tenuto.cli.common import message_of
from tenuto.cli.reasonix_show import transcript
from tenuto.cli.reasonix_targets import SessionTarget, locate
from tenuto.errors import UsageError


def resume(args: argparse.Namespace, worker: Worker) -> int:
    """``tenuto resume`` with a Reasonix session."""
    for option in ("force", "rerun", "skip"):
        if getattr(args, option):
            raise UsageError(
                f"--{option} is for runs: a Reasonix session holds no configuration to go against,"
                " and a call without a result is never run again"
            )
    found = locate(args.id, args)
    return go_on(
        found,
        worker,
        config=args.config,
        say=message_of(args),
        replay=not (worker.remote or args.no_replay),
    )


def go_on(
    found: SessionTarget, worker: Worker, *, config: str | None, say: str | None, replay: bool
) -> int:
    """Resume a session to the operator's end of it; the exit code. Raises as resume_session."""
    refuse_foreign(found.path)
    resolved = load_agent(config or _configuration(found), worker)

    def show() -> None:
        """The conversation so far, on stderr: the answers alone belong on stdout."""
        for line in transcript(found):
            sys.stderr.write(line + "\n")
        sys.stderr.flush()

    options = SessionOptions(found.path, say)
    return resume_session(worker, resolved, options, replay=show if replay else None)


def _configuration(found: SessionTarget) -> str:
    config = choice.configuration_of_session(found.path)
    if config is None:
        raise UsageError(
            "no configuration is known for this session, and Reasonix has none: name one with "
            "--config FILE"
        )
    return config
