# SPDX-License-Identifier: Apache-2.0
"""Python's cycle collector, on the GUI thread only.

The collector runs in whichever thread allocates next. In a background thread it would destroy Qt
objects that belong to the GUI thread, which ends in a crash now and then. So it is off while a
window lives, and a timer does its work.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

_EVERY_MS = 1000


class Collector(QObject):
    """Takes over from the automatic collector until `stop`."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._was_enabled = gc.isenabled()
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self._collect)
        self._timer.start()

    @staticmethod
    def _collect() -> None:
        """As the automatic one decides: the oldest generation that is due, or none."""
        counts, thresholds = gc.get_count(), gc.get_threshold()
        for generation in (2, 1, 0):
            if counts[generation] > thresholds[generation]:
                gc.collect(generation)
                return

    def stop(self) -> None:
        """Hand the work back."""
        self._timer.stop()
        if self._was_enabled:
            gc.enable()
