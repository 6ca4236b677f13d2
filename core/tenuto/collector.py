# SPDX-License-Identifier: Apache-2.0
"""Python's garbage collector, out of the way of work that makes many objects and no garbage."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_guard = threading.Lock()
_inside = 0
_was_on = False


@contextmanager
def collector_off() -> Iterator[None]:
    """Keep the collector off inside the block; also when blocks of several threads overlap.

    It is on again when the last of them has ended, if it was before the first.
    """
    global _inside, _was_on
    with _guard:
        if _inside == 0:
            _was_on = gc.isenabled()
            gc.disable()
        _inside += 1
    try:
        yield
    finally:
        with _guard:
            _inside -= 1
            if _inside == 0 and _was_on:
                gc.enable()
