# SPDX-License-Identifier: Apache-2.0
"""Reasonix sessions: what they hold, and how they are saved, loaded, listed and resumed.

The names below are the library's face (README, "Reasonix sessions from Python"). They are imported
when they are first asked for, so that a listing does not pay for what only a resume needs.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tenuto.reasonix.controller import Controller
    from tenuto.reasonix.listing import SessionInfo, list_sessions
    from tenuto.reasonix.model import Message
    from tenuto.reasonix.names import continue_session_path, new_session_path
    from tenuto.reasonix.normalise import normalize_session
    from tenuto.reasonix.previews import preview
    from tenuto.reasonix.prune import prune_stale
    from tenuto.reasonix.store import Session, load_session, save_session

__all__ = [
    "Controller",
    "Message",
    "Session",
    "SessionInfo",
    "continue_session_path",
    "list_sessions",
    "load_session",
    "new_session_path",
    "normalize_session",
    "preview",
    "prune_stale",
    "save_session",
]

_HOMES = {
    "Controller": "controller",
    "Message": "model",
    "Session": "store",
    "SessionInfo": "listing",
    "continue_session_path": "names",
    "list_sessions": "listing",
    "load_session": "store",
    "new_session_path": "names",
    "normalize_session": "normalise",
    "preview": "previews",
    "prune_stale": "prune",
    "save_session": "store",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{home}"), name)
