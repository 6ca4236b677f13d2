# SPDX-License-Identifier: Apache-2.0
"""The raw lines of a journal: their index, their bytes, and what is made of them for reading."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenuto.runs import rescue
from tenuto.sources import follow
from tenuto.sources.pretty import LINE, Found, examined, pieces, pretty, shown, wrapped
from tenuto.sources.raw import RecordIndex, Row, RowsChanged
from tests.support import journals as j
from tests.support.cli import put
from tests.support.paths import FISK_REAL


class Shown:
    """The rows as a table has them after all changes."""

    def __init__(self, index: RecordIndex) -> None:
        self.index = index
        self.rows: list[Row] = []
        self.changes: list[RowsChanged] = []

    def take(self, change: RowsChanged) -> None:
        self.changes.append(change)
        self.rows[change.first :] = change.rows

    def refresh(self, **options: Any) -> list[Row]:
        self.index.refresh(self.take, **options)
        return self.rows


def rows(path: Path, **options: Any) -> list[Row]:
    return Shown(RecordIndex(path)).refresh(**options)


def test_each_row_says_where_its_bytes_are(tmp_path: Path) -> None:
    lines = [j.meta(), j.assistant(2, [j.text("Look at it."), j.call("c1", {"match": "rice"})]),
             j.result(3, "c1"), j.line(4, "user", {"message": {"role": "user", "content": [
                 j.text("Go on")]}}), j.terminal(5)]  # fmt: skip
    index = RecordIndex(put(tmp_path, "r", *lines))
    found = Shown(index).refresh()
    assert [row.kind for row in found] == ["meta", "assistant", "tool_result", "user", "terminal"]
    assert [row.seq for row in found] == [1, 2, 3, 4, 5]
    assert [index.read(row.offset, row.size) + b"\n" for row in found] == lines
    assert found[1].calls == (("stock_list", "--match=rice"),)
    assert (found[1].turn, found[1].has_text, found[1].call_count) == (1, True, 1)
    assert (found[2].name, found[2].state, found[2].text) == ("stock_list", "done", "done")
    assert (found[3].text, found[4].name) == ("Go on", "suspended")


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("word " * 24, ("word " * 24).strip()),
        ("x" * 120, "x" * 120),
        ("x" * 121, "x" * 119 + "\u2026"),
        ("x" * 100_000, "x" * 119 + "\u2026"),
        ("\u5e93" * 121, "\u5e93" * 119 + "\u2026"),
        ("a" + " " * 500 + "b", "a\u2026"),
    ],
)
def test_what_is_cut_says_so(tmp_path: Path, said: str, shown: str) -> None:
    lines = [j.meta(), j.assistant(2, [j.text(said), j.call("c1", {"match": said})])]
    found = rows(put(tmp_path, "r", *lines))[1]
    assert found.text == shown
    assert len(found.calls[0][1]) <= 120
    assert found.calls[0][1].endswith("\u2026") == (len(said) > 112)


def test_what_a_tool_answered_is_unwrapped(tmp_path: Path) -> None:
    failed = '{"command":"x","exit_code":3,"output":"no such shelf\\nnow"}'
    denied = '{"allowed":false,"reason":"too late"}'
    found = rows(
        put(tmp_path, "r", j.meta(), j.assistant(2, [j.call("a"), j.call("b")]),
            j.result(3, "a", failed), j.result(4, "b", denied))
    )  # fmt: skip
    assert [(row.state, row.exit_code, row.text) for row in found[2:]] == [
        ("failed", 3, "no such shelf now"),
        ("denied", None, "too late"),
    ]


def test_damage_keeps_its_place(tmp_path: Path) -> None:
    broken = b'{"seq":3,"protocol":"io.ch\n'
    found = rows(
        put(tmp_path, "r", j.meta(), j.assistant(2, [j.text("a")]), broken,
            j.assistant(4, [j.text("b")], iteration=1))
    )  # fmt: skip
    assert [(row.kind, row.line, row.seq) for row in found] == [
        ("meta", 1, 1), ("assistant", 2, 2), ("damaged", 3, 0), ("assistant", 4, 4)]  # fmt: skip
    assert found[2].size == len(broken) - 1


def test_a_record_in_a_wrong_place_is_one_row(tmp_path: Path) -> None:
    found = rows(put(tmp_path, "r", j.meta(), j.result(2, "lost"), j.assistant(3, [j.text("b")])))
    assert [(row.kind, row.line, row.seq) for row in found] == [
        ("meta", 1, 1),
        ("damaged", 2, 2),
        ("assistant", 3, 3),
    ]


def test_a_torn_tail_is_the_last_row_until_it_is_whole(tmp_path: Path) -> None:
    whole = j.assistant(2, [j.text("a")])
    path = put(tmp_path, "r", j.meta(), whole[:40])
    shown = Shown(RecordIndex(path))
    assert [(row.kind, row.size, row.text) for row in shown.refresh()[1:]] == [("tail", 40, "torn")]
    # While somebody writes, half a line is nothing to speak of.
    assert len(shown.refresh(live=True)) == 1
    with path.open("ab") as file:
        file.write(whole[40:])
    assert [row.kind for row in shown.refresh()] == ["meta", "assistant"]


def test_growth_hands_on_new_rows_only(tmp_path: Path) -> None:
    path = put(tmp_path, "r", *j.three_records())
    shown = Shown(RecordIndex(path))
    shown.refresh()
    with path.open("ab") as file:
        file.write(j.terminal(4))
    shown.refresh()
    assert [(change.first, len(change.rows)) for change in shown.changes[-1:]] == [(3, 1)]
    path.unlink()
    put(tmp_path, "r", j.meta())
    assert [row.kind for row in shown.refresh()] == ["meta"]


def test_a_newer_version_is_listed_unread(tmp_path: Path) -> None:
    later = b'{"seq":2,"protocol":"io.choria.fisk-ai.v1.session.plan","plan":{"deep":[1]}}\n'
    index = RecordIndex(put(tmp_path, "r", j.meta(version=9), later, b"?\n"))
    shown = Shown(index)
    for _ in range(2):
        found = shown.refresh()
        assert [(row.kind, row.seq, row.name) for row in found] == [
            ("newer", 1, "meta"), ("newer", 2, "plan"), ("newer", 0, "")]  # fmt: skip
    assert index.newer is not None
    assert index.read(found[1].offset, found[1].size) == later.rstrip(b"\n")


def test_an_empty_file_has_no_rows(tmp_path: Path) -> None:
    assert rows(put(tmp_path, "r")) == []


@pytest.mark.parametrize("chunk", [1, 300, 4096])
def test_chunks_do_not_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    path = FISK_REAL / "runs/unicode.json"
    whole = rows(path)
    monkeypatch.setattr(follow, "CHUNK", chunk)
    assert rows(path) == whole
    lines = path.read_bytes().splitlines()
    assert [row.size for row in whole] == [len(line) for line in lines]


# --- for reading ---------------------------------------------------------------------------------

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=15,
)


@given(values)
def test_indented_json_is_the_same_json(value: object) -> None:
    made = pretty(json.dumps(value).encode())
    if all(len(line) < LINE for line in made):
        assert json.loads("\n".join(made)) == value


@given(st.binary(max_size=300))
def test_any_bytes_are_made_harmless(data: bytes) -> None:
    for line in (*pretty(data), *wrapped(data), shown(data)):
        assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", line)
    assert all(len(line) <= LINE for line in (*pretty(data), *wrapped(data)))


def test_numbers_escapes_and_repeated_keys_stand_as_they_are() -> None:
    raw = rb'{"a":1e2,"a":1.50,"b":"\u00e9\n","c":{},"d":[],"e":[1,[2]]}'
    assert pretty(raw) == [
        "{",
        '  "a": 1e2,',
        '  "a": 1.50,',
        r'  "b": "\u00e9\n",',
        '  "c": {},',
        '  "d": [],',
        '  "e": [',
        "    1,",
        "    [",
        "      2",
        "    ]",
        "  ]",
        "}",
    ]


def test_what_was_cut_off_is_shown_as_far_as_it_goes() -> None:
    assert pretty(b'{"seq":42,"tool_result":{"tool_us') == [
        "{",
        '  "seq": 42,',
        '  "tool_result": {',
        '    "tool_us',
    ]


def test_bytes_that_are_no_text_are_told() -> None:
    assert shown(b"a\xff\x00b\x00" + b"\x00" * 4095 + b"\x1b[31m") == (
        "a\\xff\u2400b\u2400\u00d74096\u241b[31m"
    )


def findings(data: bytes) -> list[Found]:
    plan = rescue.plan(data)
    return [
        Found(f.kind, f.line, f.offset, f.size, f.message, f.repairable, f.seq)
        for f in plan.findings
    ]


def test_a_record_glued_behind_a_torn_one_is_found() -> None:
    head = j.meta() + j.assistant(2, [j.call("c1")])
    whole = j.result(3, "c1")
    torn = whole[:60]
    data = head + torn + whole
    parts = pieces(len(head), len(torn + whole) - 1, findings(data))
    assert [(part.kind, data[part.offset : part.offset + part.size]) for part in parts] == [
        ("bad", torn),
        ("record", whole.rstrip(b"\n")),
    ]
    assert parts[0].found is not None
    assert parts[0].found.repairable


def test_a_line_that_no_finding_names_is_one_piece() -> None:
    assert [(part.kind, part.offset, part.size) for part in pieces(10, 5, [])] == [
        ("unknown", 10, 5)
    ]


@given(st.integers(0, 50), st.integers(1, 50), st.lists(st.tuples(
    st.integers(0, 120), st.integers(0, 40), st.none() | st.integers(1, 9))))  # fmt: skip
def test_pieces_cover_the_line_once(
    offset: int, size: int, wild: list[tuple[int, int, int | None]]
) -> None:
    parts = pieces(offset, size, [Found("glued", 1, at, n, "", seq=seq) for at, n, seq in wild])
    assert b"".join(bytes(range(p.offset, p.offset + p.size)) for p in parts) == bytes(
        range(offset, offset + size)
    )


@pytest.mark.parametrize("answer", [None, [], {}, [3], [{"health": 1}], [{"error": "locked"}]])
def test_nonsense_is_no_answer_of_the_doctor(answer: object) -> None:
    assert examined(answer) is None
