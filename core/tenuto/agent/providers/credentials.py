# SPDX-License-Identifier: Apache-2.0
"""A provider's key: from the environment, a file of keys, or the system's keyring.

A keyring counts only where it is a real one: not the stand-in of a system without any, and none
that writes plain text (reliability.md part 2, "Keys at rest"). A keyring may ask its user to unlock
it, so it is asked on a thread of its own and for a limited time.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tenuto.agent.providers.keyfiles import key_in
from tenuto.errors import ProviderError
from tenuto.sentences import Sentence, sentence

#: The keyring's service; the user name of an entry is the environment variable's name.
SERVICE = "tenuto"
#: Seconds that a keyring has to answer, the time to type its password included.
TIMEOUT = 60.0


def find_key(
    provider: str,
    variables: Sequence[str],
    environment: Mapping[str, str] | None = None,
    files: Sequence[Path] = (),
) -> tuple[str, str]:
    """The name under which a key was found, and the key.

    ``files``: of ``KEY=value`` lines, asked one after the other once the environment has none.

    :raises ProviderError: there is none (its cause is ``credentials``).
    """
    source = os.environ if environment is None else environment
    for variable in variables:
        if value := source.get(variable):
            return variable, value
    for path in files:
        for variable in variables:
            if value := key_in(path, variable):
                return variable, value
    found, reason = _from_keyring(variables)
    if found is not None:
        return found
    raise ProviderError(
        _missing(variables[0], files[0] if files else None, reason),
        provider=provider,
        status=None,
        retryable=False,
        cause="credentials",
    )


def _missing(variable: str, file: Path | None, reason: Sentence | None) -> Sentence:
    if file is not None:
        text = sentence(
            "no key for the model: set {variable} in the environment or in {file}, or keep it in"
            " the system's keyring (keyring set {service} {variable})",
            variable=variable,
            file=file,
            service=SERVICE,
        )
    else:
        text = sentence(
            "no key for the model: set {variable} in the environment, or keep it in the system's"
            " keyring (keyring set {service} {variable})",
            variable=variable,
            service=SERVICE,
        )
    return text if reason is None else sentence("{what}; {more}", what=text, more=reason)


def _from_keyring(
    names: Sequence[str],
) -> tuple[tuple[str, str] | None, Sentence | None]:
    """What the keyring has under the first name that it knows, else why it gave nothing."""
    answers: list[tuple[str, str]] = []
    reasons: list[Sentence] = []

    def look() -> None:
        try:
            answers.extend(_entries(names))
        except Exception as error:  # noqa: BLE001 - backends raise what they like
            # Only the kind of the error: its text is a foreign program's.
            reasons.append(sentence("the keyring failed ({error})", error=type(error).__name__))

    thread = threading.Thread(target=look, name="keyring", daemon=True)
    thread.start()
    thread.join(TIMEOUT)
    if thread.is_alive():
        return None, sentence(
            "the keyring did not answer within {seconds} seconds", seconds=f"{TIMEOUT:g}"
        )
    return (answers[0] if answers else None), (reasons[0] if reasons else None)


def _entries(names: Sequence[str]) -> list[tuple[str, str]]:
    import keyring

    backend: Any = keyring.get_keyring()
    # A chain of keyrings may hold some that are none.
    backends = [one for one in getattr(backend, "backends", [backend]) if _is_real(one)]
    found = ((name, one.get_password(SERVICE, name)) for name in names for one in backends)
    return [(name, value) for name, value in found if value]


def _is_real(backend: Any) -> bool:
    kind = type(backend)
    words = f"{kind.__module__}.{kind.__qualname__}".lower()
    stand_in = any(word in words for word in ("backends.fail", "backends.null", "plaintext"))
    return backend.priority >= 1 and not stand_in
