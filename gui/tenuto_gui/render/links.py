# SPDX-License-Identifier: Apache-2.0
"""Where a link leads, as it is shown before anybody follows it. Qt-free."""

from __future__ import annotations

from urllib.parse import urlsplit

from tenuto.text import visible

_SCHEMES = ("http", "https", "mailto")
_MAX_SHOWN = 600


def may_open(target: str) -> bool:
    """Whether a link may be opened at all: in a browser or a mail program, never a file."""
    try:
        parts = urlsplit(target)
    except ValueError:
        return False
    if parts.scheme.lower() not in _SCHEMES or " " in target or not target.isprintable():
        return False
    return bool(parts.path if parts.scheme.lower() == "mailto" else parts.hostname)


def real_target(target: str) -> str:
    """The target letter for letter, its host as the network knows it (``xn--`` for any other).

    What is not ASCII can look like what it is not.
    """
    shown = target
    try:
        host = urlsplit(target).netloc
        if host and not host.isascii():
            shown = target.replace(host, _ascii_host(host), 1)
    except ValueError:
        shown = target
    shown = visible(shown).replace("\n", " ").replace("\t", " ")
    return shown if len(shown) <= _MAX_SHOWN else shown[: _MAX_SHOWN - 1] + "\u2026"


def host(target: str) -> str:
    """The host alone, for the question; the address of a mail."""
    try:
        parts = urlsplit(target)
        if parts.scheme.lower() == "mailto":
            return visible(parts.path)
        name = parts.hostname or ""
        return visible(name if name.isascii() else _ascii_host(name))
    except ValueError:
        return ""


def _ascii_host(host: str) -> str:
    words = []
    for label in host.split("."):
        if label.isascii():
            words.append(label)
        else:
            words.append("xn--" + label.casefold().encode("punycode").decode("ascii"))
    return ".".join(words)
