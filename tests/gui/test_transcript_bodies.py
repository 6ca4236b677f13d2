# SPDX-License-Identifier: Apache-2.0
"""What stands below headers: Markdown in parts, code, JSON, diffs, links; and copying of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from tenuto.sources.base import Block
from tenuto_gui.context import AppContext
from tenuto_gui.transcript.parts import Part
from tenuto_gui.transcript.selection import END, Place
from tenuto_gui.transcript.view import TranscriptView
from tenuto_gui.transcript.window import OutputWindow
from tests.gui.parts import context, fill, transcript, turn, turns

REPLY = """## Week 11

It grew by **3.1 GiB**, see [the manual](https://docs.example.com/a?b=c):

- `billing-eu` was renamed
- [a file](file:///etc/passwd) is no link

```python
def late():
    return 1  # day
```

| Name | Pending |
|---|---|
| one \U0001f600 | 1,204 |
| two | 412,880 |

That is all \U0001f600 of it.
"""


@pytest.fixture
def made(qapp: QApplication, tmp_path: Path) -> Iterator[AppContext]:
    with context(tmp_path) as each:
        yield each


@pytest.fixture
def view(made: AppContext, qtbot: QtBot) -> Iterator[TranscriptView]:
    with transcript(made, qtbot) as each:
        each.resize(868, 900)
        yield each


def say(view: TranscriptView, text: str) -> list[Part]:
    fill(view, [*turns(0), Block(kind="text", seq=2, turn=1, text=text)])
    view.go_to_start()
    return view.shape_of(1).parts


def answer(view: TranscriptView, result: str, raw: str = "{}") -> list[Part]:
    call = Block(
        kind="tool_call", seq=2, turn=1, call_id="c", name="x", input=raw.encode(), result=result,
        state="done",
    )  # fmt: skip
    fill(view, [*turns(0), call])
    view.go_to_start()
    return view.shape_of(1).parts


def point(view: TranscriptView, part: Part, words: str, row: int = 1) -> QPoint:
    """The middle of the first letter of some words."""
    offset = part.offset(part.text().index(words)) - part.start
    block = part.document.findBlock(offset)
    line = block.layout().lineForTextPosition(offset - block.position())
    x, _ = line.cursorToX(offset - block.position())  # type: ignore[misc]
    around = part.document.documentLayout().blockBoundingRect(block)
    inner = QPoint(int(around.left() + x) + 3, int(around.top() + line.y() + line.height() / 2))
    return view.row_rect(row).topLeft() + part.rect.topLeft() + inner


def colours(part: Part) -> set[str]:
    found = set()
    block = part.document.begin()
    while block.isValid():
        for each in block.layout().formats():
            found.add(each.format.foreground().color().name())
        block = block.next()
    return found


# --- Markdown -------------------------------------------------------------------------------------


def test_a_reply_is_shown_in_parts(view: TranscriptView) -> None:
    parts = say(view, REPLY)
    assert [part.piece.kind for part in parts] == ["prose", "code", "table", "prose"]
    prose, code, table, end = parts
    assert prose.text().startswith("Week 11\nIt grew by 3.1 GiB, see the manual:")
    assert "a file (file:///etc/passwd) is no link" in prose.text()
    assert len(prose.dots) == 2
    assert code.piece.language == "python"
    assert code.frame is not None
    assert table.text().split("\n")[1:5] == ["Name", "Pending", "one \U0001f600", "1,204"]
    assert end.text() == "That is all \U0001f600 of it."
    tops = [part.rect.top() for part in parts]
    assert tops == sorted(tops)
    assert [part.start for part in parts[1:]] == [part.end + 1 for part in parts[:-1]]


def test_headings_and_code_have_the_fonts_of_their_roles(
    made: AppContext, view: TranscriptView
) -> None:
    prose = say(view, REPLY)[0]
    fonts = made.theme.fonts
    heading = prose.document.begin().begin().fragment().charFormat().font()
    assert heading.pointSizeF() == pytest.approx(fonts.font("h2").pointSizeF(), abs=0.01)
    assert heading.weight() == fonts.font("h2").weight()
    band = QColor(made.theme.color("band")).name()
    block = prose.document.findBlock(prose.text().index("billing-eu"))
    code = block.begin().fragment().charFormat()
    assert code.background().color().name() == band


def test_code_gets_its_colours_when_they_are_known(
    made: AppContext, view: TranscriptView, qtbot: QtBot
) -> None:
    code = say(view, REPLY)[1]
    keyword = made.theme.name("s_key")
    qtbot.waitUntil(lambda: keyword in colours(code), timeout=20_000)
    made.theme.set_choice("dark")
    fresh = view.shape_of(1).parts[1]
    assert made.theme.name("s_key") in colours(fresh), "what is known needs no second look"


def test_another_width_keeps_the_documents(view: TranscriptView) -> None:
    before = [part.document for part in say(view, REPLY)]
    view.resize(600, 900)
    after = [part.document for part in view.shape_of(1).parts]
    assert all(a is b for a, b in zip(before, after, strict=True))
    assert all(part.document.textWidth() < 600 for part in view.shape_of(1).parts)


def test_a_large_table_is_shown_by_its_first_rows(view: TranscriptView) -> None:
    text = "|a|b|\n|-|-|\n" + "".join(f"|{n}|x|\n" for n in range(120))
    table = say(view, text)[0]
    assert table.text().count("x") == 30
    view.follow_link(1)
    assert view.shape_of(1).parts[0].text().count("x") == 120
    assert view.shape_of(1).links[0].closes
    view.follow_link(1)
    assert view.shape_of(1).parts[0].text().count("x") == 30


def test_streamed_markdown_looks_as_it_will_on_disk(view: TranscriptView) -> None:
    from tenuto_gui.transcript.growing import LivePieces
    from tenuto_gui.transcript.prose import markdown_pieces

    live = LivePieces()
    for end in range(0, len(REPLY), 7):
        live.pieces(REPLY[:end])
    kinds = [piece.kind for piece in live.pieces(REPLY)]
    assert [k for n, k in enumerate(kinds) if n == 0 or kinds[n - 1] != k] == [
        "prose", "code", "table", "text",
    ]  # fmt: skip
    assert [p.text for p in live.pieces(REPLY) if p.kind == "code"] == [
        p.text for p in markdown_pieces(REPLY) if p.kind == "code"
    ]


# --- outputs --------------------------------------------------------------------------------------


def test_json_on_one_line_is_laid_out(made: AppContext, view: TranscriptView) -> None:
    source = '{"items":[{"name":"rice","count":3}],"next":null}'
    part = answer(view, source)[0]
    assert part.text().startswith('{\n  "items": [')
    assert made.theme.name("s_num") in colours(part)
    view.copy_block(1)
    assert source in QGuiApplication.clipboard().text(), "copied as it was written"


def test_json_that_is_laid_out_keeps_its_form(made: AppContext, view: TranscriptView) -> None:
    source = '{\n "a": 1 }\n'
    part = answer(view, source)[0]
    assert part.text() == source.rstrip("\n")
    assert made.theme.name("run") in colours(part)


def test_an_input_its_header_cannot_show_is_below_it(view: TranscriptView) -> None:
    short = answer(view, "done", '{"name":"rice"}')
    assert [part.piece.section for part in short] == ["output"]
    both = answer(view, "done", '{"text":"one\\ntwo","deep":{"a":[1]}}')
    assert [part.piece.section for part in both] == ["input", "output"]
    assert "one\n    two" in both[0].text()
    assert both[1].ruled


def test_a_diff_keeps_its_signs_and_gets_grounds(made: AppContext, view: TranscriptView) -> None:
    part = answer(view, "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-old\n+new\n same\n")[0]
    assert "-old\n+new" in part.text()
    grounds = {}
    block = part.document.begin()
    while block.isValid():
        grounds[block.text()] = block.blockFormat().background().color().name()
        block = block.next()
    assert grounds["-old"] == made.theme.name("del_bg")
    assert grounds["+new"] == made.theme.name("add_bg")


def test_colours_of_a_terminal_are_tokens(made: AppContext, view: TranscriptView) -> None:
    part = answer(view, "\x1b[31mred \U0001f600\x1b[0m and \x1b[32mgreen\x1b[0m")[0]
    assert part.text() == "red \U0001f600 and green"
    assert {made.theme.name("fail"), made.theme.name("done")} <= colours(part)
    formats = part.document.begin().layout().formats()
    assert [(f.start, f.length) for f in formats] == [(0, 6), (11, 5)], "in Qt's units"


# --- copying --------------------------------------------------------------------------------------


def test_code_is_copied_by_its_button(view: TranscriptView) -> None:
    code = say(view, REPLY)[1]
    assert code.copy is not None
    place = view.row_rect(1).topLeft() + code.copy.center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert QGuiApplication.clipboard().text() == "def late():\n    return 1  # day"
    names = [action.text() for action in view.make_menu(1, place).actions()]
    assert "Copy code" in names


def test_a_reply_is_copied_as_words_or_as_markdown(view: TranscriptView) -> None:
    say(view, REPLY)
    view.select_all()
    view.copy()
    words = QGuiApplication.clipboard().text()
    assert "It grew by 3.1 GiB, see the manual:" in words
    assert "one \U0001f600\t1,204" in words
    assert "**" not in words
    view.copy_markdown()
    assert QGuiApplication.clipboard().text() == f"> Count the rice\n\n{REPLY.rstrip()}"


def test_a_part_of_a_reply_is_copied_as_it_is_shown(view: TranscriptView) -> None:
    parts = say(view, REPLY)
    first = parts[0].offset(parts[0].text().index("see the"))
    last = parts[3].offset(parts[3].text().index(" of it"))
    view.selection.start(Place(1, first))
    view.selection.extend(Place(1, last))
    view.grab()
    view.copy()
    words = QGuiApplication.clipboard().text()
    assert words.startswith("see the manual:\nbilling-eu")
    assert "def late():\n    return 1  # day\nName\tPending\none \U0001f600\t1,204\n" in words
    assert words.endswith("That is all \U0001f600")


def test_an_answer_with_fences_is_copied_in_a_longer_one(view: TranscriptView) -> None:
    answer(view, "```\nx\n```", '{"a":1}')
    view.selection.start(Place(1, 0))
    view.selection.extend(Place(1, END))
    view.copy_markdown()
    assert QGuiApplication.clipboard().text() == "````\n$ x --a=1\n```\nx\n```\n````"


# --- links ----------------------------------------------------------------------------------------


def test_a_link_says_where_it_leads_and_asks(view: TranscriptView, qtbot: QtBot) -> None:
    opened: list[str] = []
    view.opener = opened.append
    place = point(view, say(view, REPLY)[0], "the manual")
    assert view.tip_at(place) == "https://docs.example.com/a?b=c"
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    question = view.window().findChild(QMessageBox, "linkQuestion")
    assert question is not None
    assert not question.isModal()
    assert "docs.example.com" in question.text()
    assert question.informativeText() == "https://docs.example.com/a?b=c"
    assert opened == []
    yes = next(b for b in question.buttons() if b.text() == "Open")
    assert question.defaultButton() is not yes
    QTest.mouseClick(yes, Qt.MouseButton.LeftButton)
    assert opened == ["https://docs.example.com/a?b=c"]


def test_a_file_is_named_and_no_link(view: TranscriptView) -> None:
    prose = say(view, REPLY)[0]
    assert view.target_at(point(view, prose, "file:///etc")).deed == ""
    assert view.target_at(point(view, prose, "a file")).deed == ""


def test_a_link_can_be_copied_without_opening_it(view: TranscriptView) -> None:
    place = point(view, say(view, REPLY)[0], "the manual")
    menu = view.make_menu(1, place)
    next(a for a in menu.actions() if a.text() == "Copy link").trigger()
    assert QGuiApplication.clipboard().text() == "https://docs.example.com/a?b=c"


def test_what_does_not_fit_gets_a_window(view: TranscriptView) -> None:
    say(view, "word\n\n" * 800)
    view.follow_link(1)
    windows = [w for w in view.findChildren(OutputWindow) if w.isVisible()]
    assert len(windows) == 1
    windows[0].close()
    fill(view, [*turns(0), *turn(1)])
