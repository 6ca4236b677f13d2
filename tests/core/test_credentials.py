# SPDX-License-Identifier: Apache-2.0
"""Keys: the environment first, then a keyring, but only a real one, and not for ever."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import keyring
import keyring.backend
import pytest
from keyring.backends import chainer, fail, null

from tenuto.agent.providers import credentials
from tenuto.agent.providers.credentials import find_key
from tenuto.errors import ProviderError


class Ring(keyring.backend.KeyringBackend):
    """A keyring in memory."""

    priority = 5

    def __init__(self, **kept: str) -> None:
        super().__init__()
        self.kept = kept
        self.asked: list[tuple[str, str]] = []

    def get_password(self, service: str, username: str) -> str | None:
        self.asked.append((service, username))
        return self.kept.get(username)

    def set_password(self, service: str, username: str, password: str) -> None:
        raise NotImplementedError


class PlaintextRing(Ring):
    priority = 9


class LowRing(Ring):
    priority = 0.5


class LockedRing(Ring):
    def get_password(self, service: str, username: str) -> str | None:
        raise keyring.errors.KeyringLocked("the password is hunter2")


@pytest.fixture(autouse=True)
def _same_ring_afterwards() -> Iterator[None]:
    before = keyring.get_keyring()
    yield
    keyring.set_keyring(before)


def find(**environment: str) -> tuple[str, str]:
    return find_key("openai", ("FIRST_KEY", "SECOND_KEY"), environment)


def refused() -> str:
    with pytest.raises(ProviderError) as caught:
        find()
    assert (caught.value.fields["cause"], caught.value.fields["provider"]) == (
        "credentials", "openai",
    )  # fmt: skip
    return caught.value.message


def test_the_environment_goes_first() -> None:
    ring = Ring(FIRST_KEY="from the ring")
    keyring.set_keyring(ring)
    assert find(SECOND_KEY="b", FIRST_KEY="") == ("SECOND_KEY", "b")
    assert ring.asked == []


def test_a_keyring_is_asked_by_the_variable_s_name() -> None:
    ring = Ring(SECOND_KEY="kept")
    keyring.set_keyring(ring)
    assert find() == ("SECOND_KEY", "kept")
    assert ring.asked == [("tenuto", "FIRST_KEY"), ("tenuto", "SECOND_KEY")]


@pytest.mark.parametrize(
    "ring", [fail.Keyring(), null.Keyring(), PlaintextRing(FIRST_KEY="k"), LowRing(FIRST_KEY="k")]
)
def test_no_real_keyring(ring: keyring.backend.KeyringBackend) -> None:
    keyring.set_keyring(ring)
    message = refused()
    assert "set FIRST_KEY in the environment" in message
    assert "keyring set tenuto FIRST_KEY" in message


def test_of_a_chain_only_the_real_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    rings = [PlaintextRing(FIRST_KEY="plain"), Ring(FIRST_KEY="real")]
    monkeypatch.setattr(chainer.ChainerBackend, "backends", rings)
    keyring.set_keyring(chainer.ChainerBackend())
    assert find() == ("FIRST_KEY", "real")


def test_a_locked_keyring_is_named_but_not_quoted() -> None:
    keyring.set_keyring(LockedRing())
    message = refused()
    assert "KeyringLocked" in message
    assert "hunter2" not in message


def test_a_keyring_that_waits_does_not_hold_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(credentials, "TIMEOUT", 0.2)
    release = threading.Event()

    class Waiting(Ring):
        def get_password(self, service: str, username: str) -> str | None:
            release.wait(20)
            return "late"

    keyring.set_keyring(Waiting())
    try:
        assert "did not answer within 0.2 seconds" in refused()
    finally:
        release.set()
