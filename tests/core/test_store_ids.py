# SPDX-License-Identifier: Apache-2.0
"""Run ids (reliability.md, T27) and new ones (T28's device names)."""

import itertools
import string

import pytest

from tenuto.errors import InvalidId
from tenuto.runs.ids import DEVICE_NAMES, check_id, check_new_id, new_id, valid_id

FIRST = set(string.ascii_letters + string.digits)
REST = FIRST | {"-", "_"}
# All of ASCII, and letters and digits that only a Unicode regular expression takes.
ALPHABET = [chr(n) for n in range(128)] + ["é", "١", "K", "\u2028", "\ud800"]


def is_id(text: str) -> bool:
    return bool(text) and text[0] in FIRST and set(text) <= REST


@pytest.mark.parametrize("length", [0, 1, 2])
def test_every_short_text(length):
    for letters in itertools.product(ALPHABET, repeat=length):
        text = "".join(letters)
        assert valid_id(text) == is_id(text), ascii(text)


def test_every_text_of_three_ascii_characters_that_may_matter():
    letters = [*"aZ09-_. /\\\n\r\t\0:*~", "é"]
    for word in itertools.product(letters, repeat=3):
        text = "".join(word)
        assert valid_id(text) == is_id(text), ascii(text)


@pytest.mark.soak
@pytest.mark.slow
def test_every_text_of_three_characters():
    for word in itertools.product(ALPHABET, repeat=3):
        text = "".join(word)
        assert valid_id(text) == is_id(text), ascii(text)


@pytest.mark.parametrize(
    "text",
    ["..", "../x", "a/b", "a.b", "-a", "_a", "", "a" * 129, "café", "a\n", "a ", " a", "a\0"],
)
def test_what_is_no_id_says_so(text):
    with pytest.raises(InvalidId) as caught:
        check_id(text)
    assert caught.value.kind == "invalid_id"
    assert caught.value.fields["id"] == text
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("text", ["A", "a" * 128, "CON", "0", "a-_", "x" * 27])
def test_what_is_an_id(text):
    assert check_id(text) == text


def test_not_even_text():
    assert not valid_id(None)
    assert not valid_id(7)


@pytest.mark.parametrize("text", [*sorted(DEVICE_NAMES), "CON", "Nul", "LPT1"])
def test_device_names_are_readable_but_not_made(text):
    assert valid_id(text)
    with pytest.raises(InvalidId, match="device"):
        check_new_id(text)


def test_new_ids_are_valid_distinct_and_sort_by_time():
    made = [new_id() for _ in range(1000)]
    assert len(set(made)) == 1000
    assert all(valid_id(id) and len(id) == 27 for id in made)
    assert new_id(1_500_000_000) < new_id(1_500_000_001) < new_id(2_000_000_000)


def test_a_clock_outside_of_the_range_still_gives_an_id():
    for now in (-1e9, 0, 1e11):
        assert len(new_id(now)) == 27


def test_an_id_is_the_ksuid_of_its_time_and_randomness(monkeypatch):
    # The example of the KSUID reference implementation's documentation.
    payload = bytes.fromhex("B5A1CD34B5F99D1154FB6853345C9735")
    monkeypatch.setattr("tenuto.runs.ids.os.urandom", lambda n: payload[:n])
    assert new_id(1_400_000_000 + 107_608_047) == "0ujtsYcgvSTl8PAuAdqWYSMnLOv"
