# SPDX-License-Identifier: Apache-2.0
"""Copying a selection as Markdown: its own part of each block, and no more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tenuto.sources.base import Block
from tenuto_gui.transcript.selection import END, Place
from tenuto_gui.transcript.view import TranscriptView
from tests.gui.parts import context, fill, transcript

REPLY = """## Week 11

It grew by **3.1 GiB, more than *ever***, see [the manual](https://docs.example.com/a).

1. one `cmd --flag`
2. two

| Name | Pending |
|:-----|--------:|
| one \U0001f600 | 1,204 |
| a\\|b | 7 |

```sh
nats ls
nats rm
```
"""
PROMPT = Block(kind="prompt", seq=1, text="Count the rice\nand the tea")
SAID = Block(kind="text", seq=2, turn=1, text=REPLY)
CALLED = Block(
    kind="tool_call", seq=2, index=1, turn=1, call_id="c", name="stock_list",
    input=b'{"match":"rice"}', result="one\ntwo\nthree\n", state="failed", exit_code=3,
)  # fmt: skip


@pytest.fixture
def view(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> Iterator[TranscriptView]:
    folder = tmp_path / "runs"
    folder.mkdir(mode=0o700)
    with context(folder) as made, transcript(made, qtbot) as each:
        fill(each, [PROMPT, SAID, CALLED])
        yield each


def place(view: TranscriptView, row: int, words: str, *, behind: bool = False) -> Place:
    for part in view.shape_of(row).parts:
        at = part.text().find(words)
        if at >= 0:
            return Place(row, part.offset(at + (len(words) if behind else 0)))
    raise AssertionError(words)


def copied(view: TranscriptView, first: Place, last: Place, *, text: bool = False) -> str:
    view.selection.start(first)
    view.selection.extend(last)
    view.grab()
    view.copy() if text else view.copy_markdown()
    return QGuiApplication.clipboard().text()


def between(view: TranscriptView, first: str, last: str, row: int = 1) -> str:
    return copied(view, place(view, row, first), place(view, row, last, behind=True))


def test_marks_that_are_cut_are_closed(view: TranscriptView) -> None:
    assert between(view, "GiB", "than") == "**GiB, more than**"
    assert between(view, "more", "the manual") == (
        "**more than *ever***, see [the manual](https://docs.example.com/a)"
    )
    assert between(view, "11", "grew") == "## 11\n\nIt grew"
    assert between(view, "--flag", "two") == "1. `--flag`\n2. two"


def test_a_whole_reply_is_copied_as_it_was_written(view: TranscriptView) -> None:
    assert copied(view, Place(1, 0), Place(1, view.shape_of(1).length)) == REPLY.rstrip()
    assert copied(view, Place(1, 0), Place(1, END)) == REPLY.rstrip()


def test_code_keeps_its_fence_and_language(view: TranscriptView) -> None:
    assert between(view, "ls", "nats rm") == "```sh\nls\nnats rm\n```"


def test_rows_of_a_table_keep_their_head(view: TranscriptView) -> None:
    assert between(view, "7", "7") == "7"
    assert between(view, "1,204", "7") == (
        "| Name | Pending |\n| :--- | ---: |\n|  | 1,204 |\n| a\\|b | 7 |"
    )
    assert between(view, "Pending", "one \U0001f600") == (
        "|  | Pending |\n| :--- | ---: |\n| one \U0001f600 |  |"
    )  # fmt: skip


def test_a_selection_over_blocks_is_cut_at_both_ends(view: TranscriptView) -> None:
    first, last = place(view, 0, "and"), place(view, 2, "two", behind=True)
    assert copied(view, first, last) == (
        f"> and the tea\n\n{REPLY.rstrip()}\n\n"
        "```\n$ stock_list --match=rice (exit 3)\none\ntwo\n```"
    )
    assert copied(view, first, last, text=True).endswith(
        "stock_list --match=rice (exit 3)\none\ntwo"
    )


def test_a_part_of_an_output_is_fenced_without_its_header(view: TranscriptView) -> None:
    assert between(view, "two", "three", row=2) == "```\ntwo\nthree\n```"


def test_what_is_hidden_below_is_not_copied_by_a_part(view: TranscriptView) -> None:
    long = Block(
        kind="tool_call", seq=2, index=1, turn=1, call_id="c", name="x", state="done",
        result="".join(f"line {n}\n" for n in range(40)),
    )  # fmt: skip
    fill(view, [PROMPT, long])
    assert copied(view, Place(1, 0), Place(1, view.shape_of(1).length)) == (
        "```\nline 0\nline 1\nline 2\nline 3\n```"
    )
    assert "line 39" in copied(view, Place(1, 0), Place(1, END))


def ground(view: TranscriptView, row: int) -> QColor:
    """What the end of a block's header is painted on, between its words and the frame."""
    header = view.shape_of(row).header
    assert header is not None
    picture = view.viewport().grab(QRect(view.row_rect(row).topLeft(), view.row_rect(row).size()))
    return picture.toImage().pixelColor(header.center().x(), header.top() + 2)


def test_headers_are_marked_when_they_are_copied(view: TranscriptView) -> None:
    thought = Block(kind="thinking", seq=2, turn=1, text="Rice first.")
    fill(view, [PROMPT, thought, CALLED])
    chosen = view.context.theme.color("textsel")
    assert chosen not in [ground(view, 1), ground(view, 2)]
    copied(view, Place(2, 0), Place(2, 3), text=True)
    assert ground(view, 2) != chosen
    assert "stock_list" in copied(view, Place(0, 4), Place(2, 3), text=True)
    assert [ground(view, 1), ground(view, 2)] == [chosen, chosen]
