# SPDX-License-Identifier: Apache-2.0
"""The head of the detail side: which run this is, and its facts in one line."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from tenuto.sources.base import SessionSummary
from tenuto_gui import format as fmt
from tenuto_gui import icons
from tenuto_gui.fonts import Role
from tenuto_gui.i18n import enumerated
from tenuto_gui.plain import plain_tip
from tenuto_gui.sessions.delegate import is_rtl
from tenuto_gui.sessions.words import calls, mark_of, since, source_word, turns, word
from tenuto_gui.theme import Theme

_LEFT = int(
    Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
)
_RIGHT = int(
    Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
)
_MARK_LEFT = 16
#: Margin, mark and gap: what is said below begins where the title does, at every size.
_BEFORE_TEXT = (_MARK_LEFT, 20, 8)
_EDGE = 16


class RunHeader(QWidget):
    """Mark, title, since when and by whom; below: id, source, model, counts, start."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._summary: SessionSummary | None = None
        self._compact = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.updateGeometry)
        theme.changed.connect(self.update)

    def set_session(self, summary: SessionSummary | None) -> None:
        self._summary = summary
        self.setAccessibleName(enumerated(self._spoken()) if summary else "")
        self.update()

    def set_compact(self, compact: bool) -> None:
        """One line, where the window is short."""
        self._compact = compact
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        fonts = self._theme.fonts
        if self._compact:
            return QSize(
                fonts.px(480), max(fonts.px(34), fonts.line_height("title") + fonts.px(10))
            )
        lines = fonts.line_height("title") + fonts.line_height("small")
        return QSize(fonts.px(480), max(fonts.px(58), lines + fonts.px(20)))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def facts(self) -> list[str]:
        """The second line, but for the id."""
        s = self._summary
        if s is None:
            return []
        facts: list[str] = [
            f"{source_word(s.source)} {s.badge}".rstrip(),
            fmt.home_path(s.group),
            s.model,
        ]
        if s.turns or s.calls:
            facts.append(enumerated((turns(s.turns), calls(s.calls))))
        if s.tokens:
            c = s.counters
            read = c.in_tokens + c.cache_read_tokens + c.cache_create_tokens
            share = self.tr("{share} from cache").format(
                share=fmt.percent(c.cache_read_tokens, read)
            )
            facts.append(
                enumerated((fmt.tokens(s.tokens), share))
                if c.cache_read_tokens
                else fmt.tokens(s.tokens)
            )
        start = fmt.parse_time(s.created)
        if start is not None:
            facts.append(self.tr("started {time}").format(time=fmt.clock(start, datetime.now(UTC))))
        if s.note:
            facts.append(self.tr("note: {text}").format(text=s.note))
        return [fact for fact in facts if fact]

    def _spoken(self) -> list[str]:
        assert self._summary is not None
        return [
            word(mark_of(self._summary)),
            self._summary.title or self._summary.id,
            *self.facts(),
        ]

    def paintEvent(self, event: QPaintEvent) -> None:
        summary = self._summary
        if summary is None:
            return
        theme, fonts, px = self._theme, self._theme.fonts, self._theme.fonts.px
        painter = QPainter(self)
        title_height, small_height = fonts.line_height("title"), fonts.line_height("small")
        gap = px(4)
        top = (self.height() - title_height - small_height - gap) // 2 + px(2)
        if self._compact:
            top = (self.height() - title_height) // 2
        left, right = sum(map(px, _BEFORE_TEXT)), self.width() - px(_EDGE)

        size = round(fonts.line_height("body") * 1.1 / 18 * 20)
        mark = icons.mark(theme, mark_of(summary), size, self.devicePixelRatioF())
        painter.drawPixmap(px(_MARK_LEFT), top + (title_height - size) // 2, mark)

        title, end, role = self.first_line()
        painter.setFont(fonts.font("small"))
        painter.setPen(theme.color("text2"))
        line = QRectF(left, top, right - left, title_height)
        painter.drawText(line, _RIGHT, end)
        painter.setFont(fonts.font(role))
        painter.setPen(theme.color("text"))
        if is_rtl(title):
            painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        painter.drawText(line, _LEFT, title)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)

        if not self._compact:
            self._second_line(painter, summary, left, right, top)
        painter.end()

    def first_line(self) -> tuple[str, str, Role]:
        """The title as far as there is room, since when and by whom, and the title's type.

        Where the title would be cut for it, the state stands alone, and whole: it matters more than
        the end of a title, which the list and the tooltip have, too.
        """
        summary, fonts = self._summary, self._theme.fonts
        assert summary is not None
        title = summary.title or summary.id
        role: Role = "title" if summary.title else "mono"
        small, large = fonts.metrics("small"), fonts.metrics(role)
        room = self.width() - sum(map(fonts.px, _BEFORE_TEXT)) - fonts.px(_EDGE)
        gap, now = fonts.px(16), datetime.now(UTC)
        end = since(summary, now)
        if small.horizontalAdvance(end) + gap + large.horizontalAdvance(title) > room:
            end = since(summary, now, brief=True)
            end = small.elidedText(end, Qt.TextElideMode.ElideRight, room * 3 // 5)
        used = small.horizontalAdvance(end) + gap if end else 0
        return large.elidedText(title, Qt.TextElideMode.ElideRight, room - used), end, role

    def _second_line(
        self, painter: QPainter, summary: SessionSummary, left: int, right: int, top: int
    ) -> None:
        theme, fonts = self._theme, self._theme.fonts
        title_height, small_height = fonts.line_height("title"), fonts.line_height("small")
        gap = fonts.px(4)
        line = QRectF(left, top + title_height + gap, right - left, small_height)
        painter.setFont(fonts.font("mono_small"))
        painter.setPen(theme.color("text2"))
        metrics = fonts.metrics("mono_small")
        shown = metrics.elidedText(summary.id, Qt.TextElideMode.ElideMiddle, line.width() / 2)
        painter.drawText(line, _LEFT, shown)
        dot = f"  {fmt.DOT}  "
        rest = dot + dot.join(self.facts())
        line.setLeft(line.left() + metrics.horizontalAdvance(shown))
        painter.setFont(fonts.font("small"))
        rest = fonts.metrics("small").elidedText(rest, Qt.TextElideMode.ElideRight, line.width())
        painter.drawText(line, _LEFT, rest)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and self._summary is not None:
            assert isinstance(event, QHelpEvent)
            state = since(self._summary, datetime.now(UTC))
            facts = [state, *self.facts(), self._summary.path]
            lines = [self._summary.title, self._summary.id, *facts]
            text = "\n".join(line for line in lines if line)
            QToolTip.showText(event.globalPos(), plain_tip(text), self)
            return True
        return super().event(event)
