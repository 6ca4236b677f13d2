# SPDX-License-Identifier: Apache-2.0
"""The Configuration view: real comparisons by the real command line, in its own process."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPlainTextEdit, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from tenuto.agent import digests, seen
from tenuto.agent.config import load_config, resolve
from tenuto_gui.context import AppContext
from tenuto_gui.diff.model import comparison
from tenuto_gui.diff.view import ConfigurationView
from tests.gui.parts import context, summary
from tests.support import journals as j
from tests.support.fisk import application, configuration, document, put_on_path

PATIENCE = 30_000


@pytest.fixture
def made(
    qapp: QApplication,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[AppContext]:
    put_on_path(monkeypatch, tmp_path / "bin")
    application(tmp_path / "bin")
    folder = tmp_path / "runs"
    folder.mkdir(mode=0o700)
    with context(folder) as each:
        yield each


@pytest.fixture
def view(made: AppContext, qtbot: QtBot) -> Iterator[ConfigurationView]:
    each = ConfigurationView(made)
    qtbot.addWidget(each)
    each.resize(868, 700)
    yield each
    each.shutdown()


def saved(made: AppContext, config: Path, *more: bytes, id: str = "r", **changes: Any) -> None:
    """A suspended run of this configuration, its digests kept."""
    resolved = resolve(load_config(config))
    digests.record(resolved)
    line = json.loads(j.meta(run_id=id))
    prints = resolved.fingerprint
    line["meta"]["fingerprint"] = {
        name: getattr(prints, name) for name in prints.__struct_fields__
    } | changes
    path = made.runs_dir / f"{id}.json"
    lines = [json.dumps(line).encode() + b"\n", *(more or (j.terminal(2),))]
    path.write_bytes(b"".join(lines))
    path.chmod(stat.S_IRUSR | stat.S_IWUSR)


def compare(view: ConfigurationView, made: AppContext, qtbot: QtBot, config: Path) -> None:
    view.set_session(summary(made.source, "r"))
    view.show()
    with qtbot.waitSignal(view.compared, timeout=PATIENCE):
        view.set_config(str(config))
    view.grab()


def said(view: ConfigurationView) -> str:
    return view._bar.accessibleName()


def test_an_equal_configuration_can_resume(
    made: AppContext, view: ConfigurationView, qtbot: QtBot, tmp_path: Path
) -> None:
    config = configuration(tmp_path / "agent.yaml")
    saved(made, config)
    compare(view, made, qtbot, config)
    assert view.comparison is not None
    assert view.comparison.equal
    assert [row.verdict_text for row in view.comparison.rows] == ["Same"] * 7
    assert said(view).startswith("The run was saved with this configuration")
    assert view.resume_button.property("primary")
    assert not view.force_button.isEnabled()
    with qtbot.waitSignal(view.resume_requested) as signal:
        QTest.mouseClick(view.resume_button, Qt.MouseButton.LeftButton)
    assert signal.args == [str(config)]


def test_what_changed_is_shown_row_by_row(
    made: AppContext, view: ConfigurationView, qtbot: QtBot, tmp_path: Path
) -> None:
    old = configuration(tmp_path / "old.yaml", system_prompt="One.\nTwo.\nThree.\n")
    saved(made, old)
    tools = json.loads(document("pantry"))
    command = tools["commands"][0]
    command["help"] = "Something else"
    application(tmp_path / "bin", content=json.dumps(tools).encode())
    new = configuration(
        tmp_path / "new.yaml",
        system_prompt="One.\nTwo and a \u202ehalf.\nThree.\n",
        llm={"model": "stub-model-2"},
    )
    compare(view, made, qtbot, new)
    found = view.comparison
    assert found is not None
    rows = {row.field: row for row in found.rows}
    assert [row.field for row in found.rows if row.verdict == "same"] == [
        "provider",
        "thinking_mode",
        "max_tokens",
        "max_iterations",
    ] or rows["tools_hash"].verdict == "same"
    assert rows["model"].current == "stub-model-2"
    assert rows["system_hash"].verdict_text == "1 line new, 1 gone"
    added = [line for line in rows["system_hash"].details if line.kind == "added"]
    assert [(line.label, line.text) for line in added] == [("2", "Two and a <U+202E>half.")]
    assert any("1 line as before" in line.text for line in rows["system_hash"].details)
    assert view.table.is_open("system_hash")
    assert "Two and a <U+202E>half." in view.table.plain_text()
    assert said(view).startswith("This configuration differs")
    assert not view.resume_button.isEnabled()
    assert not view.force_button.property("primary")
    with qtbot.waitSignal(view.force_requested) as signal:
        QTest.mouseClick(view.force_button, Qt.MouseButton.LeftButton)
    assert signal.args == [str(new)]


def test_another_session_in_place_of_a_configuration_and_back(
    made: AppContext, view: ConfigurationView, qtbot: QtBot, tmp_path: Path
) -> None:
    config = configuration(tmp_path / "agent.yaml", system_prompt="One.\nTwo.\n")
    saved(made, config)
    other = configuration(
        tmp_path / "other.yaml",
        system_prompt="One.\nAnother.\nThird.\n",
        exclude={"tools": ["^wait$"]},
    )
    saved(made, other, id="q")
    compare(view, made, qtbot, config)
    with qtbot.waitSignal(view.compared, timeout=PATIENCE):
        view.set_other("q", "The other one")
    assert view.comparison is not None
    rows = {row.field: row for row in view.comparison.rows}
    assert rows["system_hash"].verdict_text == "2 lines new, 1 gone"
    assert "2 lines new." in view.table.plain_text()
    assert [(line.kind, line.text) for line in rows["tools_hash"].details] == [("removed", "wait")]
    assert said(view) == "They were saved with different configurations"
    back = view._bar.use_button
    assert (back.text(), back.isVisible(), back.property("primary")) == (
        "Back to agent.yaml",
        True,
        False,
    )
    view.grab()
    with qtbot.waitSignal(view.compared, timeout=PATIENCE):
        QTest.mouseClick(back, Qt.MouseButton.LeftButton)
    assert view.comparison.equal
    assert not back.isVisible()
    assert view.resume_button.isEnabled()


def test_rows_open_and_close_by_click_and_key(
    made: AppContext, view: ConfigurationView, qtbot: QtBot, tmp_path: Path
) -> None:
    saved(made, configuration(tmp_path / "old.yaml", system_prompt="Other.\n"))
    compare(view, made, qtbot, configuration(tmp_path / "new.yaml"))
    table = view.table
    table.setFocus()
    for _ in range(2):
        QTest.keyClick(table, Qt.Key.Key_Down)
    assert table.current == 2
    QTest.keyClick(table, Qt.Key.Key_Left)
    assert not table.is_open("system_hash")
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert table.is_open("system_hash")
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert "System prompt" in QApplication.clipboard().text()


def test_another_provider_cannot_be_forced(
    made: AppContext, view: ConfigurationView, qtbot: QtBot, tmp_path: Path
) -> None:
    config = configuration(tmp_path / "agent.yaml")
    saved(made, config, provider="openai")
    compare(view, made, qtbot, config)
    assert view.comparison is not None
    assert view.comparison.rows[0].verdict_text == "Cannot be forced"
    assert said(view).startswith("This run cannot resume with this configuration")
    assert not view.force_button.isEnabled()
    assert "force does not help" in view.force_button.toolTip()
    assert view.choose_button.property("primary")


def test_a_configuration_with_mistakes_names_them(
    made: AppContext, view: ConfigurationView, qtbot: QtBot, tmp_path: Path
) -> None:
    saved(made, configuration(tmp_path / "agent.yaml"))
    bad = tmp_path / "bad.yaml"
    bad.write_text("identity: pantry\nsystem_prompt: [1]\ncolour: blue\n")
    compare(view, made, qtbot, bad)
    assert view.comparison is None
    assert said(view).startswith("This configuration cannot be used")
    assert "Line 2, column" in said(view)
    assert "colour" in said(view)
    assert not view.resume_button.isEnabled()
    os.unlink(bad)
    with qtbot.waitSignal(view.compared, timeout=PATIENCE):
        view.refresh()
    assert view.comparison is None


def test_without_a_configuration_it_asks_for_one(
    made: AppContext, view: ConfigurationView, qtbot: QtBot, tmp_path: Path
) -> None:
    config = configuration(tmp_path / "agent.yaml")
    saved(made, config)
    view.set_session(summary(made.source, "r"))
    view.show()
    assert said(view).startswith("No configuration is chosen")
    QTest.mouseClick(view.choose_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(view.findChildren(QFileDialog)))
    dialog = view.findChildren(QFileDialog)[0]
    with qtbot.waitSignal(view.compared, timeout=PATIENCE):
        dialog.fileSelected.emit(str(config))
    dialog.close()
    assert view.config == str(config)


def test_a_known_configuration_that_matches_is_offered(
    made: AppContext, view: ConfigurationView, qtbot: QtBot, tmp_path: Path
) -> None:
    old = configuration(tmp_path / "old.yaml")
    saved(made, old)
    seen.remember(old, resolve(load_config(old)))
    new = configuration(tmp_path / "new.yaml", llm={"model": "stub-model-2"})
    compare(view, made, qtbot, new)
    use = view.findChild(QPushButton, "useMatching")
    qtbot.waitUntil(use.isVisible, timeout=PATIENCE)
    assert said(view).endswith("old.yaml matches.")
    filled = [each for each in view.findChildren(QPushButton) if each.property("primary")]
    assert [each for each in filled if each.isVisible()] == [use], "one filled button at most"
    with qtbot.waitSignal(view.compared, timeout=PATIENCE):
        QTest.mouseClick(use, Qt.MouseButton.LeftButton)
    assert view.config == str(old)
    assert view.comparison is not None
    assert view.comparison.equal
    assert not use.isVisible()
    assert view.resume_button.property("primary")


def test_nothing_is_offered_where_nothing_known_matches(
    made: AppContext, view: ConfigurationView, qtbot: QtBot, tmp_path: Path
) -> None:
    old = configuration(tmp_path / "old.yaml")
    saved(made, old)
    new = configuration(tmp_path / "new.yaml", llm={"model": "stub-model-2"})
    seen.remember(new, resolve(load_config(new)))
    compare(view, made, qtbot, new)
    view._jobs.stop()  # what is looked for in the background has been found, or not
    assert not view.findChild(QPushButton, "useMatching").isVisible()


def test_a_comparison_that_fails_tells_all_of_it_when_asked(
    made: AppContext, view: ConfigurationView, qtbot: QtBot, tmp_path: Path
) -> None:
    config = configuration(tmp_path / "agent.yaml")
    saved(made, config)
    compare(view, made, qtbot, tmp_path / "gone.yaml")
    assert view.comparison is None
    fold = view.findChild(QToolButton, "noticeDetails")
    assert fold.isVisible()
    QTest.mouseClick(fold, Qt.MouseButton.LeftButton)
    told = view.findChild(QPlainTextEdit, "noticeReport").toPlainText()
    assert "session diff r --config" in told
    assert "exit code: 2" in told
    with qtbot.waitSignal(view.compared, timeout=PATIENCE):
        view.set_config(str(config))
    assert not fold.isVisible(), "it went with what it was about"


def test_nothing_runs_while_nobody_looks(
    made: AppContext, view: ConfigurationView, qtbot: QtBot, tmp_path: Path
) -> None:
    config = configuration(tmp_path / "agent.yaml")
    saved(made, config)
    view.set_session(summary(made.source, "r"))
    view.set_config(str(config))
    assert not view._commands.busy
    with qtbot.waitSignal(view.compared, timeout=PATIENCE):
        view.show()
    assert view.comparison is not None


def test_the_answer_for_another_session_is_dropped(
    made: AppContext, view: ConfigurationView, qtbot: QtBot, tmp_path: Path
) -> None:
    config = configuration(tmp_path / "agent.yaml")
    saved(made, config)
    view.show()
    view.set_session(summary(made.source, "r"))
    view.set_config(str(config))
    view.set_session(None)
    qtbot.waitUntil(lambda: not view._commands.busy, timeout=PATIENCE)
    assert view.comparison is None
    assert not view.resume_button.isEnabled()


@pytest.mark.parametrize("answer", [None, [], {}, {"rows": 3}, {"equal": True, "rows": [{}]}, "x"])
def test_nonsense_is_no_comparison(answer: object) -> None:
    assert comparison(answer) is None
