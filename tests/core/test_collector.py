# SPDX-License-Identifier: Apache-2.0
"""The collector comes back on, however blocks overlap."""

from __future__ import annotations

import gc
import threading

import pytest

from tenuto.collector import collector_off


def test_it_is_off_inside_and_on_after() -> None:
    assert gc.isenabled()
    with collector_off():
        assert not gc.isenabled()
        with collector_off():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_one_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with collector_off():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_an_error_inside_changes_nothing() -> None:
    with pytest.raises(KeyError), collector_off():
        raise KeyError
    assert gc.isenabled()


def test_blocks_of_two_threads_that_overlap() -> None:
    entered, leave = threading.Event(), threading.Event()
    seen: list[bool] = []

    def other() -> None:
        with collector_off():
            entered.set()
            leave.wait(10)
            seen.append(gc.isenabled())

    thread = threading.Thread(target=other)
    with collector_off():
        thread.start()
        entered.wait(10)
    # Ours has ended, the other's has not.
    assert not gc.isenabled()
    leave.set()
    thread.join()
    assert seen == [False]
    assert gc.isenabled()
