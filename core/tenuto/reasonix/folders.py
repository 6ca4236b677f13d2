# SPDX-License-Identifier: Apache-2.0
"""Where Reasonix keeps its sessions, by system and environment (reasonix.md 1.1). Makes nothing."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from pathlib import Path
from typing import Final, NamedTuple

from tenuto import paths

_VARIABLE: Final = re.compile(r"\$(?:\{([^}]*)\}|([A-Za-z_][A-Za-z0-9_]*))")


#: In a folder of samples: the sessions beside its runs are its own, and no user's.
SAMPLES: Final = ".tenuto-samples"


class SessionFolder(NamedTuple):
    """A folder that holds sessions."""

    path: str
    #: The project's slug; "" for the folder that belongs to none.
    project: str
    #: Whether its sessions are folders of generation v4.
    v4: bool


def _given(variable: str) -> Path | None:
    """The folder an environment variable names: variables and ``~`` expanded, absolute, clean."""
    value = os.environ.get(variable, "").strip()
    if not value:
        return None
    # As Go's os.ExpandEnv: a variable that is not set is nothing.
    value = _VARIABLE.sub(lambda m: os.environ.get(m[1] or m[2] or "", ""), value)
    if value == "~" or value.startswith(("~/", "~\\")):
        value = str(paths.home()) + os.sep + value[2:]
    return Path(os.path.abspath(value)) if value else None


def home() -> Path:
    """Reasonix's own folder."""
    given = _given("REASONIX_HOME")
    if given is not None:
        return given
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or paths.home() / "AppData" / "Roaming") / "reasonix"
    return paths.home() / ".reasonix"


def state() -> Path:
    """Where its sessions and archives are."""
    return _given("REASONIX_STATE_HOME") or home()


def old_home() -> Path:
    """Where builds before v1.8.1 kept everything: the system's folder for configurations."""
    if sys.platform == "win32":
        return home()
    if sys.platform == "darwin":
        return paths.home() / "Library" / "Application Support" / "reasonix"
    value = os.environ.get("XDG_CONFIG_HOME", "")
    base = Path(value) if os.path.isabs(value) else paths.home() / ".config"
    return base / "reasonix"


def sessions_root(runs: str | os.PathLike[str] | None = None, chosen: str = "") -> Path:
    """The root under which sessions are looked for: the state folder, or the one before v1.8.1.

    ``runs``: the folder of runs that is looked at. Samples of runs have samples of sessions beside
    them (``tenuto demo``), and those are then all there is. The folder of the user's own runs is
    never one of samples, whatever lies beside it: a file must not make all sessions disappear.
    ``chosen``: what the settings name, "" for nothing. It goes before the environment, as it does
    for runs: what was chosen in Tenuto holds wherever Tenuto is started from.
    """
    if runs is not None:
        # Beside the folder itself, not beside a link to it. No folder has a name with a NUL byte.
        with contextlib.suppress(ValueError):
            samples = samples_root(Path(os.path.realpath(runs)).parent)
            if os.path.isfile(samples / SAMPLES) and not _is_own(runs):
                return samples
    if chosen:
        return Path(os.path.abspath(os.path.expanduser(chosen)))
    found = state()
    names = ("sessions", "sessions-v4", "projects")
    old = old_home()
    # What cannot be looked into counts as not there here; whoever lists it says why.
    if not any(os.path.isdir(found / name) for name in names) and os.path.isdir(old / "sessions"):
        return old
    return found


def _is_own(runs: str | os.PathLike[str]) -> bool:
    return os.path.realpath(runs) == os.path.realpath(paths.default_runs_dir())


def samples_root(folder: Path) -> Path:
    """Where ``tenuto demo`` puts the sessions of the samples in ``folder``."""
    return folder / "reasonix"


def root_above(directory: str | os.PathLike[str]) -> Path | None:
    """The state folder that a folder of sessions, or of v4 ones, belongs to; None for any other."""
    folder = Path(os.path.abspath(directory))
    if folder.name not in ("sessions", "sessions-v4"):
        return None
    parent = folder.parent
    return parent.parent.parent if parent.parent.name == "projects" else parent


def sessions_dir() -> Path:
    """Sessions that belong to no project."""
    return state() / "sessions"


def project_slug(workspace: str | os.PathLike[str]) -> str:
    """The name of a project's folder: its absolute path, every separator and colon a dash."""
    return re.sub(r"[/\\:]", "-", os.path.abspath(workspace).replace(os.sep, "/"))


def project_dir(workspace: str | os.PathLike[str]) -> Path:
    """The sessions of the project in ``workspace``."""
    return state() / "projects" / project_slug(workspace) / "sessions"


def archive_dir() -> Path:
    """What a prune or a compaction took out."""
    return state() / "archive"


def session_folders(root: str | os.PathLike[str]) -> list[SessionFolder]:
    """The folders under ``root`` (a state folder) that may hold sessions, by project.

    A root that holds none of them is one itself: a folder of sessions, or of v4 ones. OSError
    passes through, but for what is not there.
    """
    base = os.fspath(root)
    found = _of(base, "")
    projects = os.path.join(base, "projects")
    for slug in _subfolders(projects):
        found += _of(os.path.join(projects, slug), slug)
    if not found:
        name = os.path.basename(os.path.normpath(base))
        found = [SessionFolder(base, "", name == "sessions-v4")]
    return found


def _of(base: str, project: str) -> list[SessionFolder]:
    both = ((os.path.join(base, "sessions"), False), (os.path.join(base, "sessions-v4"), True))
    return [SessionFolder(path, project, v4) for path, v4 in both if os.path.isdir(path)]


def _subfolders(path: str) -> list[str]:
    try:
        with os.scandir(path) as entries:
            return sorted(entry.name for entry in entries if entry.is_dir())
    except (FileNotFoundError, NotADirectoryError):
        return []
