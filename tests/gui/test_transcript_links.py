# SPDX-License-Identifier: Apache-2.0
"""Bare addresses as links, and output in which right-to-left words leave numbers in their place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape, unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from tenuto.sources.base import Block
from tenuto_gui.render import bidi
from tenuto_gui.render.bare_links import find, linked
from tenuto_gui.render.find import Needle
from tenuto_gui.render.spans import Span, with_links
from tenuto_gui.render.text import shown, source_offset
from tenuto_gui.transcript.parts import Part
from tenuto_gui.transcript.selection import END, Place
from tenuto_gui.transcript.view import TranscriptView
from tests.gui.parts import context, fill, transcript

URL = "https://docs.example.com/a?b=c"
#: Arabic for "warehouse" and "store".
DEPOT, SHOP = "\u0645\u0633\u062a\u0648\u062f\u0639", "\u0645\u062e\u0632\u0646"


@pytest.fixture
def view(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> Iterator[TranscriptView]:
    with context(tmp_path) as made, transcript(made, qtbot) as each:
        yield each


def show(view: TranscriptView, *blocks: Block) -> list[Part]:
    fill(view, list(blocks))
    view.go_to_start()
    return view.shape_of(len(blocks) - 1).parts


def call(result: str, raw: bytes = b"{}") -> Block:
    return Block(
        kind="tool_call", seq=2, turn=1, call_id="c", name="x", input=raw, result=result,
        state="done",
    )  # fmt: skip


def x_of(part: Part, words: str) -> float:
    """Where the middle of a word is drawn, in its line."""
    offset = part.offset(part.text().index(words)) - part.start + len(words) // 2
    block = part.document.findBlock(offset)
    line = block.layout().lineForTextPosition(offset - block.position())
    found = line.cursorToX(offset - block.position())
    return found[0] if isinstance(found, tuple) else found


def point(view: TranscriptView, part: Part, words: str, row: int) -> QPoint:
    offset = part.offset(part.text().index(words)) - part.start
    block = part.document.findBlock(offset)
    line = block.layout().lineForTextPosition(offset - block.position())
    around = part.document.documentLayout().blockBoundingRect(block)
    inner = QPoint(int(x_of(part, words)) + 3, int(around.top() + line.y() + line.height() / 2))
    return view.row_rect(row).topLeft() + part.rect.topLeft() + inner


# --- addresses ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"see {URL}.", [URL]),
        (f"({URL}), then", [URL]),
        ("https://en.example.org/wiki/Rice_(plant)!", ["https://en.example.org/wiki/Rice_(plant)"]),
        ("HTTP://Example.com:8080/x#y", ["HTTP://Example.com:8080/x#y"]),
        (f"\u89c1{URL}\u3002\u7136\u540e", [URL]),
        ("\u89c1https://example.com\u67e5\u770b", ["https://example.com"]),
        ("http://[::1]:8080/x", ["http://[::1]:8080/x"]),
        (f'{{"url": "{URL}", "n": 1}}', [URL]),
        (f"{URL}\n{URL}", [URL, URL]),
        # The host goes on in another alphabet: it is another host.
        ("https://exam\u0440le.com/x", []),
        # A name to log in with is no host, and what is behind it is easily overlooked.
        ("https://good.example@evil.example/ https://a:b@evil.example http://[::1]@x", []),
        ("https://a.example:80@evil.example https://a.example\\@evil.example", []),
        (f"{URL}/@me https://example.com @me", [f"{URL}/@me", "https://example.com"]),
        ("file:///etc/passwd ftp://example.com javascript:alert(1) mailto:a@example.com", []),
        ("https:// http://? example.com", []),
        ("xhttps://example.com", []),
        ("https://example.com/" + "a" * 2_000, []),
    ],
)
def test_which_addresses_are_links(text: str, found: list[str]) -> None:
    text = shown(text)
    assert [text[start:end] for start, end in find(text)] == found


def test_an_address_that_is_cut_is_none() -> None:
    assert find(f"see {URL}", cut=True) == []
    assert len(find(f"see {URL} now", cut=True)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "https://a/" + ")" * 200_000,
        "http://a," * 20_000,
        "https://a/?" * 20_000,
        "https://" + "a" * 200_000,
        "https://[" * 20_000,
    ],
)
def test_a_hostile_text_is_looked_through_and_left(text: str) -> None:
    assert all(end - start < 1_000 for start, end in find(text))
    assert all(len(match) < 2_100 for match in re.findall('href="([^"]*)"', linked(text)))


@given(st.text(st.sampled_from("ab.:/()?&;'\"<> \n\u0440\u3002"), max_size=60))
def test_html_says_the_same_with_links(text: str) -> None:
    written = linked(f"<p>{escape('https://a.example/' + text)}</p>")
    assert unescape(re.sub("<[^>]*>", "", written)) == "https://a.example/" + text


@pytest.mark.parametrize(
    "line", ["\u4e2d" * 300_000, "\u4e2d" * 300_000 + DEPOT, "\u4e2d\n" * 50_000]
)
def test_where_nothing_is_right_to_left_each_letter_is_looked_at_once(line: str) -> None:
    """Looking from each letter to the end of its line would take hours."""
    assert bidi.places(line) == []


@given(st.text(st.sampled_from("a1 \n\t|\u4e2d\u0645\u05d0"), max_size=40))
def test_marks_are_put_line_by_line(text: str) -> None:
    lines = [bidi.marked(line, bidi.places(line)) for line in text.split("\n")]
    assert bidi.marked(text, bidi.places(text)) == "\n".join(lines)


def test_links_cut_spans_and_lose_none() -> None:
    spans = [Span(0, 10, "add", "add_bg", line=True), Span(20, 30, strong=True)]
    found = with_links(spans, [(5, 15), (28, 40)])
    assert [(s.start, s.end, s.ink, s.strong, s.link) for s in found] == [
        (0, 5, "add", False, False),
        (5, 10, "add", False, True),
        (10, 15, "", False, True),
        (20, 28, "", True, False),
        (28, 30, "", True, True),
        (30, 40, "", False, True),
    ]


@pytest.mark.parametrize(
    "block",
    [
        Block(kind="prompt", seq=1, text=f"Read {URL}, please"),
        Block(kind="text", seq=1, turn=1, text=f"Read {URL}, please"),
        Block(kind="text", seq=1, turn=1, text=f"- *Read* {URL}, please"),
        Block(kind="text", seq=1, turn=1, text=f"| a |\n|---|\n| {URL} |"),
        call(f"Read {URL}, please\n"),
        call(f'{{"a":"{URL}"}}'),
        call(f"\x1b[31mRead {URL}, please\x1b[0m\n"),
    ],
    ids=["prompt", "text", "prose", "table", "output", "json", "ansi"],
)
def test_an_address_is_asked_about_and_then_opened(view: TranscriptView, block: Block) -> None:
    opened: list[str] = []
    view.opener = opened.append
    place = point(view, show(view, block)[0], URL, 0)
    assert view.tip_at(place) == URL
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    question = view.window().findChild(QMessageBox, "linkQuestion")
    assert question is not None
    assert question.informativeText() == URL
    assert opened == []
    yes = next(b for b in question.buttons() if b.text() == "Open")
    QTest.mouseClick(yes, Qt.MouseButton.LeftButton)
    assert opened == [URL]


def test_a_link_is_shown_as_one_in_its_colour(view: TranscriptView) -> None:
    part = show(view, call(f"\x1b[31mgone\x1b[0m {URL} on\n"))[0]
    forms = part.document.begin().layout().formats()
    underlined = [
        part.text()[form.start : form.start + form.length]
        for form in forms
        if form.format.fontUnderline()
    ]
    assert underlined == [URL]


def test_beside_a_link_and_in_code_nothing_is_one(view: TranscriptView) -> None:
    part = show(view, call(f"see {URL}  and on\n"))[0]
    assert view.target_at(point(view, part, "see", 0)).deed == ""
    assert view.target_at(point(view, part, "and", 0)).deed == ""
    said = Block(kind="text", seq=1, turn=1, text=f"Run `curl {URL}`:\n\n```\ncurl {URL}\n```\n")
    prose, code = show(view, said)
    assert view.target_at(point(view, prose, URL, 0)).deed == ""
    assert view.target_at(point(view, code, URL, 0)).deed == ""


def test_links_are_reached_by_key(view: TranscriptView) -> None:
    wanted: list[str] = []
    view.link_wanted.connect(wanted.append)
    show(view, Block(kind="text", seq=1, turn=1, text=f"*See* {URL} and [b](http://b.example/)"))
    menu = view.make_menu(0)
    names = [action.text() for action in menu.actions()]
    assert f"Open {URL}\u2026" in names
    next(a for a in menu.actions() if "b.example" in a.text()).trigger()
    assert wanted == ["http://b.example/"]


# --- right-to-left words in output ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "order"),
    [
        (f"{DEPOT}   412   880", [DEPOT, "412", "880"]),
        (f"{DEPOT} 12 of 40", [DEPOT, "12", "of", "40"]),
        (f"{DEPOT}\t{SHOP}\t7", [DEPOT, SHOP, "7"]),
        (f"| {DEPOT} | {SHOP} | 412,880 |", [DEPOT, SHOP, "412,880"]),
        (f"{DEPOT}: -1.5 \u2192 2", [DEPOT, "1.5", "2"]),
        # Words of one phrase are read from the right, as they are written.
        (f"a {DEPOT} {SHOP} 3", ["a", SHOP, DEPOT, "3"]),
    ],
)
def test_numbers_and_columns_of_output_keep_their_order(
    view: TranscriptView, line: str, order: list[str]
) -> None:
    part = show(view, call(line + "\n"))[0]
    places = [x_of(part, word) for word in order]
    assert places == sorted(places)


def test_a_line_that_begins_right_to_left_begins_on_the_left(view: TranscriptView) -> None:
    block = show(view, call(f"{DEPOT}\nname\n"))[0].document.begin()
    assert block.layout().lineAt(0).naturalTextRect().left() == 0


def test_marks_are_neither_copied_nor_in_the_way_of_a_search(view: TranscriptView) -> None:
    source = f"{DEPOT} 412   880\n"
    part = show(view, call(source))[0]
    assert bidi.MARK in part.text()
    view.selection.start(Place(0, 0))
    view.selection.extend(Place(0, part.end))
    view.copy()
    assert QGuiApplication.clipboard().text() == source
    needle = Needle(f"{DEPOT} 412")
    assert needle.count(source) == len(needle.hits(part.text())) == 1
    laid_out = show(view, call(f'{{"{DEPOT}":412}}'))[0]
    view.selection.start(Place(0, 1))
    view.selection.extend(Place(0, laid_out.end))
    view.copy()
    assert bidi.MARK not in QGuiApplication.clipboard().text()


def test_a_mark_of_the_text_itself_is_shown_and_copied(view: TranscriptView) -> None:
    source = f"{DEPOT}\u200e1"
    part = show(view, call(source))[0]
    assert "<U+200E>" in part.text()
    view.selection.start(Place(0, 0))
    view.selection.extend(Place(0, END))
    view.copy()
    assert source in QGuiApplication.clipboard().text()


LETTERS = st.text(st.sampled_from("ab 1 2\t|\n-\u0661" + DEPOT + "\u05d0"), max_size=60)


@given(LETTERS, st.data())
def test_a_place_in_marked_output_goes_back_to_its_character(
    text: str, data: st.DataObject
) -> None:
    whole = shown(text, columns=True)
    assert bidi.unmarked(whole) == shown(text)
    offset = data.draw(st.integers(0, len(text.rstrip("\n"))))
    place = len(shown(text[:offset] + "x", columns=True)) - 1
    assert source_offset(text, place, columns=True) == offset
    assert whole.startswith(shown(text[:offset] + "x", columns=True)[:-1])


def test_a_number_behind_a_word_is_marked_once() -> None:
    text = f"{DEPOT} 412 880"
    assert bidi.places(text) == [len(DEPOT) + 1]
    assert bidi.places("rice 412 880") == []
