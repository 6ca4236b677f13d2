# SPDX-License-Identifier: Apache-2.0
"""Forks below the sessions they were made of: keys that sort so, and how deep each row stands.

Qt-free. A list in this order is a tree whose branches are always open, and every family stands
where its first member would stand in the list without a tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tenuto.sources.base import SessionSummary

#: A chain longer than this is no history: two sessions may name each other.
_LONGEST = 1000


def origins(summaries: Iterable[SessionSummary]) -> frozenset[str]:
    """Ids that forks were made of, listed or not."""
    return frozenset(summary.origin for summary in summaries if summary.origin)


def tree_keys(summaries: Mapping[str, SessionSummary], own: Mapping[str, Any]) -> dict[str, Any]:
    """Keys to sort by, id -> tuple. ``own``: the key of each session in a list without a tree."""
    least = dict(own)
    paths: dict[str, tuple[str, ...]] = {}
    for id in summaries:
        paths[id] = path = _path(summaries, id)
        for above in path[:-1]:
            least[above] = min(least[above], own[id])
    return {id: tuple(least[each] for each in path) for id, path in paths.items()}


def _path(summaries: Mapping[str, SessionSummary], id: str) -> tuple[str, ...]:
    """The session's ancestors that are listed, eldest first, and itself."""
    path = [id]
    above = summaries[id].origin
    while above in summaries and above not in path and len(path) < _LONGEST:
        path.append(above)
        above = summaries[above].origin
    if above in path:
        return (id,)
    return tuple(reversed(path))


def depths(
    shown: Iterable[SessionSummary], summaries: Mapping[str, SessionSummary]
) -> dict[str, int]:
    """How many ancestors of each session are shown, for ``shown`` in the order of `tree_keys`."""
    found: dict[str, int] = {}
    for summary in shown:
        above = summary.origin
        steps = 0
        while above and above not in found and steps < _LONGEST:
            above = summaries[above].origin if above in summaries else ""
            steps += 1
        found[summary.id] = found[above] + 1 if above in found else 0
    return found
