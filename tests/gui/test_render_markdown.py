# SPDX-License-Identifier: Apache-2.0
"""A stretch of a rendered reply, written as Markdown again."""

from __future__ import annotations

import re
from html import escape, unescape
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenuto.render import markdown
from tenuto_gui.render import bare_links
from tenuto_gui.render.html_markdown import cell_of, fenced, markdown_of, visible_count

REPLY = """# Week 11

The stream grew by **3.1 GiB since *last* Monday** (8 %). See [the board](https://example.com/b).

- `billing-eu` was renamed,
- `audit` falls *behind*:
  1. by 9,000
  2. an hour

> Say so
> to Billing.

```sh
nats ls
```
"""


def words(html: str) -> str:
    return re.sub(r"\s+", "", unescape(re.sub("<[^>]*>", "", html)))


def flat(html: str) -> str:
    """HTML without the white space that means nothing."""
    html = re.sub(r"\s+", " ", html.replace("<br>", " "))
    return re.sub(r" ?(</?(?:p|h\d|ul|ol|li|blockquote|pre|hr)\b[^>]*>) ?", r"\1", html).strip()


def test_a_whole_reply_comes_back_as_it_was() -> None:
    assert markdown_of(markdown.html(REPLY)) == REPLY.rstrip("\n")


@pytest.mark.parametrize(
    ("begin", "end", "found"),
    [
        ("Week", "11", "# Week 11"),
        ("grew", "last", "grew by **3.1 GiB since *last***"),
        ("GiB", "%).", "**GiB since *last* Monday** (8 %)."),
        ("the", "board", "[the board](https://example.com/b)"),
        ("renamed,", "9,000", "- renamed,\n- `audit` falls *behind*:\n  1. by 9,000"),
        ("an", "so", "- 2. an hour\n\n> Say so"),
        ("nats", "nats", "```sh\nnats\n```"),
    ],
)
def test_a_stretch_is_cut_at_its_ends(begin: str, end: str, found: str) -> None:
    html = markdown.html(REPLY.replace("The stream", "It"))
    text = words(html)
    first = text.index(visible(begin))
    last = text.index(visible(end), first) + visible_count(end)
    assert markdown_of(html, first, last) == found


def visible(text: str) -> str:
    return re.sub(r"\s+", "", text)


MARKED = st.text(st.sampled_from("ab1 \n\n*_`[]()<>#-+.=~|\\&;!:é مس"), max_size=60)


@settings(max_examples=400, deadline=None)
@given(text=MARKED)
def test_what_comes_back_reads_the_same(text: str) -> None:
    html = markdown.html(text)
    if "<table>" in html:
        return
    again = markdown.html(markdown_of(html))
    assert words(again) == words(html)


@settings(max_examples=200, deadline=None)
@given(text=MARKED, data=st.data())
def test_every_stretch_holds_its_words_and_no_others(text: str, data: st.DataObject) -> None:
    html = markdown.html(text)
    if "<table>" in html:
        return
    whole = words(html)
    first = data.draw(st.integers(0, len(whole)))
    last = data.draw(st.integers(first, len(whole)))
    assert words(markdown.html(markdown_of(html, first, last))) == whole[first:last]


@settings(max_examples=200, deadline=None)
@given(text=st.text(st.sampled_from("ab1 *_`<>#-.&;é"), min_size=1, max_size=20).filter(str.strip))
def test_plain_words_stay_plain(text: str) -> None:
    html = f"<p>{escape(text)}</p>"
    assert flat(markdown.html(markdown_of(html))) == flat(html)


ADDRESSES = ("https://a.example", "https://a.example/b?c=d&amp=e", "https://a.example/_x_(y)*z*")


def linked(html: str) -> list[str]:
    """The addresses that a reply leads to, in the order in which they stand.

    As they are without percent signs: Markdown writes some of what is in brackets with one.
    """
    return [unquote(each) for each in re.findall(r'href="([^"]*)"', bare_links.linked(html))]


@settings(max_examples=400, deadline=None)
@given(
    parts=st.lists(
        st.sampled_from(
            (
                *ADDRESSES,
                *(f"<{address}>" for address in ADDRESSES),
                *("[b](https://b.example)", "*em*", "**", "*", "_", "~~", "`c`", "\n\n", "- "),
                *"a .)(/\n&\\\u4e2d][|",
            )
        ),
        max_size=8,
    )
)
def test_an_address_ends_where_it_ended(parts: list[str]) -> None:
    html = bare_links.linked(markdown.html("".join(parts)))
    if "<table>" in html:
        return
    again = markdown.html(markdown_of(html))
    assert words(again) == words(html)
    assert linked(again) == linked(html)


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("{}<em>b</em>", "<{0}>*b*"),
        ('{}<a href="https://b.example">b</a>', "<{0}>[b](https://b.example)"),
        ("<strong>{}</strong>b", "**<{0}>**b"),
        ("See {}.", "See {0}."),
        ("See {}, and {}", "See {0}, and {0}"),
        ("{}\u4e2d", "<{0}>\u4e2d"),
        ("{}<br>\nb", "<{0}>\\\nb"),
    ],
)
def test_an_address_is_bare_only_where_it_ends_for_everybody(html: str, found: str) -> None:
    address = "https://a.example/x"
    link = f'<a href="{address}">{address}</a>'
    assert markdown_of(f"<p>{html.replace('{}', link)}</p>") == found.replace("{0}", address)


@pytest.mark.parametrize("text", ["one\\\ntwo", "- one\\\n  two\\\n  three", "> one\\\n> two"])
def test_a_broken_line_stays_one_paragraph(text: str) -> None:
    assert markdown_of(markdown.html(text)) == text
    assert "<br>" in markdown.html(text)


def test_a_cell_is_one_line() -> None:
    assert cell_of("a | <code>b|c</code><br>\n<strong>d</strong>") == r"a \| `b\|c` **d**"


@pytest.mark.parametrize("text", ["a", "```", "````\n```", "`"])
def test_nothing_ends_a_fence(text: str) -> None:
    assert markdown.parts(fenced(text, "sh")) == [markdown.Code("sh", text)]
