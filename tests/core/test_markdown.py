# SPDX-License-Identifier: Apache-2.0
"""Markdown as harmless HTML (reliability.md, part 2): nothing comes out but our own tags."""

from __future__ import annotations

import time
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenuto.render import markdown
from tenuto.render.markdown import TAGS, Code, Plain, Prose, Table, html, is_harmless, parts

#: Pieces that mean something to Markdown, to HTML, or to a bad parser.
PIECES = st.sampled_from(
    [
        *"* _ ** ` `` ``` ~~~ ~~ [ ] ( ) ![ ]( <b> </b> <img/src=x> <!-- --> <? <![CDATA[".split(),
        *"< > & &lt; &#60; &#x3c; \\ # 1. - + > | |- |---| : \" ' javascript:x".split(),
        *"file:///etc/passwd https://a.b/c?d=e&f mailto:a@b //host/x \\\\host\\x [a]:".split(),
        *[
            "\u202e",
            "\ud800",
            "\x00",
            "\x1b[31m",
            "\u2028",
            "\xa0",
            "\U0001f600",
            "a",
            "word",
            "[a]",
        ],
        *[" ", "  ", "    ", "\n", "\n\n", "\t", "\r\n"],
    ]
)
TEXTS = st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=60)
VOID = ("br", "hr")


class Reader(HTMLParser):
    """Reads HTML strictly: tags of our set, closed in order, links of three kinds."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.stack: list[str] = []
        self.words: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag, attrs):
        assert tag in TAGS
        for name, value in attrs:
            assert name in TAGS[tag], (tag, name)
            if name == "href":
                assert value.lower().startswith(("http://", "https://", "mailto:"))
                self.links.append(value)
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag, attrs):
        raise AssertionError(f"<{tag}/>")

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag

    def handle_data(self, data):
        self.words.append(data)

    def handle_comment(self, data):
        raise AssertionError("a comment")

    handle_decl = handle_pi = unknown_decl = handle_comment


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.stack == []
    return reader


def test_parts_are_what_a_window_draws_below_each_other() -> None:
    found = parts(
        "Look *here*\n\n```Python {x}\na <b>\n```\n\n|n|v|\n|-|:-:|\n|a\\|b|`1`|\n|c|2|\n"
    )
    assert found == [
        Prose("<p>Look <em>here</em></p>\n"),
        Code("python", "a <b>"),
        Table(("", "center"), ("n", "v"), (("a|b", "<code>1</code>"), ("c", "2"))),
    ]


def test_a_column_of_numbers_stands_right() -> None:
    [table] = parts("|name|size|left|\n|-|-|:-|\n|a|1,024 MB|1|\n|b|-3.5|2|\n|c||3|")
    assert isinstance(table, Table)
    assert table.align == ("", "right", "left")


def test_code_inside_of_a_list_stays_there() -> None:
    [found] = parts("- a\n  ```sh\n  ls <x>\n  ```\n- b")
    assert isinstance(found, Prose)
    assert '<pre><code class="language-sh">ls &lt;x&gt;\n</code></pre>' in found.html
    assert found.html.startswith("<ul>\n<li>a")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[x](javascript:alert(1))", "x (javascript:alert(1))"),
        ("[x](file:///etc/passwd)", "x (file:///etc/passwd)"),
        ("[x](//host/share)", "x (//host/share)"),
        ("[f](src/f.py)", "f (src/f.py)"),
        ("[x](data:text/html,y)", "x (data:text/html,y)"),
        ("![the *cat*](http://beacon/x.png)", "the cat (http://beacon/x.png)"),
        ("![](/etc/passwd)", "/etc/passwd"),
        ("![a][r]\n\n[r]: http://beacon/y", "a (http://beacon/y)"),
        ("<b>bold</b> <img src=x>", "<b>bold</b> <img src=x>"),
        ("<script>\nx\n</script>", "<script>\nx\n</script>"),
        ("a\u202eb", "a<U+202E>b"),
        ("a\x1b[31mb", "a\u241b[31mb"),
    ],
)
def test_what_would_act_is_words(text: str, words: str) -> None:
    found = read(html(text))
    assert "".join(found.words).strip() == words
    assert found.links == []


def test_links_show_where_they_lead() -> None:
    found = read(html("[a](https://ex\u00e4mple.com/?q=1&r) <http://b.c> [m](mailto:a@b)"))
    assert found.links == ["https://xn--exmple-cua.com/?q=1&r", "http://b.c", "mailto:a@b"]


def test_nothing_is_dropped_that_nests_too_deeply() -> None:
    quoted = read(html("> " * 60 + "deep\n\nafter"))
    words = "".join(quoted.words)
    assert "deep" in words
    assert "after" in words
    listed = "".join("  " * depth + f"- item{depth}\n" for depth in range(60))
    words = "".join(read(html(listed)).words)
    assert all(f"item{depth}" in words for depth in range(60))


def test_what_is_too_much_is_shown_as_it_was_written(monkeypatch: pytest.MonkeyPatch) -> None:
    long = "*a* " * (markdown.MAX_TEXT // 4 + 1)
    assert parts(long) == [Plain(long)]
    paragraph = "*a* <b>" * (markdown.MAX_INLINE // 7 + 1)
    [prose] = parts(paragraph)
    assert isinstance(prose, Prose)
    assert "".join(read(prose.html).words).strip() == paragraph.strip()
    monkeypatch.setattr(markdown, "MAX_CELLS", 5)
    table = "|a|b|\n|-|-|\n|c|d|\n|e|f|"
    assert parts(f"x\n\n{table}\n\ny")[1] == Plain(table)


def test_short_references_to_a_long_target_do_not_multiply_it() -> None:
    text = f"[a]: http://b/{'c' * 1_900}\n\n" + "[a] " * 1_900
    assert len(html(text)) < 2 * markdown.MAX_TARGETS + 10 * len(text)


@given(TEXTS)
def test_only_tags_of_our_set_come_out(text: str) -> None:
    found = read(html(text))
    for word in found.words:
        assert not set(word) & set("\x00\x1b\u202e\u2028\ud800")


@given(st.lists(st.sampled_from(["word", " ", "\n", "\n\n", "x<y", "5", "é"]), max_size=30))
def test_plain_words_stay(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert "".join(read(html(text)).words).split() == text.split()


HOSTILE = [
    "[", "![", "*a_ ", "**a **", "`a``", "<a", "[a](", "[a]: x\n", "> ", "- ", "> - ", "|a", "\\",
    "a|b\n-|-\nx|y\n", "&#x", "[[]", "](", "![](a", "~~a~ ", "<!--", "<http://", "a\n\n", "```\n",
    "1. a\n", "[a][", "[x](((", "*_*_ ", "- a\n  - b\n", "[a](x 'b", "\t", "a\n  ", "_____ ",
]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_repetition_takes_time_in_proportion(piece: str) -> None:
    def seconds(size: int) -> float:
        text = piece * (size // len(piece))
        best = 1e9
        for _ in range(2):
            begin = time.process_time()
            html(text)
            best = min(best, time.process_time() - begin)
        return best

    seconds(1_000)
    # Beyond the caps for one paragraph, where quadratic work would show as sixteen times as much.
    small, large = seconds(12_000), seconds(48_000)
    assert large < 8 * small + 0.1


def test_harmless_markdown_is_told_from_what_a_viewer_acts_on() -> None:
    assert is_harmless("# a\n\n`<b>` and\n\n```\n<img>\n```\n[x](https://y) [z](a/b.py)")
    for text in [
        *["<b>", "a <img src=x>", "![a](b)", "<!-- x", "> <b>", "<a\nb>", "- ```\n<i>"],
        *["[x](javascript:y)", "[x](\\\\\\\\h)", "```\nopen", "`a\n`<i>`"],
    ]:
        assert not is_harmless(text), text
