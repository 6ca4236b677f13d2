# SPDX-License-Identifier: Apache-2.0
"""Tenuto's own keys of an agent configuration (agent-config.md, "Keys", last row).

They stand in ``agent.tenuto.yaml`` beside ``agent.yaml``, or under ``tenuto:`` in a file that only
Tenuto uses.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Final, Self
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from tenuto.agent.tree import (
    Listing,
    Node,
    Reader,
    Scalar,
    Table,
    join,
    not_a_mapping,
    parse_duration,
)
from tenuto.sentences import Sentence, marked, others_words, sentence

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

#: Members whose scalars are values of their own, not text: JSON schemas.
FREE = ("input_schema",)


class _Fault(ValueError):
    """What is wrong with a value, in words of ours."""

    def __init__(self, said: Sentence) -> None:
        super().__init__(str(said))
        self.said = said


def _seconds(value: Any) -> Any:
    if isinstance(value, str):
        try:
            seconds = parse_duration(value)
        except ValueError:
            text = sentence("{text!r} is no duration such as 90s or 1m30s", text=value)
            raise _Fault(text) from None
        if seconds <= 0:
            raise _Fault(sentence("a time limit must be above 0"))
        return seconds
    return value


def _url(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise _Fault(sentence("must begin with http:// or https:// and name a host"))
    if parts.username is not None or parts.password is not None:
        raise _Fault(sentence("must not hold a user name or password"))
    return value


def _name(value: str) -> str:
    if not value or "=" in value or "\0" in value:
        raise _Fault(sentence("{name!r} is no name of an environment variable", name=value))
    return value


def _words(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


#: Begins the names of the server's tools.
_ServerName = Annotated[str, Field(pattern=re.compile(r"\A[a-zA-Z0-9_-]{1,32}\Z"))]


def _object_schema(value: dict[str, Any]) -> dict[str, Any]:
    properties, required = value.get("properties", {}), value.get("required", [])
    if value.get("type") != "object" or not isinstance(properties, dict):
        raise _Fault(sentence("must be a JSON schema of type object"))
    if not isinstance(required, list) or not all(name in properties for name in required):
        raise _Fault(sentence("required must list properties of the schema"))
    return value


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Command(_Model):
    """A tool that is one command.

    In ``command`` (the program first) ``{name}`` stands for the property of that name; an
    argument that names a property which is left out is left out with it, and an argument that is
    nothing but a property given as an array becomes one argument for each item.
    """

    name: Annotated[str, Field(pattern=re.compile(r"\A[a-zA-Z0-9_-]{1,64}\Z"))]
    description: str = ""
    command: Annotated[tuple[str, ...], Field(min_length=1)]
    input_schema: Annotated[dict[str, Any], AfterValidator(_object_schema)] = Field(
        default_factory=lambda: {"type": "object", "properties": {}, "additionalProperties": False}
    )
    #: As a fisk command's: ``ai:confirm`` asks first, ``impact:ro`` says it changes nothing.
    tags: tuple[str, ...] = ()
    #: Seconds; None is no limit.
    timeout: Annotated[float | None, BeforeValidator(_seconds)] = None
    #: Where it runs, relative to the configuration; where all tools do where absent.
    working_directory: str | None = None
    #: It changes nothing: after a crash its call may be repeated without asking.
    read_only: bool = False


class McpServer(_Model):
    """A server of tools (Model Context Protocol): a program on stdio, or an address."""

    #: The program; it and ``args`` may also stand in one list.
    command: Annotated[tuple[str, ...], BeforeValidator(_words)] = ()
    args: tuple[str, ...] = ()
    #: Added to the program's environment; null passes the present value on.
    env: dict[Annotated[str, AfterValidator(_name)], str | None] = Field(default_factory=dict)
    #: Where the program runs, relative to the configuration.
    working_directory: str | None = None
    url: Annotated[str, AfterValidator(_url)] | None = None
    headers: dict[str, str] = Field(default_factory=dict)
    #: Headers whose values are kept in environment variables: header -> variable.
    headers_env: dict[str, Annotated[str, AfterValidator(_name)]] = Field(default_factory=dict)
    #: Seconds for one call, and for the server to start and say what it has.
    timeout: Annotated[float, BeforeValidator(_seconds)] = 300.0
    start_timeout: Annotated[float, BeforeValidator(_seconds)] = 30.0
    #: Of all its tools, and of single ones by the server's own names for them. As a command's:
    #: ``ai:confirm`` asks first, ``impact:ro`` may be run again, ``ai:deny`` hides the tool.
    tags: tuple[str, ...] = ()
    tool_tags: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    #: None of its tools changes anything.
    read_only: bool = False

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if bool(self.command) == bool(self.url):
            raise _Fault(sentence("must have a command or a url, and not both"))
        wrong = {
            "url": ("args", "env", "working_directory"),
            "command": ("headers", "headers_env"),
        }["url" if self.url else "command"]
        for key in wrong:
            if getattr(self, key):
                other = "url" if self.url else "command"
                raise _Fault(sentence("{key} does not go with {other}", key=key, other=other))
        return self


class OwnKeys(_Model):
    """Every own key with its default."""

    #: Turns of the ``scripted`` provider, relative to the configuration.
    script: str | None = None
    #: The model's endpoint; the SDK's environment variable where absent.
    base_url: Annotated[str, AfterValidator(_url)] | None = None
    #: Where tools run, relative to the configuration.
    working_directory: str | None = None
    #: Tools whose calls may be repeated after a crash without asking, by name and by tag.
    read_only: tuple[str, ...] = ()
    read_only_tags: tuple[str, ...] = ("impact:ro",)
    #: Added to the environment of tools; null passes the present value on.
    env: dict[Annotated[str, AfterValidator(_name)], str | None] = Field(default_factory=dict)
    #: The environment variable of the model's key; the provider's usual one where absent.
    api_key_env: Annotated[str, AfterValidator(_name)] | None = None
    #: Gives the model the tools list_sessions and read_session.
    session_tools: bool = False
    #: Tokens that the model takes; a Reasonix session that rested long is pruned by it.
    context_window: Annotated[int, Field(gt=0)] | None = None
    #: Hours at rest after which a Reasonix session is pruned (24); 0 is never.
    cold_resume_hours: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    commands: tuple[Command, ...] = ()
    mcp_servers: dict[_ServerName, McpServer] = Field(default_factory=dict)


def read(reader: Reader, node: Node | None, prefix: str) -> OwnKeys:
    """The own keys in ``node``; what is wrong goes to the reader's problems."""
    if node is None or (isinstance(node, Scalar) and node.is_null):
        return OwnKeys()
    if not isinstance(node, Table):
        reader.complain(not_a_mapping(prefix), node.mark, prefix)
        return OwnKeys()
    data = reader.value(node, prefix, FREE)
    # A key without a value is a key that is not given.
    data = {key: value for key, value in data.items() if value is not None}
    try:
        keys = OwnKeys.model_validate(data)
    except ValidationError as error:
        for fault in error.errors(include_url=False):
            place, key = _locate(node, prefix, fault["loc"])
            if fault["type"] == "extra_forbidden":
                reader.complain(sentence("unknown key {key!r}", key=key), place, key)
            else:
                text = sentence("{key}: {what}", key=key, what=_words_of(fault))
                reader.complain(text, place, key)
        return OwnKeys()
    names: set[str] = set()
    for index, command in enumerate(keys.commands):
        if command.name in names:
            place, key = _locate(node, prefix, ("commands", index, "name"))
            reader.complain(
                sentence("two commands are named {name!r}", name=command.name), place, key
            )
        names.add(command.name)
    return keys


#: pydantic's kinds of faults that these keys can have, as it words them.
_PLAIN_FAULTS: Final = {
    "missing": marked("field required"),
    "string_type": marked("input should be a valid string"),
    "bool_type": marked("input should be a valid boolean"),
    "bool_parsing": marked("input should be a valid boolean, unable to interpret input"),
    "int_type": marked("input should be a valid integer"),
    "int_parsing": marked("input should be a valid integer, unable to parse string as an integer"),
    "float_type": marked("input should be a valid number"),
    "float_parsing": marked("input should be a valid number, unable to parse string as a number"),
    "finite_number": marked("input should be a finite number"),
    "tuple_type": marked("input should be a valid tuple"),
    "dict_type": marked("input should be a valid dictionary"),
    "greater_than": marked("input should be greater than {gt}"),
    "greater_than_equal": marked("input should be greater than or equal to {ge}"),
    "string_pattern_mismatch": marked("string should match pattern '{pattern}'"),
    "model_type": marked("input should be a valid dictionary or instance of {class_name}"),
    "too_short": marked(
        "tuple should have at least {min_length} item after validation, not {actual_length}"
    ),
}


def _words_of(fault: ErrorDetails) -> Sentence:
    """What is wrong with one value."""
    facts = fault.get("ctx", {})
    if isinstance(said := facts.get("error"), _Fault):
        return said.said
    message = fault["msg"]
    text = f"{message[:1].lower()}{message[1:]}"
    template = _PLAIN_FAULTS.get(fault["type"])
    if template is not None:
        made = Sentence(template, facts)
        # Its words may be others in another version of it.
        if str(made) == text:
            return made
    return others_words(text)


def _locate(node: Node, prefix: str, location: tuple[int | str, ...]) -> Any:
    """The mark and the dotted name of the innermost node that ``location`` leads to."""
    key, mark = prefix, node.mark
    for step in location:
        if isinstance(node, Table) and isinstance(step, str):
            found = {name.text: (name, value) for name, value in node.items}.get(step)
            if found is None:
                # Missing, or inherited through a merge key.
                return mark, key if step.startswith("[") else join(key, step)
            mark, node = found[0].mark, found[1]
        elif isinstance(node, Listing) and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
            mark = node.mark
        else:
            break
        key = join(key, str(step))
    return mark, key
