# SPDX-License-Identifier: Apache-2.0
"""Whether an id is free (reliability.md, T28)."""

from __future__ import annotations

from tenuto.errors import RunExists
from tenuto.runs.companions import JOURNAL, journal_name
from tenuto.runs.files import FileLayer, Folder
from tenuto.sentences import sentence


def refuse_taken(layer: FileLayer, folder: Folder, id: str) -> None:
    """:raises RunExists: there is a run of that id, or of one that differs in case only."""
    wanted = journal_name(id).casefold()
    with layer.scandir(folder) as entries:
        for entry in entries:
            if entry.name.casefold() == wanted:
                existing = entry.name[: -len(JOURNAL)]
                raise RunExists(
                    sentence("run {existing} exists already", existing=existing),
                    id=id,
                    existing=existing,
                )
