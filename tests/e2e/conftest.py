# SPDX-License-Identifier: Apache-2.0
"""A bench for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.bench import Bench


@pytest.fixture
def bench(home: Path) -> Bench:
    return Bench(home / "bench")
