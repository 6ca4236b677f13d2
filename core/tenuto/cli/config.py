# SPDX-License-Identifier: Apache-2.0
"""``tenuto config check``: what a configuration comes to, or all that is wrong with it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from tenuto.cli.common import print_json
from tenuto.errors import ConfigError
from tenuto.sentences import Sentence
from tenuto.text import one_line, visible

if TYPE_CHECKING:
    from tenuto.agent.resolve import ResolvedAgent

_DESCRIPTION_WIDTH = 60


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "check",
        help="check an agent configuration, its tools and fingerprint",
        description=(
            "Read an agent configuration, ask its application for its commands, and print the "
            "tools and the fingerprint it comes to. Exits 2, with every problem by line and "
            "column, when it cannot be used."
        ),
    )
    parser.add_argument("file", metavar="FILE", help="the configuration (agent.yaml)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from tenuto.agent import digests, seen
    from tenuto.agent.config import load_config, resolve

    try:
        config = load_config(args.file)
        resolved = resolve(config)
    except ConfigError as error:
        problems = error.fields.get("problems") or [_problem(error.sentence)]
        _refuse(args, problems)
        return ConfigError.exit_code
    seen.remember(config.path, resolved)
    digests.record(resolved)
    if args.json:
        print_json(_json(resolved))
    else:
        _show(resolved)
    return 0 if resolved.unusable is None else ConfigError.exit_code


def _problem(said: Sentence) -> dict[str, Any]:
    from tenuto.agent.tree import Problem

    return Problem(said).as_row()


def _refuse(args: argparse.Namespace, problems: list[dict[str, Any]]) -> None:
    if args.json:
        nothing: dict[str, Any] = {
            "warnings": [],
            "warning_parts": [],
            "fingerprint": None,
            "tools": [],
        }
        print_json({"ok": False, "errors": problems, **nothing})
        return
    for problem in problems:
        place = f":{problem['line']}:{problem['column']}" if problem["line"] else ""
        print(visible(f"{args.file}{place}: {problem['message']}"))
    count = len(problems)
    print(f"{count} problem{'s' if count > 1 else ''}: this configuration cannot be used")


def _json(resolved: ResolvedAgent) -> dict[str, Any]:
    from tenuto.guard import fields

    warnings = [*resolved.warnings, *resolved.config.remarks]
    return {
        "ok": resolved.unusable is None,
        "errors": [] if resolved.unusable is None else [_problem(resolved.unusable)],
        "warnings": [str(warning) for warning in warnings],
        "warning_parts": [warning.parts() for warning in warnings],
        "fingerprint": fields(resolved.fingerprint),
        "tools": [
            {
                "name": tool.name,
                "description": tool.definition.description,
                "input_schema": tool.definition.schema(),
                "defer_loading": tool.definition.defer_loading,
                "confirm": bool(tool.confirm),
                "source": tool.source,
            }
            for tool in resolved.tools
        ],
    }


def _show(resolved: ResolvedAgent) -> None:
    from tenuto.guard import fields

    config = resolved.config
    print(visible(f"{config.path}: {config.identity}"))
    for name, value in fields(resolved.fingerprint).items():
        print(visible(f"  {name:<15} {value}"))
    tools = resolved.tools
    if not tools:
        print("no tools")
    else:
        print(f"{len(tools)} tool{'s' if len(tools) > 1 else ''}")
        width = min(40, max(len(tool.name) for tool in tools))
        for tool in tools:
            marks = [f"asks first ({tool.confirm})"] if tool.confirm else []
            marks += ["read-only"] if tool.read_only else []
            marks += ["found by search"] if tool.definition.defer_loading else []
            first = tool.definition.description.partition("\n")[0]
            text = one_line(first, _DESCRIPTION_WIDTH)
            suffix = f"  [{', '.join(marks)}]" if marks else ""
            print(visible(f"  {tool.name:<{width}}  {text}{suffix}").rstrip())
    for warning in (*resolved.warnings, *resolved.config.remarks):
        print(visible(f"warning: {warning}"))
    if resolved.unusable is not None:
        print(visible(f"cannot be run: {resolved.unusable}"))
