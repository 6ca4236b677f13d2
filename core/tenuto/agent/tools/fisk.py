# SPDX-License-Identifier: Apache-2.0
"""The commands of a fisk application as tools.

agent-config.md, "Tools of a fisk application" and "From a tool input to a command line".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from tenuto import gojson
from tenuto.agent.tools.base import Tool, confirm_tag
from tenuto.agent.tools.inputs import (
    check_arguments,
    kind_of,
    parse_object,
    quote,
    scalar_text,
)
from tenuto.agent.tools.introspection import Application, Argument, Command, Flag, decode
from tenuto.agent.tree import unusable_config
from tenuto.errors import ConfigError, ToolInputError
from tenuto.fingerprint import ToolDefinition
from tenuto.sentences import Sentence, others_words, sentence

if TYPE_CHECKING:
    from tenuto.agent.schema import AgentConfig

__all__ = ["Application", "argv", "introspect", "tools"]

DENY_TAG = "ai:deny"
NO_DEFER_TAG = "ai:no_defer"
#: Flags that the framework gives every application: help, completion and the like.
_FRAMEWORK = frozenset(
    {
        "help",
        "help-long",
        "help-man",
        "help-llm",
        "help-compact",
        "completion-bash",
        "completion-script-bash",
        "completion-script-zsh",
        "fisk-introspect",
        "version",
    }
)


def introspect(config: AgentConfig) -> Application | None:
    """Ask the configuration's application what it can do; None where there is none.

    Raises ConfigError.
    """
    if not config.application_path:
        return None
    from tenuto.agent.tools import introspection

    environment = config.tool_environment()
    program = introspection.find_program(
        config.application_path, str(config.directory), environment.get("PATH")
    )
    return introspection.run(program, environment)


def tools(app: Application, config: AgentConfig, *, required_globals: bool = True) -> list[Tool]:
    """The tools that ``config`` makes of ``app``, none deferred yet. Raises ConfigError.

    ``required_globals=False`` leaves out required global flags that are not listed, as the first
    builds that wrote version 2 did.
    """
    from tenuto.agent.tools.filters import Matcher

    exposed = exposed_flags(app, config.global_flags, required=required_globals)
    try:
        include = Matcher(config.include.tools, config.include.tags)
        exclude = Matcher(config.exclude.tools, config.exclude.tags)
    except ValueError as error:
        raise _error("include", others_words(str(error))) from None
    found: list[Tool] = []
    names: set[str] = set()
    for path, command in app.leaves():
        if bytes(command.restricted_schema) in (b"", b"null"):
            raise _error(
                "application_path",
                sentence(
                    "the application is too old: its command {path} has no restricted_schema",
                    path=quote(" ".join(path)),
                ),
            )
        name, tags = "_".join(path), command.tags or ()
        if (
            DENY_TAG in tags
            or (include and not include.matches(name, tags))
            or (exclude and exclude.matches(name, tags))
        ):
            continue
        if name in names:
            raise _error(
                "application_path",
                sentence("two commands make the tool name {name}", name=quote(name)),
            )
        names.add(name)
        applicable = _applicable(exposed, command)
        found.append(
            Tool(
                ToolDefinition(name, _description(command), _schema(path, command, applicable)),
                "application",
                app.program,
                " ".join(path),
                partial(_argv, path, command, applicable),
                tags,
                confirm_tag(tags, config.harness.confirm_tags),
                name in config.tenuto.read_only
                or any(tag in config.tenuto.read_only_tags for tag in tags),
            )
        )
    return found


def argv(
    introspection: bytes, tool: str, raw_input: bytes, global_flags: Sequence[str] = ()
) -> list[str]:
    """The command line for a tool input: command path first, no program.

    ``tool`` is the name as sent (``stock_add``); the path with spaces will do too. Raises
    ToolInputError for what must not run, ConfigError for a document or flag that is none.
    """
    app = decode(introspection)
    exposed = exposed_flags(app, global_flags)
    for path, command in app.leaves():
        if tool in ("_".join(path), " ".join(path)):
            return _argv(path, command, _applicable(exposed, command), raw_input)
    raise ToolInputError(f"there is no tool {quote(tool)}", tool=tool)


def exposed_flags(
    app: Application, names: Iterable[str], *, required: bool = True
) -> tuple[Flag, ...]:
    """The global flags shown to the model: those named, then every required one.

    Raises ConfigError for a name that cannot be exposed.
    """
    known = {flag.name: flag for flag in app.model.flags or ()}
    exposed: dict[str, Flag] = {}
    for name in names:
        flag = known.get(name)
        if flag is None:
            choices = [
                other.name
                for other in known.values()
                if not other.hidden and other.name not in _FRAMEWORK
            ]
            text = sentence("global_flags: the application has no flag {name}", name=quote(name))
            if choices:
                text = sentence(
                    "global_flags: the application has no flag {name} (it has: {choices})",
                    name=quote(name),
                    choices=choices,
                )
            raise _error("global_flags", text)
        if flag.hidden or name in _FRAMEWORK:
            raise _error(
                "global_flags",
                sentence(
                    "global_flags: {name} is hidden or belongs to the framework and cannot be "
                    "shown to the model",
                    name=quote(name),
                ),
            )
        exposed[name] = flag
    if required:
        for flag in known.values():
            if flag.required and flag.name not in _FRAMEWORK:
                exposed.setdefault(flag.name, flag)
    return tuple(exposed.values())


def _applicable(exposed: tuple[Flag, ...], command: Command) -> tuple[Flag, ...]:
    """Without those that a flag or argument of the command shadows."""
    own = {flag.name for flag in command.flags or ()} | {arg.name for arg in command.args or ()}
    return tuple(flag for flag in exposed if flag.name not in own)


def _description(command: Command) -> str:
    short, long = command.help or "", command.help_long or ""
    if not short or short in long:
        text = long
    elif long in short:
        text = short
    else:
        text = f"{short}\n\n{long}"
    if not command.tags:
        return text
    tags = "Tags: " + ", ".join(command.tags)
    return f"{text}\n\n{tags}" if text else tags


def _schema(path: tuple[str, ...], command: Command, flags: tuple[Flag, ...]) -> dict[str, Any]:
    try:
        schema = gojson.parse(bytes(command.restricted_schema))
        # Also refuses numbers beyond float64, which no hash could be made of.
        gojson.canonical(schema)
    except ValueError as error:
        raise _error(
            "application_path",
            sentence(
                "schema of {path}: {reason}",
                path=quote(" ".join(path)),
                reason=others_words(str(error)),
            ),
        ) from None
    if not isinstance(schema, dict):
        raise _error(
            "application_path",
            sentence("schema of {path} is no object", path=quote(" ".join(path))),
        )
    names = schema.get("required") or []
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise _error(
            "application_path",
            sentence("schema of {path}: required is no list", path=quote(" ".join(path))),
        )
    if not isinstance(schema.get("properties") or {}, dict):
        raise _error(
            "application_path",
            sentence("schema of {path}: properties is no object", path=quote(" ".join(path))),
        )
    if not flags:
        return schema
    properties = dict(schema.get("properties") or {})
    required = list(names)
    for flag in flags:
        if flag.name in properties:
            continue
        properties[flag.name] = _flag_schema(flag)
        if flag.required and not flag.default:
            required.append(flag.name)
    merged = {**schema, "properties": properties}
    return {**merged, "required": required} if required else merged


def _flag_schema(flag: Flag) -> dict[str, Any]:
    value: dict[str, Any] = {"type": "boolean" if flag.boolean else "string"}
    if flag.cumulative:
        value = {"type": "array", "items": value}
    value["description"] = f"Global flag: {flag.help}" if flag.help else "Global flag"
    if flag.completions and value["type"] == "string":
        value["enum"] = list(flag.completions)
    return value


def _argv(
    path: tuple[str, ...], command: Command, global_flags: tuple[Flag, ...], raw_input: bytes
) -> list[str]:
    display = " ".join(path)
    try:
        given = parse_object(raw_input)
        own = {flag.name for flag in command.flags or ()}
        own |= {argument.name for argument in command.args or ()}
        shared = {flag.name for flag in global_flags}
        for name in given:
            if name not in own and name not in shared:
                raise ValueError(f"unknown property {quote(name)}")
        line = [*path, *_flags(global_flags, given), *_flags(command.flags or (), given)]
        positionals = _positionals(command.args or (), given)
        if positionals:
            line += ["--", *positionals]
        return check_arguments(line)
    except ValueError as error:
        raise ToolInputError(
            f"building command line for {quote(display)}: {error}", tool="_".join(path)
        ) from None


def _flags(flags: Iterable[Flag], given: Mapping[str, Any]) -> list[str]:
    line: list[str] = []
    for flag in flags:
        if flag.name in given:
            try:
                line += _flag(flag, given[flag.name])
            except ValueError as error:
                raise ValueError(f"flag {quote(flag.name)}: {error}") from None
    return line


def _flag(flag: Flag, value: Any) -> list[str]:
    name = f"--{flag.name}"
    if flag.boolean:
        if not isinstance(value, bool):
            raise ValueError(f"expected boolean, got {kind_of(value)}")
        if value:
            return [name]
        if flag.negatable:
            return [f"--no-{flag.name}"]
        if any(text in _TRUE for text in flag.default or ()):
            # Leaving it out would leave it true, the opposite of what was asked.
            raise ValueError(
                "cannot be set to false: the flag has no negation and defaults to true"
            )
        return []
    if isinstance(value, list):
        return [f"{name}={scalar_text(item)}" for item in value]
    if isinstance(value, dict):
        members = {gojson.replace_surrogates(key): item for key, item in value.items()}
        return [f"{name}={key}={scalar_text(members[key])}" for key in sorted(members)]
    return [f"{name}={scalar_text(value)}"]


#: What Go's strconv.ParseBool takes for true.
_TRUE = frozenset({"1", "t", "T", "TRUE", "true", "True"})


def _positionals(arguments: Sequence[Argument], given: Mapping[str, Any]) -> list[str]:
    for argument in arguments[:-1]:
        if argument.cumulative:
            raise ValueError(
                f"argument {quote(argument.name)} is cumulative but is not the last argument"
            )
    last = max((i for i, argument in enumerate(arguments) if argument.name in given), default=-1)
    line: list[str] = []
    for argument in arguments[: last + 1]:
        if argument.name not in given:
            # A command line cannot skip a position.
            if not argument.default:
                raise ValueError(
                    f"argument {quote(argument.name)} must be set because a later argument is set"
                )
            line += [text or "" for text in argument.default]
            continue
        value = given[argument.name]
        try:
            line += [scalar_text(item) for item in (value if isinstance(value, list) else [value])]
        except ValueError as error:
            raise ValueError(f"argument {quote(argument.name)}: {error}") from None
    return line


def _error(key: str, said: Sentence) -> ConfigError:
    return unusable_config(said, key)
