# SPDX-License-Identifier: Apache-2.0
"""The guard's hashes against those that Go computed, and the field-by-field diff."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tenuto import fingerprint
from tenuto.fingerprint import Fingerprint, ToolDefinition

DATA = Path(__file__).parent.parent / "data" / "conformance"
VECTORS: list[dict[str, Any]] = json.loads((DATA / "fingerprint.json").read_text("utf-8"))
SAVED = Fingerprint("anthropic", "m", "s" * 64, "t" * 64, "off", 200000, 50)


@pytest.mark.parametrize("raw", [False, True], ids=["decoded", "raw"])
@pytest.mark.parametrize("index", range(len(VECTORS)))
def test_hashes_equal_those_go_computed(index: int, raw: bool) -> None:
    vector = VECTORS[index]
    tools = []
    for tool in vector["tools"]:
        schema = tool["input_schema"]
        if raw:
            schema = json.dumps(schema, indent=1).encode()
        tools.append(
            ToolDefinition(tool["name"], tool["description"], schema, tool["defer_loading"])
        )
    assert fingerprint.tools_canonical(tools) == vector["tools_canonical"].encode()
    assert fingerprint.tools_hash(tools) == vector["tools_hash"]
    assert fingerprint.system_hash(vector["system"]) == vector["system_hash"]


def test_there_are_forty_vectors() -> None:
    assert len(VECTORS) == 40


def test_a_number_beyond_float64_is_an_error_not_a_hash() -> None:
    with pytest.raises(ValueError, match="number"):
        fingerprint.tools_hash([ToolDefinition("a", "", b'{"default":1e400}')])
    with pytest.raises(ValueError):
        fingerprint.tools_hash([ToolDefinition("a", "", b'{"default":')])


def test_wire_form_of_the_system_prompt() -> None:
    expected = rb'[{"text":"a \u003cb\u003e","type":"text"},{"text":"c","type":"text"}]'
    assert fingerprint.wire_system_hash(["a <b>", "c"]) == hashlib.sha256(expected).hexdigest()


def test_wire_form_of_tools() -> None:
    tools = [
        ToolDefinition(
            "a",
            "does",
            {
                "type": "object",
                "additionalProperties": False,
                "$defs": {"z": 1, "a": 2.0},
                "properties": {
                    "y": {"type": "string", "description": "why"},
                    "x": {"type": "integer", "description": "ex"},
                    "n": {"type": "string"},
                    "odd": True,
                },
                "required": ["y"],
            },
            True,
        ),
        ToolDefinition("b", "", {"type": "object", "properties": {}, "required": []}),
    ]
    assert fingerprint.wire_tools_canonical(tools) == (
        b'[{"input_schema":{"properties":{"n":{"description":"Optional.","type":"string"},'
        b'"odd":true,"x":{"description":"ex (optional)","type":"integer"},'
        b'"y":{"description":"why","type":"string"}},"required":["y"],"type":"object",'
        b'"$defs":{"a":2,"z":1},"additionalProperties":false},"name":"a","defer_loading":true,'
        b'"description":"does","type":"custom"},'
        b'{"input_schema":{"properties":{},"type":"object"},"name":"b","defer_loading":false,'
        b'"type":"custom"},'
        b'{"type":"tool_search_tool_bm25","name":"tool_search_tool_bm25"}]'
    )
    assert b"bm25" not in fingerprint.wire_tools_canonical(tools[1:])


def test_marking_optional_leaves_the_definition_alone() -> None:
    schema = {"properties": {"x": {"description": "ex"}}}
    before = json.dumps(schema)
    fingerprint.wire_schema(schema)
    assert json.dumps(schema) == before


@pytest.mark.parametrize("field", fingerprint.FIELDS)
def test_diff_names_the_one_field_that_changed(field: fingerprint.Field) -> None:
    value = getattr(SAVED, field)
    other = msgspec.structs.replace(SAVED, **{field: value + (1 if type(value) is int else "x")})
    (change,) = SAVED.diff(other)
    assert (change.field, change.saved, change.current) == (field, value, getattr(other, field))
    assert change.changed
    assert change.forceable is (field != "provider")
    assert [row.changed for row in SAVED.compare(other)] == [
        name == field for name in fingerprint.FIELDS
    ]


def test_an_old_fingerprint_without_provider_counts_as_anthropic() -> None:
    old = msgspec.structs.replace(SAVED, provider="")
    assert old.diff(SAVED) == []
    scripted = msgspec.structs.replace(SAVED, provider="scripted")
    assert [change.field for change in old.diff(scripted)] == ["provider"]
    assert old.diff(scripted)[0].saved == "anthropic"
