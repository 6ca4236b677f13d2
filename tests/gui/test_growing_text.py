# SPDX-License-Identifier: Apache-2.0
"""A reply that streams in: its end is shown as it will be on disk, and what stands is kept."""

from __future__ import annotations

from tenuto_gui.render.text import MAX_BLOCK_LINES
from tenuto_gui.transcript.growing import LivePieces, paragraphs
from tenuto_gui.transcript.pieces import Piece
from tenuto_gui.transcript.prose import markdown_pieces

PART = """Two consumers need **a look** in week {n}:

- `billing` was renamed
- `audit` falls behind

```python
def late(n={n}):

    return n
```

| Consumer | Pending |
|---|---:|
| `billing` | {n} |

"""


def said(pieces: list[Piece]) -> str:
    """Prose as it is, however many pieces it is in, with code and tables where they stand."""
    return "".join(p.text if p.kind == "prose" else f"[{p.kind} {p.text}]" for p in pieces)


def test_the_end_is_the_end_of_the_whole_wherever_it_is_cut() -> None:
    text = "".join(PART.format(n=number) for number in range(60))
    whole = said(markdown_pieces(text))
    live = LivePieces()
    # Steps that fall into code, tables and words alike.
    for end in range(0, len(text), 37):
        # The last piece or two may still become something else.
        assert said(live.pieces(text[:end])[:-2]) in whole
    pieces = live.pieces(text)
    assert whole.endswith(said(pieces))
    assert 10 < sum(piece.kind == "code" for piece in pieces) < 60


def test_what_stands_is_not_made_again() -> None:
    live = LivePieces()
    text = PART.format(n=1)
    before = live.pieces(text + "And then")
    after = live.pieces(text + "And then it grew.")
    assert before[:-1]
    assert all(one is other for one, other in zip(before[:-1], after[:-1], strict=True))
    assert after[-1].source.endswith("it grew.")


def test_code_without_an_end_stays_code_and_shows_its_last_lines() -> None:
    lines = [f"step {number}" for number in range(3 * MAX_BLOCK_LINES)]
    live = LivePieces()
    for end in (5, len(lines) // 2, len(lines)):
        (piece,) = live.pieces("```sh\n" + "\n".join(lines[:end]))
        assert (piece.kind, piece.language) == ("code", "sh")
        assert piece.text.split("\n") == lines[:end][-MAX_BLOCK_LINES:]


def test_a_text_that_comes_all_at_once_is_shown_from_its_end() -> None:
    text = "".join(f"Line {number}.\n\n" for number in range(50_000))
    shown = [piece.text for piece in LivePieces().pieces(text)]
    assert [words for words in shown if words][-1] == "Line 49999."
    assert len(shown) <= MAX_BLOCK_LINES + 1


def test_another_text_has_nothing_of_the_one_before() -> None:
    live = LivePieces()
    live.pieces("First\n\nsecond\n\nthird")
    assert [piece.text for piece in live.pieces("First, but\n\nother")] == ["First, but", "other"]


def test_paragraphs_end_at_empty_lines_outside_of_code() -> None:
    assert paragraphs("a\nb\n\nc") == ["a\nb\n", "c"]
    assert paragraphs("```\na\n\nb\n```\n\nc") == ["```\na\n\nb\n```\n", "c"]
