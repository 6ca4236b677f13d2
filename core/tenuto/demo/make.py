# SPDX-License-Identifier: Apache-2.0
"""Making the demo's folder: configurations, the program behind the tools, the sample runs."""

from __future__ import annotations

import os
import runpy
import shlex
import sys
import time
from dataclasses import dataclass, replace
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import msgspec

from tenuto.agent import digests
from tenuto.agent.config import load_config, resolve
from tenuto.agent.resolve import ResolvedAgent
from tenuto.clock import rfc3339
from tenuto.demo.journals import Answer, tell
from tenuto.demo.stories import Story, load_stories, scripts
from tenuto.fingerprint import system_hash, tools_hash
from tenuto.program import DEMO_SWITCH, command_line, is_frozen
from tenuto.runs import notes, times
from tenuto.runs.companions import journal_name
from tenuto.runs.files import FileLayer, explained

_CONFIGURATIONS = ("agent", "haiku", "chat")
_MODELS = {"demo-haiku": "haiku"}
_PROGRAM = "depot.py"


@dataclass(frozen=True)
class Demo:
    """What was made."""

    folder: Path
    #: The samples that were not there before.
    made: list[str]

    @property
    def runs(self) -> Path:
        return self.folder / "runs"

    @property
    def config(self) -> Path:
        return self.folder / "agent.yaml"


def make_demo(folder: Path, *, now: int | None = None) -> Demo:
    """Make the demo in ``folder``, or what is missing of it. ``now``: ns since the epoch.

    Samples that are there stay as they are, however far they have gone on.

    :raises StoreIO: the folder cannot be written.
    :raises ConfigError: the demo's program cannot be run here.
    """
    now = time.time_ns() if now is None else now
    stories = load_stories()
    with explained("make the demo in", str(folder)):
        FileLayer().make_dir(os.path.realpath(folder)).close()
        FileLayer().make_dir(os.path.realpath(folder / "runs")).close()
        _write_configurations(folder, stories)
        answer = _write_program(folder)
    resolved = {name: resolve(load_config(folder / f"{name}.yaml")) for name in _CONFIGURATIONS}
    earlier = _earlier(resolved["agent"])
    for configuration in (*resolved.values(), earlier):
        digests.record(configuration)
    made = []
    for story in stories:
        if os.path.lexists(folder / "runs" / journal_name(story.id)):
            continue
        name = "chat" if story.chat else _MODELS.get(story.model, "agent")
        _write_run(folder, story, earlier if story.changed else resolved[name], name, answer, now)
        made.append(story.id)
    return Demo(folder, made)


def _write_configurations(folder: Path, stories: list[Story]) -> None:
    source = files("tenuto_resources").joinpath("demo")
    wanted = {f"{name}.json": data for name, data in scripts(stories).items()}
    for name in _CONFIGURATIONS:
        for file in (f"{name}.yaml", f"{name}.tenuto.yaml"):
            wanted[file] = source.joinpath(file).read_bytes()
    for file, data in wanted.items():
        # What the operator changed stays changed.
        if not (folder / file).exists():
            (folder / file).write_bytes(data)


def _write_program(folder: Path) -> Answer:
    """Install the program and return the function that answers as it does."""
    resource = files("tenuto_resources").joinpath("demo", _PROGRAM)
    with as_file(resource) as path:
        module: dict[str, Any] = runpy.run_path(str(path))
        text = path.read_text(encoding="utf-8")
    program = folder / "bin" / "depot"
    program.parent.mkdir(exist_ok=True)
    program.write_text(_script(text), encoding="utf-8")
    program.chmod(0o755)
    answer: Answer = module["answer"]
    return answer


def _script(text: str) -> str:
    """The demo's program as a script; a frozen application is no Python, but holds one."""
    if is_frozen():
        line = shlex.join([*command_line(), DEMO_SWITCH])
        return f'#!/bin/sh\nexec {line} "$@"\n'
    return f"#!{sys.executable} -IS\n{text}"


def _earlier(resolved: ResolvedAgent) -> ResolvedAgent:
    """The configuration as it was before somebody changed it: the saved one of a sample."""
    parts = tuple(
        part.replace("Answer in the language you are asked in.", "Answer in English.")
        for part in resolved.system_parts
    )
    tools = tuple(tool for tool in resolved.tools if tool.name != "notes_read")
    fingerprint = msgspec.structs.replace(
        resolved.fingerprint,
        system_hash=system_hash(parts),
        tools_hash=tools_hash(tool.definition for tool in tools),
        max_tokens=120_000,
    )
    return replace(resolved, system_parts=parts, tools=tools, fingerprint=fingerprint)


def _write_run(
    folder: Path, story: Story, resolved: ResolvedAgent, name: str, answer: Answer, now: int
) -> None:
    runs = str(folder / "runs")
    told = tell(story, resolved, answer, now)
    layer = FileLayer()
    with explained("make a sample in", runs), layer.open_dir(os.path.realpath(runs)) as place:
        layer.atomic_write(place, journal_name(story.id), told.data)
    if told.times:
        times.append(runs, story.id, told.times)
    config = str(folder / f"{name}.yaml")
    forced: tuple[notes.Forced, ...] = ()
    if story.forced:
        saved = resolved.fingerprint.max_tokens
        row = {"field": "max_tokens", "saved": saved, "current": 2 * saved, "changed": True}
        moment = rfc3339(told.ended - 40 * 60 * 1_000_000_000)
        forced = (notes.Forced(moment, config, [row]),)
    if not story.empty and story.version == 3:
        notes.update(
            runs, story.id, title=story.title, pinned=story.pinned, config=config,
            cwd=str(folder), forced=forced,
        )  # fmt: skip
    elif story.title:
        notes.update(runs, story.id, title=story.title)
    os.utime(os.path.join(runs, journal_name(story.id)), ns=(told.ended, told.ended))


def as_json(demo: Demo) -> dict[str, Any]:
    """What ``tenuto demo --json`` prints."""
    return {
        "folder": str(demo.folder),
        "runs": str(demo.runs),
        "config": str(demo.config),
        "made": demo.made,
    }
