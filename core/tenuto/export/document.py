# SPDX-License-Identifier: Apache-2.0
"""A session as one JSON document: what is known of it, and its records as they are.

The records of a Reasonix session are its messages. They keep every token but the secrets in their
strings. What is damaged stands beside them, by line, and why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from tenuto import gojson
from tenuto.redact import Redactor
from tenuto.runs.notes import Notes
from tenuto.sources.base import SessionSummary

FORMAT = 1
#: What tells of the file on this machine, and nothing of the session.
_OF_THE_FILE = ("schema", "size", "mtime_ns", "inode", "offset", "path")


class Damaged(NamedTuple):
    """A place that cannot be read."""

    line: int
    offset: int
    size: int
    reason: str


def document(
    summary: SessionSummary,
    notes: Notes,
    records: Iterable[str],
    damage: Iterable[Damaged],
    redactor: Redactor,
) -> Iterator[str]:
    """The document, in pieces; ``redacted`` comes last, since it is known last.

    ``records``: each as JSON.
    """
    facts = msgspec.to_builtins(summary)
    for key in _OF_THE_FILE:
        del facts[key]
    told = {"title": notes.title, "note": notes.note}
    head = {
        "format": FORMAT,
        "source": summary.source,
        "id": summary.id,
        "summary": facts,
        "notes": {key: redactor.text(value) for key, value in told.items() if value},
    }
    # What is in the records as well is not counted twice.
    yield Redactor(off=redactor.off).json(_json(head))[:-1] + ',"records":[\n'
    for number, line in enumerate(records):
        yield (",\n" if number else "") + redactor.json(line.strip())
    yield '\n],"damage":['
    for number, piece in enumerate(damage):
        what = {**piece._asdict(), "reason": redactor.text(piece.reason)}
        yield (",\n" if number else "\n") + _json(what)
    counts = None if redactor.off else dict(redactor.found)
    yield f'],"redacted":{_json(counts)}}}\n'


def _json(value: object) -> str:
    return gojson.encode_any(value).decode()
