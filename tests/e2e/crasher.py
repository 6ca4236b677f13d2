# SPDX-License-Identifier: Apache-2.0
"""`tenuto` in a process that kills itself at one record: ``MOMENT NUMBER LOG WORD...``.

MOMENT is ``before`` or ``after`` the append with that NUMBER, counted from 0 in this process;
anything else never. Each request to the scripted model is a line of LOG: its turn's number.
"""

from __future__ import annotations

import itertools
import os
import signal
import sys
from typing import Any

from tenuto.agent.providers.scripted import ScriptedProvider
from tenuto.agent.recorder import CountingRecorder
from tenuto.cli.main import main


def die_at(moment: str, fatal: int) -> None:
    append, numbers = CountingRecorder.append, itertools.count()

    def deadly(self: CountingRecorder, record: Any, *, ms: int | None = None) -> int:
        number = next(numbers)
        if (moment, fatal) == ("before", number):
            os.kill(os.getpid(), signal.SIGKILL)
        seq = append(self, record, ms=ms)
        if (moment, fatal) == ("after", number):
            os.kill(os.getpid(), signal.SIGKILL)
        return seq

    CountingRecorder.append = deadly


def listen(log: str) -> None:
    complete = ScriptedProvider.complete

    def heard(self: ScriptedProvider, request: Any, *rest: Any) -> Any:
        turn = sum(message.role == "assistant" for message in request.messages)
        with open(log, "a") as file:
            file.write(f"{turn}\n")
        return complete(self, request, *rest)

    ScriptedProvider.complete = heard


def entry() -> None:
    """Run `tenuto` with the words behind ours."""
    die_at(sys.argv[1], int(sys.argv[2]))
    listen(sys.argv[3])
    sys.exit(main(sys.argv[4:]))
