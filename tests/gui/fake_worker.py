# SPDX-License-Identifier: Apache-2.0
"""A worker that plays a part from a file: the window's side of the protocol, without a run.

Called as the command line is: ``resume ID --config PART ...``; PART holds one JSON step a line:
``{"emit": {...}}``, ``{"raw": "..."}``, ``{"err": "..."}``, ``{"read": "type"}`` (wait for such a
command), ``{"sleep": seconds}``, ``{"exit": code}``, ``{"kill": true}``. What it was told
is written to PART.log.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time


def main() -> None:
    part = sys.argv[sys.argv.index("--config") + 1]
    with open(part + ".log", "a", encoding="utf-8") as log, open(part, encoding="utf-8") as steps:
        log.write(json.dumps({"argv": sys.argv[1:]}) + "\n")
        for line in steps:
            step = json.loads(line)
            if "emit" in step:
                print(json.dumps({"t": "2026-03-01T14:00:00Z", **step["emit"]}), flush=True)
            elif "raw" in step:
                sys.stdout.write(step["raw"])
                sys.stdout.flush()
            elif "err" in step:
                print(step["err"], file=sys.stderr, flush=True)
            elif "read" in step:
                while True:
                    told = sys.stdin.readline()
                    log.write(told or json.dumps({"type": "end"}) + "\n")
                    log.flush()
                    if not told or json.loads(told)["type"] == step["read"]:
                        break
            elif "sleep" in step:
                time.sleep(step["sleep"])
            elif "kill" in step:
                os.kill(os.getpid(), signal.SIGKILL)
            else:
                sys.exit(step["exit"])


main()
