# SPDX-License-Identifier: Apache-2.0
"""Finding words, prompts and errors in a transcript."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tenuto.sources.base import Block
from tenuto_gui.context import AppContext
from tenuto_gui.transcript.bar import TranscriptBar
from tenuto_gui.transcript.outline import Outline, step
from tenuto_gui.transcript.view import TranscriptView
from tests.gui.parts import context, fill, transcript, turn, turns


@pytest.fixture
def made(qapp: QApplication, tmp_path: Path) -> Iterator[AppContext]:
    with context(tmp_path) as each:
        yield each


@pytest.fixture
def view(made: AppContext, qtbot: QtBot) -> Iterator[TranscriptView]:
    with transcript(made, qtbot) as each:
        yield each


Look = Callable[[str], str]


@pytest.fixture
def look(view: TranscriptView, qtbot: QtBot) -> Look:
    """Types words into the find bar; answers what it says."""

    def type_(words: str) -> str:
        view.open_find()
        view.find_bar.field.setText(words)
        qtbot.waitUntil(lambda: view.finder.complete)
        return view.find_bar.count.text()

    return type_


def shown_hits(view: TranscriptView, row: int) -> list[str]:
    shape = view.shape_of(row)
    hits, _now = view.finder.hits(row, shape)
    words = []
    for start, end in hits.body:
        part = shape.part_of(start)
        assert part is not None
        words.append(part.text()[part.place(start) : part.place(end)])
    return words


def stories() -> list[Block]:
    blocks = turns(60)
    words = "The **rice** \U0001f600 bag: RICE."
    blocks[10] = Block(kind="text", seq=9, index=1, turn=3, text=words)
    blocks += turn(100, "No more.", "".join(f"line {n}\n" for n in range(1, 41)) + "the rice\n")
    return blocks


def test_words_are_counted_and_stepped_through(view: TranscriptView, look: Look) -> None:
    fill(view, stories())
    view.go_to_start()
    total = 1 + 2 + 61 + 1  # the prompt, a reply, each call's argument, the last output
    assert look("rice") == f"1 of {total}"
    QTest.keyClick(view.find_bar.field, Qt.Key.Key_Return)
    assert view.find_bar.count.text() == f"2 of {total}"
    QTest.keyClick(view.find_bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(view.find_bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert view.find_bar.count.text() == f"{total} of {total}", "from the first to the last"
    assert view.current == len(view.blocks) - 1
    QTest.mouseClick(view.find_bar.next, Qt.MouseButton.LeftButton)
    assert view.find_bar.count.text() == f"1 of {total}"
    assert look("zebra") == "Not in this transcript"
    assert not view.find_bar.next.isEnabled()


def test_what_looks_alike_is_found_where_it_is_shown(view: TranscriptView, look: Look) -> None:
    fill(view, stories())
    look("RICE")
    assert shown_hits(view, 10) == ["rice", "RICE"]
    view.grab()


def test_a_hit_in_a_fold_opens_it(view: TranscriptView, look: Look) -> None:
    fill(view, stories())
    view.go_to_start()
    thinking = next(n for n, b in enumerate(view.blocks) if b.kind == "thinking")
    assert not view.shape_of(thinking).opened
    look("then that")
    assert view.current == thinking
    assert view.shape_of(thinking).opened
    look("the rice")
    view.finder.step(-1)
    row = len(view.blocks) - 1
    assert view.current == row
    assert shown_hits(view, row) == ["the rice"]
    part = view.shape_of(row).parts[0]
    assert part.document.blockCount() == 41
    hit = view.finder.hits(row, view.shape_of(row))[0].body[0][0]
    line = part.line_rect(hit).translated(view.row_rect(row).topLeft())
    assert view.viewport().rect().contains(line.center())


def test_the_first_hit_is_the_next_one_from_where_one_reads(
    view: TranscriptView, look: Look
) -> None:
    fill(view, turns(60))
    view.scroll_to_row(90)
    assert look("turn").split()[0] == "31"
    assert view.current >= 90


def test_the_count_follows_a_run_that_goes_on(
    view: TranscriptView, look: Look, qtbot: QtBot
) -> None:
    fill(view, turns(3))
    assert look("turn 3") == "1 of 1"
    view.replace_blocks(len(view.blocks), 0, turn(4, "Turn 3 again."))
    qtbot.waitUntil(lambda: view.find_bar.count.text() == "1 of 2")
    view.replace_blocks(len(view.blocks) - 3, 3, [])
    qtbot.waitUntil(lambda: view.find_bar.count.text() == "1 of 1")


def test_escape_ends_it(view: TranscriptView, look: Look) -> None:
    fill(view, turns(3))
    look("turn")
    top = view.viewport().mapTo(view, view.viewport().rect().topLeft()).y()
    assert top >= view.find_bar.height() > 0
    QTest.keyClick(view.find_bar.field, Qt.Key.Key_Escape)
    assert not view.find_bar.isVisible()
    assert not view.finder.active
    assert view.hasFocus()


# --- prompts and errors ---------------------------------------------------------------------------


def failing(number: int) -> list[Block]:
    thinking, text, call = turn(number)
    fields = {name: getattr(call, name) for name in call.__struct_fields__}
    return [thinking, text, Block(**{**fields, "state": "failed"})]


def chat() -> list[Block]:
    blocks = turns(20)
    for number in range(30, 33):
        blocks.append(Block(kind="follow_up", seq=number * 3 - 1, text=f"And & the tea {number}?"))
        blocks += [*turn(number), *failing(number + 100)]
    return blocks


@pytest.fixture
def bar(made: AppContext, view: TranscriptView, qtbot: QtBot) -> Iterator[TranscriptBar]:
    window = QWidget()
    qtbot.addWidget(window)
    found = TranscriptBar(made, view, window)
    QVBoxLayout(window).addWidget(found)
    window.show()
    yield found
    window.close()


def press(bar: TranscriptBar, name: str) -> None:
    button = bar.findChild(QToolButton, name)
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_the_bar_goes_from_prompt_to_prompt(view: TranscriptView, bar: TranscriptBar) -> None:
    fill(view, chat())
    assert bar.place.text() == "prompt 4 of 4"
    view.go_to_start()
    assert bar.place.text() == "prompt 1 of 4"
    assert not bar.previous.isEnabled()
    press(bar, "nextPrompt")
    assert bar.place.text() == "prompt 2 of 4"
    assert view.blocks[view.current].text == "And & the tea 30?"
    press(bar, "nextPrompt")
    press(bar, "nextPrompt")
    assert bar.place.text() == "prompt 4 of 4"
    assert not bar.next.isEnabled()
    press(bar, "previousPrompt")
    assert bar.place.text() == "prompt 3 of 4"
    press(bar, "findButton")
    assert view.find_bar.isVisible()


def test_the_outline_lists_prompts_and_leads_to_errors(
    view: TranscriptView, bar: TranscriptBar
) -> None:
    fill(view, chat())
    view.go_to_start()
    menu = bar.make_menu()
    texts = [action.text() for action in menu.actions()]
    assert texts[:2] == ["1  Count the rice", "2  And && the tea 30?"]
    menu.actions()[2].trigger()
    assert view.blocks[view.current].text == "And & the tea 31?"
    next(a for a in menu.actions() if a.objectName() == "nextError").trigger()
    assert view.blocks[view.current].state == "failed"
    first = view.current
    QTest.keyClick(view, Qt.Key.Key_F8)
    assert view.current > first
    QTest.keyClick(view, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    assert view.current == first


def test_a_transcript_without_prompts_says_so(view: TranscriptView, bar: TranscriptBar) -> None:
    fill(view, [Block(kind="notice", notice="empty", seq=0)])
    assert bar.place.text() == "no prompt"
    assert not bar.place.isEnabled()


def test_the_outline_is_kept_while_blocks_change() -> None:
    outline = Outline()
    blocks = chat()
    outline.update(0, blocks)
    assert [blocks[row].kind for row in outline.prompts] == ["prompt", *["follow_up"] * 3]
    assert len(outline.errors) == 3
    blocks[64:] = failing(9)
    outline.update(64, blocks)
    fresh = Outline()
    fresh.update(0, blocks)
    assert (outline.prompts, outline.errors) == (fresh.prompts, fresh.errors)
    assert step([2, 5, 9], 5, 1) == 9
    assert step([2, 5, 9], 5, -1) == 2
    assert step([2, 5, 9], 9, 1) is None
