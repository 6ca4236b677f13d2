# SPDX-License-Identifier: Apache-2.0
"""What a start of the window asks for. Imports no Qt: it is known before that is loaded."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

if TYPE_CHECKING:
    from tenuto.settings import LoadedSettings
    from tenuto.sources.ahead import Ahead

#: What a whole session in one file ends with.
BUNDLE = ".tenuto"


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """``--state-dir DIR`` and one session: an id, or the path of a journal or of an export."""
    parser = argparse.ArgumentParser(
        prog="tenuto-gui", description="See, read and resume the runs of your agents."
    )
    parser.add_argument("session", nargs="?", default="", metavar="ID|FILE")
    parser.add_argument("--state-dir", default="", metavar="DIR", help="the folder of runs")
    return parser.parse_args(list(argv))


class Request(msgspec.Struct, frozen=True):
    """What a start asks for. ``wanted`` is an id, or the absolute path of a ``*.tenuto``."""

    directory: Path
    wanted: str


def request_of(argv: Sequence[str], loaded: LoadedSettings) -> Request:
    """The folder and the session that the arguments name; paths are made absolute here."""
    from tenuto.paths import runs_dir
    from tenuto.sources.together import session_at

    def folder(named: str) -> Path:
        return runs_dir(named, settings=loaded.settings)

    arguments = parse(argv)
    state_dir, session = arguments.state_dir, arguments.session
    if session.endswith(BUNDLE):
        session = str(Path(session).expanduser().absolute())
    elif session and (
        listed := session_at(
            Path(session).expanduser().absolute(),
            folder(state_dir),
            loaded.settings.reasonix_dir,
        )
    ):
        # A Reasonix session is in the list whatever folder of runs is.
        session = listed
    elif session and (os.sep in session or session.endswith(".json")):
        # The path of a journal stands for its folder, too.
        file = Path(session).expanduser().absolute()
        state_dir, session = str(file.parent), file.name.removesuffix(".json")
    return Request(folder(state_dir), session)


class Asked(NamedTuple):
    """A request, the settings it was understood by, and the first look at its folder, if any."""

    loaded: LoadedSettings
    request: Request
    ahead: Ahead | None = None


def asked_of(argv: Sequence[str]) -> Asked:
    """What the arguments ask for under the operator's settings."""
    from tenuto import settings

    loaded = settings.load()
    return Asked(loaded, request_of(argv, loaded))


def look_while_loading(argv: Sequence[str]) -> Asked:
    """The same; and the folder's newest rows begin to be read while Qt is loaded."""
    from tenuto.sources.ahead import look_ahead

    asked = asked_of(argv)
    return asked._replace(ahead=look_ahead(asked.request.directory))
