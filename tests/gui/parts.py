# SPDX-License-Identifier: Apache-2.0
"""Parts of the window without the window: a context for them, and blocks to show."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tenuto.settings import Settings
from tenuto.sources.base import Block, SessionSource, SessionSummary
from tenuto.sources.runs import RunSource
from tenuto_gui import i18n
from tenuto_gui.context import AppContext, Workspace
from tenuto_gui.preferences import Preferences
from tenuto_gui.theme import Choice, Theme
from tenuto_gui.transcript.view import TranscriptView


@contextmanager
def context(
    folder: Path,
    launcher: Sequence[str] = (sys.executable, "-m", "tenuto"),
    scheme: Choice = "light",
    source: SessionSource | None = None,
) -> Iterator[AppContext]:
    """What the window gives its parts, on a folder of journals, or on another ``source``."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    i18n.install(app)
    theme = Theme(app, scheme)
    workspace = Workspace(folder, source or RunSource(folder))
    try:
        yield AppContext(theme, Preferences(Settings()), workspace, tuple(launcher))
    finally:
        theme.detach()


def summary(source: SessionSource, id: str) -> SessionSummary:
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


def turns(count: int) -> list[Block]:
    """A prompt and so many turns."""
    blocks = [Block(kind="prompt", seq=1, text="Count the rice")]
    for number in range(1, count + 1):
        blocks += turn(number, f"Turn {number}.", "line\n" * (number % 9))
    return blocks


@contextmanager
def transcript(made: AppContext, qtbot: QtBot) -> Iterator[TranscriptView]:
    """A transcript view on screen."""
    view = TranscriptView(made)
    qtbot.addWidget(view)
    view.resize(868, 500)
    view.show()
    try:
        yield view
    finally:
        view.shutdown()


def fill(view: TranscriptView, blocks: list[Block]) -> None:
    """Show blocks that no file holds."""
    view._recorded = len(blocks)
    view.reset_blocks(blocks)
