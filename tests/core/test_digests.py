# SPDX-License-Identifier: Apache-2.0
"""What changed inside a hash, told without keeping a prompt's text."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tenuto import guard
from tenuto.agent import digests
from tenuto.agent.config import load_config, resolve
from tenuto.agent.resolve import ResolvedAgent
from tenuto.fingerprint import Fingerprint
from tests.support import fisk

PROMPT = "You keep the pantry.\n\nNever lie.\n  Be brief.\nNever lie.\n"


@pytest.fixture(autouse=True)
def _pantry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fisk.application(tmp_path / "bin")
    fisk.put_on_path(monkeypatch, tmp_path / "bin")


def resolved(tmp_path: Path, **changes: Any) -> ResolvedAgent:
    changes.setdefault("system_prompt", PROMPT)
    return resolve(load_config(fisk.configuration(tmp_path / "agent.json", **changes)))


def details(
    saved: Fingerprint, now: ResolvedAgent, *, version: int = 3
) -> dict[str, list[dict[str, Any]]]:
    verdict = guard.check(saved, now.fingerprint, version=version, wire=[now.wire_fingerprint])
    return digests.details(verdict.rows, now)


def files(home: Path) -> list[Path]:
    return sorted((home / ".local/share/tenuto/digests").iterdir())


def test_of_two_saved_runs_lines_are_counted_and_tools_named(tmp_path: Path) -> None:
    before = resolved(tmp_path)
    now = resolved(
        tmp_path,
        system_prompt="You keep the pantry.\nBe kind.\nBe brief.\n",
        exclude={"tools": ["^wait$"]},
    )
    rows = before.fingerprint.diff(now.fingerprint)
    assert digests.between(rows) == {}, "nothing is kept yet"
    assert digests.record(before)
    assert digests.between(rows) == {}, "one side is not known"
    assert digests.record(now)
    assert digests.between(rows) == {
        "system_hash": [{"change": "added", "count": 1}, {"change": "removed", "count": 2}],
        "tools_hash": [{"change": "removed", "name": "wait"}],
    }
    back = now.fingerprint.diff(before.fingerprint)
    assert digests.between(back)["tools_hash"] == [{"change": "added", "name": "wait"}]
    assert digests.between(now.fingerprint.diff(now.fingerprint)) == {}


def test_a_hash_that_is_none_names_no_file(tmp_path: Path) -> None:
    now = resolved(tmp_path)
    assert digests.record(now)
    odd = Fingerprint(**{**msgspec.structs.asdict(now.fingerprint), "tools_hash": "../secret"})
    assert digests.between(odd.diff(now.fingerprint)) == {}
    assert digests.between(now.fingerprint.diff(odd)) == {}


@pytest.mark.parametrize("version", [2, 3])
def test_new_lines_are_shown_and_old_ones_counted(tmp_path: Path, version: int) -> None:
    before = resolved(tmp_path)
    assert digests.record(before)
    saved = before.fingerprint if version == 3 else before.wire_fingerprint
    now = resolved(tmp_path, system_prompt="You keep the pantry.\nBe  kind.\nBe brief.\n")
    assert details(saved, now, version=version) == {
        "system_hash": [
            {"change": "added", "part": 1, "line": 2, "text": "Be  kind."},
            {"change": "removed", "count": 2},
        ]
    }


def test_the_same_lines_in_another_order_are_that(tmp_path: Path) -> None:
    before = resolved(tmp_path, system_prompt="a\nb\n")
    assert digests.record(before)
    for prompt in ("b\na\n", "a\n\nb\n"):
        now = resolved(tmp_path, system_prompt=prompt)
        assert details(before.fingerprint, now) == {"system_hash": [{"change": "order"}]}


@pytest.mark.parametrize("version", [2, 3])
def test_tools_added_removed_and_changed(tmp_path: Path, version: int) -> None:
    before = resolved(tmp_path, exclude={"tools": ["^import$"]})
    assert digests.record(before)
    saved = before.fingerprint if version == 3 else before.wire_fingerprint
    document = fisk.document("pantry").replace(b"Lists items", b"Lists all items")
    document = document.replace(b'"description":"How many"', b'"description":"Count"')
    fisk.application(tmp_path / "bin", "pantry", document)
    now = resolved(tmp_path, exclude={"tools": ["^wait$"]})
    assert details(saved, now, version=version) == {
        "tools_hash": [
            {"change": "added", "name": "import"},
            {"change": "removed", "name": "wait"},
            {"change": "changed", "name": "stock_list", "what": ["description"]},
            {"change": "changed", "name": "stock_add", "what": ["schema"]},
        ]
    }


def test_deferral_is_a_change_of_a_tool(tmp_path: Path) -> None:
    fisk.application(tmp_path / "bin", "depot")
    before = resolved(tmp_path, application_path="depot")
    assert digests.record(before)
    now = resolved(
        tmp_path, application_path="depot", llm={"model": "stub-model", "no_tool_search": True}
    )
    rows = details(before.fingerprint, now)["tools_hash"]
    assert {"change": "changed", "name": "parcel_move", "what": ["deferred"]} in rows
    assert "parcel_find" not in [row["name"] for row in rows]


def test_the_same_tools_in_another_order_are_that(tmp_path: Path) -> None:
    commands = [{"name": name, "command": ["true"]} for name in ("a", "b")]
    before = resolved(tmp_path, application_path=None, tenuto={"commands": commands})
    assert digests.record(before)
    now = resolved(tmp_path, application_path=None, tenuto={"commands": commands[::-1]})
    assert details(before.fingerprint, now) == {"tools_hash": [{"change": "order"}]}


def test_a_hash_that_was_never_seen_has_no_details(tmp_path: Path) -> None:
    now = resolved(tmp_path)
    other = msgspec.structs.replace(now.fingerprint, system_hash="0" * 64, tools_hash="../x")
    assert details(other, now) == {}
    assert digests.record(now)
    assert details(other, now) == {}
    assert details(now.fingerprint, now) == {}


def test_no_text_and_no_plain_hash_of_it_is_kept(tmp_path: Path, home: Path) -> None:
    import hashlib

    assert digests.record(resolved(tmp_path))
    kept = b"".join(path.read_bytes() for path in files(home))
    for line in PROMPT.splitlines():
        if line.strip():
            assert line.strip().encode() not in kept
            for form in (line, line.strip()):
                digest = hashlib.sha256(form.encode()).hexdigest()[:32]
                assert digest.encode() not in kept
    assert b"Lists items" not in kept
    assert b"stock_list" in kept


def test_only_the_owner_can_read_them(tmp_path: Path, home: Path) -> None:
    previous = os.umask(0)
    try:
        assert digests.record(resolved(tmp_path))
    finally:
        os.umask(previous)
    for path in files(home):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(files(home)[0].parent.stat().st_mode) == 0o700
    assert len((files(home)[0].parent / "digests.key").read_bytes()) == 32


def test_two_machines_keep_different_digests(tmp_path: Path) -> None:
    agent = resolved(tmp_path)
    assert digests.record(agent, tmp_path / "one")
    assert digests.record(agent, tmp_path / "two")
    name = f"system-{agent.fingerprint.system_hash}.json"
    assert (tmp_path / "one" / name).read_bytes() != (tmp_path / "two" / name).read_bytes()


def test_many_at_once_agree_on_one_key(tmp_path: Path) -> None:
    agent = resolved(tmp_path)
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(lambda _: digests.record(agent, tmp_path / "d"), range(16)))
    now = resolved(
        tmp_path, system_prompt="Never lie.\nNever lie.\nYou keep the pantry.\nBe brief."
    )
    rows = digests.details(agent.fingerprint.compare(now.fingerprint), now, tmp_path / "d")
    assert rows == {"system_hash": [{"change": "order"}]}
    assert not [path for path in (tmp_path / "d").iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("content", [b"", b"{", b'{"parts":1}', b"\xff", b"x" * 100])
def test_a_broken_file_is_one_that_was_never_seen(tmp_path: Path, content: bytes) -> None:
    agent = resolved(tmp_path)
    folder = tmp_path / "d"
    assert digests.record(agent, folder)
    (folder / f"system-{agent.fingerprint.system_hash}.json").write_bytes(content)
    now = resolved(tmp_path, system_prompt="x")
    assert digests.details(agent.fingerprint.compare(now.fingerprint), now, folder) == {}


def test_a_key_cut_short_is_made_anew(tmp_path: Path) -> None:
    agent = resolved(tmp_path)
    folder = tmp_path / "d"
    folder.mkdir()
    (folder / "digests.key").write_bytes(b"short")
    assert digests.record(agent, folder)
    assert len((folder / "digests.key").read_bytes()) == 32


def test_a_folder_that_cannot_be_used_costs_only_the_details(tmp_path: Path) -> None:
    agent = resolved(tmp_path)
    (tmp_path / "file").write_text("x")
    assert not digests.record(agent, tmp_path / "file" / "d")
    now = resolved(tmp_path, system_prompt="x")
    rows = agent.fingerprint.compare(now.fingerprint)
    assert digests.details(rows, now, tmp_path / "file" / "d") == {}
    assert digests.details(rows, now, tmp_path / "none") == {}
    assert not (tmp_path / "none").exists()


def test_old_files_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digests, "_MOST", 6)
    folder = tmp_path / "d"
    for number in range(5):
        assert digests.record(resolved(tmp_path, system_prompt=f"prompt {number}"), folder)
    kept = [path for path in folder.iterdir() if path.suffix == ".json"]
    assert len(kept) == 6
    latest = resolved(tmp_path, system_prompt="prompt 4").fingerprint.system_hash
    assert folder / f"system-{latest}.json" in kept
