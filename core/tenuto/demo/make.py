# SPDX-License-Identifier: Apache-2.0
"""Making the demo's folder: configurations, the program behind the tools, the sample runs."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from tenuto.agent import digests
from tenuto.agent.config import load_config, resolve
from tenuto.agent.resolve import ResolvedAgent
from tenuto.clock import rfc3339
from tenuto.demo.journals import Told, tell
from tenuto.demo.program import APPLICATION, Program
from tenuto.demo.sessions import load_sessions, session_scripts
from tenuto.demo.stories import Story, load_stories, scripts
from tenuto.demo.writing import write_sessions
from tenuto.errors import UsageError
from tenuto.fingerprint import system_hash, tools_hash
from tenuto.reasonix.folders import SAMPLES, samples_root
from tenuto.runs import notes, times
from tenuto.runs.companions import journal_name
from tenuto.runs.files import FileLayer, explained

CONFIGURATIONS = ("agent", "haiku", "chat", "coding", "website")
_MODELS = {"demo-haiku": "haiku"}


@dataclass(frozen=True)
class Demo:
    """What was made."""

    folder: Path
    #: The samples that were not there before: ids of runs.
    made: list[str]
    #: And paths of Reasonix sessions.
    sessions: list[str]

    @property
    def runs(self) -> Path:
        return self.folder / "runs"

    @property
    def reasonix(self) -> Path:
        """Reasonix's state folder of the samples."""
        return samples_root(self.folder)

    @property
    def config(self) -> Path:
        return self.folder / "agent.yaml"


def make_demo(folder: Path, *, now: int | None = None, system: str = sys.platform) -> Demo:
    """Make the demo in ``folder``, or what is missing of it. ``now``: ns since the epoch.

    Samples that are there stay as they are, however far they have gone on.

    :raises UsageError: the folder holds something else; nothing is written.
    :raises StoreIO: the folder cannot be written.
    :raises ConfigError: the demo's program cannot be run here.
    """
    now = time.time_ns() if now is None else now
    stories, sessions = load_stories(), load_sessions()
    played = scripts(stories) | session_scripts(sessions)
    with explained("make the demo in", str(folder)):
        _claim(folder)
        FileLayer().make_dir(os.path.realpath(folder / "runs")).close()
        program = Program(folder, system)
        program.install()
        _write_configurations(folder, program, {f"{name}.json": played[name] for name in played})
    answer = program.answer()
    resolved = {name: resolve(load_config(folder / f"{name}.yaml")) for name in CONFIGURATIONS}
    earlier = _earlier(resolved["agent"])
    for configuration in (*resolved.values(), earlier):
        digests.record(configuration)
    made = []
    for story in stories:
        if os.path.lexists(folder / "runs" / journal_name(story.id)):
            continue
        name = "chat" if story.chat else _MODELS.get(story.model, "agent")
        configuration = earlier if story.changed else resolved[name]
        parent = next((other for other in stories if other.id == story.parent), None)
        known = None if parent is None else tell(parent, configuration, answer, now)
        told = tell(story, configuration, answer, now, known)
        _write_run(folder, story, told, configuration, name)
        made.append(story.id)
    with explained("make samples in", str(samples_root(folder))):
        written = write_sessions(folder, sessions, now)
    return Demo(folder, made, written)


def _claim(folder: Path) -> None:
    """Make the folder, and mark it as one of samples before anything else is put there.

    In one that holds something else, samples would be mixed with it: a user's runs with sample
    runs, Reasonix's own folder with sample sessions, a program called like ours replaced by it.
    Raises UsageError, OSError, StoreError.
    """
    layer = FileLayer()
    place = os.path.realpath(folder)
    mark = samples_root(Path(place)) / SAMPLES
    # What was made before there were sessions in it has no mark.
    old = [os.path.join(place, name) for name in ("script.json", APPLICATION, "runs")]
    layer.make_dir(place).close()
    if not mark.is_file() and not all(map(os.path.exists, old)):
        # An empty folder in it is of an attempt that was broken off.
        others = set(os.listdir(place)) - {mark.parent.name}
        if others or (mark.parent.exists() and os.listdir(mark.parent)):
            raise UsageError(
                f"{folder} holds something else than samples: name a folder that is empty, or not"
                " there yet"
            )
    with layer.make_dir(str(mark.parent)) as reasonix:
        if not layer.exists(reasonix, SAMPLES):
            layer.atomic_write(reasonix, SAMPLES, b"{}\n")


def _write_configurations(folder: Path, program: Program, wanted: dict[str, bytes]) -> None:
    """Write the configurations, and the ``wanted`` files that they name."""
    source = files("tenuto_resources").joinpath("demo")
    for name in CONFIGURATIONS:
        agent, own = f"{name}.yaml", f"{name}.tenuto.yaml"
        text = source.joinpath(agent).read_text(encoding="utf-8")
        wanted[agent] = program.configuration(text).encode()
        wanted[own] = program.own_keys(source.joinpath(own).read_text(encoding="utf-8")).encode()
    for file, data in wanted.items():
        # What the operator changed stays changed.
        if not (folder / file).exists():
            (folder / file).write_bytes(data)


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


def _write_run(folder: Path, story: Story, told: Told, resolved: ResolvedAgent, name: str) -> None:
    runs = str(folder / "runs")
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
        forced = (notes.Forced(rfc3339(told.resumed), config, [row]),)
    if not story.empty and story.version == 3:
        parent = notes.Parent(story.parent, len(told.times)) if story.parent else None
        notes.update(
            runs, story.id, title=story.title, pinned=story.pinned, note=story.note, parent=parent,
            config=config, cwd=str(folder), forced=forced,
        )  # fmt: skip
    elif story.title:
        notes.update(runs, story.id, title=story.title)
    os.utime(os.path.join(runs, journal_name(story.id)), ns=(told.ended, told.ended))


def as_json(demo: Demo) -> dict[str, Any]:
    """What ``tenuto demo --json`` prints."""
    return {
        "folder": str(demo.folder),
        "runs": str(demo.runs),
        "reasonix": str(demo.reasonix),
        "config": str(demo.config),
        "made": demo.made,
        "sessions": demo.sessions,
    }
