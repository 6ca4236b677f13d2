# SPDX-License-Identifier: Apache-2.0
"""Signals, abort, and what a tool may see of its parent."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap

import pytest

linux = pytest.mark.skipif(sys.platform != "linux", reason="prctl and /proc are Linux's")


def _run(code: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        **options,  # type: ignore[call-overload]
    )


@linux
def test_a_worker_is_not_dumpable() -> None:
    done = _run(
        """
        import ctypes
        from tenuto.agent.stopping import forbid_inspection
        get_dumpable = 3
        before = ctypes.CDLL(None).prctl(get_dumpable, 0, 0, 0, 0)
        forbid_inspection()
        print(before, ctypes.CDLL(None).prctl(get_dumpable, 0, 0, 0, 0))
        """
    )
    assert done.stdout == "1 0\n", done.stderr


SIGNALS = """
    import os, signal, sys, time
    from tenuto.agent.cancel import AbortError, CancelToken
    from tenuto.agent.stopping import Stopping

    cancel = CancelToken()
    words = []
    with Stopping(
        cancel,
        on_suspend=lambda: words.append("suspend"),
        last_words=lambda: os.write(1, b"last words"),
    ):
        os.kill(os.getpid(), signal.SIGINT)
        while not cancel.suspended:
            time.sleep(0.01)
        assert words == ["suspend"] and not cancel.aborted
        os.kill(os.getpid(), signal.SIGTERM)
        {then}
    """


def test_a_loop_that_notices_an_abort_ends_by_itself() -> None:
    done = _run(
        SIGNALS.format(
            then="""
        try:
            cancel.sleep(60)
        except AbortError:
            print("noticed")
        """
        )
    )
    assert (done.returncode, done.stdout) == (0, "noticed\n"), done.stderr


def test_a_loop_that_does_not_is_ended() -> None:
    done = _run(SIGNALS.format(then="time.sleep(60)"))
    assert (done.returncode, done.stdout) == (130, "last words"), done.stderr


def test_the_end_is_told_once_although_closing_takes_longer_than_an_abort() -> None:
    done = _run(
        """
        import os, signal, sys, time
        from tenuto.agent.worker import work

        def body(worker):
            worker.closing.callback(time.sleep, 60)
            os.kill(os.getpid(), signal.SIGINT)
            while not worker.cancel.suspended:
                time.sleep(0.01)
            os.kill(os.getpid(), signal.SIGTERM)
            worker.cancel.sleep(60)

        sys.exit(work(body, remote=True))
        """,
        stdin=subprocess.DEVNULL,
    )
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 130, done.stderr
    assert [(event["type"], event["reason"]) for event in told] == [("finished", "aborted")]


def test_the_handlers_of_before_come_back() -> None:
    done = _run(
        """
        import os, signal
        from tenuto.agent.cancel import CancelToken
        from tenuto.agent.stopping import Stopping

        old = signal.getsignal(signal.SIGINT)
        with Stopping(CancelToken(), on_suspend=lambda: None, last_words=lambda: None):
            assert signal.getsignal(signal.SIGINT) is not old
        assert signal.getsignal(signal.SIGINT) is old
        try:
            os.kill(os.getpid(), signal.SIGINT)
        except KeyboardInterrupt:
            print("as before")
        """
    )
    assert done.stdout == "as before\n", done.stderr
