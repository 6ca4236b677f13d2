# SPDX-License-Identifier: Apache-2.0
"""The right side: run header, tabs, the notice bar below them, panel place, run strip."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QTabWidget, QVBoxLayout, QWidget

from tenuto.sources.base import SessionSummary
from tenuto_gui import icons
from tenuto_gui.activity.view import ActivityView
from tenuto_gui.context import AppContext
from tenuto_gui.diff.view import ConfigurationView
from tenuto_gui.header import RunHeader
from tenuto_gui.notice import NoticeBar
from tenuto_gui.plain import plain_tip
from tenuto_gui.records.view import RecordsView
from tenuto_gui.theme import Theme
from tenuto_gui.transcript.bar import TranscriptBar
from tenuto_gui.transcript.view import TranscriptView

#: Tabs and a few lines.
_LEAST_PAGE = 140


class DetailTabs(QTabWidget):
    """Tabs that never move: a notice opens between them and the page."""

    def __init__(self, notice: NoticeBar, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("detailTabs")
        self.setAccessibleName(self.tr("Session"))
        self.setDocumentMode(True)
        self.tabBar().setDrawBase(True)
        self.tabBar().setExpanding(False)
        self._theme = theme
        self._notice = notice
        notice.setParent(self)
        notice.installEventFilter(self)
        # Qt gives the pages a stack; room at its top is room for the notice.
        stack = self.findChild(QStackedWidget)
        assert stack is not None
        self._stack = stack

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kinds = (QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.LayoutRequest)
        # While the window is torn down the notice outlives the pages.
        if watched is self._notice and event.type() in kinds and shiboken6.isValid(self._stack):
            self._place_notice()
        return False

    def minimumSizeHint(self) -> QSize:
        """Qt's is that of the highest page, shown or not; a question needs its room below."""
        hint = super().minimumSizeHint()
        return QSize(hint.width(), min(hint.height(), self._theme.fonts.px(_LEAST_PAGE)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_notice()

    def hold_notice(self) -> None:
        """Have the notice here: it is about what is shown here, and this is in sight."""
        self._notice.setParent(self)
        self._notice.setVisible(self._notice.notice is not None)
        self._place_notice()

    def let_notice_go(self) -> None:
        """Leave the notice to another part of the window."""
        self._stack.setContentsMargins(0, 0, 0, 0)

    def _place_notice(self) -> None:
        if self._notice.parent() is not self:
            return
        height = 0
        if not self._notice.isHidden():
            height = max(
                self._notice.heightForWidth(self.width()), self._notice.minimumSizeHint().height()
            )
            top = self.tabBar().geometry().bottom() + 1
            self._notice.setGeometry(0, top, self.width(), height)
            self._notice.raise_()
        self._stack.setContentsMargins(0, height, 0, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        bar = self.tabBar().geometry()
        painter.fillRect(0, bar.bottom(), self.width(), 1, self._theme.color("line"))
        painter.end()


class Detail(QWidget):
    """Everything about one session. `panel_place` and `strip_place` take what a run brings."""

    def __init__(
        self, context: AppContext, notice: NoticeBar, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setBackgroundRole(self.palette().ColorRole.Base)
        self.setAutoFillBackground(True)
        self.header = RunHeader(context.theme, self)
        self.tabs = DetailTabs(notice, context.theme, self)
        self.transcript = TranscriptView(context, self.tabs)
        self.configuration = ConfigurationView(context, self.tabs)
        self.tabs.addTab(self.transcript, self.tr("Transcript"))
        self.tabs.addTab(self.configuration, self.tr("Configuration"))
        self.activity = ActivityView(context, self.tabs)
        self.tabs.addTab(self.activity, self.tr("Activity"))
        self.activity.block_chosen.connect(self.show_block)
        self.records = RecordsView(context, self.tabs)
        self.tabs.addTab(self.records, self.tr("Records"))
        self.records.block_chosen.connect(self.show_block)
        self.transcript.records_wanted.connect(self.show_record)
        self.bar = TranscriptBar(context, self.transcript, self.tabs)
        self.tabs.setCornerWidget(self.bar, Qt.Corner.TopRightCorner)
        self.tabs.currentChanged.connect(self._on_tab)
        self._context = context
        self._damaged = False
        context.theme.changed.connect(self._mark_records)
        self.transcript.wanted.connect(self.show_transcript)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)
        self.column.addWidget(self.header)
        self.column.addWidget(self.tabs, 1)
        self.session_id = ""

    def set_session(self, summary: SessionSummary | None) -> None:
        """Show a session, or the newer summary of the one that is shown."""
        self.header.set_session(summary)
        shown = summary.id if summary else ""
        if shown != self.session_id:
            self.session_id = shown
        elif summary is None:
            return
        self.transcript.set_session(summary)
        self.configuration.set_session(summary)
        self.activity.set_session(summary)
        self.records.set_session(summary)
        damaged = summary is not None and summary.status == "damaged"
        if damaged != self._damaged:
            self._damaged = damaged
            self._mark_records()

    def _mark_records(self) -> None:
        """A mark behind the tab where damage is shown, while there is some (damaged.png)."""
        place = self.tabs.indexOf(self.records)
        theme = self._context.theme
        size = theme.fonts.px(16)
        words = self.tr("Damaged") if self._damaged else ""
        picture = icons.mark(theme, "damaged", size, self.devicePixelRatioF())
        self.tabs.setIconSize(QSize(size, size))
        self.tabs.setTabIcon(place, QIcon(picture) if self._damaged else QIcon())
        self.tabs.setTabToolTip(place, plain_tip(words))
        name = self.tabs.tabText(place)
        self.tabs.tabBar().setAccessibleTabName(place, f"{name}, {words}" if words else name)
        self._fit_bar()

    def show_configuration(self) -> None:
        self.tabs.setCurrentWidget(self.configuration)

    def show_transcript(self) -> None:
        self.tabs.setCurrentWidget(self.transcript)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_bar()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_bar()

    def _fit_bar(self) -> None:
        tabs = self.tabs.tabBar()
        size = tabs.sizeHint()
        self.bar.fit(self.width() - tabs.geometry().left() - size.width(), size.height())

    def _on_tab(self) -> None:
        """What goes to prompts stands beside the tabs only where there are some."""
        self.bar.setVisible(self.tabs.currentWidget() is self.transcript)

    def show_block(self, seq: int, index: int) -> None:
        """The block of the transcript that another view leads to."""
        self.show_transcript()
        self.transcript.go_to(seq, index)
        self.transcript.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_record(self, offset: int) -> None:
        """The line of the journal that holds this byte of the file."""
        self.tabs.setCurrentWidget(self.records)
        self.records.go_to(offset)
        self.records.table.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def shutdown(self) -> None:
        """End what runs for the views."""
        self.transcript.shutdown()
        self.configuration.shutdown()
        self.activity.shutdown()
        self.records.shutdown()

    def has_view(self, name: str) -> bool:
        """Whether there is a tab of this object name."""
        return self._place_of(name) >= 0

    def show_view(self, name: str) -> None:
        """Bring the tab of this object name to the front."""
        self.tabs.setCurrentIndex(self._place_of(name))

    def _place_of(self, name: str) -> int:
        pages = [self.tabs.widget(place) for place in range(self.tabs.count())]
        names = [page.objectName() if page is not None else "" for page in pages]
        return names.index(name) if name in names else -1
