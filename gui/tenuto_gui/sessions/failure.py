# SPDX-License-Identifier: Apache-2.0
"""Why a run failed, in the few words that a row and a marker have room for."""

from __future__ import annotations

from tenuto.sources.failure import cause_in
from tenuto_gui.i18n import translate


def failure_words(message: str) -> tuple[str, str]:
    """(what is known of the cause, "" for nothing; what ``message`` says beyond that).

    ``provider overloaded, 6 tries``. The second is ``message`` as it is, or "" where the words say
    all of it.
    """
    found = cause_in(message)
    if found is None:
        return "", message
    known = {
        "overloaded": translate("failure", "provider overloaded"),
        "rate_limit": translate("failure", "rate limit of the provider"),
        "authentication": translate("failure", "key not accepted"),
        "permission": translate("failure", "key not allowed to use the model"),
        "billing": translate("failure", "provider wants to be paid first"),
        "credentials": translate("failure", "no key for the model"),
        "timeout": translate("failure", "no answer from the provider"),
        "connection": translate("failure", "provider not reached"),
        "cut": translate("failure", "answer broke off"),
    }
    text = known.get(found.cause)
    if text is None:
        text = translate("failure", "provider answered {status}").format(status=found.status)
    if found.tries > 1:
        tries = translate("failure", "%n tries", None, found.tries)
        text = translate("failure", "{cause}, {tries}").format(cause=text, tries=tries)
    return text, "" if found.whole else message
