# SPDX-License-Identifier: Apache-2.0
"""The two fisk applications of the conformance data, as scripts that a test puts on PATH."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

CONFORMANCE = Path(__file__).parent.parent / "data" / "conformance"
FISK_REAL = CONFORMANCE / "fisk-real"
PROMPT = "You keep the pantry <tidy> & current.\n"

_SCRIPT = """#!{python}
import json, os, sys
if sys.argv[1:] == ["--fisk-introspect"]:
    sys.stdout.write(open({document!r}, encoding="utf-8").read())
else:
    print(json.dumps({{"argv": sys.argv[1:], "environment": dict(os.environ)}}))
"""


def document(name: str) -> bytes:
    """What the application prints for ``--fisk-introspect``."""
    return (FISK_REAL / f"{name}.introspect.json").read_bytes()


def script(path: Path, text: str) -> Path:
    """An executable file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    path.chmod(0o755)
    return path


def application(folder: Path, name: str = "pantry", content: bytes | None = None) -> Path:
    """A program ``name`` in ``folder`` that introspects as the real one, or with ``content``.

    Called as a tool it prints its arguments and its environment as JSON.
    """
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / f"{name}.document.json"
    source.write_bytes(document(name) if content is None else content)
    return script(folder / name, _SCRIPT.format(python=sys.executable, document=str(source)))


def put_on_path(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def configuration(path: Path, **changes: Any) -> Path:
    """A configuration of the pantry as JSON; a change of None takes the key out."""
    content: dict[str, Any] = {
        "identity": "pantry",
        "system_prompt": PROMPT,
        "llm": {"model": "stub-model"},
        "application_path": "pantry",
    }
    content.update(changes)
    content = {key: value for key, value in content.items() if value is not None}
    path.write_text(json.dumps(content), "utf-8")
    return path
