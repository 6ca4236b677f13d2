# SPDX-License-Identifier: Apache-2.0
"""Loading a provider's official SDK, which is most of what a worker does before its first call."""

from __future__ import annotations

import gc
import importlib
import sys
from typing import Any

from tenuto.collector import collector_off


def load_sdk(name: str) -> Any:
    """The package ``name``, imported when it is first asked for.

    It brings thousands of modules that stay. The collector does not look at them while they come,
    nor ever after: its passes, also the one at the end of the process, took nearly half the time.
    """
    if name in sys.modules:
        return importlib.import_module(name)
    with collector_off():
        package = importlib.import_module(name)
        gc.freeze()
    return package
