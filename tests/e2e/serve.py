# SPDX-License-Identifier: Apache-2.0
"""Try Tenuto on the real journals with no account: ``python -m tests.e2e.serve``.

Makes a folder with the conformance runs, their configuration and a `pantry` program, starts the
Messages server on it, prints what to export and what to run, and serves until it is stopped.
"""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import sys
import tempfile
import threading
from pathlib import Path

from tests.e2e.messages_server import MessagesServer
from tests.e2e.pantry import CONFORMANCE, install


def prepare(folder: Path) -> None:
    """Runs, configurations and the program. Runs that are there already stay as they are."""
    runs = folder / "runs"
    runs.mkdir(mode=0o700, parents=True, exist_ok=True)
    for journal in sorted((CONFORMANCE / "runs").glob("*.json")):
        # A journal's file is named by the id inside it.
        id = json.loads(journal.read_bytes().split(b"\n")[0])["meta"]["run_id"]
        if not (runs / f"{id}.json").exists():
            shutil.copyfile(journal, runs / f"{id}.json")
            (runs / f"{id}.json").chmod(0o600)
    install(folder / "bin")
    configuration = json.loads((CONFORMANCE / "runs.json").read_bytes())[0]["config"]
    (folder / "agent.yaml").write_text(json.dumps(configuration, indent=2) + "\n")
    changed = {**configuration, "llm": {"model": "stub-model-2"}, "system_prompt": "changed"}
    (folder / "changed.yaml").write_text(json.dumps(changed, indent=2) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.serve", description=__doc__)
    parser.add_argument("--dir", type=Path, help="the folder to use (default: a new one)")
    parser.add_argument("--port", type=int, default=0, help="the port to listen on (default: any)")
    parser.add_argument(
        "--turns", type=Path, default=CONFORMANCE / "resume-turns.json", help="what the model says"
    )
    arguments = parser.parse_args()
    folder = (arguments.dir or Path(tempfile.mkdtemp(prefix="tenuto-real-"))).absolute()
    prepare(folder)
    turns = json.loads(arguments.turns.read_bytes())
    with MessagesServer(turns, port=arguments.port) as server:
        quoted = shlex.quote(str(folder))
        print(f"# Messages server on {server.url}; stop it with Ctrl-C. In another terminal:")
        print(f"export ANTHROPIC_BASE_URL={server.url} ANTHROPIC_API_KEY=none")
        programs = shlex.quote(str(Path(sys.executable).parent))
        print(f'export PATH={quoted}/bin:{programs}:"$PATH"')
        print(f"tenuto session ls --state-dir {quoted}/runs")
        print(f"tenuto --state-dir {quoted}/runs   # the window; configuration: agent.yaml")
        print(
            f"tenuto resume suspended --state-dir {quoted}/runs --config {quoted}/agent.yaml",
            flush=True,
        )
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
