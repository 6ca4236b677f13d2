# SPDX-License-Identifier: Apache-2.0
"""Imports msgspec without ``typing_extensions``; to be imported before anything else does.

msgspec takes that package where it is installed, for names that Python 3.11 has itself. It takes a
twelfth of the time of a listing to load, so it is kept out of sight for the moment.
"""

from __future__ import annotations

import sys

_unseen = "typing_extensions" not in sys.modules
if _unseen:
    # None makes the import fail, and msgspec fall back on ``typing``.
    sys.modules["typing_extensions"] = None  # type: ignore[assignment]
try:
    import msgspec  # noqa: F401 - loaded for those that come after
finally:
    if _unseen:
        del sys.modules["typing_extensions"]
