# SPDX-License-Identifier: Apache-2.0
"""A Reasonix session of any generation as a document for reading."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tenuto.cli.reasonix_targets import SessionTarget
from tenuto.errors import UsageError
from tenuto.export.document import Damaged, document
from tenuto.reasonix.encode import encode_message
from tenuto.reasonix.names import SESSION, session_id
from tenuto.redact import Redactor
from tenuto.runs.notes import Notes


def refuse_complete(item: SessionTarget) -> UsageError:
    """Why there is no ``*.tenuto`` of it, and what does the same."""
    path = item.path
    if not path.endswith(SESSION):
        return UsageError(
            "*.tenuto holds runs only. A session of generation v4 is the folder"
            f" {path} and what lies in .content-v1 beside it: copy them together"
        )
    return UsageError(
        "*.tenuto holds runs only. A Reasonix session is moved by copying its files: all in its"
        f" folder that begin with {session_id(path)}"
    )


def pieces(item: SessionTarget, form: str, redactor: Redactor) -> Callable[[], Iterator[str]]:
    """What writes the document; whatever can go wrong with the session goes wrong before."""
    summary = item.row()
    kept = Notes(note=item.source.note(item.id) or None)
    transcript = item.source.open(item.id)
    transcript.refresh(live=summary.status == "running")
    if form == "json":
        messages = transcript.messages()
        damage = [
            Damaged(block.line, block.offset, block.size, block.text)
            for block in transcript.blocks
            if block.notice in ("damaged", "torn")
        ]
        lines = (encode_message(message).decode("utf-8", "replace") for message in messages)
        return lambda: document(summary, kept, lines, damage, redactor)
    from tenuto.export.story import story

    told = story(summary, kept, transcript.blocks, redactor)
    if form == "html":
        from tenuto.export.page import page

        return lambda: page(told)
    from tenuto.export.markdown import markdown

    return lambda: markdown(told)
