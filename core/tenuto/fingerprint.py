# SPDX-License-Identifier: Apache-2.0
"""The guard's fingerprint of a configuration (run-journal.md, "The resume guard").

Hashes come in two forms: the neutral one of journal version 3, and the wire one of versions 1 and
2, over the tools as they are sent to Anthropic (agent-config.md, "The fingerprint in a version 1
or 2 journal").
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from tenuto import gojson

Field = Literal[
    "provider",
    "model",
    "system_hash",
    "tools_hash",
    "thinking_mode",
    "max_tokens",
    "max_iterations",
]
FIELDS: tuple[Field, ...] = (
    "provider",
    "model",
    "system_hash",
    "tools_hash",
    "thinking_mode",
    "max_tokens",
    "max_iterations",
)
#: What versions 1 and 2 always ran on, and so did not write down.
DEFAULT_PROVIDER = "anthropic"
#: The tool that Anthropic's server-side search is asked for with; only ever sent, never hashed in
#: the neutral form.
SEARCH_TOOL = "tool_search_tool_bm25"


class FieldChange(msgspec.Struct, frozen=True):
    """One field of two fingerprints side by side."""

    field: Field
    saved: str | int
    current: str | int
    changed: bool
    #: False for the one difference that no force overrides: the provider.
    forceable: bool


class Fingerprint(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a run was started with; ``provider`` is "" in versions 1 and 2 (it was anthropic)."""

    provider: str = ""
    model: str = ""
    system_hash: str = ""
    tools_hash: str = ""
    thinking_mode: str = ""
    max_tokens: int = 0
    max_iterations: int = 0

    def compare(self, current: Fingerprint) -> list[FieldChange]:
        """All seven fields, ``self`` being the saved one, in the journal's order."""
        rows = []
        for field in FIELDS:
            ours, theirs = getattr(self, field), getattr(current, field)
            if field == "provider":
                ours, theirs = ours or DEFAULT_PROVIDER, theirs or DEFAULT_PROVIDER
            rows.append(FieldChange(field, ours, theirs, ours != theirs, field != "provider"))
        return rows

    def diff(self, other: Fingerprint) -> list[FieldChange]:
        """The fields in which ``other`` (today's) differs from ``self`` (the saved one)."""
        return [row for row in self.compare(other) if row.changed]


class ToolDefinition(msgspec.Struct, frozen=True):
    """A tool as the model is told of it, before any provider's own form."""

    name: str
    description: str
    #: A decoded JSON schema, its raw JSON, or None.
    input_schema: Mapping[str, Any] | bytes | None
    defer_loading: bool = False

    def schema(self) -> Any:
        """The schema decoded. Raises ValueError for raw bytes that are not JSON."""
        if isinstance(self.input_schema, bytes):
            return gojson.parse(self.input_schema)
        return self.input_schema


def system_hash(parts: Sequence[str]) -> str:
    """Hex SHA-256 of the Go-JSON array of the system prompt's parts."""
    return _sha256(gojson.canonical(list(parts)))


def tools_hash(tools: Iterable[ToolDefinition]) -> str:
    """Hex SHA-256 of the Go-JSON array of the definitions, in the order given."""
    return _sha256(tools_canonical(tools))


def tools_canonical(tools: Iterable[ToolDefinition]) -> bytes:
    """The bytes that :func:`tools_hash` hashes."""
    return _array(
        _object(
            ("Name", gojson.encode_string(tool.name)),
            ("Description", gojson.encode_string(tool.description)),
            ("InputSchema", gojson.canonical(tool.schema())),
            ("DeferLoading", gojson.canonical(tool.defer_loading)),
        )
        for tool in tools
    )


def wire_system_hash(parts: Sequence[str]) -> str:
    """The ``system_hash`` that a version 1 or 2 journal holds for these parts."""
    return _sha256(
        _array(_object(("text", gojson.encode_string(part)), ("type", b'"text"')) for part in parts)
    )


def wire_tools_hash(tools: Iterable[ToolDefinition]) -> str:
    """The ``tools_hash`` that a version 1 or 2 journal holds for these tools."""
    return _sha256(wire_tools_canonical(tools))


def wire_tools_canonical(tools: Iterable[ToolDefinition]) -> bytes:
    """The bytes that :func:`wire_tools_hash` hashes: the request's tools in Go's field order."""
    sent: list[bytes] = []
    deferred = False
    for tool in tools:
        deferred = deferred or tool.defer_loading
        schema = wire_schema(tool.schema())
        members = [
            ("input_schema", _object(*((k, gojson.canonical(v)) for k, v in schema.items())))
        ]
        members.append(("name", gojson.encode_string(tool.name)))
        members.append(("defer_loading", gojson.canonical(tool.defer_loading)))
        if tool.description:
            members.append(("description", gojson.encode_string(tool.description)))
        members.append(("type", b'"custom"'))
        sent.append(_object(*members))
    if deferred:
        name = gojson.encode_string(SEARCH_TOOL)
        sent.append(_object(("type", name), ("name", name)))
    return _array(sent)


def wire_schema(schema: Any) -> dict[str, Any]:
    """An input schema as it is sent to Anthropic, keys in the order of the request.

    Every property that is not required is marked so in its description, since the model otherwise
    tends to fill it in.
    """
    source: Mapping[str, Any] = schema if isinstance(schema, Mapping) else {}
    required = source.get("required") or []
    properties = source.get("properties")
    sent: dict[str, Any] = {}
    if isinstance(properties, Mapping):
        sent["properties"] = {
            name: value if name in required else _mark_optional(value)
            for name, value in properties.items()
        }
    if required:
        sent["required"] = list(required)
    sent["type"] = "object"
    for key in sorted(source):
        if key not in ("properties", "required", "type"):
            sent[key] = source[key]
    return sent


def _mark_optional(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    description = value.get("description")
    if isinstance(description, str) and description:
        return {**value, "description": description + " (optional)"}
    return {**value, "description": "Optional."}


def _object(*members: tuple[str, bytes]) -> bytes:
    return b"{" + b",".join(gojson.encode_string(k) + b":" + v for k, v in members) + b"}"


def _array(items: Iterable[bytes]) -> bytes:
    return b"[" + b",".join(items) + b"]"


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
