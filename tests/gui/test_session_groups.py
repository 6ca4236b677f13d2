# SPDX-License-Identifier: Apache-2.0
"""Sessions in groups: the model by itself, then mouse, keyboard and menus of the list."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, QPersistentModelIndex, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from tenuto.sources.base import SessionSummary, blank_summary
from tenuto.sources.reasonix_rows import ReasonixSummary
from tenuto_gui import i18n
from tenuto_gui.sessions.groups import Grouping, Head, project_name
from tenuto_gui.sessions.model import Role, SessionModel
from tests.gui.driver import Driver, close_popups, menu_action
from tests.gui.test_session_model import session
from tests.support import reasonix
from tests.support.cli import suspended


def of_project(number: int, project: str, *, age: int = 0, status: str = "ready") -> SessionSummary:
    """A Reasonix session of a project's folder."""
    blank = blank_summary(f"s{number:04}", f"/s/{number}", mtime_ns=10**18 - age * 10**9, size=1)
    fields = {name: getattr(blank, name) for name in blank.__struct_fields__}
    made = ReasonixSummary(**fields | {"source": "reasonix"}, workspace_root=project)
    made.title, made.status = f"Session {number}", status  # type: ignore[assignment]
    made.updated = f"2026-01-01T{23 - age // 3600:02}:{59 - age // 60 % 60:02}:{59 - age % 60:02}Z"
    return made


@pytest.fixture
def model(qapp: object) -> SessionModel:
    return SessionModel()


@pytest.fixture
def tester(model: SessionModel) -> QAbstractItemModelTester:
    mode = QAbstractItemModelTester.FailureReportingMode.Fatal
    return QAbstractItemModelTester(model, mode)


@pytest.fixture
def english(qapp: QApplication) -> None:
    """The plural forms."""
    i18n.install(qapp, "en")


def rows(model: SessionModel) -> list[str]:
    """What the list shows, from top to bottom: headings in brackets, sessions by id."""
    found = []
    for row in range(model.rowCount()):
        index = model.index(row)
        head = index.data(Role.HEAD)
        found.append(f"[{index.data()}]" if head is not None else str(index.data(Role.ID)))
    return found


def head(model: SessionModel, key: str) -> Head:
    place = model.head_row(key)
    assert place >= 0
    found = model.head_at(place)
    assert found is not None
    return found


def test_groups_stand_by_name_and_hold_the_order_of_the_list(
    model: SessionModel, tester: QAbstractItemModelTester
) -> None:
    model.set_sessions(
        [
            of_project(1, "/srv/web", age=9),
            session(5, age=1),
            of_project(2, "/home/me/\u9879\u76ee", age=3),
            of_project(3, "/srv/web", age=2),
            of_project(4, "", age=4),
        ]
    )
    flat = rows(model)
    model.set_grouping("project")
    assert rows(model) == [
        "[web]", "s0003", "s0001", "[\u9879\u76ee]", "s0002",
        "[Runs]", "run00005", "[Reasonix, no project]", "s0004",
    ]  # fmt: skip
    assert (model.total, model.shown_count) == (5, 5)
    assert [s.id for s in model.passing()] == ["s0003", "s0001", "s0002", "run00005", "s0004"]
    model.set_sort("name")
    assert rows(model)[:3] == ["[web]", "s0001", "s0003"]
    model.set_sort("activity")
    model.set_grouping("source")
    assert rows(model) == [
        "[fisk-ai]",
        "run00005",
        "[Reasonix]",
        "s0003",
        "s0002",
        "s0004",
        "s0001",
    ]
    model.set_grouping("")
    assert rows(model) == flat


def test_a_heading_is_current_but_never_selected_and_says_what_it_is(
    model: SessionModel, tester: QAbstractItemModelTester, english: None
) -> None:
    waiting = of_project(2, "/srv/web", status="waiting")
    model.set_sessions([of_project(1, "/srv/web"), waiting, session(5)])
    model.set_grouping("project")
    index = model.index(0)
    assert not index.flags() & Qt.ItemFlag.ItemIsSelectable
    assert index.flags() & Qt.ItemFlag.ItemIsEnabled
    assert model.index(1).flags() & Qt.ItemFlag.ItemIsSelectable
    spoken = index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "web, 2 sessions, Waiting for you 1, unfolded"
    assert index.data(Role.ID) == ""
    assert index.data(Role.SUMMARY) is None
    model.fold(head(model, "/srv/web"), True)
    assert rows(model) == ["[web]", "[Runs]", "run00005"]
    spoken = model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "web, 2 sessions, Waiting for you 1, folded"


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("/srv/web", "web"),
        ("/srv/web/", "web"),
        ("C:\\Users\\me\\code", "code"),
        ("-srv-web", "-srv-web"),
        ("/", "/"),
    ],
)
def test_a_project_is_called_by_the_last_part_of_its_folder(key: str, name: str) -> None:
    assert project_name(key) == name


def test_what_is_folded_is_counted_found_by_words_and_stays_folded(
    model: SessionModel, tester: QAbstractItemModelTester
) -> None:
    model.set_sessions(
        [of_project(n, "/srv/web" if n % 2 else "/srv/api", age=n) for n in range(6)]
    )
    model.set_grouping("project")
    model.fold(head(model, "/srv/web"), True)
    assert rows(model) == ["[api]", "s0000", "s0002", "s0004", "[web]"]
    assert model.shown_count == 6
    assert model.row_of("s0001") == -1
    model.set_filter(text="session 3")
    assert rows(model) == ["[web]", "s0003"]
    model.set_filter(text="")
    assert rows(model)[-1] == "[web]"
    # Sessions that come, change and go in a folded group are counted there.
    model.apply([of_project(7, "/srv/web")], ["s0001"])
    assert len(head(model, "/srv/web").rows) == 3
    model.reveal("s0007")
    assert rows(model)[4:] == ["[web]", "s0007", "s0003", "s0005"]
    kept = model.folded_groups
    assert kept == []
    model.fold_all(True)
    assert rows(model) == ["[api]", "[web]"]
    again = SessionModel()
    again.set_grouping("project", model.folded_groups)
    again.set_sessions(model.all())
    assert rows(again) == ["[api]", "[web]"]
    model.fold_all(False)
    assert model.rowCount() == 8


def test_a_sort_takes_persistent_indexes_of_headings_along(
    model: SessionModel, tester: QAbstractItemModelTester
) -> None:
    model.set_sessions([of_project(n, f"/srv/p{n % 3}", age=n) for n in range(9)])
    model.set_grouping("project")
    model.fold(head(model, "/srv/p0"), True)
    held = {word: QPersistentModelIndex(model.index(row)) for row, word in enumerate(rows(model))}
    model.set_sort("name")
    for word, index in held.items():
        assert rows(model)[index.row()] == word


def test_a_session_that_moves_to_another_group_stays_selected(
    model: SessionModel, tester: QAbstractItemModelTester
) -> None:
    model.set_sessions([of_project(1, "/srv/a"), of_project(2, "/srv/b"), of_project(3, "/srv/b")])
    model.set_grouping("project")
    selection = QItemSelectionModel(model)
    place = model.index(model.row_of("s0001"))
    selection.setCurrentIndex(place, QItemSelectionModel.SelectionFlag.ClearAndSelect)
    model.apply([of_project(1, "/srv/b", age=5)])
    assert rows(model) == ["[b]", "s0002", "s0003", "s0001"]
    assert [index.data(Role.ID) for index in selection.selectedIndexes()] == ["s0001"]
    model.apply([of_project(1, "/srv/c", age=5)])
    assert rows(model) == ["[b]", "s0002", "s0003", "[c]", "s0001"]
    assert selection.currentIndex().data(Role.ID) == "s0001"


@pytest.mark.parametrize("tree", [False, True])
def test_changes_against_naive_groups(
    model: SessionModel, tester: QAbstractItemModelTester, tree: bool
) -> None:
    """Sessions appear, change project, state and order, and go, with folds and the tester."""
    rng = random.Random(11)
    known: dict[str, SessionSummary] = {}
    folded: set[str] = set()
    model.set_grouping("project")
    model.set_tree(tree)
    model.set_filter(facet="ready")
    for _step in range(300):
        changed = []
        for _ in range(rng.randint(1, 4)):
            status = rng.choice(["ready", "ready", "damaged"])
            project = f"/srv/p{rng.randrange(4)}"
            summary = of_project(rng.randrange(25), project, age=rng.randrange(999), status=status)
            known[summary.id] = summary
            changed.append(summary)
        gone = [id for id in known if rng.random() < 0.05 and all(id != s.id for s in changed)]
        for id in gone:
            del known[id]
        model.apply(changed, gone)
        if rng.random() < 0.2:
            project = f"/srv/p{rng.randrange(4)}"
            if model.head_row(project) >= 0:
                model.fold(head(model, project), project not in folded)
                folded ^= {project}
        expected = []
        for project in sorted({s.group for s in known.values() if s.status == "ready"}):
            expected.append(f"[{project[5:]}]")
            shown = [s for s in known.values() if s.group == project and s.status == "ready"]
            if project not in folded:
                expected += [s.id for s in sorted(shown, key=lambda s: s.activity_key)]
        assert rows(model) == expected


def test_forks_stand_below_their_session_within_its_group(
    model: SessionModel, tester: QAbstractItemModelTester
) -> None:
    fork = of_project(2, "/srv/web", age=1)
    away = of_project(3, "/srv/api", age=2)
    for each in (fork, away):
        assert isinstance(each, ReasonixSummary)
        each.parent_id = "s0001"
    model.set_sessions([of_project(1, "/srv/web", age=9), fork, away, of_project(4, "/srv/web")])
    model.set_grouping("project")
    model.set_tree(True)
    assert rows(model) == ["[api]", "s0003", "[web]", "s0004", "s0001", "s0002"]
    depth = {row: model.index(model.row_of(row)).data(Role.ROW).depth for row in ("s0002", "s0003")}
    assert depth == {"s0002": 1, "s0003": 0}
    model.set_tree(False)
    assert rows(model)[2:] == ["[web]", "s0004", "s0002", "s0001"]
    assert model.index(model.row_of("s0002")).data(Role.ROW).depth == 0


@pytest.mark.parametrize("by", ["project", "source"])
def test_ten_thousand_sessions_in_groups(model: SessionModel, by: Grouping) -> None:
    sessions = [of_project(n, f"/srv/project-{n % 200}", age=n % 86_000) for n in range(10_000)]
    model.set_grouping(by)
    model.set_sessions(sessions)
    model.set_filter(text="session 77")
    assert model.shown_count == sum("77" in f"{n} {s.group}" for n, s in enumerate(sessions))
    model.set_filter(text="")
    model.set_sort("name")
    model.fold_all(True)
    assert model.rowCount() == (200 if by == "project" else 1)
    assert model.shown_count == 10_000


# --- in the window --------------------------------------------------------------------------------

ROOT = "projects/-srv-{}/sessions/2026060{}-101010.000000001-m"
WEB = [ROOT.format("web", day) for day in (1, 2, 3)]
CJK = ROOT.format("\u5929\u6c14", 4)


@pytest.fixture
def window(qtbot: QtBot, home: Path, tmp_path: Path) -> Driver:
    root = home / ".reasonix"
    for number, id in enumerate([*WEB, CJK], 1):
        workspace = "/srv/web" if id in WEB else "/srv/\u5929\u6c14"
        path = root / f"{id}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        updated = f"2026-06-0{number}T10:10:10Z"
        reasonix.write(path, updated_at=updated, workspace_root=workspace)
    runs = tmp_path / "runs"
    runs.mkdir(mode=0o700)
    suspended(runs, "r1")
    driver = Driver(qtbot, runs)
    driver.until_listed("r1", *WEB, CJK)
    return driver


def shown(window: Driver) -> list[str]:
    return rows(window.window.sessions)


def click_heading(window: Driver, key: str) -> None:
    view = window.window.list
    index = window.window.sessions.index(window.window.sessions.head_row(key))
    view.scrollTo(index)
    place = view.visualRect(index).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_mouse_and_keyboard_fold_and_what_is_open_stays_open(window: Driver) -> None:
    main = window.window
    window.click(WEB[1])
    window.until(lambda: main.detail.session_id == WEB[1])
    main.verbs.group_project.trigger()
    whole = ["[web]", *reversed(WEB), "[\u5929\u6c14]", CJK, "[Runs]", "r1"]
    assert shown(window) == whole
    assert main.list.selected_ids() == [WEB[1]]
    click_heading(window, "/srv/web")
    assert shown(window) == ["[web]", "[\u5929\u6c14]", CJK, "[Runs]", "r1"]
    assert main.detail.session_id == WEB[1], "it is folded, not gone"
    assert "5 sessions" in main.list_pane.header.count.text()
    click_heading(window, "/srv/web")
    assert shown(window) == whole
    # From a session Left goes to its heading, and once more folds; Right goes the way back.
    window.click(CJK)
    for key, place, count in (
        (Qt.Key.Key_Left, 4, 8),
        (Qt.Key.Key_Left, 4, 7),
        (Qt.Key.Key_Right, 4, 8),
        (Qt.Key.Key_Right, 5, 8),
    ):
        QTest.keyClick(main.list, key)
        assert (main.list.currentIndex().row(), len(shown(window))) == (place, count)
    assert main.list.current_id() == CJK
    QTest.keyClick(main.list, Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    assert shown(window) == ["[web]", "[\u5929\u6c14]", "[Runs]"]
    assert main.detail.session_id == CJK
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.Key.Key_Return):
        QTest.keyClick(main.list, key)
    assert shown(window) == ["[web]", "[\u5929\u6c14]", CJK, "[Runs]"]
    # What is asked for by its id is unfolded.
    main.open_session(WEB[0])
    assert main.list.current_id() == WEB[0]


def test_groups_are_chosen_in_the_menu_and_kept(window: Driver, qtbot: QtBot) -> None:
    main = window.window

    def choose(name: str) -> None:
        main.list_pane.header.order.click()
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        found: QAction = menu_action(menu, name)
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(found).center())

    choose("group-source")
    assert shown(window)[0] == "[fisk-ai]"
    assert main.verbs.group_source.isChecked()
    choose("group-project")
    assert main.verbs.group_project.isChecked()
    assert not main.verbs.group_source.isChecked()
    choose("foldAll")
    assert shown(window) == ["[web]", "[\u5929\u6c14]", "[Runs]"]
    click_heading(window, "/srv/\u5929\u6c14")
    main.close()
    another = Driver(qtbot, window.folder)
    another.until(lambda: another.window.sessions.total == 5)
    assert shown(another) == ["[web]", "[\u5929\u6c14]", CJK, "[Runs]"]
    assert another.window.verbs.group_project.isChecked()
    another.window.verbs.group_project.trigger()
    assert len(another.ids()) == 5


def test_a_right_click_on_a_heading_is_about_groups_and_a_delete_chooses_a_session(
    window: Driver,
) -> None:
    main = window.window
    main.verbs.group_project.trigger()
    place = main.list.visualRect(main.sessions.index(0)).center()
    main.list.customContextMenuRequested.emit(QPoint(place))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert menu.objectName() == "orderMenu"
    close_popups()
    window.choose(CJK, "actionDelete")
    window.until(lambda: CJK not in shown(window))
    assert "[\u5929\u6c14]" not in shown(window)
    assert main.list.current_id() == "r1"
    window.press("noticeUndo")
    window.until(lambda: main.list.current_id() == CJK)
