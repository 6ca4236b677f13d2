# SPDX-License-Identifier: Apache-2.0
"""The transcript's canvas: text that means harm, and geometry that must not jump."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tenuto.sources.base import Block
from tenuto_gui.context import AppContext
from tenuto_gui.transcript.document import SafeDocument
from tenuto_gui.transcript.shape import CAPACITY
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


# --- text that means harm -------------------------------------------------------------------------

HOSTILE = {
    "html": "<img src='file:///etc/passwd'><script>x</script><b>bold</b>",
    "bidi": "rm \u202e\u2066 fdp.txt\u2069",
    "controls": "".join(map(chr, range(32))) + "\x7f\x9b31m",
    "surrogate": "half \ud83d",
    "one line": "x" * 1_000_000,
    "many lines": "y\n" * 100_000,
    "emoji": "\U0001f468\u200d\U0001f469\u200d\U0001f467 " * 200,
    "combining": "e" + "\u0301" * 5_000,
    "arabic": "\u0627\u0644\u0648\u0632\u0646 " * 3_000,
    "osc": "\x1b]8;;http://evil\x07link\x1b]8;;\x07\x1b[2J",
}


@pytest.mark.parametrize("kind", ["prompt", "text", "thinking", "result", "notice", "name"])
def test_hostile_text_is_shown_and_does_nothing(
    kind: str, view: TranscriptView, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    load = SafeDocument.loadResource

    def loading(document: SafeDocument, what: int, name: QUrl | str) -> object:
        asked.append(name)
        return load(document, what, name)

    monkeypatch.setattr(SafeDocument, "loadResource", loading)
    for text in HOSTILE.values():
        block = turn(1)[2]
        if kind == "result":
            block = Block(**{**_fields(block), "result": text})
        elif kind == "name":
            raw = text[:3000].encode("utf-8", "replace")
            block = Block(**{**_fields(block), "name": text[:3000], "input": raw})
        else:
            shown = {"prompt": "prompt", "text": "text", "thinking": "thinking"}.get(kind, "notice")
            block = Block(
                kind=shown,  # type: ignore[arg-type]
                seq=3,
                turn=1 if shown in ("text", "thinking") else 0,
                text=text,
                notice="error" if shown == "notice" else "",
            )
        fill(view, [*turns(0), block])
        view.set_fold(1, type(view.fold_of(1))(open=True, full=True))
        view.grab()
        for part in view.shape_of(1).parts:
            plain = part.document.toPlainText()
            assert not set(plain) & set("\u202e\u2066\x1b\x07\x9b")
            assert max(map(len, plain.split()), default=0) <= 1_000
            assert part.document.blockCount() <= 300
    assert asked == []


def _fields(block: Block) -> dict[str, object]:
    return {name: getattr(block, name) for name in block.__struct_fields__}


def test_documents_load_nothing(tmp_path: Path, qapp: QApplication) -> None:
    image = QImage(20, 20, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    path = tmp_path / "red.png"
    image.save(str(path))
    sizes = []
    for document in (QTextDocument(), SafeDocument()):
        document.setHtml(f"<img src='{path.as_uri()}'>")
        resource = QTextDocument.ResourceType.ImageResource.value
        sizes.append(document.resource(resource, QUrl(path.as_uri())) is not None)
    assert sizes == [True, False]


# --- the canvas -----------------------------------------------------------------------------------


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None
)
@given(st.data())
def test_what_is_on_screen_is_whole_and_in_order(view: TranscriptView, data: st.DataObject) -> None:
    fill(view, turns(data.draw(st.integers(0, 25))))
    for _ in range(data.draw(st.integers(1, 12))):
        count = len(view.blocks)
        match data.draw(st.sampled_from(["scroll", "append", "fold", "resize", "row", "end"])):
            case "scroll":
                view.scroll_by(data.draw(st.integers(-900, 900)))
            case "append":
                top = view.row_rect(view.row_at(0)).top()
                row, following = view.row_at(0), view.following
                view.replace_blocks(count, 0, turn(100 + count))
                if not following:
                    assert view.row_rect(row).top() == top
            case "fold":
                row = data.draw(st.integers(0, count - 1))
                view.toggle_fold(row)
            case "resize":
                view.resize(data.draw(st.integers(300, 900)), data.draw(st.integers(120, 600)))
            case "row":
                view.scroll_to_row(data.draw(st.integers(0, count - 1)))
            case _:
                view.go_to_end()
        room = view.viewport().height()
        y = None
        for row in view.visible_rows():
            rect = view.row_rect(row)
            assert rect.height() == view.shape_of(row).height
            assert y is None or rect.top() == y
            y = rect.bottom() + 1
        assert y is not None
        assert view.row_rect(view.visible_rows()[0]).top() <= 0
        assert y >= room or view.visible_rows()[-1] == len(view.blocks) - 1
        bar = view.verticalScrollBar()
        assert 0 <= bar.value() <= bar.maximum()
        if view.following:
            assert bar.value() == bar.maximum()


def test_scrolling_up_shows_each_pixel_once(view: TranscriptView) -> None:
    """Heights above are estimates until they are seen; correcting them must not jump."""
    fill(view, turns(60))
    view.go_to_end()
    while view.verticalScrollBar().value() > 0:
        row = view.visible_rows()[0]
        before = view.row_rect(row).top()
        value = view.verticalScrollBar().value()
        view.scroll_by(-37)
        if value > 37 and view.verticalScrollBar().value() > 0:
            assert view.row_rect(row).top() == before + 37


def test_only_a_few_documents_are_kept(view: TranscriptView) -> None:
    fill(view, turns(400))
    for row in range(0, len(view.blocks), 7):
        view.scroll_to_row(row)
        view.viewport().repaint()
    assert len(view._shaper) <= CAPACITY


def test_a_new_theme_repaints_and_keeps_the_place(made: AppContext, view: TranscriptView) -> None:
    fill(view, turns(40))
    view.scroll_to_row(30)
    light = view.grab().toImage().pixelColor(700, 400)
    made.theme.set_choice("dark")
    assert view.row_at(0) == 30
    assert view.grab().toImage().pixelColor(700, 400).lightness() < light.lightness()
