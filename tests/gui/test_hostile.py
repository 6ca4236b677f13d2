# SPDX-License-Identifier: Apache-2.0
"""Transcripts that mean harm: nothing is loaded, nothing runs, and nothing keeps the window busy.

Work is counted in calls of Python functions and in blocks that Qt lays out, not in seconds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tenuto.sources.base import Block
from tenuto_gui.context import AppContext
from tenuto_gui.transcript.contents import Fold
from tenuto_gui.transcript.document import SafeDocument
from tenuto_gui.transcript.view import TranscriptView
from tests.gui.parts import context, fill, transcript, turns

HTML = (
    "<img src='SECRET'><img src=\"data:image/png;base64,iVBORw0KGgo=\">"
    "<style>@import url('SECRET');</style><link rel=stylesheet href='SECRET'>"
    "<iframe src='SECRET'></iframe><script>open('SECRET')</script>"
    "<body background='SECRET'><table background='SECRET'><tr><td style='background:url(SECRET)'>x"
)
HOSTILE: dict[str, str] = {
    "html": HTML,
    "images": "![a](SECRET) ![b][r] [![c](SECRET)](SECRET)\n\n[r]: SECRET\n",
    "links": "[a](SECRET) [b](javascript:alert(1)) <SECRET> [c](data:text/html,x) [d](\\\\host\\x)",
    "html in code": f"```html\n{HTML}\n```\n\n`{HTML}`\n",
    "html in a table": f"|a|b|\n|-|-|\n|{HTML.replace('|', '')}|![x](SECRET)|\n",
    "nested tables": "<table><tr><td>" * 3_000 + "x",
    "nested brackets": "[" * 20_000 + "x" + "](y)" * 20_000,
    "nested quotations": "> " * 20_000 + "x",
    "nested lists": "".join("  " * n + "- x\n" for n in range(600)),
    "emphasis": "*_" * 20_000 + "x",
    "ticks": "".join("`" * n + " " for n in range(300)),
    "one line": "x" * 1_000_000,
    "one line of code": "```json\n" + '{"a":' * 200_000 + "\n```",
    "many lines": "y\n" * 200_000,
    "many rows": "|a|b|c|\n|-|-|-|\n" + "|1|2|3|\n" * 5_000,
    "wide table": "|" + "a|" * 4_000 + "\n|" + "-|" * 4_000 + "\n|" + "1|" * 4_000,
    "bidi": "rm \u202e\u2066 fdp.txt\u2069 `\u202egnp`",
    "controls": "".join(map(chr, range(32))) + "\x7f\x9b31m\x90q",
    "osc": "\x1b]8;;SECRET\x07link\x1b]8;;\x07 \x1b]52;c;cm0=\x07 \x1b[2J\x1b[?1049h\x1bP+q\x1b\\",
    "colours": "\x1b[31m" * 50_000 + "x" + "\x1b[38;5;" * 1_000 + "\x1b[" + "1;" * 5_000 + "m",
    "surrogates": "half \ud83d `\udc00` **\ud800**",
    "combining": "e" + "\u0301" * 20_000,
    "emoji": "\U0001f468\u200d\U0001f469\u200d\U0001f467 " * 400,
    "json": '{"a":' * 10_000 + "1" + "}" * 10_000,
    "deep json": "[" * 150 + "]" * 150,
    "json text": '{"a":"' + "\\n" * 40_000 + '"}',
    "diff": "--- a\n+++ b\n@@ -1,999999999 +1,999999999 @@\n" + "+x\n-y\n" * 20_000,
    "entities": "&amp;lt;img src=SECRET&gt; &#60;b&#62; &lt;script&gt;" * 500,
    "references": "".join(f"[{n}]: SECRET?{n}\n" for n in range(5_000)) + "[1] [2]",
}
#: Calls of Python functions for one block; a plain one takes some hundred.
MOST_CALLS = 600_000
#: What Qt lays out of one block.
MOST_CHARACTERS = 140_000


@pytest.fixture
def made(qapp: QApplication, tmp_path: Path) -> Iterator[AppContext]:
    with context(tmp_path) as each:
        yield each


@pytest.fixture
def view(made: AppContext, qtbot: QtBot) -> Iterator[TranscriptView]:
    with transcript(made, qtbot) as each:
        yield each


_DEEDS = ("subprocess.Popen", "os.exec", "os.posix_spawn", "os.system", "socket.connect")


class Watched:
    """A file nobody may open, what documents ask for, and what is started."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.secret = folder / "secret.png"
        self.secret.write_bytes(b"\x89PNG\r\n\x1a\n")
        self.events: list[str] = []
        self.loads: list[object] = []
        load = SafeDocument.loadResource
        opened: list[object] = []
        self.opened = opened

        def loading(document: SafeDocument, kind: int, name: QUrl | str) -> object:
            found = load(document, kind, name)
            self.loads.append((name, found))
            return found

        monkeypatch.setattr(SafeDocument, "loadResource", loading)
        monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)

    def hear(self, event: str, arguments: tuple[object, ...]) -> None:
        if event in (
            "subprocess.Popen",
            "os.exec",
            "os.posix_spawn",
            "os.system",
            "socket.connect",
        ):
            self.events.append(f"{event} {arguments}")
        if event == "open" and str(self.secret) in str(arguments[0]):
            self.events.append(f"open {arguments[0]}")


_listener: list[Callable[[str, tuple[object, ...]], None]] = []
_added = False


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Watched]:
    global _added
    found = Watched(monkeypatch, tmp_path)
    if not _added:
        # A hook stays for good: it only passes on while a test listens.
        sys.addaudithook(lambda name, words: [each(name, words) for each in _listener] and None)
        _added = True
    _listener.append(found.hear)
    before = found.secret.stat().st_atime_ns
    yield found
    _listener.clear()
    assert found.secret.stat().st_atime_ns == before
    assert found.events == []
    assert found.opened == []
    assert all(answer is None for _name, answer in found.loads)


def block(kind: str, text: str) -> Block:
    if kind == "result":
        return Block(
            kind="tool_call", seq=3, turn=1, call_id="c", name="x", result=text, state="done"
        )
    if kind == "input":
        raw = text.encode("utf-8", "replace")
        return Block(kind="tool_call", seq=3, turn=1, call_id="c", name=text[:500], input=raw)
    return Block(kind=kind, seq=3, turn=1, text=text)  # type: ignore[arg-type]


def calls_of(work: Callable[[], object]) -> int:
    """How many Python functions were called by ``work``."""
    count = 0

    def trace(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(trace)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("kind", ["text", "prompt", "result", "input"])
def test_it_is_shown_and_does_nothing(
    kind: str, name: str, view: TranscriptView, watched: Watched
) -> None:
    text = HOSTILE[name].replace("SECRET", watched.secret.as_uri())

    def show() -> None:
        for fold in (Fold(open=True), Fold(open=True, full=True, full_input=True)):
            fill(view, [*turns(0), block(kind, text)])
            view.set_fold(1, fold)
            view.grab()

    calls = calls_of(show)
    assert calls < MOST_CALLS
    shape = view.shape_of(1)
    assert sum(part.document.characterCount() for part in shape.parts) < MOST_CHARACTERS
    for part in shape.parts:
        plain = part.document.toPlainText()
        assert not set(plain) & set("\u202e\u2066\x1b\x07\x9b\x00")
        assert max(map(len, plain.split()), default=0) <= 1_000
        anchors = {
            fragment.charFormat().anchorHref()
            for fragment in fragments(part.document)
            if fragment.charFormat().isAnchor()
        }
        assert not [each for each in anchors if not each.startswith(("http:", "https:", "mailto:"))]


def fragments(document: SafeDocument) -> Iterator[object]:
    found = document.begin()
    while found.isValid():
        inside = found.begin()
        while not inside.atEnd():
            yield inside.fragment()
            inside += 1
        found = found.next()


def test_work_grows_with_what_is_shown_and_not_with_what_there_is(view: TranscriptView) -> None:
    def cost(text: str) -> int:
        fill(view, [*turns(0), block("result", text)])
        return calls_of(view.viewport().repaint) + calls_of(lambda: view.shape_of(1))

    small, large = cost("line\n" * 1_000), cost("line\n" * 1_000_000)
    assert large <= small + 50


def test_a_stream_of_harm_costs_no_more_at_its_end(view: TranscriptView) -> None:
    """What is written already is not read again for each word that comes."""
    text = "[" * 400 + "\n\n**x** `y`\n\n" * 400

    def cost(length: int) -> int:
        def show() -> None:
            for end in range(length, length + 20):
                view.replace_blocks(1, len(view.blocks) - 1, [live(text[:end])])
                view.shape_of(1)

        fill(view, turns(0))
        view.replace_blocks(1, 0, [live(text[: length - 1])])
        view.shape_of(1)
        return calls_of(show)

    assert cost(len(text) - 20) < 40 * max(cost(500), 5_000)


def live(text: str) -> Block:
    return Block(kind="text", seq=1 << 60, turn=1, text=text)


def test_a_link_opens_nothing_by_itself(
    view: TranscriptView, qtbot: QtBot, watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    view.opener = opened.append
    for target in ("file:///etc/passwd", "javascript:alert(1)", "https://", "http://a b", "x:y"):
        view.link_wanted.emit(target)
    assert opened == []
    assert not [w for w in QApplication.topLevelWidgets() if w.objectName() == "linkQuestion"]
