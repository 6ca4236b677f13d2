# SPDX-License-Identifier: Apache-2.0
"""The settings in force, and the one way to change them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from tenuto.settings import Settings


class Preferences(QObject):
    """What the operator chose. ``changed`` names the settings that have another value now."""

    changed = Signal(object)

    def __init__(self, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.current = settings

    def change(self, **values: Any) -> None:
        """Take over values and keep them in the file, which others may have changed meanwhile.

        They hold for this window even where the file cannot be written: OSError is raised after.
        """
        import msgspec

        from tenuto import settings as file

        before = self.current
        names = {name for name, value in values.items() if getattr(before, name) != value}
        if not names:
            return
        self.current = msgspec.structs.replace(before, **values)
        problem: OSError | None = None
        try:
            loaded = file.load()
            kept = msgspec.structs.replace(loaded.settings, **values)
            file.save(kept, unknown=loaded.unknown)
        except OSError as error:
            problem = error
        self.changed.emit(names)
        if problem is not None:
            raise problem
