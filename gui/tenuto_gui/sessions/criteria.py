# SPDX-License-Identifier: Apache-2.0
"""What the list is filtered by. Qt-free."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from tenuto_gui.sessions.row import Row
from tenuto_gui.sessions.words import FACET_OF


class Criteria(msgspec.Struct, frozen=True):
    """All of them must be met; "" is no filter of that kind, and so is the facet ``all``."""

    #: Words, as `fold_text` makes them: each is looked for by itself.
    text: str = ""
    facet: str = "all"
    source: str = ""
    model: str = ""
    group: str = ""

    @property
    def any(self) -> bool:
        """Whether anything may be filtered out."""
        return self != Criteria()

    def narrows(self, before: Criteria) -> bool:
        """Whether all that passes has passed ``before``: a longer text finds some of the same."""
        others = (self.facet, self.source, self.model, self.group)
        same = others == (before.facet, before.source, before.model, before.group)
        return same and self.text.startswith(before.text)

    def passes(self, row: Row) -> bool:
        """Whether one session is shown."""
        if self.facet != "all" and FACET_OF.get(row.summary.status) != self.facet:
            return False
        if self.source and row.summary.source != self.source:
            return False
        if self.model and row.summary.model != self.model:
            return False
        if self.group and row.summary.group != self.group:
            return False
        return not self.text or all(part in row.haystack for part in self.text.split())

    def passing(self, rows: Iterable[Row]) -> list[Row]:
        """Those that are shown, in the same order."""
        if self.facet != "all" or self.source or self.model or self.group:
            return [row for row in rows if self.passes(row)]
        for part in self.text.split():
            rows = [row for row in rows if part in row.haystack]
        return list(rows)
