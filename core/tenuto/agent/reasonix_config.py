# SPDX-License-Identifier: Apache-2.0
"""Reasonix's own ``config.toml`` as an agent configuration: model, endpoint and name of the key.

``default_model`` names a provider of ``[[providers]]``, or ``provider/model``. Its tools are
Reasonix's own and are not taken over: who wants some writes an ``agent.yaml``.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final

import msgspec

from tenuto import paths
from tenuto.agent import own
from tenuto.agent.schema import AgentConfig, Llm
from tenuto.agent.tree import Mark, Problem, Reader, Scalar, Table, config_error
from tenuto.reasonix.folders import home, old_home, root_above, sessions_root, state
from tenuto.sentences import others_words, sentence
from tenuto.settings import load as load_settings

NAME: Final = "config.toml"
#: Reasonix's kinds of providers -> ours. A provider without one is of the first kind.
_KINDS: Final = {"": "openai", "openai": "openai", "anthropic": "anthropic"}
#: Only for a session that has no instructions of its own.
_PROMPT: Final = "You are a helpful assistant."
_START: Final = Mark(1, 1)

_Count = Annotated[int, msgspec.Meta(ge=0)]


class _Provider(msgspec.Struct):
    name: str = ""
    kind: str = ""
    base_url: str = ""
    models: list[str] = []
    default: str = ""
    model: str = ""
    api_key_env: str = ""
    context_window: _Count = 0


class _Agent(msgspec.Struct):
    system_prompt: str = ""
    cold_resume_prune: bool = True


class _Config(msgspec.Struct):
    default_model: str = ""
    providers: list[_Provider] = []
    agent: _Agent = msgspec.field(default_factory=_Agent)


def find(session: str = "") -> Path | None:
    """Reasonix's configuration of this user, if there is one.

    ``session``: the file of a session to go on with. One of another state folder than this user's
    goes on with what is configured there, if anything is; one of the folder that the settings name
    goes on with this user's own then.
    """
    folders = [home(), old_home()]
    root = root_above(os.path.dirname(session)) if session else None
    if root is not None and root.resolve() not in (sessions_root().resolve(), state().resolve()):
        chosen = load_settings().settings.reasonix_dir
        own = bool(chosen) and root.resolve() == sessions_root(chosen=chosen).resolve()
        folders = [root, *folders] if own else [root]
    for folder in folders:
        path = folder / NAME
        if path.is_file():
            return path
    return None


def read(path: Path, text_of: Callable[[Path], str]) -> AgentConfig:
    """What of the file at ``path`` a session can go on with.

    :raises ConfigError: it cannot be read, or names no model.
    """
    try:
        found = msgspec.convert(tomllib.loads(text_of(path)), _Config)
        provider, model = _chosen(found)
        kind = _KINDS.get(provider.kind)
        if kind is None:
            raise Problem(
                sentence("Tenuto has no provider of the kind {kind!r}", kind=provider.kind),
                key="providers",
            )
        keys = _own_keys(found, provider)
    except Problem as problem:
        raise config_error(str(path), [problem]) from None
    except tomllib.TOMLDecodeError as error:
        raise config_error(
            str(path), [Problem(sentence("not TOML: {reason}", reason=others_words(str(error))))]
        ) from None
    except (msgspec.ValidationError, RecursionError) as error:
        raise config_error(str(path), [Problem(others_words(str(error)))]) from None
    return AgentConfig(
        path=path,
        identity="reasonix",
        system_prompt=found.agent.system_prompt.strip() or _PROMPT,
        llm=Llm(model=model, provider=kind),
        tenuto=keys,
        credentials=(keys.api_key_env,) if keys.api_key_env else (),
        key_files=_key_files(path),
        remarks=(
            sentence("of Reasonix's configuration only model, endpoint and key are used: no tools"),
        ),
        files=(path,),
    )


def _key_files(path: Path) -> tuple[Path, ...]:
    """Where Reasonix keeps the keys that the configuration at ``path`` names.

    Its own file beside the configuration, called ``credentials`` by its early builds, then the
    user's ``.env``. That of a project is not asked: a folder that was fetched from somewhere must
    not say which account pays. (Reasonix asks its own file before the environment; here what is in
    the environment goes first, as with every other configuration.)
    """
    folder = path.parent
    return (folder / ".env", folder / "credentials", paths.home() / ".env")


def _chosen(config: _Config) -> tuple[_Provider, str]:
    """The provider and the model that ``default_model`` names, else the first ones."""
    wanted = config.default_model.strip()
    name, slash, model = wanted.partition("/")
    for provider in config.providers:
        if slash and provider.name == name:
            return provider, model
        if provider.name == wanted or (not wanted and _default(provider)):
            return provider, _default(provider)
    for provider in config.providers:
        if wanted in (*provider.models, provider.model):
            return provider, wanted
    if wanted:
        raise Problem(
            sentence("default_model names {wanted!r}, which no provider has", wanted=wanted),
            key="default_model",
        )
    raise Problem(sentence("it names no model: there is no default_model and no provider with one"))


def _default(provider: _Provider) -> str:
    return provider.default or provider.model or next(iter(provider.models), "")


def _own_keys(config: _Config, provider: _Provider) -> own.OwnKeys:
    """Checked as the keys of ``agent.tenuto.yaml`` are. Raises Problem."""
    given = {
        "base_url": os.path.expandvars(provider.base_url),
        "api_key_env": provider.api_key_env,
        "context_window": str(provider.context_window or ""),
        "cold_resume_hours": "" if config.agent.cold_resume_prune else "0",
    }
    table = Table(_START)
    for key, value in given.items():
        if value:
            table.items.append((Scalar(_START, key, "plain"), Scalar(_START, value, "quoted")))
    reader = Reader()
    keys = own.read(reader, table, "providers")
    if reader.problems:
        raise Problem(reader.problems[0].said, key="providers")
    return keys
