# SPDX-License-Identifier: Apache-2.0
"""Sidecar previews: what the fold says, at any length of the journal, and never an error."""

from __future__ import annotations

import json
import os
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenuto.errors import JournalError
from tenuto.fold import RunState, fold
from tenuto.runs.files import FileLayer
from tenuto.runs.preview import Preview, read_sidecar, to_bytes, trusted, write_sidecar
from tenuto.runs.preview_build import build
from tenuto.runs.reader import scan
from tenuto.text import one_line
from tests.support import journals as j
from tests.support.paths import CONFORMANCE, FISK_REAL, REPOSITORY
from tests.support.store import python

LAYER = FileLayer()
KEYS = [
    "schema", "size", "mtime_ns", "inode", "offset", "id", "version", "created", "updated",
    "model", "provider", "interactive", "title", "prompt", "last_text", "turns", "calls",
    "counters", "pending", "next_iteration", "last_stop_reason", "terminal", "integrity",
    "problem",
]  # fmt: skip


def built(path: Path, before: Preview | None = None) -> Preview:
    with LAYER.open_dir(str(path.parent)) as folder:
        return build(LAYER, folder, path.stem, before)[0]


def preview_of(tmp_path: Path, content: bytes, id: str = "run") -> Preview:
    path = tmp_path / f"{id}.json"
    path.write_bytes(content)
    return built(path)


def facts(preview: Preview) -> dict[str, Any]:
    """A preview without what belongs to the file itself."""
    values = json.loads(to_bytes(preview))
    return {k: v for k, v in values.items() if k not in ("mtime_ns", "inode", "updated")}


def assert_is_the_fold(preview: Preview, state: RunState) -> None:
    assert preview.version == state.version
    assert preview.created == state.created
    assert preview.interactive == state.interactive
    assert preview.model == state.fingerprint.model
    assert preview.next_iteration == state.next_iteration
    assert preview.last_stop_reason == state.last_stop_reason
    for name in preview.counters.__struct_fields__:
        assert getattr(preview.counters, name) == getattr(state.counters, name)
    assert preview.turns == state.counters.llm_calls
    unanswered = state.pending.unanswered if state.pending is not None else []
    assert [call.id for call in preview.pending] == [call.id for call in unanswered]
    in_force = state.terminal_in_force
    if in_force is None:
        assert preview.terminal is None
    else:
        assert preview.terminal is not None
        assert preview.terminal.reason == in_force.reason
        assert preview.terminal.seq == state.terminal_seq


@pytest.mark.parametrize("case", json.loads((CONFORMANCE / "fold/expected.json").read_text()))
def test_a_preview_is_what_the_fold_says(case: str) -> None:
    path = CONFORMANCE / "fold/journals" / f"{case}.json"
    expected = json.loads((CONFORMANCE / "fold/expected.json").read_text())[case]
    preview = built(path)
    kind = {"corrupt": "damaged", "no_meta": "damaged", "version": "newer", "empty": "empty"}
    if expected["error"] is not None:
        assert preview.integrity == kind[expected["error"]]
        assert preview.problem
        return
    found = scan(path.read_bytes())
    assert_is_the_fold(preview, fold(found.records))
    torn = found.tail is not None and found.tail.kind != "unterminated"
    assert preview.integrity == ("torn" if torn else "ok")
    assert bool(preview.problem) == torn
    assert preview.offset == found.good_end


def test_keys_and_their_order_are_the_design_s() -> None:
    preview = built(FISK_REAL / "runs/completed.json")
    content = json.loads(to_bytes(preview))
    assert list(content) == KEYS
    assert list(content["counters"]) == [
        "llm_calls", "tool_calls", "remote_tool_calls", "in_tokens", "out_tokens",
        "cache_read_tokens", "cache_create_tokens",
    ]  # fmt: skip
    assert list(content["terminal"]) == ["reason", "message", "seq"]


def test_the_facts_of_a_real_run() -> None:
    path = FISK_REAL / "runs/killed-in-tool.json"
    preview = built(path)
    status = path.stat()
    assert (preview.size, preview.mtime_ns, preview.inode) == (
        status.st_size, status.st_mtime_ns, status.st_ino,
    )  # fmt: skip
    assert preview.offset == status.st_size
    assert preview.prompt == preview.title == "Please handle killed-in-tool"
    assert preview.last_text == "Now three steps."
    assert (preview.turns, preview.calls, preview.counters.tool_calls) == (2, 4, 2)
    assert [(call.id, call.name) for call in preview.pending] == [
        ("toolu_1_1", "wait"), ("toolu_1_2", "stock_add"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "path", sorted((FISK_REAL / "v2/runs").glob("*.json")), ids=lambda p: p.stem
)
def test_version_2_reads_as_version_3(path: Path) -> None:
    old, new = facts(built(path)), facts(built(FISK_REAL / "runs" / path.name))
    differing = {key for key in KEYS if key in old and old[key] != new[key]}
    # The message of a failure names the port of the server that refused.
    assert differing <= {"size", "offset", "version", "created", "terminal"}
    assert old["provider"] == "anthropic"


# --- growing -------------------------------------------------------------------------------------


def grown(path: Path, content: bytes, at: int) -> Preview:
    """The preview after a first look at ``content[:at]`` and a second at all of it."""
    path.write_bytes(content[:at])
    before = built(path)
    with path.open("ab") as file:
        file.write(content[at:])
    return built(path, before)


@pytest.mark.parametrize("name", ["suspended", "chat-waiting", "killed-in-tool", "unicode"])
def test_folding_on_from_any_byte_equals_folding_all(tmp_path: Path, name: str) -> None:
    content = (FISK_REAL / "runs" / f"{name}.json").read_bytes()
    path = tmp_path / f"{name}.json"
    path.write_bytes(content)
    whole = facts(built(path))
    ends = [at for at, byte in enumerate(content) if byte == ord("\n")]
    around = {at + step for at in ends for step in (-1, 0, 1, 2)}
    for at in sorted(around | set(range(0, len(content), 41))):
        assert facts(grown(path, content, at)) == whole, at


records = st.lists(
    st.one_of(
        st.tuples(st.just("assistant"), st.lists(st.sampled_from("abc"), max_size=3)),
        st.tuples(st.just("result"), st.sampled_from("abc")),
        st.tuples(st.just("user"), st.just("")),
        st.tuples(st.just("terminal"), st.sampled_from(["suspended", "error"])),
        st.tuples(st.just("garbage"), st.sampled_from([b"\n", b"{\n", b"\0\0\n", b"[]\n", b"{"])),
    ),
    max_size=12,
)


def journal(parts: list[tuple[str, Any]]) -> bytes:
    lines = [j.meta()]
    for kind, value in parts:
        seq = len(lines) + 1
        if kind == "assistant":
            calls = [j.call(id) for id in value]
            lines.append(j.assistant(seq, [j.text(f"at {seq}"), *calls], iteration=seq))
        elif kind == "result":
            lines.append(j.result(seq, value))
        elif kind == "user":
            message = {"role": "user", "content": [j.text("and now?")]}
            lines.append(j.line(seq, "user", {"message": message}))
        elif kind == "terminal":
            lines.append(j.terminal(seq, value))
        else:
            lines.append(value)
    return b"".join(lines)


@given(parts=records, cut=st.integers(0, 4000))
def test_any_journal_previewed_in_two_steps(
    tmp_path_factory: pytest.TempPathFactory, parts: list[tuple[str, Any]], cut: int
) -> None:
    content = journal(parts)
    path = tmp_path_factory.mktemp("runs") / "run.json"
    path.write_bytes(content)
    whole = built(path)
    found = scan(content)
    try:
        if found.error is not None:
            raise found.error
        state = fold(found.records)
    except JournalError:
        assert whole.integrity == "damaged"
    else:
        assert whole.integrity in ("ok", "torn")
        assert_is_the_fold(whole, state)
    assert facts(grown(path, content, min(cut, len(content)))) == facts(whole)


def test_only_new_bytes_of_a_grown_journal_are_read(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    turns = [j.assistant(seq, [j.text("x" * 2000)], iteration=seq) for seq in range(2, 2000)]
    path.write_bytes(j.meta() + b"".join(turns))
    before = built(path)
    with path.open("ab") as file:
        file.write(j.assistant(2000, [j.text("the new one")], iteration=2000))
    # Old bytes that cannot be read any more: whoever looks at them sees damage.
    with path.open("r+b") as file:
        file.write(b"\xff" * 1_000_000)
    after = built(path, before)
    assert after.integrity == "ok"
    assert after.last_text == "the new one"
    assert after.turns == before.turns + 1
    assert built(path).integrity == "damaged"


def test_a_journal_that_grows_while_it_is_read_is_caught_up_with(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(j.meta())
    more = [j.assistant(2, [j.text("two")]), j.assistant(3, [j.text("three")], iteration=1)]

    class Growing(FileLayer):
        def fstat(self, fd: int) -> os.stat_result:
            status = super().fstat(fd)
            if more:
                with path.open("ab") as file:
                    file.write(more.pop(0))
            return status

    layer = Growing()
    with layer.open_dir(str(tmp_path)) as folder:
        preview, entry = build(layer, folder, "run")
    assert preview.last_text == "three"
    assert (preview.size, entry.size) == (path.stat().st_size,) * 2


@pytest.mark.parametrize("change", ["shorter", "replaced", "rewritten"])
def test_a_journal_that_did_not_just_grow_is_read_anew(tmp_path: Path, change: str) -> None:
    path = tmp_path / "run.json"
    content = b"".join([*j.three_records(), j.terminal(4)])
    path.write_bytes(content)
    before = built(path)
    other = j.meta(prompt="something else, and longer " * 40) + j.terminal(2, "completed")
    if change == "shorter":
        path.write_bytes(j.three_records()[0])
    elif change == "replaced":
        path.unlink()
        (tmp_path / "new").write_bytes(other)
        (tmp_path / "new").rename(path)
    else:
        path.write_bytes(other)
    assert facts(built(path, before)) == facts(built(path))


def test_a_repaired_tail_is_followed(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    good = b"".join(j.three_records())
    path.write_bytes(good + b'{"seq":4,"protocol":"io.ch')
    before = built(path)
    assert before.integrity == "torn"
    assert before.offset == len(good)
    assert "26 bytes" in before.problem
    path.write_bytes(good + j.terminal(4) + b" ")
    after = built(path, before)
    assert after.terminal is not None
    assert after.terminal.reason == "suspended"


# --- texts ---------------------------------------------------------------------------------------


def test_texts_are_one_harmless_line_of_200_characters(tmp_path: Path) -> None:
    prompt = "\n\n first\x1b[31m line\u202e \n second " + "\U0001f404" * 300
    content = j.meta(prompt=prompt) + j.assistant(2, [j.text("\n" * 5 + "so\t" * 500)])
    preview = preview_of(tmp_path, content)
    assert preview.title == "first\u241b[31m line<U+202E>"
    assert preview.prompt.startswith("first\u241b[31m line<U+202E> second \U0001f404")
    assert len(preview.prompt) == 200
    assert preview.last_text == ("so " * 67)[:200].strip()


def test_lone_surrogates_of_a_cut_emoji_do_not_lose_the_run(tmp_path: Path) -> None:
    content = j.meta(prompt="cow MARK").replace(b"MARK", b"\\ud83d")
    preview = preview_of(tmp_path, content)
    assert preview.prompt == "cow \ufffd"
    assert json.loads(to_bytes(preview))["prompt"] == "cow \ufffd"


def test_a_very_long_prompt_is_listed_by_its_beginning(tmp_path: Path) -> None:
    preview = preview_of(tmp_path, j.meta(prompt="word " * 80_000))
    assert preview.prompt == ("word " * 40).strip()


SAID = st.lists(
    st.lists(
        st.sampled_from(["", "  ", "\n\n", "\u2028", "\u200b", "3 bags", "\u00e9t\u00e9", '"'])
    ),
    max_size=4,
)


@given(SAID)
def test_the_last_reply_that_shows_anything_is_the_last_text(
    tmp_path_factory: pytest.TempPathFactory, said: list[list[str]]
) -> None:
    turns = [
        j.assistant(seq, [*map(j.text, texts), j.call("c")], iteration=seq)
        for seq, texts in enumerate(said, 2)
    ]
    shown = [one_line(text, 200) for texts in said for text in texts]
    expected = next(filter(None, reversed(shown)), "")
    folder = tmp_path_factory.mktemp("said")
    assert preview_of(folder, j.meta() + b"".join(turns)).last_text == expected


def test_what_the_reader_says_is_shown_harmlessly(tmp_path: Path) -> None:
    content = j.meta() + b'{"seq":2,"protocol":"evil\\u202e\\u001b[2J"}\n' + j.terminal(3)
    preview = preview_of(tmp_path, content)
    assert preview.integrity == "damaged"
    assert "line 2" in preview.problem
    assert "\u202e" not in preview.problem
    assert "\x1b" not in preview.problem


@pytest.mark.parametrize(
    ("time_ns", "updated"),
    [
        (0, "1970-01-01T00:00:00Z"),
        (-1_000_000_000, "1969-12-31T23:59:59Z"),
        (1_767_605_400_250_000_000, "2026-01-05T09:30:00.25Z"),
        (4_102_444_800_000_000_000, "2100-01-01T00:00:00Z"),
    ],
)
def test_updated_is_the_file_s_time(tmp_path: Path, time_ns: int, updated: str) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(j.meta())
    os.utime(path, ns=(time_ns, time_ns))
    assert built(path).updated == updated


# --- the sidecar's file --------------------------------------------------------------------------


def test_a_sidecar_is_written_whole_and_private(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_bytes(b"".join(j.three_records()))
    with LAYER.open_dir(str(tmp_path)) as folder:
        preview, entry = build(LAYER, folder, "run")
        write_sidecar(LAYER, folder, preview)
        again = read_sidecar(LAYER, folder, "run")
    assert again == preview
    assert trusted(preview, entry)
    file = tmp_path / "run.preview.json"
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(json.loads(file.read_bytes())) == KEYS
    assert sorted(os.listdir(tmp_path)) == ["run.json", "run.preview.json"]


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b"[]", b"null", b"\xff\xfe\x00", b"[" * 50_000, b"{}", b'{"schema":1}',
        b'{"schema":"1","size":"x"}', b" " * (2 << 20),
    ],
)  # fmt: skip
def test_a_broken_sidecar_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "run.preview.json").write_bytes(content)
    with LAYER.open_dir(str(tmp_path)) as folder:
        assert read_sidecar(LAYER, folder, "run") is None


def test_what_is_no_file_is_no_sidecar(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo.preview.json")
    (tmp_path / "dir.preview.json").mkdir()
    (tmp_path / "link.preview.json").symlink_to("/dev/zero")
    with LAYER.open_dir(str(tmp_path)) as folder:
        for id in ("fifo", "dir", "link", "absent"):
            assert read_sidecar(LAYER, folder, id) is None


def test_building_changes_no_byte_and_no_time_of_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(b"".join(j.three_records()) + b'{"torn')
    path.chmod(0o644)
    before, content = path.stat(), path.read_bytes()
    built(path)
    after = path.stat()
    assert path.read_bytes() == content
    assert (after.st_mtime_ns, after.st_ctime_ns, after.st_mode) == (
        before.st_mtime_ns, before.st_ctime_ns, before.st_mode,
    )  # fmt: skip


WRITER = """
import os, sys
sys.path.insert(0, sys.argv[2])
from tests.support import journals as j
fd = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND)
for seq in range(2, 400):
    os.write(fd, j.assistant(seq, [j.text("x" * 300_000)], iteration=seq))
"""


def test_a_journal_that_is_being_written_never_looks_damaged(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(j.meta())
    preview, looks = built(path), 0
    with python(WRITER, path, REPOSITORY) as writer:
        while writer.poll() is None:
            preview = built(path, preview)
            looks += 1
            assert preview.integrity in ("ok", "torn"), preview.problem
    assert writer.returncode == 0
    assert looks > 10
    assert facts(built(path, preview)) == facts(built(path))
    assert built(path, preview).turns == 398


def test_folding_takes_the_memory_of_a_line_not_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    with path.open("wb") as file:
        file.write(j.meta())
        for seq in range(2, 600):
            file.write(j.assistant(seq, [j.text("x" * 100_000)], iteration=seq))
    tracemalloc.start()
    try:
        assert built(path).turns == 598
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 8 * 1024 * 1024 < path.stat().st_size / 4
