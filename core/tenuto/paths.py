# SPDX-License-Identifier: Apache-2.0
"""Where Tenuto looks for runs and keeps its own files.

Every function answers with an absolute path and creates nothing. The XDG variables count on every
system when they are set to an absolute path; else Linux takes the XDG defaults and other systems
what ``platformdirs`` says. (That package costs more to import than a whole listing may take, so
Linux never loads it.)
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tenuto.settings import Settings

APP = "tenuto"


def home() -> Path:
    """The user's home folder; ``/`` where the system names none."""
    found = os.path.expanduser("~")
    return Path(found if os.path.isabs(found) else os.sep)


def _xdg(variable: str, default: str) -> Path | None:
    """The folder an XDG variable names, its default on Linux, or None elsewhere.

    A relative value is ignored, as the XDG base directory specification demands: it would follow
    the working directory.
    """
    value = os.environ.get(variable, "")
    if os.path.isabs(value):
        return Path(value)
    if sys.platform in ("win32", "darwin"):
        return None
    return home() / default


def data_dir() -> Path:
    """Tenuto's data: trash, known configurations, digests, samples."""
    base = _xdg("XDG_DATA_HOME", ".local/share")
    if base is not None:
        return base / APP
    import platformdirs

    return Path(platformdirs.user_data_dir(APP, appauthor=False))


def samples_dir() -> Path:
    """Where ``tenuto demo`` makes its samples, unless another folder is named."""
    return data_dir() / "demo"


def config_dir() -> Path:
    """Where the settings file lies."""
    base = _xdg("XDG_CONFIG_HOME", ".config")
    if base is not None:
        return base / APP
    import platformdirs

    return Path(platformdirs.user_config_dir(APP, appauthor=False))


def cache_dir() -> Path:
    """What may be thrown away at any time: previews of folders that cannot be written."""
    base = _xdg("XDG_CACHE_HOME", ".cache")
    if base is not None:
        return base / APP
    import platformdirs

    return Path(platformdirs.user_cache_dir(APP, appauthor=False))


def trash_dir() -> Path:
    """Deleted runs wait here (design.md, "The files of a run")."""
    return data_dir() / "trash"


def settings_file() -> Path:
    """The settings file, whether it exists or not."""
    return config_dir() / "settings.json"


def default_runs_dir() -> Path:
    """fisk-ai's own runs folder (run-journal.md, "Where it lives"), the same on every system."""
    value = os.environ.get("XDG_STATE_HOME", "")
    base = Path(value) if os.path.isabs(value) else home() / ".local" / "state"
    return base / "fisk-ai" / "runs"


def runs_dir(
    override: str | os.PathLike[str] | None = None,
    config: str | os.PathLike[str] | None = None,
    settings: Settings | None = None,
) -> Path:
    """The runs folder: ``--state-dir``, else the configuration's, else the settings', else XDG.

    ``config`` is ``harness.sessions.options.directory`` of an agent configuration. Empty values
    count as not given. ``~`` is expanded. The folder need not exist.
    """
    configured = settings.runs_dir if settings is not None else ""
    for choice in (override, config, configured):
        if choice is not None and os.fspath(choice):
            return Path(os.path.abspath(os.path.expanduser(os.fspath(choice))))
    return default_runs_dir()
