# SPDX-License-Identifier: Apache-2.0
"""PySide6 6.12.0 on Python 3.11 drops references to True and None until the interpreter aborts.

These run without a single drop, or the pin in pyproject.toml holds. They look at the counts of the
two objects before and after a few hundred calls; a drop of one a call is far outside the noise.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QSortFilterProxyModel,
    Qt,
    QTimer,
    Signal,
)

ROUNDS = 300
NOISE = 60

immortal = pytest.mark.skipif(
    sys.version_info >= (3, 12), reason="True and None are immortal from Python 3.12 on"
)


def _drops(work: Callable[[], object]) -> dict[str, int]:
    """How many references to True and None are gone after ROUNDS calls."""
    work()
    before = sys.getrefcount(True), sys.getrefcount(None)
    for _round in range(ROUNDS):
        work()
    after = sys.getrefcount(True), sys.getrefcount(None)
    return {"True": before[0] - after[0], "None": before[1] - after[1]}


class _Emitter(QObject):
    fired = Signal(int)

    def take(self, number: int) -> None:
        self.last = number


class _Empty(QAbstractListModel):
    def rowCount(self, parent: QModelIndex | None = None) -> int:
        return 3

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> None:
        return None


class _Everything(QSortFilterProxyModel):
    def filterAcceptsRow(self, row: int, parent: QModelIndex) -> bool:
        return True


def _emit(emitter: _Emitter) -> Callable[[], object]:
    emitter.fired.connect(emitter.take)
    return lambda: emitter.fired.emit(1)


def _connect(emitter: _Emitter) -> Callable[[], object]:
    def work() -> None:
        emitter.fired.connect(emitter.take)
        emitter.fired.disconnect(emitter.take)

    return work


def _data(model: _Empty) -> Callable[[], object]:
    # No child of its model: the collector of 6.11.3 crashes on a proxy whose parent is its source.
    proxy = QSortFilterProxyModel()
    proxy.setSourceModel(model)
    return lambda: proxy.data(proxy.index(0, 0))


def _filter(model: _Empty) -> Callable[[], object]:
    proxy = _Everything()
    proxy.setSourceModel(model)
    return proxy.invalidate


def _single_shot(context: QObject) -> Callable[[], object]:
    def work() -> None:
        QTimer.singleShot(0, _nothing)
        QCoreApplication.processEvents()

    return work


def _nothing() -> None:
    """Be called by a timer."""


@immortal
@pytest.mark.parametrize(
    ("make", "work"),
    [
        (_Emitter, _emit),
        (_Emitter, _connect),
        (_Empty, _data),
        (_Empty, _filter),
        (QObject, _single_shot),
    ],
    ids=["emit", "connect", "data", "filter", "singleShot"],
)
def test_true_and_none_keep_their_references(
    qapp: QCoreApplication, make: Callable[[], QObject], work: Callable[[QObject], Callable]
) -> None:
    drops = _drops(work(make()))
    assert max(drops.values()) < NOISE, drops
