# SPDX-License-Identifier: Apache-2.0
"""Why a run failed, read from the message of its terminal record.

The journal's format gives a failure one field, its message: whoever shows it finds the known causes
here and words them; what is not known stays as it is written. The forms are those of
`tenuto.agent.loop` with `tenuto.agent.providers`, and of fisk-ai.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tenuto.errors import cause_of

_HEAD = re.compile(r"llm call: ")
#: Tenuto: the request, then a status with what the server said, or what became of the connection.
_REQUEST = re.compile(r'[A-Z]+ "[^"\n]*": ')
_STATUS = re.compile(r"([45]\d\d)\b")
_BROKEN = (
    ("no answer in time", "timeout"),
    ("connection failed: ", "connection"),
    ("the stream broke off", "cut"),
    ("the stream ended before", "cut"),
    ("the server gave up the reply", "cut"),
)
_NO_KEY = "no key for the model: "
#: fisk-ai: one sentence that says it all.
_OVERLOADED = re.compile(r"(?:the )?provider (?:is )?overloaded(?: \(tried (\d{1,4}) times?\))?\.?")


@dataclass(frozen=True, slots=True)
class FailureCause:
    """A cause that is known."""

    #: The stable word of `tenuto.errors.ProviderError`: ``overloaded rate_limit timeout`` ...
    cause: str
    #: The HTTP status that was answered, 0 for none.
    status: int = 0
    #: How often the provider was asked, 0 where the message does not say.
    tries: int = 0
    #: Whether the message says nothing else.
    whole: bool = False


def cause_in(message: str) -> FailureCause | None:
    """The cause that a terminal record's ``message`` tells of, None where it is not known."""
    head = _HEAD.match(message)
    text = message[head.end() :] if head else message
    if sentence := _OVERLOADED.fullmatch(text.strip()):
        return FailureCause("overloaded", tries=int(sentence[1] or 0), whole=True)
    if head is None:
        return None
    if text.startswith(_NO_KEY):
        return FailureCause("credentials")
    request = _REQUEST.match(text)
    if request is None:
        return None
    text = text[request.end() :]
    if answer := _STATUS.match(text):
        status = int(answer[1])
        return FailureCause(cause_of(status), status=status)
    for start, cause in _BROKEN:
        if text.startswith(start):
            return FailureCause(cause)
    return None
