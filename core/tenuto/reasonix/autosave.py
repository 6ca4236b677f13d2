# SPDX-License-Identifier: Apache-2.0
"""Saving now and then while a turn runs."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

from tenuto.errors import TenutoError

_log = logging.getLogger(__name__)


class Autosave:
    """Calls ``save`` every so many seconds from a thread of its own; a context manager."""

    def __init__(self, save: Callable[[], object], every: float) -> None:
        self._save = save
        self._every = every
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="reasonix autosave", daemon=True)

    def _run(self) -> None:
        while not self._over.wait(self._every):
            try:
                self._save()
            except (TenutoError, ValueError, TypeError) as error:
                # The save at the end of the turn raises it where somebody hears it.
                _log.warning("the session was not saved: %s", error)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._thread.join()
