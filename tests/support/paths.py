# SPDX-License-Identifier: Apache-2.0
"""Where the tests find the repository and the conformance data."""

from __future__ import annotations

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
DATA = REPOSITORY / "tests" / "data"
CONFORMANCE = DATA / "conformance"
FISK_REAL = CONFORMANCE / "fisk-real"
