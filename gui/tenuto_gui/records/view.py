# SPDX-License-Identifier: Apache-2.0
"""The Records view: the raw journal, line by line, damage in its place (look.md, "Records")."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from tenuto.errors import TenutoError
from tenuto.sources.base import SessionSummary
from tenuto.sources.pretty import Found
from tenuto.sources.raw import Row, RowsChanged
from tenuto_gui.context import AppContext
from tenuto_gui.core_words import error_words
from tenuto_gui.i18n import translate
from tenuto_gui.records.chosen import ChosenLine
from tenuto_gui.records.loader import RecordLoader
from tenuto_gui.records.model import RecordModel
from tenuto_gui.records.page import FIRST, MOST, Page
from tenuto_gui.records.repair import RepairBar
from tenuto_gui.records.steps import Steps
from tenuto_gui.records.table import RecordTable
from tenuto_gui.runs.pieces import RoleLabel

#: The chosen line is read when the choice has rested this long: a dragged slider passes many.
_REST_MS = 25
#: More than this does not go onto the clipboard, in bytes.
_CLIPBOARD = 64 << 20


class RecordsView(QWidget):
    """Shows one journal; reads only while it is looked at."""

    #: A row was opened: seq, and index 0, of its block in the transcript.
    block_chosen = Signal(int, int)
    #: The journal was repaired: the run's id.
    repaired = Signal(str)
    #: The chosen line is shown, as much of it as is going to be.
    shown = Signal()

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("recordsView")
        self.setAccessibleName(translate("Records", "Records"))
        self._context = context
        self._summary: SessionSummary | None = None
        #: State of the file that the index was last read for.
        self._read_for: tuple[object, ...] = ()
        #: The file may have changed although its state says nothing of it.
        self._stale = False
        #: The end, or the first damage, is chosen until the operator chooses.
        self._untouched = True
        #: A byte of the file to go to as soon as it is indexed.
        self._wanted: int | None = None
        self._limit = FIRST
        self.page: Page | None = None
        self.model = RecordModel(self)
        self._loader = RecordLoader(self)
        self._loader.changed.connect(self._on_rows)
        self._loader.ended.connect(self._on_ended)
        self._loader.failed.connect(self._on_failed)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MS)
        self._rest.timeout.connect(self._read_line)
        self._build()
        self._refresh()

    # --- building --------------------------------------------------------------------------------

    def _build(self) -> None:
        theme = self._context.theme
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.bar = RepairBar(self._context, self)
        self.bar.examined.connect(self._on_examined)
        self.bar.repaired.connect(self._on_repaired)
        self.table = RecordTable(self.model, theme, self)
        self.table.selectionModel().currentRowChanged.connect(self._on_current)
        self.table.touched.connect(self._on_touched)
        self.table.opened.connect(self._on_opened)
        self._note = RoleLabel(theme, "small", "text2", self)
        self._note.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self._note.setWordWrap(True)
        px = theme.fonts.px
        self._note.setContentsMargins(px(24), px(48), px(24), 0)
        self.chosen = ChosenLine(theme, self)
        self.chosen.text.filled.connect(self.shown)
        self.chosen.copy_wanted.connect(self.copy)
        self.chosen.all_wanted.connect(self.show_all)
        self.split = QSplitter(Qt.Orientation.Vertical, self)
        self.split.addWidget(self.table)
        self.split.addWidget(self.chosen)
        self.split.setStretchFactor(0, 3)
        self.split.setStretchFactor(1, 2)
        self.split.setChildrenCollapsible(False)
        self.split.setHandleWidth(1)
        column.addWidget(self.bar)
        self.steps = Steps(theme, self)
        self.steps.stepped.connect(self._step)
        self.steps.moved.connect(self._on_slider)
        self.steps.damage_wanted.connect(self.go_to_damage)
        column.addWidget(self.steps)
        column.addWidget(self.split, 1)
        column.addWidget(self._note, 1)

    # --- the session -----------------------------------------------------------------------------

    def set_session(self, summary: SessionSummary | None) -> None:
        """Show another session, or the same one after it grew."""
        shown = self._summary
        same = (
            summary is not None
            and shown is not None
            and (summary.id, summary.source, summary.path) == (shown.id, shown.source, shown.path)
        )
        self._summary = summary
        if not same:
            self._forget()
        self._read()

    def refresh(self) -> None:
        """Read what is new."""
        self._stale = True
        self._read()

    def shutdown(self) -> None:
        """End the reading threads; let a repair end, it is short."""
        self._rest.stop()
        self._loader.stop()
        self.bar.commands.wait(30_000)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._read()

    def _forget(self) -> None:
        self._loader.close()
        self._rest.stop()
        self._read_for = ()
        self._untouched = True
        self._wanted = None
        self._limit = FIRST
        self.page = None
        self.model.clear()
        self.chosen.text.show_page(None)
        id = self._summary.id if self._summary is not None else ""
        self.bar.set_run(id, journal=self._is_journal())
        self._refresh()

    def _state(self) -> tuple[object, ...]:
        summary = self._summary
        if summary is None:
            return ()
        return (summary.id, summary.size, summary.mtime_ns, summary.inode, self._is_live())

    def _is_journal(self) -> bool:
        """Whether it is a run's: those of other programs are looked at only."""
        return self._summary is not None and self._summary.source == "fisk-ai"

    def _is_live(self) -> bool:
        return self._summary is not None and self._summary.status in ("running", "waiting")

    def _read(self) -> None:
        """Read the index, or on, if anybody looks and there is something to read."""
        if self._summary is None or not self.isVisible():
            return
        state = self._state()
        if state == self._read_for and not self._stale:
            return
        self._stale = False
        if not self._read_for:
            index = self._context.source.records(self._summary.id)
            self._read_for = state
            self._loader.open(index, self._is_live())
        else:
            self._read_for = state
            self._loader.refresh(self._is_live())
        self._refresh()

    # --- what was read ---------------------------------------------------------------------------

    def _on_rows(self, change: RowsChanged) -> None:
        current = self.table.currentIndex().row()
        self.model.apply(change)
        if self._wanted is not None:
            self._go_to_wanted()
        elif self._untouched and self.model.rows:
            # What is wrong comes first; else what happened last.
            damage = self.model.damage
            self._choose(damage[0] if damage else len(self.model.rows) - 1)
        elif current >= len(self.model.rows):
            self._choose(len(self.model.rows) - 1)
        self._refresh()

    def _on_ended(self) -> None:
        rows = [self.model.rows[number] for number in self.model.damage]
        # Nothing of a newer version can be repaired, and nothing is damaged about it.
        self.bar.set_damage(rows, len(self.model.rows), live=self._is_live(), state=self._read_for)
        if not self.model.rows:
            self.page = None
        self._refresh()

    def _on_failed(self, error: TenutoError) -> None:
        self._read_for = ()
        self.model.clear()
        self._say(error_words(error))

    def _on_examined(self) -> None:
        self.model.set_findings(self._findings())
        row = self._current()
        if row is not None and row.kind in ("damaged", "tail"):
            self._rest.start()

    def _on_repaired(self, id: str) -> None:
        self._untouched = True
        self._forget_index()
        self.repaired.emit(id)

    def _forget_index(self) -> None:
        """The file is another one now."""
        self._read_for = ()
        self.model.clear()
        self._read()

    # --- choosing --------------------------------------------------------------------------------

    def _current(self) -> Row | None:
        number = self.table.currentIndex().row()
        return self.model.rows[number] if 0 <= number < len(self.model.rows) else None

    def _choose(self, number: int) -> None:
        if 0 <= number < len(self.model.rows):
            self.table.choose(number)

    def _step(self, step: int) -> None:
        self._on_touched()
        number = min(max(self.table.currentIndex().row() + step, 0), len(self.model.rows) - 1)
        self._choose(number)

    def go_to_damage(self) -> None:
        """To the next damaged line, and from the last one to the first again."""
        number = self.model.damage_after(self.table.currentIndex().row())
        if number >= 0:
            self._on_touched()
            self._choose(number)

    def go_to(self, offset: int) -> None:
        """Show the line that holds this byte of the file, as soon as it is indexed."""
        self._untouched = False
        self._wanted = offset
        self._go_to_wanted()

    def _go_to_wanted(self) -> None:
        offset = self._wanted
        number = self.model.row_at(offset) if offset is not None else -1
        if offset is None or number < 0:
            return
        row = self.model.rows[number]
        if offset <= row.offset + row.size:
            self._wanted = None
            self._choose(number)

    def _on_touched(self) -> None:
        # Back at the end the end is followed again.
        at_end = self.table.currentIndex().row() == len(self.model.rows) - 1
        self._untouched = at_end and not self.model.damage

    def _on_slider(self, value: int) -> None:
        if value != self.table.currentIndex().row():
            self._choose(value)
            self._on_touched()

    def _on_opened(self, number: int) -> None:
        row = self.model.rows[number]
        if row.told:
            self.block_chosen.emit(row.told, 0)

    def _on_current(self, _current: QModelIndex, _previous: QModelIndex) -> None:
        self._limit = FIRST
        self._rest.start()
        self._refresh()

    # --- the chosen line -------------------------------------------------------------------------

    def _read_line(self) -> None:
        row = self._current()
        if row is not None:
            self._loader.read_page(row, self._findings(), self._limit, self._on_page)

    def _findings(self) -> list[Found]:
        return self.bar.doctor.findings if self.bar.doctor is not None else []

    def _on_page(self, page: Page) -> None:
        row = self._current()
        if row is None or row != page.row:
            return
        if self.page is not None and self.page == page:
            return
        self.page = page
        self._refresh()
        self.chosen.text.show_page(page)

    def show_all(self) -> None:
        """Show more of a long line than its beginning."""
        self._limit = MOST
        self._read_line()

    def copy(self) -> None:
        """Copy the whole line as it is on disk, what is no text replaced."""
        row = self._current()
        if row is not None:
            self._loader.read_bytes(
                row,
                _CLIPBOARD,
                lambda data: QGuiApplication.clipboard().setText(
                    data.decode("utf-8", "replace").replace("\0", "\ufffd")
                ),
            )

    # --- what is said ----------------------------------------------------------------------------

    def _say(self, text: str) -> None:
        self._note.setText(text)
        self._note.setVisible(bool(text))
        self.steps.setVisible(not text)
        self.split.setVisible(not text)

    def _refresh(self) -> None:
        rows, row = self.model.rows, self._current()
        if self._summary is None:
            self._say(translate("Records", "No session is chosen"))
            return
        if not rows:
            busy = self._loader.busy or not self._read_for
            nothing = translate("Records", "The journal holds no records")
            if not self._is_journal():
                nothing = translate("Records", "The session holds nothing yet")
            self._say("" if busy else nothing)
            return
        self._say("")
        number = self.table.currentIndex().row()
        self.steps.show_place(number, len(rows), self.model.damage, rows[0].unit)
        if row is not None:
            self.chosen.show_row(row, self.page, self._limit)

    def plain_text(self) -> str:
        """What is shown, in words."""
        if self._note.isVisible():
            return self._note.text()
        bar = self.bar.accessibleName() if self.bar.isVisible() else ""
        return f"{bar}\n{self.steps.said()}\n{self.chosen.said()}"
