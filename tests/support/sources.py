# SPDX-License-Identifier: Apache-2.0
"""What tests of sources share."""

from __future__ import annotations

from tenuto.sources.base import SessionSummary
from tenuto.sources.runs import RunSource


def complete(source: RunSource) -> dict[str, SessionSummary]:
    """All rows, previews built."""
    source.list()
    source.build_pending()
    listing = source.list()
    assert listing.pending == frozenset()
    return {row.id: row for row in listing.summaries}
