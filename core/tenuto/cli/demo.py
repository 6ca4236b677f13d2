# SPDX-License-Identifier: Apache-2.0
"""``tenuto demo``: sample sessions of every state, and the window on them."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from pathlib import Path

from tenuto.cli.common import print_json
from tenuto.cli.window import command
from tenuto.demo.make import Demo, as_json, make_demo
from tenuto.paths import samples_dir
from tenuto.text import visible


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "demo",
        help="make sample sessions and open the window on them",
        description=(
            "Make sample runs of every state and Reasonix sessions of every generation, with an "
            "agent whose model plays a script: no network and no key, and everything works for "
            "real: resume, force, approve, suspend, abort, delete, undo. Samples that are there "
            "already stay as they are."
        ),
    )
    parser.add_argument("--dir", metavar="D", help="where (default: demo in Tenuto's data folder)")
    parser.add_argument(
        "--no-window", action="store_true", help="only make them, and say where they are"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    folder = Path(os.path.abspath(os.path.expanduser(args.dir))) if args.dir else samples_dir()
    demo = make_demo(folder)
    if args.json:
        print_json(as_json(demo))
    else:
        _print(demo, lines=args.no_window)
    if not args.no_window:
        line = command(state_dir=str(demo.runs))
        sys.stdout.flush()
        sys.stderr.flush()
        os.execv(line[0], line)
    return 0


def _print(demo: Demo, *, lines: bool) -> None:
    """What was made and where; with ``lines``, what to type to try it in a terminal."""
    made = f"{len(demo.made)} runs and {len(demo.sessions)} Reasonix sessions made"
    where = visible(str(demo.folder))
    print(f"{made} in {where}" if demo.made or demo.sessions else f"all samples are in {where}")
    if not lines:
        return
    runs, reasonix = (shlex.join(["--state-dir", str(p)]) for p in (demo.runs, demo.reasonix))
    print(
        f"""
Try them in a terminal; nothing here needs a network or a key:

  tenuto session ls {runs}
  tenuto resume orders-report {runs}
      was suspended, and goes on to its answer
  tenuto resume nightly-audit {runs}
      was killed inside a command, and asks what became of it
  tenuto resume rename-metrics {runs}
      is refused, and says what changed in its configuration; --force goes on all the same
  tenuto session ls --source reasonix {reasonix}
  tenuto reasonix resume --all {reasonix}
      asks which session to go on with, and is a chat

In the window: tenuto-gui {runs}"""
    )
