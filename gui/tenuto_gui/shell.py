# SPDX-License-Identifier: Apache-2.0
"""What outlives a window: application, settings, theme, words. Makes the window, and makes it anew.

A change of language or of the size of text is put in force by a new window in the place of the old
one: it costs a moment, and no widget needs a second way to its words and measures.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QDialog

from tenuto_gui import i18n, icons
from tenuto_gui.collector import Collector
from tenuto_gui.context import AppContext
from tenuto_gui.main_window import MainWindow
from tenuto_gui.notice import Notice
from tenuto_gui.style import TenutoStyle

#: Settings that only a new window shows whole.
_ANEW = frozenset({"language", "text_size"})
#: Milliseconds after which a window that has no rows yet is furnished all the same.
_REST_MS = 1000
#: The same for `Shell.seen`: a part of what a later start waits for an answer.
_SEEN_MS = 200


class Shell(QObject):
    """One per window on screen. `window` is the present one."""

    #: There is something to look at. Once: what need not be ready before is made ready now.
    seen = Signal()

    def __init__(
        self, app: QApplication, context: AppContext, font: QFont, system_style: str
    ) -> None:
        super().__init__(app)
        self._app = app
        self._context = context
        #: The application's font before the setting scaled it.
        self._font = font
        self._system_style = system_style
        self.window = MainWindow(context)
        self._adopt(self.window)
        self._wanted = ""
        self._first_words: Notice | None = None
        self._was_seen = False
        context.preferences.changed.connect(self._on_changed)
        app.commitDataRequest.connect(self.end_session)
        # Last: it may only be off while there is a window to do its work.
        self._collector = Collector(self)

    def show(self, wanted: str, words: Notice | None = None) -> None:
        """Put the window on the screen. Its first paint comes before its first look around.

        ``words``: what the operator should read first.
        """
        self._wanted, self._first_words = wanted, words
        self.window.rows_shown.connect(self._on_seen)
        self.window.rows_shown.connect(self.furnish)
        self.window.show()
        QTimer.singleShot(0, self.window, self.window.start)
        # An empty or a slow folder says nothing of rows.
        QTimer.singleShot(_SEEN_MS, self, self._on_seen)
        QTimer.singleShot(_REST_MS, self.window, self.furnish)

    def _on_seen(self) -> None:
        if not self._was_seen:
            self._was_seen = True
            self.seen.emit()

    def furnish(self) -> None:
        """Put everything into the window, if it is not there yet."""
        window = self.window
        if window.furnished:
            return
        self._app.setWindowIcon(icons.app_icon())
        window.furnish()
        window.trash.refresh()
        window.following.expect(self._wanted)
        if self._first_words is not None:
            window.notices.show_notice(self._first_words)

    def receive(self, wanted: str, directory: Path) -> None:
        """What a later start, or the system, asks for."""
        self.furnish()
        self.window.following.receive(wanted, directory)

    def live_ids(self) -> Collection[str]:
        """Runs that workers of this window are at."""
        return self.window.running.controller.live_ids() if self.window.furnished else ()

    # --- the end -------------------------------------------------------------------------------

    @Slot()
    def end_session(self) -> None:
        """The operator logs out: whatever is at work comes to rest, and nothing is asked."""
        if self.window.furnished:
            self.window.closing.end_session()

    @Slot()
    def end_now(self) -> None:
        """As `end_session`, and the window goes."""
        self.end_session()
        self._app.closeAllWindows()

    def _adopt(self, window: MainWindow) -> None:
        window.shell = self
        window.closed.connect(self._on_closed)

    def _on_closed(self) -> None:
        if self.sender() is not self.window:
            return
        self._context.theme.detach()
        self._collector.stop()
        if self._app.font() != self._font:
            self._app.setFont(self._font)
        self.deleteLater()

    # --- settings --------------------------------------------------------------------------------

    def _on_changed(self, names: set[str]) -> None:
        settings = self._context.settings
        if "theme" in names:
            self._context.theme.set_choice(settings.theme)
        if "system_style" in names:
            apply_style(self._app, self._context, self._system_style)
        if "reduced_motion" in names:
            self.window.notices.set_fades(not settings.reduced_motion)
        if not names & _ANEW:
            return
        if self.live_ids():
            self.window.notices.show_notice(
                Notice(
                    "info",
                    self.tr("This takes effect when Tenuto is opened next"),
                    self.tr("A run is at work in this window."),
                )
            )
            return
        # Not from within the widget whose change asked for it.
        QTimer.singleShot(0, self, self.renew)

    def renew(self) -> None:
        """A new window in the place of the present one."""
        old = self.window
        settings = self._context.settings
        apply_text_size(self._app, self._font, settings.text_size)
        i18n.install(self._app, settings.language)
        old.keep_state()
        kept = old.following.place()
        self.window = MainWindow(self._context)
        self._adopt(self.window)
        self.window.furnish()
        self.window.following.take_place(kept)
        self.window.show()
        self.window.start()
        for dialog in old.findChildren(QDialog):
            dialog.close()
        old.close()


def apply_text_size(app: QApplication, base: QFont, percent: int) -> None:
    """Give the application the system's font at this size."""
    font = QFont(base)
    if base.pointSizeF() > 0:
        font.setPointSizeF(base.pointSizeF() * percent / 100)
    else:
        font.setPixelSize(round(base.pixelSize() * percent / 100))
    if font != app.font():
        app.setFont(font)


def style_of_system(app: QApplication) -> str:
    """The name of the style that the system asks for."""
    style = app.style()
    # Ours is a proxy that was left by a window before.
    return "Fusion" if isinstance(style, TenutoStyle) else style.name()


def apply_style(app: QApplication, context: AppContext, system_style: str) -> None:
    """Tenuto's own controls, or those of the system."""
    if context.settings.system_style:
        app.setStyle(system_style)
    else:
        app.setStyle(TenutoStyle(context.theme))
