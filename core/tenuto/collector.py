# SPDX-License-Identifier: Apache-2.0
"""Python's garbage collector, out of the way of work that makes many objects and no garbage."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def collector_off() -> Iterator[None]:
    """The garbage collector off: making many objects, none of them garbage, it only costs time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
