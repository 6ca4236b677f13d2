# SPDX-License-Identifier: Apache-2.0
"""What a word on the command line names: a run in the runs folder, or a journal by its path."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import msgspec

from tenuto.cli.common import folder_of
from tenuto.errors import NotAFile
from tenuto.runs.companions import JOURNAL
from tenuto.runs.ids import check_id
from tenuto.sentences import sentence


def any_reasonix(words: list[str], args: argparse.Namespace) -> bool:
    """Whether the words are about Reasonix sessions: by ``--source``, or as paths of some.

    Raises UsageError where only some of them are.
    """
    if args.source != "reasonix" and not any(os.sep in word or "." in word for word in words):
        return False
    from tenuto.cli.reasonix_targets import any_session

    return any_session(words, args)


class Target(msgspec.Struct, frozen=True):
    """One run: its folder and id. The word that named it is kept for messages."""

    directory: str
    id: str
    word: str

    @property
    def path(self) -> str:
        return os.path.join(self.directory, self.id + JOURNAL)


def target(word: str, args: argparse.Namespace) -> Target:
    """Find out what ``word`` names; whether it exists is not looked at.

    A word with a path separator, or that ends with ``.json``, is a path. Raises InvalidId, and
    NotAFile for a path whose name is no journal's.
    """
    if os.sep in word or (os.altsep and os.altsep in word) or word.endswith(JOURNAL):
        path = Path(os.path.abspath(os.path.expanduser(word)))
        if path.suffix != JOURNAL or "." in path.stem:
            raise NotAFile(
                sentence("not a run's journal: {word} (they are called ID.json)", word=word),
                path=word,
            )
        return Target(str(path.parent), check_id(path.stem), word)
    return Target(str(folder_of(args)), check_id(word), word)


def targets(words: list[str], args: argparse.Namespace) -> list[Target]:
    """Each word's target, one that is named twice only once."""
    found = {(t.directory, t.id): t for t in (target(word, args) for word in words)}
    return list(found.values())
