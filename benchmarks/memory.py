# SPDX-License-Identifier: Apache-2.0
"""Run as a process of its own: how much memory folding one journal takes at its peak."""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path

from tenuto.fold import fold
from tenuto.runs.reader import scan


def peak() -> int:
    """Bytes of this process's largest resident set so far."""
    status = Path("/proc/self/status")
    if status.exists():  # getrusage there counts the parent's memory before the program began
        line = next(row for row in status.read_text().splitlines() if row.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def main() -> None:
    before = peak()
    with Path(sys.argv[1]).open("rb") as file:
        state = fold(scan(file).records)
    print(json.dumps({"before": before, "peak": peak(), "messages": len(state.messages)}))


if __name__ == "__main__":
    main()
