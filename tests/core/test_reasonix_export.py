# SPDX-License-Identifier: Apache-2.0
"""``session export`` of Reasonix sessions: documents of every generation, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tenuto.render.markdown import is_harmless
from tests.core.test_cli_export import Page
from tests.support import reasonix
from tests.support.cli import Capture, ask, tell
from tests.support.reasonix import ASK, CALL, REAL_A, RESULT, SESSION, SYSTEM, batch, log_line, said
from tests.support.store import snapshot

KEY = "sk-ant-api03-" + "aB3" * 12
NAME = "20260601-101010.000000001-m"
HOSTILE = "<script>alert(1)</script> ![x](http://beacon/x)\n\u202e"
HOST = {"role": "user", "origin": "host", "content": "<session-context>x</session-context>"}
TOLD = [
    SYSTEM,
    {"role": "user", "content": f"use {KEY}"},
    {"role": "assistant", "reasoning_content": "hm", "content": HOSTILE,
     "tool_calls": [{"id": "c1", "name": "bash", "arguments": '{"password": "hunter2"}'}]},
    {"role": "tool", "content": f"error: command exited: exit status 3\n{KEY}",
     "tool_call_id": "c1", "name": "bash"},
]  # fmt: skip

ODD = sorted(path.name for path in (REAL_A / "edge").glob("*.jsonl") if path.is_file())


@pytest.fixture
def root(home: Path) -> Path:
    state = home / ".reasonix"
    (state / "sessions").mkdir(parents=True)
    return state


def session(root: Path, generation: str, messages: list[dict[str, Any]]) -> str:
    """A session of one generation; the word that names it."""
    path = root / "sessions" / f"{NAME}.jsonl"
    if generation == "v4":
        where = root / "sessions-v4" / ("a" * 32)
        batches = [batch(n, said(message)) for n, message in enumerate(messages, 1)]
        return str(reasonix.v4_session(where, *batches))
    if generation == "C":
        path.with_name(f"{NAME}.events.jsonl").write_bytes(log_line("replace", messages))
        messages = messages[:1]
    return str(reasonix.write(path, messages, model="d/m", updated_at="2026-06-01T10:10:10Z"))


@pytest.mark.parametrize("generation", ["A", "C", "v4"])
def test_a_session_as_json_is_its_messages_without_secrets(
    root: Path, tmp_path: Path, capsys: Capture, generation: str
) -> None:
    word = session(root, generation, TOLD)
    before = snapshot(root)
    target = tmp_path / "out.json"
    code, answer = ask(capsys, "session", "export", word, "--to", target)
    assert (code, answer["format"]) == (0, "json")
    assert answer["redacted"]["Anthropic key"] == 2
    assert sum(answer["redacted"].values()) == 3
    assert target.stat().st_mode & 0o777 == 0o600
    made = json.loads(target.read_text())
    assert (made["source"], made["summary"]["generation"]) == ("reasonix", generation)
    assert [record["role"] for record in made["records"]] == ["system", "user", "assistant", "tool"]
    assert made["records"][0] == SYSTEM
    assert KEY not in target.read_text()
    assert "hunter2" not in target.read_text()
    assert snapshot(root) == before
    code, _ = ask(capsys, "session", "export", word, "--to", target, "--force", "--no-redact")
    assert json.loads(target.read_text())["records"] == TOLD


@pytest.mark.parametrize("generation", ["A", "v4"])
def test_a_session_as_a_page_and_as_markdown(
    root: Path, tmp_path: Path, capsys: Capture, generation: str
) -> None:
    word = session(root, generation, [*TOLD, HOST])
    code, out, _ = tell(capsys, "session", "export", word, "--to", tmp_path / "s.html")
    assert code == 0
    assert "redacted: " in out
    page = Page()
    text = (tmp_path / "s.html").read_text()
    page.feed(text)
    assert not page.tags & {"script", "img", "iframe", "link"}
    assert KEY not in text
    for words in ("Instructions (1 lines)", "Be brief.", "Thinking", "exit 3", "reasonix",
                  "Added by the program"):  # fmt: skip
        assert words in page.words
    assert "tokens" not in page.words
    code, out, _ = tell(capsys, "session", "export", word, "--to", tmp_path / "s.md")
    text = (tmp_path / "s.md").read_text()
    assert is_harmless(text)
    assert "**Instructions**" in text
    assert "> Be brief." in text
    assert KEY not in text


def test_what_cannot_be_read_is_told_in_its_place(
    root: Path, tmp_path: Path, capsys: Capture
) -> None:
    path = root / "sessions" / f"{NAME}.jsonl"
    path.write_bytes(
        reasonix.lines([SYSTEM, ASK]) + b"{oops\n" + reasonix.lines([CALL, RESULT])[:-9]
    )
    ask(capsys, "session", "export", path, "--to", tmp_path / "s.json")
    made = json.loads((tmp_path / "s.json").read_text())
    assert [record["role"] for record in made["records"]] == ["system", "user", "assistant"]
    assert [each["line"] for each in made["damage"]] == [3, 5]
    assert made["damage"][0]["size"] == 6
    ask(capsys, "session", "export", path, "--to", tmp_path / "s.md")
    assert "*damaged" in (tmp_path / "s.md").read_text()


@pytest.mark.parametrize("odd", ODD)
def test_odd_sessions_become_documents_too(
    root: Path, tmp_path: Path, capsys: Capture, odd: str
) -> None:
    path = root / "sessions" / odd
    path.write_bytes((REAL_A / "edge" / odd).read_bytes())
    for ending in ("json", "md", "html"):
        target = tmp_path / f"s.{ending}"
        code, _ = ask(capsys, "session", "export", path, "--to", target)
        assert code == 0
        assert target.read_text()
    json.loads((tmp_path / "s.json").read_text())


def test_a_complete_file_is_refused_with_what_to_do_instead(
    root: Path, tmp_path: Path, capsys: Capture
) -> None:
    for generation, words in (("A", f"begin with {NAME}"), ("v4", ".content-v1")):
        word = session(root, generation, SESSION)
        code, answer = ask(capsys, "session", "export", word, "--to", tmp_path / "s.tenuto")
        assert (code, answer["error"]) == (2, "usage")
        assert words in answer["message"]
    assert not (tmp_path / "s.tenuto").exists()


def test_the_folder_of_sessions_is_no_place_for_it(root: Path, capsys: Capture) -> None:
    word = session(root, "A", SESSION)
    before = snapshot(root)
    code, answer = ask(capsys, "session", "export", word, "--to", root / "sessions" / "x.json")
    assert (code, answer["error"]) == (2, "usage")
    assert "folder of its sessions" in answer["message"]
    assert snapshot(root) == before


def test_what_is_not_there(root: Path, tmp_path: Path, capsys: Capture) -> None:
    code, answer = ask(capsys, "session", "export", root / "sessions/no.jsonl", "--to",
                       tmp_path / "x.md")  # fmt: skip
    assert code != 0
    assert "no session" in answer["message"]
