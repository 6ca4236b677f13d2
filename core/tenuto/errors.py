# SPDX-License-Identifier: Apache-2.0
"""Every error the core raises: a kind, fields, and an English sentence.

The kind is a stable word that scripts see in JSON and that the window translates; the fields
carry what a sentence needs (path, line, offset, errno, ...), so that no caller parses text.
"""

from __future__ import annotations

from typing import Any, ClassVar

from tenuto.sentences import Sentence, others_words, parts_of, sentence


class TenutoError(Exception):
    """Base of all errors raised on purpose. ``message`` is the English sentence."""

    kind: ClassVar[str] = "error"
    #: The exit code the command line ends with (design.md, "Command line").
    exit_code: ClassVar[int] = 1

    def __init__(self, said: str | Sentence, **fields: Any) -> None:
        """``said``: a sentence, or a text that is another program's."""
        super().__init__(str(said))
        self.said = said
        self.fields: dict[str, Any] = fields

    @property
    def message(self) -> str:
        return str(self.said)

    def reword(self, said: str | Sentence) -> None:
        """Say it in other words, to whoever knows less or more."""
        self.said = said

    @property
    def sentence(self) -> Sentence:
        """What is said; another program's text as one that is marked as that."""
        return self.said if isinstance(self.said, Sentence) else others_words(self.said)

    def add(self, more: Sentence) -> None:
        """Go on behind what is said already."""
        self.reword(sentence("{what}; {more}", what=self.sentence, more=more))

    def told(self) -> dict[str, Any]:
        """``error`` and ``message``, as JSON answers have them, and what the message is made of."""
        return {"error": self.kind, "message": self.message, **parts_of(self.said)}


# --- the journal's model: what a reader says of a file -------------------------------------------


class JournalError(TenutoError):
    """A journal cannot be folded. ``kind`` is one of ``empty no_meta version corrupt``."""

    kind = "corrupt"
    exit_code = 6


class EmptyJournal(JournalError):
    """No records at all."""

    kind = "empty"


class NoMeta(JournalError):
    """The first record is not ``meta``."""

    kind = "no_meta"


class NewerVersion(JournalError):
    """Written by a newer schema version. Fields: found, supported."""

    kind = "version"


class CorruptJournal(JournalError):
    """Damage. Fields, where known: line (1-based), offset (bytes), seq, reason."""

    kind = "corrupt"


# --- the store -----------------------------------------------------------------------------------


class StoreError(TenutoError):
    """Base of what a run store refuses or fails to do."""

    kind = "io"


class InvalidId(StoreError):
    """Not a run id (run-journal.md, "Where it lives"). Fields: id."""

    kind = "invalid_id"
    exit_code = 2


class RunNotFound(StoreError):
    """Fields: id."""

    kind = "not_found"
    exit_code = 3


class RunExists(StoreError):
    """``create`` on an id that is taken, or that equals one but for case. Fields: id, existing."""

    kind = "exists"
    exit_code = 4


class NotAFile(StoreError):
    """A symlink, FIFO, socket, directory, device or a file of another owner. Fields: path, what."""

    kind = "not_a_file"
    exit_code = 6


class HardLinked(StoreError):
    """More than one name for the file: readable, never appended to. Fields: path, nlink."""

    kind = "hard_linked"
    exit_code = 4


class Locked(StoreError):
    """Held by another process. Fields: id, pid (int, or None where the system does not tell)."""

    kind = "locked"
    exit_code = 5


class OldVersion(StoreError):
    """A version 1 or 2 journal must be upgraded before an append. Fields: id, version."""

    kind = "old_version"
    exit_code = 4


class JournalDead(StoreError):
    """A write or fsync failed earlier; nothing more goes through this journal object (R5)."""

    kind = "dead"


class JournalClosed(StoreError):
    """The journal object was closed."""

    kind = "closed"


class DeletedMeanwhile(StoreError):
    """The open file has no name any more: another program deleted the run. Fields: id."""

    kind = "deleted"


class ChangedMeanwhile(StoreError):
    """The file grew or shrank under our lock: a writer that ignores locks.

    Fields: id, expected, found.
    """

    kind = "changed"


class SequenceGap(StoreError):
    """``append(record, seq=N)`` with N beyond last_seq + 1. Fields: seq, expected."""

    kind = "gap"


class StoreIO(StoreError):
    """The system said no. Fields: path, errno (int), name (``ENOSPC``), operation."""

    kind = "io"


class BadBundle(StoreError):
    """No exported session, or one that is damaged or dangerous. Fields: path, reason."""

    kind = "bad_bundle"
    exit_code = 6


class TargetExists(StoreError):
    """An export would overwrite a file. Fields: path."""

    kind = "target_exists"
    exit_code = 4


class NoSuchRecord(StoreError):
    """Fields: id, seq, last (the run's last record)."""

    kind = "no_record"
    exit_code = 3


class CannotFork(StoreError):
    """A run cannot be forked at that record. Fields: id, seq, nearest (a record that would do)."""

    kind = "cannot_fork"
    exit_code = 4


# --- Reasonix sessions ---------------------------------------------------------------------------


class DamagedSession(TenutoError, ValueError):
    """A session file that cannot be read to its end: nothing goes on from it.

    Fields: path, damage (``torn`` or ``corrupt``), offset (bytes), line (1-based), index (messages
    before it), reason.
    """

    kind = "corrupt"
    exit_code = 6


class SessionNotFound(StoreError, FileNotFoundError):
    """Fields: path."""

    kind = "not_found"
    exit_code = 3


class PendingCleanup(StoreError):
    """Reasonix has begun to delete the session. Fields: path."""

    kind = "pending_cleanup"
    exit_code = 4


class Leased(Locked):
    """A live process has the session open for writing: it can be read only.

    Fields: path, pid, hostname (each None where nothing tells), id.
    """


class SessionConflict(StoreError):
    """Another program wrote the session since it was loaded: saving would lose what it wrote.

    Fields: path, how (``stale``: the file has all of ours and more; ``diverged``).
    """

    kind = "conflict"
    exit_code = 4


class NewerGeneration(StoreError):
    """Only Reasonix itself writes such a session: it can be read and copied. Fields: path."""

    kind = "generation"
    exit_code = 4


class NoBoundary(StoreError):
    """No checkpoint says where that turn begins, or it was compacted away. Fields: turn."""

    kind = "no_boundary"
    exit_code = 4


# --- the agent -----------------------------------------------------------------------------------


class ConfigError(TenutoError):
    """An agent configuration cannot be used.

    Fields: path, problems: list of {"line", "column", "key", "message"} (line and column 1-based
    or None), each with the parts of its message where that is a sentence of ours.
    """

    kind = "config"
    exit_code = 2


class ToolInputError(TenutoError):
    """A tool input that must not run: it becomes an error result for the model. Fields: tool."""

    kind = "tool_input"


class ProviderError(TenutoError):
    """The model's side failed. Fields: provider, status (int or None), retryable (bool)."""

    kind = "provider"


class Refused(TenutoError):
    """A resume that may not go on.

    Fields: reason: ``completed provider configuration mode message_required outcome_unknown``;
    diff: list of rows as in design.md's ``session diff`` (may be empty).
    """

    kind = "refused"
    exit_code = 4


class UsageError(TenutoError):
    """Wrong use of the command line."""

    kind = "usage"
    exit_code = 2


#: HTTP status of a model's server -> the ``cause`` of a `ProviderError`.
_CAUSES = {
    400: "invalid_request",
    401: "authentication",
    402: "billing",
    403: "permission",
    404: "not_found",
    408: "timeout",
    413: "too_large",
    429: "rate_limit",
    503: "overloaded",
    529: "overloaded",
}


def cause_of(status: int) -> str:
    """The stable word for an HTTP status of a model's server."""
    return _CAUSES.get(status, "server" if status >= 500 else "invalid_request")
