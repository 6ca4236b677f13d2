# SPDX-License-Identifier: Apache-2.0
"""``tenuto demo``: sample sessions of every state, and the window on them."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from tenuto.cli.common import print_json
from tenuto.cli.window import command
from tenuto.demo.make import as_json, make_demo
from tenuto.paths import data_dir


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "demo",
        help="make sample sessions and open the window on them",
        description=(
            "Make sample sessions of every state, with an agent whose model plays a script: no "
            "network and no key, and everything works for real: resume, force, approve, suspend, "
            "abort, delete, undo. Samples that are there already stay as they are."
        ),
    )
    parser.add_argument("--dir", metavar="D", help="where (default: demo in Tenuto's data folder)")
    parser.add_argument(
        "--no-window", action="store_true", help="only make them, and say where they are"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    folder = (
        Path(os.path.abspath(os.path.expanduser(args.dir))) if args.dir else data_dir() / "demo"
    )
    demo = make_demo(folder)
    if args.json:
        print_json(as_json(demo))
    else:
        print(f"{len(demo.made)} samples made in {demo.runs}")
        print(f"their agent: {demo.config}")
    if not args.no_window:
        line = command(state_dir=str(demo.runs))
        sys.stdout.flush()
        sys.stderr.flush()
        os.execv(line[0], line)
    return 0
