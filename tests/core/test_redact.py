# SPDX-License-Identifier: Apache-2.0
"""Secrets taken out of what leaves the machine: which, nothing else, and in linear time."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenuto.redact import (
    MARK,
    Redactor,
    before_cut,
    behind_cut,
    is_secret_name,
    redact,
    redact_json,
)

BODY = "aB3" * 20
PEM = "-----BEGIN RSA PRIVATE KEY-----\n{}\n\nMIIE\nab==\n-----END RSA PRIVATE KEY-----"
#: Kind -> texts; what is between the angle brackets goes, and nothing else.
SECRETS = [
    ("Anthropic key", f"see <sk-ant-api03-{BODY}> now"),
    ("OpenAI key", f"<sk-proj-{BODY}>"),
    ("OpenAI key", "key=<sk-0123456789abcdef0123456789abcdef>"),
    ("GitHub token", "git clone <ghp_" + "a1" * 18 + ">"),
    ("GitHub token", f"<github_pat_{BODY}>"),
    ("GitLab token", "'<glpat-" + "aB3" * 7 + ">'"),
    ("AWS key", "(<AKIAIOSFODNN7EXAMPLE>)"),
    ("Google key", "?key=<AIza" + "a1B2c" * 7 + ">"),
    ("Slack token", "<xoxb-1234567890-abcdefghij>"),
    ("Slack address", "https://hooks.slack.com/<services/T0/B0/xxxxxxxxxx>"),
    ("Stripe key", "<sk_live_" + "a1" * 12 + ">"),
    ("npm token", "<npm_" + "a1" * 18 + ">"),
    ("Hugging Face token", "<hf_" + "abcdefghij" * 3 + "abcd>"),
    ("SendGrid key", "<SG." + "a1" * 11 + "." + "b2" * 21 + ">"),
    ("web token", "Cookie: s=<eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.SflKxwRJSMeKKF2QT4>"),
    ("private key", f"<{PEM.format('Proc-Type: 4,ENC')}>"),
    ("private key", r'"<-----BEGIN PRIVATE KEY-----\nMIIE\nab\n-----END PRIVATE KEY----->"'),
    ("private key", "<-----BEGIN PRIVATE KEY-----\n" + "aB3/" * 16 + "\n" + "aB3/" * 16 + ">\ncut"),
    ("authorization", "curl -H 'Authorization: Bearer <abcdef0123456789abcd>'"),
    ("authorization", "authorization: Basic <dXNlcjpwYXNzd29yZA1==>"),
    ("URL password", "postgres://bob:<hunter2>@db/x"),
    ("password", '{"password": "<correcthorse>"}'),
    ("password", r'{\"token\": \"<abcdefgh>\"}'),
    ("password", "export DB_PASSWORD=<abc12345x>"),
    ("password", "api_key: <0123abcd4567>"),
    ("password", "aws_secret_access_key = '<wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY>'"),
    # In JSON inside of JSON the letter before belongs to an escape.
    ("GitHub token", r"out\n<ghp_" + "a1" * 18 + r">\n"),
    ("Anthropic key", rf"\u003c<sk-ant-{BODY}>"),
    ("password", "\u0130stanbul PASSWORD=<abc12345x> \u0130"),
]  # fmt: skip

INNOCENT = [
    "basic internationalization of the bearer of this letter",
    "token count is 12345678, in_tokens: 200000, max_token=20000000",
    "tools_hash: " + "a1" * 32,
    "a commit 0123456789abcdef0123456789abcdef01234567 and an id 3MqEAXN862d3HYiX9q1Wd2h0LNj",
    "password: see the manual; the secret of 1984; key: value",
    "def login(token: str, password: Optional[str] = None): password = getpass.getpass()",
    "os.environ['API_KEY'], ${API_KEY}, $PASSWORD, password=<unknown>",
    "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
    "class='sk-loading-spinner-container-box'",
    "http://localhost:8080/@x ssh://git@host:22/x",
    "toolu_01A09q90qw90lq917835lq9 msg_01XFDUDYJgAACzvnptvVoYEL",
    "AKIA is a prefix, eyJ another, ghp_ a third",
]


@pytest.mark.parametrize(("kind", "text"), SECRETS)
def test_a_secret_goes_and_nothing_else(kind: str, text: str) -> None:
    before, secret, after = text.replace(">", "<").split("<")
    whole = before + secret + after
    assert redact(whole) == (before + MARK.format(kind) + after, {kind: 1})
    assert redact(f"{whole}\n{whole}").found == {kind: 2}


@pytest.mark.parametrize("text", INNOCENT)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redact(text) == (text, {})


PIECES = st.sampled_from(
    [text.replace("<", "").replace(">", "") for _, text in SECRETS]
    + [
        " ",
        "\n",
        "",
        "=",
        ":",
        '"',
        "'",
        "\\n",
        "@",
        "://",
        "-",
        "_",
        "A",
        "x",
        "1",
        "\u0130",
        "//",
    ]
    + ["password", "token=", "sk-", "eyJ", "-----BEGIN PRIVATE KEY-----", "bearer ", "://a:"]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_twice_is_once(text: str) -> None:
    once = redact(text)
    assert redact(once.text).text == once.text


@given(st.text(st.characters(exclude_characters="-_=:@/."), max_size=200))
def test_words_stay(text: str) -> None:
    # No secret is made without one of those; quotes alone are assignments of nothing.
    assert redact(text).text == text


@given(st.lists(st.sampled_from(INNOCENT), max_size=8), st.sampled_from(["\n", " ", "\n\n"]))
def test_innocent_texts_stay_together(texts: list[str], between: str) -> None:
    text = between.join(texts)
    assert redact(text).text == text


REPEATED = [
    "sk-", "eyJ", "eyJa.", "token=", "token=a", 'password: "', "://a:", "ghp_", "bearer ", "AKIA",
    "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\n" + "a" * 50 + "\n", "SG.", "a",
    "authorization: a ", "SG." + "a" * 20 + ".", "token\t", "secretsecret", "://", "passwd=aaaa",
    "token = 'aaaaa", "api_key: aaaaaaa1 ", "hooks.slack.com/services/", "\\n", "_-", "key ",
]  # fmt: skip


@pytest.mark.parametrize("piece", REPEATED)
def test_hostile_repetition_takes_time_in_proportion(piece: str) -> None:
    def seconds(size: int) -> float:
        text = piece * (size // len(piece))
        best = 1e9
        for _ in range(2):
            begin = time.process_time()
            redact(text)
            best = min(best, time.process_time() - begin)
        return best

    seconds(1_000)
    small, large = seconds(50_000), seconds(400_000)
    # Quadratic work would be 64 times as much.
    assert large < 20 * small + 0.1


def test_json_keeps_every_token_but_the_secrets() -> None:
    key = "sk-ant-" + "a1" * 20
    template = (
        '{"n":1e+21 , "password" : "1", "k":["2",{"signature":"KEY","e":"\\u00e8"}],'
        '"DB_TOKEN":"3","token":null,"api_key":{"x":"y"},"max_tokens":"5"}'
    ).replace("KEY", key)
    text = template.replace('"2"', f'"{key}"')
    found = redact_json(text)
    assert found.found == {"Anthropic key": 1, "password": 2}
    for number in "13":
        template = template.replace(f'"{number}"', '"[redacted password]"')
    assert found.text == template.replace('"2"', '"[redacted Anthropic key]"')
    assert redact_json(found.text) == (found.text, {})


def test_encrypted_thinking_is_not_touched() -> None:
    text = '{"type":"redacted_thinking","data":"sk-ant-' + "a1" * 20 + '"}'
    assert redact_json(text) == (text, {})
    assert redact_json(text.replace("redacted_thinking", "other")).found == {"Anthropic key": 1}


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=20) | PIECES,
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(["a", "token", "x_key", 'q"', "\\"]), inner, max_size=4
            )
        ),
        max_leaves=12,
    )
)
def test_json_stays_json_of_the_same_shape(value: object) -> None:
    def shape(item: object) -> object:
        match item:
            case dict():
                return {key: shape(inner) for key, inner in item.items()}
            case list():
                return [shape(inner) for inner in item]
            case str():
                return "text"
        return item

    once = redact_json(json.dumps(value))
    assert shape(json.loads(once.text)) == shape(value)
    assert redact_json(once.text).text == once.text


def test_a_redactor_counts_or_does_nothing() -> None:
    text = "DB_PASSWORD=abc12345x"
    on, off = Redactor(), Redactor(off=True)
    assert (on.text(text), off.text(text)) == ("DB_PASSWORD=[redacted password]", text)
    assert off.json('{"token":"x"}') == '{"token":"x"}'
    on.json('{"token":"x"}')
    assert (on.found, off.found) == ({"password": 2}, {})


def test_names_that_say_what_they_hold() -> None:
    for name in ("password", "API_KEY", "db-password", "access_token", "CLIENT_SECRET", "apiKey"):
        assert is_secret_name(name), name
    for name in ("tokens", "max_tokens", "key", "keyboard", "secretary", "password_hint", ""):
        assert not is_secret_name(name), name


@pytest.mark.parametrize(
    ("cut", "rest"),
    [
        (b"f of a line\nnext line", b"next line"),
        (b"f of a word then words", b"of a word then words"),
        (b"x" * 3000 + b" y", b"x" * 1976 + b" y"),
        (b"", b""),
        # A private key, which is known by its first line.
        (b"Ab3d\n" + b"Q" * 64 + b"\n" + b"Q" * 64 + b"\nwords\n", b"words\n"),
        (b"Ab3d\r\n" + b" " + b"Q" * 64 + b"\r\nwords\n", b"words\n"),
    ],
)
def test_behind_a_cut_no_half_of_anything_is_left(cut: bytes, rest: bytes) -> None:
    assert behind_cut(cut) == rest


@pytest.mark.parametrize(
    ("cut", "rest"),
    [
        (b"a line\nhalf", b"a line\n"),
        (b"some words ha", b"some words "),
        (b"y " + b"x" * 3000, b"y " + b"x" * 1976),
        (b"", b""),
    ],
)
def test_before_a_cut_no_half_of_a_word_is_left(cut: bytes, rest: bytes) -> None:
    assert before_cut(cut) == rest
