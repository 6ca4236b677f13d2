# SPDX-License-Identifier: Apache-2.0
"""What an agent configuration holds (agent-config.md, "Keys")."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec

from tenuto.agent.environment import tool_environment
from tenuto.agent.own import OwnKeys
from tenuto.sentences import Sentence

DEFAULT_MAX_TOKENS = 200_000
DEFAULT_MAX_ITERATIONS = 50
#: Seconds.
DEFAULT_CALL_TIMEOUT = 120.0
FILE_BACKEND = "file"


class Filter(msgspec.Struct, frozen=True):
    """Patterns (RE2) and tags; one with neither selects nothing and is as good as absent."""

    tools: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.tools or self.tags)


class Budget(msgspec.Struct, frozen=True):
    max_tokens: int = DEFAULT_MAX_TOKENS
    max_iterations: int = DEFAULT_MAX_ITERATIONS
    #: None is the provider's own limit.
    max_output_tokens: int | None = None
    #: Seconds for one model call.
    call_timeout: float = DEFAULT_CALL_TIMEOUT


class Llm(msgspec.Struct, frozen=True):
    model: str = ""
    provider: str = "anthropic"
    budget: Budget = Budget()
    thinking: bool = False
    no_prompt_cache: bool = False
    no_tool_search: bool = False


class Memory(msgspec.Struct, frozen=True):
    enabled: bool = False
    backend: str = FILE_BACKEND
    no_index: bool = False
    options: dict[str, Any] = {}

    @property
    def directory(self) -> str | None:
        """The folder of the file backend, as written; None where none is given."""
        found = self.options.get("directory")
        return found if isinstance(found, str) and found else None


class Sessions(msgspec.Struct, frozen=True):
    backend: str = FILE_BACKEND
    options: dict[str, Any] = {}

    @property
    def directory(self) -> str | None:
        """The runs folder of the file backend, as written; None where none is given."""
        found = self.options.get("directory")
        return found if self.backend == FILE_BACKEND and isinstance(found, str) and found else None


class Harness(msgspec.Struct, frozen=True):
    human_in_the_loop: bool = False
    confirm_tags: tuple[str, ...] = ()
    memory: Memory = Memory()
    sessions: Sessions = Sessions()
    knowledge: bool = False
    no_tui: bool = False
    no_bell: bool = False


class AgentConfig(msgspec.Struct, frozen=True):
    """A configuration that loads. ``resolve`` says what it comes to and whether it can run."""

    #: Absolute path of the file.
    path: Path
    identity: str
    system_prompt: str
    application_path: str = ""
    include: Filter = Filter()
    exclude: Filter = Filter()
    global_flags: tuple[str, ...] = ()
    llm: Llm = Llm()
    harness: Harness = Harness()
    tenuto: OwnKeys = OwnKeys()
    #: Environment variables in which the configuration keeps credentials.
    credentials: tuple[str, ...] = ()
    #: Files of ``KEY=value`` lines where the model's key may stand, asked after the environment.
    key_files: tuple[Path, ...] = ()
    #: What is accepted, but not run.
    warnings: tuple[Sentence, ...] = ()
    #: What is worth knowing when the configuration is checked, and not at each run.
    remarks: tuple[Sentence, ...] = ()
    #: The file, and ``agent.tenuto.yaml`` where it is there.
    files: tuple[Path, ...] = ()

    @property
    def directory(self) -> Path:
        """The folder that relative paths in the file start from."""
        return self.path.parent

    def relative(self, name: str) -> Path:
        """``name`` from the file's folder, ``~`` expanded."""
        return Path(os.path.abspath(self.directory / os.path.expanduser(name)))

    @property
    def script(self) -> Path | None:
        """The turns of the ``scripted`` provider."""
        return self.relative(self.tenuto.script) if self.tenuto.script else None

    @property
    def working_directory(self) -> Path | None:
        """Where tools run, if the configuration says so."""
        found = self.tenuto.working_directory
        return self.relative(found) if found else None

    @property
    def memory_directory(self) -> Path:
        """Where memories lie; fisk-ai's default, seen from the file's folder."""
        found = self.harness.memory.directory
        return self.relative(found or os.path.join("memory", self.identity))

    def tool_environment(self) -> dict[str, str]:
        """What tools, and the application's introspection, are started with."""
        return tool_environment(self.tenuto.env, credentials=self.credentials)

    @property
    def runs_directory(self) -> str | None:
        """``harness.sessions.options.directory`` of the file backend, absolute."""
        found = self.harness.sessions.directory
        return None if found is None else str(self.relative(found))
