# SPDX-License-Identifier: Apache-2.0
"""What the documentation points to is there, what it types is understood, each picture is shown."""

from __future__ import annotations

import importlib
import re
import shlex
from pathlib import Path

import pytest

from tenuto.cli.common import Parser, take_globals
from tenuto.cli.main import VERBS
from tests.support.paths import REPOSITORY

PAGES = sorted([*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").glob("*.md")])
LINK = re.compile(r"\]\(([^)\s]+)\)")
#: What stands for a number of the reader's.
NUMBERS = {"SEQ": "3", "N": "1"}

pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def links(page: Path) -> list[str]:
    return [link for link in LINK.findall(page.read_text()) if "://" not in link]


def anchors(page: Path) -> set[str]:
    """As GitHub makes them of headings."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pages
def test_links_lead_somewhere(page: Path) -> None:
    for link in links(page):
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target), link


def test_every_picture_is_shown() -> None:
    shown = {
        (page.parent / link.partition("#")[0]).resolve() for page in PAGES for link in links(page)
    }
    kept = set((REPOSITORY / "docs").resolve().rglob("*.png"))
    assert kept
    assert kept - shown == set()


def commands(page: Path) -> list[list[str]]:
    """The command lines of its shell blocks that begin with ``tenuto`` and a verb."""
    blocks = re.findall(r"^```sh\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines() if line.startswith("tenuto ")]
    return [shlex.split(line, comments=True)[1:] for line in lines]


@pages
def test_command_lines_are_understood(page: Path) -> None:
    for words in commands(page):
        _, rest = take_globals([NUMBERS.get(word, word) for word in words])
        group = rest.pop(0) if rest[0] in VERBS else ""
        verb = rest[0]
        module = importlib.import_module(f"tenuto.cli.{VERBS[group][verb][0]}")
        parser = Parser(prog="tenuto")
        module.register(parser.add_subparsers(required=True, parser_class=Parser))
        # What it does not understand it raises.
        assert parser.parse_args(rest).run


def test_the_readme_types_every_verb() -> None:
    typed = {tuple(words[:2]) for words in commands(REPOSITORY / "README.md")}
    for group, verbs in VERBS.items():
        for verb in verbs:
            wanted = (group, verb) if group else (verb,)
            assert any(words[: len(wanted)] == wanted for words in typed), wanted
