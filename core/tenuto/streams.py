# SPDX-License-Identifier: Apache-2.0
"""The three standard streams of a process that was started without some of them."""

from __future__ import annotations

import os


def fill_standard_streams() -> None:
    """Let what was closed by whoever started us lead nowhere.

    Else the next file that is opened, a journal maybe, gets the number of a standard stream: what a
    library or a child says there is written into it. Call it before anything is opened.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # The lowest number that is free: this one. Children are to have it, as a stream is.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
