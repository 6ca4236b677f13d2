# SPDX-License-Identifier: Apache-2.0
"""Reading an agent configuration, and what it comes to."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from tenuto.agent.schema import AgentConfig
from tenuto.agent.tree import MAX_SIZE, Mark, Node, Problem, Reader, config_error
from tenuto.sentences import sentence, system_said

if TYPE_CHECKING:
    from tenuto.agent.resolve import ResolvedAgent
    from tenuto.agent.servers import Servers

__all__ = ["AgentConfig", "load_config", "resolve"]


def load_config(path: str | os.PathLike[str]) -> AgentConfig:
    """Read and check a configuration. Raises ConfigError with every problem found.

    A ``*.toml`` file is one of Reasonix's: model, endpoint and key are taken from it.
    """
    from tenuto.agent import keys

    absolute = Path(os.path.abspath(path))
    shown = str(absolute)
    if absolute.suffix == ".toml":
        from tenuto.agent import reasonix_config

        return reasonix_config.read(absolute, _read_file)
    reader = Reader()
    try:
        tree = _compose(absolute)
        beside = absolute.with_name(absolute.stem + ".tenuto.yaml")
        separate = _compose(beside) if beside != absolute and os.path.lexists(beside) else None
        config = keys.read(reader, absolute, tree, beside, separate)
    except Problem as problem:
        raise config_error(shown, [*reader.problems, problem]) from None
    if reader.problems:
        raise config_error(shown, reader.problems)
    return config


def resolve(config: AgentConfig, servers: Servers | None = None) -> ResolvedAgent:
    """Tools, system prompt and fingerprint of ``config``; see :mod:`tenuto.agent.resolve`."""
    from tenuto.agent.resolve import resolve

    return resolve(config, servers)


def _read_file(path: Path) -> str:
    """The text of a regular file within bounds. Raises Problem."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    except OSError as error:
        raise Problem(
            sentence("cannot read {path}: {reason}", path=path, reason=system_said(error))
        ) from None
    except ValueError:
        raise Problem(sentence("{path!r} is no file name", path=str(path))) from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise Problem(sentence("{path} is not a regular file", path=path))
    with os.fdopen(descriptor, "rb") as file:
        data = file.read(MAX_SIZE + 1)
    if len(data) > MAX_SIZE:
        raise Problem(
            sentence("{path} is larger than {size} MiB", path=path, size=MAX_SIZE // 2**20)
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        mark = Mark(before.count(b"\n") + 1, error.start - (before.rfind(b"\n") + 1) + 1)
        raise Problem(sentence("{path} is not UTF-8", path=path), mark) from None


def _compose(path: Path) -> Node:
    """JSON where the file is JSON, YAML else."""
    from tenuto.agent import jsonfile

    text = _read_file(path)
    if path.suffix == ".json":
        return jsonfile.compose(text)
    if text.lstrip(" \t\r\n").startswith("{"):
        try:
            return jsonfile.compose(text)
        except Problem:
            pass  # A YAML flow mapping, then, or nothing that can be read.
    from tenuto.agent import yaml

    return yaml.compose(text)
