# SPDX-License-Identifier: Apache-2.0
"""``tenuto session rename``: the operator's own title for a session, kept beside its journal."""

from __future__ import annotations

import argparse

from tenuto.cli.common import print_json
from tenuto.cli.targets import any_reasonix, target
from tenuto.errors import UsageError
from tenuto.gojson import replace_surrogates
from tenuto.runs import notes
from tenuto.text import visible

#: Longer titles fit nowhere they are shown.
MAX_TITLE = 200


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "rename",
        help="give a session a title",
        description=(
            "Give a session a title of its own. The id and the journal stay as they are; the title "
            "is kept in ID.notes.json, of a Reasonix session by Reasonix's own rule. An empty "
            "title takes it away again."
        ),
    )
    parser.add_argument("id", metavar="ID", help="the session, or its file")
    parser.add_argument("title", metavar="TITLE", help="the title; '' for the prompt's first line")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    title = " ".join(replace_surrogates(args.title).split())
    if len(title) > MAX_TITLE:
        raise UsageError(f"the title has {len(title)} characters; at most {MAX_TITLE}")
    if any_reasonix([args.id], args):
        from tenuto.cli import reasonix_change

        return reasonix_change.rename(args, title)
    item = target(args.id, args)
    changed = notes.update(item.directory, item.id, title=title or None)
    if args.json:
        print_json({"id": item.id, "title": title or None, "changed": list(changed.fields)})
    elif not changed.fields:
        print(f"{item.id} is called that already")
    elif title:
        print(f"{item.id} is now called {visible(title)}")
    else:
        print(f"{item.id} is called by its prompt again")
    return 0
