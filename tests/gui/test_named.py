# SPDX-License-Identifier: Apache-2.0
"""Names in sentences: set in mono, never taken for HTML, and plain words for whoever reads them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from PySide6.QtGui import QAccessible, QFont, QFontDatabase, QTextDocument
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from tenuto.sources.base import blank_summary
from tenuto.sources.reasonix_rows import ReasonixSummary
from tenuto.sources.setup import Setup
from tenuto_gui.context import AppContext
from tenuto_gui.diff.run_with import facts
from tenuto_gui.named import Named, NamedLabel, joined, name, name_in, spans_of
from tenuto_gui.notice import Notice, NoticeBar
from tenuto_gui.plain import cut_path
from tenuto_gui.runs import questions
from tenuto_gui.runs.pieces import RoleLabel
from tests.gui.parts import context
from tests.gui.test_approval_panel import ask

MARKUP = "<img src=x>&amp;"


@pytest.fixture
def made(qapp: QApplication, tmp_path: Path) -> Iterator[AppContext]:
    with context(tmp_path) as each:
        yield each


def names(text: str) -> list[str]:
    return [text[first:last] for first, last in spans_of(text)]


def mono(label: QLabel) -> list[str]:
    """What a label sets in the system's fixed font, as Qt lays it out."""
    document = QTextDocument()
    document.setHtml(QLabel.text(label))
    family = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
    found = []
    block = document.begin()
    while block.isValid():
        parts = block.begin()
        while not parts.atEnd():
            part = parts.fragment()
            if family in (part.charFormat().fontFamilies() or []):
                found.append(part.text())
            parts += 1
        block = block.next()
    return found


def test_a_name_is_known_wherever_it_stands() -> None:
    text = name_in("{a} with {path}: {b}", "path", "{a}", a="Forced", b="{path}")
    assert text == "Forced with {a}: {path}"
    assert names(text) == ["{a}"]
    both = joined(["Look.", "", text, name("r1")])
    assert both == "Look. Forced with {a}: {path} r1"
    assert names(both) == ["{a}", "r1"]
    assert names(f"{both}") == []
    assert name("") == ""
    assert names(Named("", [(0, 0)])) == []


def test_a_label_sets_names_in_mono_and_takes_nothing_for_html(qtbot: QtBot) -> None:
    label = NamedLabel()
    qtbot.addWidget(label)
    label.setText(name_in(f"{MARKUP}  Allow {{tool}} to run?", "tool", MARKUP))
    said = f"{MARKUP}  Allow {MARKUP} to run?"
    assert label.text() == said
    assert mono(label) == [MARKUP]
    document = QTextDocument()
    document.setHtml(QLabel.text(label))
    assert document.toPlainText() == said
    face = QAccessible.queryAccessibleInterface(label)
    assert face.text(QAccessible.Text.Name) == said
    font = QFont(label.font())
    font.setPointSizeF(20)
    label.setFont(font)
    assert "19pt" in QLabel.text(label)
    label.setText(MARKUP)
    assert (label.text(), QLabel.text(label)) == (MARKUP, MARKUP)


def test_tools_and_paths_are_set_in_mono(made: AppContext, qtbot: QtBot) -> None:
    title = RoleLabel(made.theme, "title")
    qtbot.addWidget(title)
    title.setText(questions.title(ask(tool="stream_rm")))
    assert (title.text(), mono(title)) == ("Allow stream_rm to run?", ["stream_rm"])
    bar = NoticeBar(made.theme, fades=False)
    qtbot.addWidget(bar)
    bar.show_notice(Notice("info", name_in("Exported to {path}", "path", "~/a b/r.md")))
    assert mono(bar._title) == ["~/a b/r.md"]
    assert bar.accessibleName() == "Exported to ~/a b/r.md"


def test_the_setup_of_a_reasonix_session_names_tools_and_files() -> None:
    bare = msgspec.structs.asdict(blank_summary("r", "/srv/r.jsonl"))
    summary = ReasonixSummary(**bare | {"model": "demo/coder", "workspace_root": "/srv/depot"})
    found = facts(summary, Setup(tools=(("bash", 3), ("edit", 1))), "/srv/agent.yaml")
    values = [(str(value), names(value)) for _title, value in found]
    assert ("demo/coder", ["demo/coder"]) in values
    assert ("/srv/depot", ["/srv/depot"]) in values
    assert ("bash \u00d73, edit \u00d71", ["bash", "edit"]) in values
    assert ("/srv/agent.yaml", ["/srv/agent.yaml"]) in values


@pytest.mark.parametrize(
    ("path", "room", "shown"),
    [
        ("~/depot/tools", 100, "~/depot/tools"),
        ("/srv/depot/tools", 13, "\u2026/depot/tools"),
        ("~/depot/tools", 11, "\u2026/tools"),
        ("/srv/agents/runs/", 8, "\u2026/runs"),
        ("~/depot/tools", 5, "\u2026/to\u2026"),
        ("-home-depot", 5, "-hom\u2026"),
        ("", 5, ""),
    ],
)
def test_a_path_is_cut_at_its_separators(path: str, room: int, shown: str) -> None:
    class Letters:
        """Each letter is as wide as any other."""

        def horizontalAdvance(self, text: str) -> float:
            return float(len(text))

        def elidedText(self, text: str, _side: object, width: float) -> str:
            return text if len(text) <= width else text[: int(width) - 1] + "\u2026"

    assert cut_path(path, Letters(), room) == shown  # type: ignore[arg-type]
