# SPDX-License-Identifier: Apache-2.0
"""Stories that cross processes share the window's fixtures."""

from __future__ import annotations

from tests.gui.conftest import x_display

__all__ = ["x_display"]
