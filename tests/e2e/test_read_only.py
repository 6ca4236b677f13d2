# SPDX-License-Identifier: Apache-2.0
"""A runs folder that cannot be written refuses a run before anything begins: no id, no call."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest

from tests.e2e.bench import TIMEOUT, Bench
from tests.e2e.messages_server import MessagesServer
from tests.e2e.runs import DONE, PANTRY

#: In a mount namespace of its own, so nothing is left mounted whatever happens.
_READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'


def read_only(bench: Bench, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command that sees the runs folder as a read-only file system, or skip."""
    unshare = shutil.which("unshare")
    if unshare is None:
        pytest.skip("no unshare on this machine")
    own = ["--mount"] if os.geteuid() == 0 else ["--mount", "--map-root-user"]
    prefix = [unshare, *own, "sh", "-c", _READ_ONLY, str(bench.runs)]
    probe = subprocess.run([*prefix, "true"], capture_output=True, text=True, check=False)
    if probe.returncode:
        pytest.skip(f"read-only mounts are not allowed here: {probe.stderr.strip()}")
    return subprocess.run(
        [*prefix, *command],
        env=bench.environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        start_new_session=True,
        check=False,
    )


@pytest.mark.parametrize("word", ["run", "resume"])
def test_a_read_only_runs_folder_refuses_before_anything_begins(bench: Bench, word: str) -> None:
    bench.take("suspended")
    config = bench.configure({**PANTRY, "system_prompt": "You keep the pantry <tidy> & current.\n"})
    words = {
        "run": ("run", "Tidy up", "--checkpoint"),
        "resume": ("resume", "suspended", "--no-replay"),
    }[word]
    before = bench.snapshot()
    with MessagesServer([DONE]) as server:
        bench.use(server)
        done = read_only(bench, *bench.command(*words, "--config", str(config), "--json"))
        assert server.calls == []
    assert done.returncode == 1, (done.stdout, done.stderr)
    assert f"read-only file system at {bench.runs} (EROFS)" in done.stderr
    said = json.loads(done.stdout)
    assert said["error"] == "io"
    assert str(bench.runs) in said["message"]
    # No run is named that could be gone on with.
    assert not {"id", "run_id", "session"} & set(said), said
    assert bench.pantry.calls() == []
    assert bench.snapshot() == before
