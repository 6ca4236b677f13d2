# SPDX-License-Identifier: Apache-2.0
"""Background jobs: where and when their results arrive."""

from __future__ import annotations

import threading

from pytestqt.qtbot import QtBot

from tenuto_gui.jobs import Jobs


def test_results_come_in_order_and_never_while_a_job_is_being_started(qtbot: QtBot) -> None:
    jobs = Jobs(workers=1)
    seen: list[object] = []
    jobs.post(lambda: seen.append("posted"))
    # A job that ends before its callback is in place reports from the thread that starts it.
    for number in range(50):
        jobs.run(threading.get_ident, lambda ident, n=number: seen.append((n, ident)))
        assert len([each for each in seen if each != "posted"]) == 0
    qtbot.waitUntil(lambda: len(seen) == 51)
    assert seen[0] == "posted"
    assert [each[0] for each in seen[1:]] == list(range(50))  # type: ignore[index]
    assert threading.get_ident() not in {each[1] for each in seen[1:]}  # type: ignore[index]
    jobs.stop()


def test_nothing_arrives_after_the_end(qtbot: QtBot) -> None:
    jobs = Jobs(workers=1)
    seen: list[object] = []
    jobs.run(lambda: 1, seen.append)
    jobs.stop()
    with qtbot.waitSignal(jobs.destroyed):
        jobs.deleteLater()
    assert seen == []
