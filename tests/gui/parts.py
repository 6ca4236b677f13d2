# SPDX-License-Identifier: Apache-2.0
"""Parts of the window without the window: a context for them, and blocks to show."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtWidgets import QApplication

from tenuto.settings import Settings
from tenuto.sources.base import Block, SessionSummary
from tenuto.sources.runs import RunSource
from tenuto_gui import i18n
from tenuto_gui.context import AppContext, Workspace
from tenuto_gui.theme import Choice, Theme


@contextmanager
def context(
    folder: Path,
    launcher: Sequence[str] = (sys.executable, "-m", "tenuto"),
    scheme: Choice = "light",
) -> Iterator[AppContext]:
    """What the window gives its parts, on a folder of journals."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    translator = i18n.install(app)
    theme = Theme(app, scheme)
    workspace = Workspace(folder, RunSource(folder))
    try:
        yield AppContext(theme, Settings(), workspace, tuple(launcher))
    finally:
        theme.detach()
        app.removeTranslator(translator)


def summary(source: RunSource, id: str) -> SessionSummary:
    """A session's row, its preview built."""
    listing = source.list()
    if listing.pending:
        source.build_pending(listing.pending)
        listing = source.list()
    return next(each for each in listing.summaries if each.id == id)


def turn(number: int, text: str = "Words.", result: str = "done\n") -> list[Block]:
    """A turn of three blocks."""
    seq = number * 3
    return [
        Block(kind="thinking", seq=seq, index=0, turn=number, text="First this, then that."),
        Block(kind="text", seq=seq, index=1, turn=number, text=text),
        Block(
            kind="tool_call",
            seq=seq,
            index=2,
            turn=number,
            call_id=f"c{number}",
            name="stock_list",
            input=b'{"match":"rice"}',
            result=result,
            state="done",
        ),
    ]
