# SPDX-License-Identifier: Apache-2.0
"""Stories about what can be done with a session: by menu, by key, each through a command."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QHelpEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QToolTip

from tenuto.runs import notes
from tenuto.runs.file import FileRunStore
from tenuto.settings import Settings, save
from tenuto.sources.base import Capabilities, SessionSummary
from tenuto.sources.together import Together
from tenuto_gui.menus import LINE, MENU_BAR, VerbMenu
from tests.gui.driver import Open, close_popups, menu_action, reason
from tests.support.fisk import configuration
from tests.support.store import end, make_run

#: Looks like a key, and is none.
SECRET = "sk-ant-api03-" + "Ab3" * 12


def test_every_verb_is_in_a_menu_and_says_why_not(opened: Open) -> None:
    window = opened("one", "two")
    act = window.window.verbs
    in_menus = {verb for verbs in MENU_BAR.values() for verb in verbs if verb != LINE}
    assert {id(action) for action in act} == {id(act[verb]) for verb in in_menus}
    window.click("one")
    window.click("two", keep=True)
    for action in act:
        assert action.objectName().startswith("action")
        assert action.isEnabled() or reason(action) not in ("", action.text())
    assert reason(act.rename) == "Select one session"
    bar = window.window.menuBar()
    assert [menu.menu().objectName() for menu in bar.actions()] == list(MENU_BAR)


def test_only_what_is_greyed_has_a_tooltip_in_a_menu(opened: Open) -> None:
    window = opened("one")
    menu = window.menu("one")
    assert isinstance(menu, VerbMenu)
    told = {}
    for action in menu.actions():
        if action.isSeparator():
            continue
        QToolTip.hideText()
        window.until(lambda: not QToolTip.isVisible())
        place = menu.actionGeometry(action).center()
        event = QHelpEvent(QEvent.Type.ToolTip, place, menu.mapToGlobal(place))
        QApplication.sendEvent(menu, event)
        told[action.objectName()] = bool(QToolTip.text()) and QToolTip.isVisible()
        assert told[action.objectName()] == (not action.isEnabled()), action.text()
    assert set(told.values()) == {True, False}
    QToolTip.hideText()
    close_popups()


@pytest.mark.parametrize(
    ("verb", "key", "modifier"),
    [
        ("rename", Qt.Key.Key_F2, Qt.KeyboardModifier.NoModifier),
        ("export", Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier),
        ("delete", Qt.Key.Key_Delete, Qt.KeyboardModifier.NoModifier),
    ],
)
def test_the_key_of_a_disabled_verb_is_answered(
    opened: Open, folder: Path, verb: str, key: Qt.Key, modifier: Qt.KeyboardModifier
) -> None:
    window = opened("one", "two")
    window.click("one")
    window.click("two", keep=True)
    action = window.window.verbs[verb]
    if action.isEnabled():
        # Only a folder of which nothing may be taken away keeps runs from the trash.
        window.window.verbs.set_reasons({verb: "They are kept"})
    QTest.keyClick(window.window.list, key, modifier)
    notice = window.window.notices.notice
    assert notice is not None
    assert (notice.title, notice.text) == (action.text().rstrip("\u2026"), reason(action))
    assert not notice.title.endswith((".", "\u2026"))
    window.click("one")
    assert window.window.notices.notice is None
    assert {path.name for path in folder.glob("*.json")} >= {"one.json", "two.json"}


def test_of_several_it_says_how_many_cannot_be_deleted(opened: Open, folder: Path) -> None:
    window = opened("one", "two")
    with FileRunStore(folder).open("two"):
        window.until(lambda: window.window.sessions.summary("two").status == "running")
        window.click("one")
        window.click("two", keep=True)
        assert reason(window.window.verbs.delete) == ("1 of them cannot be deleted. It is running")
        window.click("two")
        assert reason(window.window.verbs.delete) == "It is running"


def test_no_two_verbs_share_a_key(opened: Open) -> None:
    window = opened("one")
    keys = [key.toString() for action in window.window.verbs for key in action.shortcuts()]
    assert len(keys) == len(set(keys))
    assert all(QKeySequence(key).toString() for key in keys)


def test_rename_and_back(opened: Open, folder: Path) -> None:
    window = opened("one")
    before = (folder / "one.json").read_bytes()
    window.choose("one", "actionRename")
    window.say("-- Rice & <b>beans</b>")
    window.until(lambda: window.window.sessions.summary("one").title == "-- Rice & <b>beans</b>")
    assert window.window.detail.header.accessibleName().startswith("Suspended, -- Rice & <b>")
    assert (folder / "one.json").read_bytes() == before
    window.window.verbs.rename.trigger()
    window.say("")
    window.until(lambda: window.window.sessions.summary("one").title.startswith("count the"))


def test_a_pinned_session_stays_on_top(opened: Open, folder: Path) -> None:
    window = opened("old", "middle", "young")
    window.choose("old", "actionPin")
    window.until(lambda: window.ids()[0] == "old")
    for order in ("name", "tokens", "created", "activity"):
        window.window.sessions.set_sort(order)
        assert window.ids()[0] == "old"
    assert window.window.verbs.pin.isChecked()
    with FileRunStore(folder).open("middle") as journal:
        journal.append(end())
    window.until(lambda: window.ids()[1] == "middle")
    assert window.ids()[0] == "old"
    window.choose("old", "actionPin")
    window.until(lambda: window.ids()[0] == "middle")
    assert not window.window.verbs.pin.isChecked()
    assert not notes.load(folder, "old").pinned


def test_a_note_is_kept_whole_and_shown_in_one_line(opened: Open, folder: Path) -> None:
    window = opened("one")
    window.choose("one", "actionNote")
    dialog = window.dialog("wordsDialog")
    field = dialog.field
    window.type(field, "Ask Ana")
    QTest.keyClick(field, Qt.Key.Key_Return)
    window.type(field, "before it goes on")
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    window.until(lambda: notes.load(folder, "one").note == "Ask Ana\nbefore it goes on")
    header = window.window.detail.header
    window.until(lambda: "note: Ask Ana before it goes on" in header.facts())
    window.window.verbs.note.trigger()
    assert window.dialog("wordsDialog").words() == "Ask Ana\nbefore it goes on"
    window.say("")
    window.until(lambda: notes.load(folder, "one").note is None)


def test_a_verb_that_fails_says_so(opened: Open, folder: Path) -> None:
    window = opened("one")
    window.window.annotation.rename(window.window.sessions.summary("one"))
    (folder / "one.json").unlink()
    window.say("Too late")
    window.until(lambda: "could not be renamed" in window.notice())
    assert "Nothing has been changed." in window.notice()


def test_copies_of_path_and_id(opened: Open, folder: Path) -> None:
    window = opened("one", "two")
    window.click("one")
    window.click("two", keep=True)
    window.window.verbs.copy_path.trigger()
    found = QGuiApplication.clipboard().text().splitlines()
    assert sorted(found) == [str(folder / "one.json"), str(folder / "two.json")]
    menu = window.menu("one", select=False)
    assert menu_action(menu, "actionDelete").isEnabled()
    close_popups()


def test_a_copied_command_finds_the_run_wherever_it_is_pasted(
    opened: Open, folder: Path, tmp_path: Path
) -> None:
    window = opened("one")
    sessions = {"backend": "file", "options": {"directory": str(folder)}}
    config = configuration(tmp_path / "agent.yaml", harness={"sessions": sessions})
    notes.update(folder, "one", config=str(config))

    def copied() -> str:
        window.choose("one", "actionCopyCommand")
        return QGuiApplication.clipboard().text()

    assert copied() == f"tenuto resume one --config {config}", "the configuration names the folder"
    configuration(config)
    assert copied() == f"tenuto resume one --config {config} --state-dir {folder}"
    save(Settings(runs_dir=str(folder)))
    window.window.context.preferences.change(runs_dir=str(folder))
    window.until_listed("one")
    assert copied() == f"tenuto resume one --config {config}", "the settings name the folder"


FAKE_TERMINAL = """#!{python}
import json, os, sys
with open({out!r} + ".new", "w") as file:
    json.dump([sys.argv[1:], os.getcwd()], file)
os.replace({out!r} + ".new", {out!r})
"""


def fake_terminal(place: Path) -> tuple[Path, Path]:
    """A program that writes down how it was called, and where."""
    program, out = place / "my term", place / "called.json"
    program.write_text(FAKE_TERMINAL.format(python=sys.executable, out=str(out)))
    program.chmod(0o755)
    return program, out


def test_open_in_terminal(opened: Open, folder: Path, tmp_path: Path) -> None:
    program, out = fake_terminal(tmp_path)
    save(Settings(terminal=f"'{program}' --hold"))
    config, work = tmp_path / "agent $(touch x).yaml", tmp_path / "work"
    config.write_text("identity: x\n")
    work.mkdir()
    make_run(FileRunStore(folder), "one")
    notes.update(folder, "one", config=str(config), cwd=str(work))
    window = opened()
    window.until_listed("one")
    window.choose("one", "actionTerminal")
    window.until(out.exists, "the terminal was not started")
    argv, cwd = json.loads(out.read_text())
    expected = [
        "-m",
        "tenuto",
        "resume",
        "one",
        "--config",
        str(config),
        "--state-dir",
        str(folder),
    ]
    assert argv[:2] == ["--hold", "-e"]
    assert argv[-len(expected) - 1 :] == [sys.executable, *expected], "word by word"
    assert cwd == str(work)


def test_without_a_terminal_the_verb_says_so(opened: Open) -> None:
    save(Settings(terminal="no-such-terminal"))
    window = opened("one")
    window.click("one")
    assert not window.window.verbs.terminal.isEnabled()
    assert "terminal" in reason(window.window.verbs.terminal)


def test_fork_at_the_end_of_a_run(opened: Open, folder: Path) -> None:
    window = opened("one")
    window.choose("one", "actionFork")
    window.say("one-again")
    window.until_listed("one-again")
    window.until(lambda: window.window.detail.session_id == "one-again")
    assert "Forked as one-again" in window.notice()
    assert window.status("one-again") == "suspended"
    assert notes.load(folder, "one-again").parent.id == "one"


def test_fork_from_a_block_of_the_transcript(opened: Open, folder: Path) -> None:
    window = opened("one")
    window.click("one")
    view = window.window.detail.transcript
    window.until(lambda: "count the" in view.plain_text())
    menu = view.make_menu(0)
    menu_action(menu, "blockFork").trigger()
    window.say("")
    window.until(lambda: len(window.ids()) == 2)
    made = next(each for each in window.ids() if each != "one")
    window.until_listed(made)
    assert notes.load(folder, made).parent.seq == 1
    menu.deleteLater()


@pytest.mark.parametrize(
    ("form", "ending"), [("markdown", ".md"), ("html", ".html"), ("json", ".json")]
)
def test_export_for_reading(
    opened: Open, folder: Path, tmp_path: Path, form: str, ending: str
) -> None:
    from tests.support.journals import meta, terminal

    prompt = f"use the key {SECRET}"
    (folder / "keyed.json").write_bytes(meta(run_id="keyed", prompt=prompt) + terminal(2))
    window = opened("one")
    window.until_listed("keyed")
    window.choose("keyed", "actionExport")
    window.dialog("exportDialog")
    window.press(f"export-{form}")
    window.press("exportGoOn")
    target = tmp_path / f"out{ending}"
    chosen = window.dialog("exportFile")
    assert isinstance(chosen, QFileDialog)
    chosen.fileSelected.emit(str(target))
    chosen.close()
    window.until(lambda: "Exported to" in window.notice())
    assert "1 secret taken out" in window.notice()
    assert target.stat().st_mode & 0o777 == 0o600
    assert SECRET not in target.read_text()


def test_a_complete_session_goes_out_and_comes_back(
    opened: Open, folder: Path, tmp_path: Path
) -> None:
    window = opened("one")
    before = (folder / "one.json").read_bytes()
    bundle = tmp_path / "one.tenuto"
    summary = window.window.sessions.summary("one")
    window.window.exporting.write(summary, "tenuto", True, str(bundle))
    window.until(lambda: bundle.exists() and "Exported" in window.notice())
    window.window.following.open_bundle(str(bundle))
    window.button("copyBundle")
    assert sorted(path.name for path in folder.glob("*.json")) == ["one.json", "one.preview.json"]
    window.press("copyBundle")
    window.until(lambda: len(window.ids()) == 2)
    other = next(each for each in window.ids() if each != "one")
    window.until(lambda: window.window.detail.session_id == other)
    assert (folder / f"{other}.json").read_bytes().count(b"\n") == before.count(b"\n")


def test_what_is_no_export_is_refused_in_its_window(opened: Open, tmp_path: Path) -> None:
    from PySide6.QtWidgets import QApplication

    bad = tmp_path / "bad.tenuto"
    bad.write_bytes(b"PK\x03\x04 nonsense")
    window = opened("one")
    window.window.following.open_bundle(str(bad))
    top = next(w for w in QApplication.topLevelWidgets() if w.objectName() == "bundleWindow")
    window.until(lambda: "cannot be opened" in top.notices.accessibleName())
    assert top.detail.session_id == ""
    top.close()


def test_compare_with_another_session(opened: Open) -> None:
    window = opened("one", "two")
    window.click("one")
    window.window.verbs.configuration.trigger()
    window.press("compareWith")
    dialog = window.dialog("chooseSession")
    assert [dialog.sessions.index(n).data() for n in range(dialog.sessions.rowCount())]
    assert dialog.sessions.summary("one") is None
    dialog.list.select_id("two")
    window.press("chooseDone")
    view = window.window.detail.configuration
    window.until(lambda: view.comparison is not None)
    assert view.comparison.equal
    assert "Both were saved with the same configuration" in view._bar.accessibleName()
    assert not view.resume_button.isEnabled()


def test_the_map_of_keys(opened: Open) -> None:
    window = opened("one")
    window.click("one")
    panel = window.window.key_map
    QTest.keyClick(window.window.list, Qt.Key.Key_Question)
    window.until(panel.isVisible)
    assert not panel.isModal()
    assert window.window.toolbar.filter_edit.text() == ""
    shown = {label.text() for label, _, _ in panel._labels}
    for action in window.window.verbs:
        if action.shortcuts() and action.isVisible():
            assert action.text().rstrip("\u2026") in shown
    # Enter in the list opens; nobody asks for the version by key.
    keyless = [action for action in window.window.verbs if not action.shortcuts()]
    assert keyless == [window.window.verbs.open, window.window.verbs.about]
    QTest.keyClick(panel, Qt.Key.Key_Escape)
    assert not panel.isVisible()
    assert window.window.focusWidget() is window.window.list


def test_a_letter_in_the_filter_asks_once_what_can_be_done(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened("one", "two")
    window.click("two")
    asked: list[str] = []
    capabilities = Together.capabilities

    def counted(source: Together, summary: SessionSummary) -> Capabilities:
        asked.append(summary.id)
        return capabilities(source, summary)

    monkeypatch.setattr(Together, "capabilities", counted)
    # The list is made anew, and its selection found again.
    window.window.toolbar.filter_edit.setText("tw")
    assert asked == ["two"]
    assert window.window.verbs.resume.isEnabled()
    window.window.toolbar.filter_edit.setText("nothing is called that")
    assert asked == ["two"]
    assert not window.window.verbs.resume.isEnabled()
