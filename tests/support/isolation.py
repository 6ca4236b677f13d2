# SPDX-License-Identifier: Apache-2.0
"""A home folder and an environment of a test's own, and no network but loopback."""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

#: Prefixes of variables that would let the developer's own machine answer instead of the test.
FOREIGN_PREFIXES = (
    "ANTHROPIC_",
    "OPENAI_",
    "TENUTO_",
    "FISK_",
    "XDG_",
    "CLAUDE_",
    "QT_LOGGING",
    "LC_",
)
FOREIGN_NAMES = (
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "DBUS_SESSION_BUS_ADDRESS",
    "PYTHON_KEYRING_BACKEND",
    "PAGER",
    "EDITOR",
    "VISUAL",
    "BROWSER",
    "NO_COLOR",
    "FORCE_COLOR",
    "COLUMNS",
    "LINES",
    "LANGUAGE",
    "QT_STYLE_OVERRIDE",
    "QT_QPA_PLATFORMTHEME",
)
XDG_FOLDERS = {
    "XDG_CONFIG_HOME": ".config",
    "XDG_DATA_HOME": ".local/share",
    "XDG_STATE_HOME": ".local/state",
    "XDG_CACHE_HOME": ".cache",
    "XDG_RUNTIME_DIR": ".run",
}


def environment(home: Path) -> dict[str, str]:
    """The variables a test sees: this process's, less what is foreign, plus the home's own."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(FOREIGN_PREFIXES) and name not in FOREIGN_NAMES
    }
    kept.update({name: str(home / folder) for name, folder in XDG_FOLDERS.items()})
    kept.update({"HOME": str(home), "LANG": "C.UTF-8", "TZ": "UTC", "NO_PROXY": "*"})
    return kept


def enter(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make ``home`` the home of this process until ``monkeypatch`` is undone."""
    for folder in XDG_FOLDERS.values():
        (home / folder).mkdir(parents=True, mode=0o700)
    wanted = environment(home)
    for name in set(os.environ) - set(wanted):
        if name != "PYTEST_CURRENT_TEST":
            monkeypatch.delenv(name)
    for name, value in wanted.items():
        if os.environ.get(name) != value:
            monkeypatch.setenv(name, value)


def _is_local(address: Any) -> bool:
    if not isinstance(address, tuple):
        return True  # a unix socket's path, netlink, ...
    host = str(address[0])
    if host in ("localhost", ""):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _refusing(connect: Callable[..., Any]) -> Callable[..., Any]:
    def guarded(self: socket.socket, address: Any) -> Any:
        if not _is_local(address):
            self.close()  # callers close it for an OSError only
            raise AssertionError(f"a test tried to connect to {address!r}")
        return connect(self, address)

    return guarded


@contextmanager
def loopback_only() -> Iterator[None]:
    """Refuse connections of this process to anything but this machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", _refusing(socket.socket.connect))
        patch.setattr(socket.socket, "connect_ex", _refusing(socket.socket.connect_ex))
        yield
