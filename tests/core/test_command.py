# SPDX-License-Identifier: Apache-2.0
"""Running commands as tools: real processes."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from tenuto.agent.cancel import AbortError, CancelToken
from tenuto.agent.tools.command import (
    CUT_LINE,
    HEAD_BYTES,
    CommandOutcome,
    FrozenCall,
    execute,
    freeze,
    result_json,
)
from tenuto.errors import ToolInputError


def python(code: str, *arguments: str, timeout: float | None = None) -> FrozenCall:
    environment = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"]}
    return freeze(
        sys.executable, ["-c", code, *arguments], cwd="/", environment=environment, timeout=timeout
    )


def run(code: str, *arguments: str, timeout: float | None = None) -> CommandOutcome:
    return execute(python(code, *arguments, timeout=timeout), CancelToken())


def test_output_keeps_the_order_of_both_streams() -> None:
    code = "import os\nfor i in range(50):\n os.write(1 + i % 2, b'%d\\n' % i)"
    outcome = run(code)
    assert outcome.output == b"".join(b"%d\n" % i for i in range(50))
    assert (outcome.exit_code, outcome.truncated, outcome.failure) == (0, False, None)


def test_arguments_arrive_as_they_are_and_no_shell_sees_them() -> None:
    words = ["a b", "$HOME", "`id`", "; true", "", "\u202e", "-x", "'\""]
    outcome = run("import sys, json; print(json.dumps(sys.argv[1:]))", *words)
    assert json.loads(outcome.output) == words


def test_stdin_is_closed_and_the_session_is_its_own() -> None:
    code = "import os, sys\nprint(sys.stdin.read() == '', os.getsid(0) == os.getpid())"
    assert run(code).output == b"True True\n"


def test_only_the_given_environment_and_no_open_files() -> None:
    read_end, write_end = os.pipe()
    os.set_inheritable(write_end, True)
    try:
        code = (
            "import os, sys\nprint(sorted(set(os.environ) - {'LC_CTYPE'}))\n"
            "try:\n os.fstat(int(sys.argv[1]))\n print('open')\nexcept OSError:\n print('closed')"
        )
        assert run(code, str(write_end)).output == b"['HOME', 'PATH']\nclosed\n"
    finally:
        os.close(read_end)
        os.close(write_end)


@pytest.mark.parametrize("code", [0, 1, 3, 255])
def test_an_exit_code_is_a_normal_result(code: int) -> None:
    outcome = run(f"import sys; sys.exit({code})")
    assert (outcome.exit_code, outcome.failure) == (code, None)


def test_a_signal_ends_with_minus_one() -> None:
    outcome = run("import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    assert (outcome.exit_code, outcome.failure) == (-1, None)


@pytest.mark.parametrize("size", [2 * HEAD_BYTES, 2 * HEAD_BYTES + 1, 500_000])
def test_long_output_is_cut_in_the_middle(size: int) -> None:
    code = f"import sys; sys.stdout.write(''.join(chr(33 + i % 90) for i in range({size})))"
    whole = bytes(33 + i % 90 for i in range(size))
    outcome = run(code)
    if size <= 2 * HEAD_BYTES:
        assert (outcome.output, outcome.truncated) == (whole, False)
    else:
        assert outcome.truncated
        assert outcome.output == whole[:HEAD_BYTES] + CUT_LINE + whole[-HEAD_BYTES:]


def test_a_time_out_kills_the_whole_group(tmp_path: Path) -> None:
    mark = tmp_path / "alive"
    child = f"import time; time.sleep(2); open({str(mark)!r}, 'w')"
    code = (
        "import subprocess, sys, time\n"
        f"subprocess.Popen([sys.executable, '-c', {child!r}])\n"
        "print('started', flush=True)\ntime.sleep(60)"
    )
    began = time.monotonic()
    outcome = run(code, timeout=1.0)
    assert time.monotonic() - began < 10
    assert outcome.failure == "timed out after 1 seconds"
    assert outcome.output == b"started\n"
    time.sleep(1.5)
    assert not mark.exists()


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="asks /proc who lives")
def test_a_time_out_kills_a_deaf_child_that_outlives_its_parent(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    # The child hears no SIGTERM from its beginning, its parent does.
    code = f"trap '' TERM; sleep 600 & echo $! >'{note}'; trap - TERM; echo started; wait"
    environment = {"PATH": os.environ["PATH"]}
    call = freeze("/bin/sh", ["-c", code], cwd="/", environment=environment, timeout=2.0)
    outcome = execute(call, CancelToken())
    assert outcome.failure == "timed out after 2 seconds"
    assert outcome.output == b"started\n"
    child = Path("/proc", note.read_text().strip(), "stat")
    end = time.monotonic() + 30
    while child.exists() and child.read_text().rpartition(")")[2].split()[0] != "Z":
        assert time.monotonic() < end, "it lives on"
        time.sleep(0.01)


def test_a_deaf_command_is_killed_after_a_grace() -> None:
    code = (
        "import signal, time\nsignal.signal(15, signal.SIG_IGN)\n"
        "print('x', flush=True)\ntime.sleep(60)"
    )
    began = time.monotonic()
    outcome = run(code, timeout=0.5)
    assert outcome.failure == "timed out after 0.5 seconds"
    assert 2 < time.monotonic() - began < 10


def test_a_daemon_that_keeps_the_pipe_does_not_keep_the_run(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    child = "import time; time.sleep(60)"
    code = (
        "import subprocess, sys\n"
        f"child = subprocess.Popen([sys.executable, '-c', {child!r}], start_new_session=True)\n"
        f"open({str(note)!r}, 'w').write(str(child.pid))\n"
        "print('left one behind')"
    )
    began = time.monotonic()
    outcome = run(code)
    # It belongs to this test.
    os.kill(int(note.read_text()), signal.SIGKILL)
    assert time.monotonic() - began < 30
    assert outcome.output == b"left one behind\n"


def test_output_closed_early_does_not_end_the_wait() -> None:
    code = "import os, time\nos.close(1); os.close(2)\ntime.sleep(0.5)\nos._exit(7)"
    began = time.monotonic()
    assert run(code).exit_code == 7
    assert time.monotonic() - began >= 0.5


def test_what_cannot_be_started_is_a_failure() -> None:
    missing = freeze("/nowhere/tool", [], cwd="/", environment={})
    outcome = execute(missing, CancelToken())
    assert outcome.failure == "cannot start /nowhere/tool: No such file or directory"
    gone = freeze(sys.executable, ["-c", ""], cwd="/nowhere", environment={})
    assert execute(gone, CancelToken()).failure is not None


def test_a_nul_is_refused_before_anything_runs() -> None:
    with pytest.raises(ToolInputError, match="NUL"):
        freeze("/bin/true", ["a\0b"], cwd="/", environment={})


def test_abort_kills_the_group_and_no_result_comes(tmp_path: Path) -> None:
    cancel = CancelToken()
    mark = tmp_path / "alive"
    child = f"import time; time.sleep(1); open({str(mark)!r}, 'w')"
    code = (
        "import subprocess, sys, time\n"
        f"subprocess.Popen([sys.executable, '-c', {child!r}])\ntime.sleep(60)"
    )
    timer = threading.Timer(0.5, cancel.abort)
    timer.start()
    with pytest.raises(AbortError):
        execute(python(code), cancel)
    timer.join()
    time.sleep(1.2)
    assert not mark.exists()
    # And nothing starts any more.
    with pytest.raises(AbortError):
        execute(python("print(1)"), cancel)


def test_the_digest_is_over_all_that_decides() -> None:
    base = FrozenCall("/bin/x", ("a", "b"), "/", {"K": "v"}, None)
    others = [
        FrozenCall("/bin/y", ("a", "b"), "/", {"K": "v"}, None),
        FrozenCall("/bin/x", ("a b",), "/", {"K": "v"}, None),
        FrozenCall("/bin/x", ("a", "b"), "/tmp", {"K": "v"}, None),
        FrozenCall("/bin/x", ("a", "b"), "/", {"K": "w"}, None),
        FrozenCall("/bin/x", ("a", "b"), "/", {"K": "v"}, 1.0),
    ]
    assert len({call.digest() for call in [base, *others]}) == 6
    assert base.digest() == FrozenCall("/bin/x", ("a", "b"), "/", {"K": "v"}, None).digest()


def test_a_frozen_call_does_not_thaw() -> None:
    environment = {"K": "v"}
    call = FrozenCall("/bin/x", (), "/", environment)
    environment["K"] = "changed"
    assert dict(call.environment) == {"K": "v"}
    with pytest.raises(TypeError):
        call.environment["K"] = "w"  # type: ignore[index]


def test_the_result_is_as_go_writes_it() -> None:
    outcome = CommandOutcome(3, b"<a> & \xff\xfe \xe2\x82 \xe2\x82\xac\n", truncated=True)
    assert result_json(("--x", "a b"), outcome) == (
        '{"command":"--x a b","exit_code":3,"output":"\\u003ca\\u003e \\u0026 '
        '\\ufffd\\ufffd \\ufffd\\ufffd \u20ac\\n","truncated":true}'
    )
