# SPDX-License-Identifier: Apache-2.0
"""What tests of the agent's configuration share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import fisk


@pytest.fixture
def applications(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pantry and the depot are on PATH."""
    for name in ("pantry", "depot"):
        fisk.application(tmp_path / "bin", name)
    fisk.put_on_path(monkeypatch, tmp_path / "bin")
