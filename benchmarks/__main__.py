# SPDX-License-Identifier: Apache-2.0
"""``python -m benchmarks SUITE``: measure, print, and end with 1 when a target is missed."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks import agent, core, gui, reasonix, transcript
from benchmarks.harness import as_json, line
from benchmarks.suite import Bench, Suite, in_memory

SUITES: dict[str, Suite] = {
    "agent": agent.SUITE,
    "core": core.SUITE,
    "gui": gui.SUITE,
    "reasonix": reasonix.SUITE,
    "transcript": transcript.SUITE,
}


def _options(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("suite", choices=sorted(SUITES))
    names = sorted({name for suite in SUITES.values() for name in suite.works})
    parser.add_argument("--only", choices=names, action="append", help="just this")
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="turns of each (5)")
    parser.add_argument("--scale", type=float, default=1.0, help="size of the corpora (1)")
    parser.add_argument("--dir", type=Path, help="where to put them, on a real disk")
    parser.add_argument("--json", action="store_true", help="one array, at the end")
    return parser.parse_args(argv)


def _place(chosen: Path | None) -> Path:
    """Where the corpora go. An append is measured by its fsync, which only a real disk has."""
    place = chosen or Path(tempfile.gettempdir())
    if chosen is None and in_memory(place):
        place = Path.cwd()
    if in_memory(place):
        print(f"{place} is in memory: appends and saves there say nothing", file=sys.stderr)
    return place


def main(argv: list[str] | None = None) -> int:
    options = _options(argv)
    results = []
    with tempfile.TemporaryDirectory(prefix="tenuto-bench-", dir=_place(options.dir)) as folder:
        bench = Bench(Path(folder), options.repeat, options.scale)
        suite = SUITES[options.suite]
        for result in suite.run(bench, options.only or list(suite.works)):
            results.append(result)
            if not options.json:
                print(line(result), flush=True)
    if options.json:
        print(as_json(results))
    return 0 if all(result.met for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
