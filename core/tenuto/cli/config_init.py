# SPDX-License-Identifier: Apache-2.0
"""``tenuto config init``: a few questions, and a pair of files that work.

``agent.yaml`` holds what fisk-ai reads, too; Tenuto's own keys stand in ``agent.tenuto.yaml``
beside it. The pair is loaded and resolved before it gets its names: what does not work is not kept.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tenuto.cli.common import print_json, say, wrong_use
from tenuto.errors import ConfigError
from tenuto.sentences import Sentence, sentence, system_said
from tenuto.text import visible

if TYPE_CHECKING:
    from tenuto.agent.resolve import ResolvedAgent
    from tenuto.runs.files import FileLayer, Folder

_PROVIDERS = ("anthropic", "openai", "scripted")
#: Where the key of each is looked for.
_KEYS = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}
_PROMPT = "You are a careful assistant. Say what you did, and what you are not sure of."


@dataclass
class _Wishes:
    """What goes into the files. None: not said yet."""

    identity: str | None
    provider: str | None
    model: str | None
    base_url: str | None
    prompt: str | None
    application: str | None
    script: str | None
    asks: bool | None
    memory: bool | None


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "init",
        help="write a new agent configuration",
        description=(
            "Write an agent configuration and Tenuto's own keys beside it. What the line does not "
            "say is asked in a terminal; elsewhere --model is needed, and the rest has defaults."
        ),
    )
    parser.add_argument(
        "file", metavar="FILE", nargs="?", default="agent.yaml", help="default: agent.yaml"
    )
    parser.add_argument("--identity", metavar="NAME", help="the agent's name")
    parser.add_argument("--provider", choices=_PROVIDERS, help="whose model (default: anthropic)")
    parser.add_argument("--model", metavar="MODEL", help="the model, as its provider names it")
    parser.add_argument("--base-url", metavar="URL", help="the address of a compatible server")
    parser.add_argument("--prompt", metavar="TEXT", help="the system prompt")
    parser.add_argument("--application", metavar="PROGRAM", help="a fisk application as its tools")
    parser.add_argument("--script", metavar="FILE", help="what the provider 'scripted' plays")
    for name, what in (("asks", "it may ask you questions"), ("memory", "it keeps a memory")):
        parser.add_argument(f"--{name}", action=argparse.BooleanOptionalAction, help=what)
    parser.add_argument("--force", action="store_true", help="replace files that are there")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    path = Path(os.path.abspath(args.file))
    if path.suffix not in (".yaml", ".yml"):
        raise wrong_use(f"{args.file} must end in .yaml")
    if not path.parent.is_dir():
        raise wrong_use(f"there is no folder {path.parent}")
    beside = path.with_name(f"{path.stem}.tenuto.yaml")
    if not args.force:
        for there in (path, beside):
            if os.path.lexists(there):
                raise wrong_use(f"{there} is there already", "--force replaces it")
    wishes = _Wishes(**{name: getattr(args, name) for name in _Wishes.__dataclass_fields__})
    _complete(wishes, path, attended=sys.stdin.isatty() and sys.stderr.isatty())
    resolved = _write(path, beside, _agent(wishes), _own(wishes))
    _report(args, path, beside, wishes, resolved)
    return 0


def _complete(wishes: _Wishes, path: Path, *, attended: bool) -> None:
    """Fill what is missing: by questions, or with what is usual. Raises UsageError."""
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", path.parent.name).strip("-") or "agent"
    if not attended:
        if not wishes.model:
            raise wrong_use("--model is needed where nobody can be asked")
        wishes.identity = wishes.identity or name
        wishes.provider = wishes.provider or _PROVIDERS[0]
        wishes.prompt = wishes.prompt or _PROMPT
        return
    if wishes.identity is None:
        wishes.identity = _ask("Name of the agent", name)
    while wishes.provider is None:
        given = _ask("Provider of the model (anthropic or openai)", "anthropic")
        wishes.provider = given if given in _PROVIDERS else None
    while not wishes.model:
        wishes.model = _ask("Model, as the provider names it")
    if wishes.base_url is None and wishes.provider == "openai":
        wishes.base_url = _ask("Address of another server that speaks as OpenAI does (Enter: none)")
    if wishes.prompt is None:
        wishes.prompt = _ask("What it is told to be (system prompt)", _PROMPT)
    if wishes.application is None:
        wishes.application = _ask("fisk application whose commands are its tools (Enter: none)")
    if wishes.asks is None:
        wishes.asks = _ask("May it ask you questions while it works (y or n)", "y").startswith("y")
    if wishes.memory is None:
        wishes.memory = _ask("Is it to keep a memory from run to run (y or n)", "n").startswith("y")


def _ask(question: str, default: str = "") -> str:
    shown = f"{question} [{visible(default)}]: " if default else f"{question}: "
    sys.stderr.write(shown)
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        say("")
        raise wrong_use("the questions were not answered, so nothing was written")
    return line.strip() or default


def _agent(wishes: _Wishes) -> str:
    lines = [
        "# An agent. fisk-ai reads this file, too; Tenuto's own keys are in the file beside it.",
        f"identity: {_quoted(wishes.identity or '')}",
        f"system_prompt: {_block(wishes.prompt or _PROMPT)}",
    ]
    if wishes.application:
        lines.append(f"application_path: {_quoted(wishes.application)}")
    lines += [
        "llm:",
        f"  provider: {wishes.provider}",
        f"  model: {_quoted(wishes.model or '')}",
        "  # budget: {max_tokens: 200000, max_iterations: 50}",
    ]
    features = {"human_in_the_loop": wishes.asks, "memory": wishes.memory}
    if any(features.values()):
        lines.append("harness:")
    for feature, wanted in features.items():
        if wanted:
            lines += [f"  {feature}:", "    enabled: true"]
    return "\n".join(lines) + "\n"


def _own(wishes: _Wishes) -> str:
    lines = ["# What only Tenuto reads."]
    if wishes.base_url:
        lines.append(f"base_url: {_quoted(wishes.base_url)}")
    if wishes.script:
        lines.append(f"script: {_quoted(wishes.script)}")
    lines += [
        "# Tools with one of these tags may run again after a crash without asking.",
        "read_only_tags: [impact:ro]",
        "# A command as a tool; with the tag ai:confirm each call is asked about first.",
        "# commands:",
        "#   - name: disk_free",
        "#     description: Shows how full a file system is",
        '#     command: [df, -h, "--", "{path}"]  # behind -- nothing is an option',
        "#     input_schema:",
        "#       {type: object, properties: {path: {type: string}}, required: [path]}",
        "#     tags: [impact:ro]",
        "# MCP servers: programs, or addresses.",
        "# mcp_servers:",
        "#   files: {command: [some-server, --root, .], tags: [ai:confirm]}",
        "#   web: {url: https://mcp.example.com/mcp, headers_env: {Authorization: WEB_TOKEN}}",
    ]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A scalar that is this text, whatever is in it."""
    import json

    return json.dumps(text, ensure_ascii=not text.isprintable())


def _block(text: str) -> str:
    """A prompt as people edit one, where that says the same."""
    rows = text.split("\n")
    plain = all(row.isprintable() for row in rows) and not text.startswith(" ")
    if not plain or not rows[0] or not rows[-1]:
        return _quoted(text)
    return "\n".join(["|-", *(f"  {row}" if row else "" for row in rows)])


def _write(path: Path, beside: Path, agent: str, own: str) -> ResolvedAgent:
    """Write both under other names, load and resolve them, and give them their own.

    :raises ConfigError: they do not work; nothing is kept.
    """
    from tenuto.agent.config import load_config, resolve
    from tenuto.runs.files import FileLayer

    layer = FileLayer()
    stem = f".init-{os.urandom(6).hex()}"
    names = {f"{stem}.tenuto.yaml": (beside.name, own), f"{stem}.yaml": (path.name, agent)}
    trial = path.with_name(f"{stem}.yaml")
    try:
        with layer.open_dir(os.path.realpath(path.parent)) as folder:
            try:
                for name, (_, text) in names.items():
                    layer.atomic_write(folder, name, text.encode(), sync_dir=False)
                resolved = resolve(load_config(trial))
                resolved.check_usable()
                for name, (final, _) in names.items():
                    layer.rename(folder, name, folder, final)
                layer.fsync_dir(folder)
            finally:
                _sweep(layer, folder, list(names))
    except ConfigError as error:
        error.fields["path"] = str(path)
        error.reword(_renamed(error.said, stem, path.stem))
        error.fields["problems"] = _renamed(error.fields.get("problems", []), stem, path.stem)
        raise
    except OSError as error:
        raise ConfigError(
            sentence("{path} cannot be written: {reason}", path=path, reason=system_said(error)),
            path=str(path),
            problems=[],
        ) from None
    return resolved


def _renamed(said: Any, old: str, new: str) -> Any:
    """What was said of a file, in all its parts, under the name that it was to have."""
    match said:
        case str():
            return said.replace(old, new)
        case Sentence():
            return Sentence(said.template, _renamed(said.facts, old, new))
        case dict():
            return {key: _renamed(value, old, new) for key, value in said.items()}
        case list() | tuple():
            return [_renamed(value, old, new) for value in said]
    return said


def _sweep(layer: FileLayer, folder: Folder, names: list[str]) -> None:
    for name in names:
        if layer.exists(folder, name):
            layer.unlink(folder, name)


def _report(
    args: argparse.Namespace,
    path: Path,
    beside: Path,
    wishes: _Wishes,
    resolved: ResolvedAgent,
) -> None:
    from tenuto.agent import seen

    seen.remember(path)
    key = _KEYS.get(wishes.provider or "")
    missing = key if key and not os.environ.get(key) else None
    if args.json:
        print_json(
            {
                "files": [str(path), str(beside)],
                "tools": [tool.name for tool in resolved.tools],
                "warnings": [str(text) for text in resolved.warnings],
                "key_needed": missing,
            }
        )
        return
    count = len(resolved.tools)
    print(visible(f"wrote {path} and {beside.name}: {count} tool{'s' if count != 1 else ''}"))
    for warning in resolved.warnings:
        print(visible(f"warning: {warning}"))
    if missing:
        print(f"before it runs: set {missing}, or `keyring set tenuto {missing}`")
    print(visible(f'next: tenuto run --checkpoint --config {args.file} "what it is to do"'))
