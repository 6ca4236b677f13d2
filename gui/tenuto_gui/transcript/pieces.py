# SPDX-License-Identifier: Apache-2.0
"""One text below a block's header, before it is laid out. Qt-free."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from tenuto.render.markdown import Table
from tenuto_gui.render.spans import Span

Role = Literal["body", "medium", "mono_small"]
Section = Literal["output", "input", "records"]


@dataclass(slots=True, eq=False, weakref_slot=True)
class Piece:
    """One text below a header. ``document`` belongs to whoever lays it out."""

    kind: Literal["text", "prose", "code", "table"]
    #: As it is shown; HTML for prose.
    text: str = ""
    role: Role = "body"
    spans: Sequence[Span] = ()
    #: Addresses in ``text`` that can be opened; prose has them in its HTML.
    links: Sequence[tuple[int, int]] = ()
    #: The source of which ``text`` is the shown form, None where copying takes what is shown.
    source: str | None = None
    #: Code: language and text as they were written.
    language: str = ""
    table: Table | None = None
    #: Whether as much of the table is shown as ever is.
    full: bool = False
    section: Section = "output"
    #: The link below, "" for none.
    more: str = ""
    #: Whether that link closes what was opened.
    closes: bool = False
    document: object = field(default=None, repr=False)

    @property
    def columns(self) -> bool:
        """Whether it is read from the left, as output is (``render.bidi``)."""
        return self.role == "mono_small"
