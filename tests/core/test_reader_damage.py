# SPDX-License-Identifier: Apache-2.0
"""Damage of single bytes and every cut of the last record (reliability.md, T3 and T4)."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tenuto.errors import CorruptJournal, JournalError
from tenuto.fold import fold, state_json
from tenuto.runs.reader import scan
from tests.support import journals
from tests.support.journals import assistant, call, line, meta, result, text

FIRST, SECOND, THIRD = journals.three_records()


def small_journal() -> bytes:
    """About 2 kB with a record of every kind."""
    thought = {"thinking": {"text": "First look.", "signature": "c2lnbmF0dXJl"}}
    search = {
        "provider": {"kind": "server_tool_use", "raw": {"type": "server_tool_use", "id": "s"}}
    }
    arguments = {"match": "rice", "n": 1.50}
    return b"".join(
        [
            meta(),
            assistant(
                2, [thought, text("Look <here>."), call("toolu_1", arguments), call("toolu_2")]
            ),
            result(3, "toolu_1", '{"exit_code":0,"output":"2 kg\\n"}'),
            result(4, "toolu_2"),
            assistant(5, [search, text("Done \u00e9.")], iteration=1, stop_reason="end_turn"),
            line(6, "user", {"message": {"role": "user", "content": [text("and tea?")]}}),
            assistant(7, None, iteration=2, cache_read_tokens=5),
            line(8, "terminal", {"reason": "error", "message": "llm call: no"}),
        ]
    )


def check_damaged(data: bytes, original: list[int], last_line: int) -> None:
    """Damage is named by line and byte, or nothing is missing; a tail that is dropped is said."""
    found = scan(data)
    if found.error is not None:
        assert found.error.fields["line"] >= 1
        assert found.error.fields["offset"] >= 0
        return
    numbers = [record.seq for record in found.records]
    if found.tail is not None and found.tail.kind != "unterminated":
        # Two records are one bad line when the byte was the line feed between them.
        glued = data[last_line - 1 : last_line] != b"\n" and found.tail.offset < last_line
        assert len(numbers) == len(original) - (2 if glued else 1)
        assert found.tail.offset + found.tail.size == len(data)
    else:
        assert len(numbers) == len(original)
    try:
        state_json(fold(found.records))
    except JournalError:
        pytest.fail("a fold refused what the scan let pass")
    for record in found.records:
        assert record.payload is not None


#: What JSON, the reader and UTF-8 give a meaning.
MEANING = b'"\\{}[],:\n\r\t \0-.+eEtfn0159/us\x7f\x80\xc3\xed\xf0\xff'


def damaged(positions: Iterable[int], values: Iterable[int]) -> int:
    data = small_journal()
    original = [record.seq for record in scan(data).records]
    last_line = data[:-1].rindex(b"\n") + 1
    tried = 0
    for position in positions:
        check_damaged(data[:position] + data[position + 1 :], original, last_line)
        for value in values:
            if value != data[position]:
                changed = data[:position] + bytes([value]) + data[position + 1 :]
                check_damaged(changed, original, last_line)
                tried += 1
    return tried


@pytest.mark.slow
@pytest.mark.parametrize("half", range(2))
def test_single_byte_damage_is_never_silent(half: int) -> None:
    """Every byte becomes each one that means something, and some of the others in turns."""
    positions = range(half, len(small_journal()), 2)
    tried = [damaged([p], {*MEANING, *range(p % 31, 256, 31)}) for p in positions]
    assert min(tried) >= len(MEANING) - 1


@pytest.mark.soak
@pytest.mark.parametrize("quarter", range(4))
def test_every_single_byte_damage_is_never_silent(quarter: int) -> None:
    positions = range(quarter, len(small_journal()), 4)
    assert damaged(positions, range(256)) == 255 * len(positions)


@pytest.mark.parametrize("shape", ["cut", "nul", "nul-newline", "random", "blank"])
def test_every_cut_of_the_last_record(shape: str) -> None:
    for size in range(len(THIRD)):
        kept = THIRD[:size]
        data = FIRST + SECOND
        data += {
            "cut": kept,
            "nul": kept + b"\0" * (len(THIRD) - size),
            "nul-newline": kept + b"\0" * (len(THIRD) - size) + b"\n",
            "random": kept + b"\x8f\x00{\xff" * 3,
            "blank": kept + b"\n\n",
        }[shape]
        found = scan(data)
        if shape == "blank" and 0 < size < len(THIRD) - 1:
            assert isinstance(found.error, CorruptJournal)
            continue
        assert found.error is None
        complete = size == len(THIRD) - 1 and shape in {"cut", "blank"}
        assert [record.seq for record in found.records] == [1, 2, 3][: 3 if complete else 2]
        if not complete and data != FIRST + SECOND and shape != "blank":
            assert found.tail is not None
            assert found.tail.offset == found.good_end == len(FIRST + SECOND)
            assert found.tail.size == len(data) - found.good_end
