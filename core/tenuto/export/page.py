# SPDX-License-Identifier: Apache-2.0
"""A session as one HTML page: nothing in it is loaded, nothing runs, whatever the session says.

The page forbids itself everything by a content security policy but its own style sheet, by that
one's hash. Light or dark follows the reader's system.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from html import escape

from tenuto.export.story import ASIDES, Story, notice, outcome
from tenuto.render.markdown import html
from tenuto.sources.arguments import arguments
from tenuto.sources.base import Block
from tenuto.text import one_line, visible
from tenuto.version import VERSION

#: Longer outputs are folded.
_OPEN_LINES = 12

_STYLE = """
:root { color-scheme: light dark; --base: #ffffff; --well: #f6f8f8; --band: #f1f5f5;
  --line: #d8dfdf; --text: #151e20; --text2: #526063; --accent: #0a687e; --fail: #b3232b; }
@media (prefers-color-scheme: dark) { :root { --base: #1e2425; --well: #181d1e; --band: #272e2f;
  --line: #333c3e; --text: #e2e8e8; --text2: #a2aeb0; --accent: #5dc1d6; --fail: #ff8f88; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 60rem; background: var(--base);
  color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; } dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; }
dt, .time, .notice, summary { color: var(--text2); } dd { margin: 0; }
pre, code { font-family: ui-monospace, monospace; font-size: .9em; }
pre { background: var(--well); border: 1px solid var(--line); border-radius: 5px; padding: .6rem;
  white-space: pre-wrap; margin: .5rem 0; } :not(pre) > code { background: var(--band); }
table { border-collapse: collapse; } th, td { border-bottom: 1px solid var(--line);
  padding: .2rem .6rem; text-align: left; } [align=right] { text-align: right; }
[align=center] { text-align: center; } a { color: var(--accent); }
section { margin: 1rem 0; } .words { white-space: pre-wrap; margin: 0; }
.prompt { background: var(--band); border-left: 3px solid var(--accent); padding: .6rem 1rem; }
.call { border: 1px solid var(--line); border-radius: 5px; padding: .5rem .8rem; }
.failed { border-color: var(--fail); } .failed .outcome { color: var(--fail); }
.notice { border-top: 1px solid var(--line); padding-top: .3rem; }
blockquote { margin: 0; padding-left: 1rem; border-left: 3px solid var(--line); }
"""

_POLICY = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-"
    + base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    + "'"
)


def page(story: Story) -> Iterator[str]:
    """The page, in pieces."""
    title = escape(one_line(story.title, 200))
    yield (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="Tenuto {VERSION}">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<dl>\n"
    )
    for name, value in story.facts:
        yield f"<dt>{escape(name)}</dt><dd>{escape(visible(value))}</dd>\n"
    yield "</dl>\n"
    if story.note:
        yield _words(story.note)
    yield "<main>\n"
    for block in story.blocks:
        yield _block(block)
    yield "</main>\n</body>\n</html>\n"


def _block(block: Block) -> str:
    match block.kind:
        case "prompt" | "follow_up":
            return f'<section class="prompt">{_time(block)}{_words(block.text)}</section>\n'
        case "text":
            return f"<section>{html(block.text)}</section>\n"
        case "thinking":
            return _aside("Thinking", block)
        case "tool_call":
            return _call(block)
        case "notice" if block.notice in ASIDES:
            return _aside(ASIDES[block.notice], block)
        case "notice":
            return f'<p class="notice">{escape(visible(notice(block)))}</p>\n'


def _aside(name: str, block: Block) -> str:
    lines = block.text.count("\n") + 1
    return f"<details><summary>{name} ({lines} lines)</summary>{_words(block.text)}</details>\n"


def _call(block: Block) -> str:
    words = arguments(block.input)
    became = outcome(block)
    parts = [
        f'<section class="call{" failed" if block.is_error else ""}">{_time(block)}',
        f"<strong>{escape(visible(block.name))}</strong> <code>{escape(words)}</code>",
    ]
    if became:
        parts.append(f' <span class="outcome">{escape(became)}</span>')
    if block.result:
        shown = f"<pre>{escape(visible(block.result, prose=True))}</pre>"
        lines = block.result.count("\n") + 1
        if lines > _OPEN_LINES:
            shown = f"<details><summary>{lines} lines</summary>{shown}</details>"
        parts.append(shown)
    parts.append("</section>\n")
    return "".join(parts)


def _time(block: Block) -> str:
    took = f"{block.ms} ms" if block.ms is not None else ""
    words = " ".join(word for word in (visible(block.time), took) if word)
    return f'<div class="time">{escape(words)}</div>' if words else ""


def _words(text: str) -> str:
    return f'<p class="words">{escape(visible(text.strip(chr(10)), prose=True))}</p>'
