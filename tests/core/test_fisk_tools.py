# SPDX-License-Identifier: Apache-2.0
"""Fisk applications: command lines as the real program makes them, schemas, filters, gates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenuto.agent.config import load_config, resolve
from tenuto.agent.schema import AgentConfig, Filter
from tenuto.agent.tools import fisk, introspection
from tenuto.agent.tools.base import Tool, anthropic_tool, missing_required
from tenuto.errors import ConfigError, ToolInputError
from tests.support import fisk as applications


class _Row(msgspec.Struct):
    app: str
    tool: str
    input: msgspec.Raw
    ok: bool
    argv: list[str] | None = None


ROWS = [
    msgspec.json.decode(line, type=_Row)
    for line in (applications.FISK_REAL / "argv.jsonl").read_bytes().splitlines()
]
CONFIG = AgentConfig(Path("/agent.yaml"), "a", "x", "app")


def tools(document: dict[str, Any], config: AgentConfig = CONFIG) -> list[Tool]:
    return fisk.tools(introspection.decode(json.dumps(document).encode()), config)


def leaf(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "restricted_schema": {"type": "object", "properties": {}}, **more}


# --- command lines --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["{}_{}", "{} {}"], ids=["as-sent", "as-typed"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.tool} {bytes(row.input).decode()}")
def test_argv_is_the_one_the_real_program_made(row: _Row, name: str) -> None:
    tool = row.tool.replace(" ", "_") if "_" in name else row.tool
    document = applications.document(row.app)
    if row.ok:
        assert fisk.argv(document, tool, bytes(row.input)) == row.argv
    else:
        with pytest.raises(ToolInputError) as caught:
            fisk.argv(document, tool, bytes(row.input))
        assert caught.value.fields["tool"] == row.tool.replace(" ", "_")


def test_the_rows_hold_both_kinds() -> None:
    assert {row.ok for row in ROWS} == {True, False}
    assert len(ROWS) == 45


@pytest.mark.parametrize("empty", [b"", b"null", b"{}", b" \n", b" null "])
def test_no_input_is_no_arguments(empty: bytes) -> None:
    assert fisk.argv(applications.document("depot"), "report_day", empty) == ["report", "day"]


@pytest.mark.parametrize("bad", [b"[]", b"1", b'"x"', b"true", b"{", b'{"a":NaN}', b"[" * 100000])
def test_what_is_no_object_is_refused(bad: bytes) -> None:
    with pytest.raises(ToolInputError):
        fisk.argv(applications.document("depot"), "report_day", bad)


@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False), st.booleans())
def test_numbers_stay_as_they_were_written(number: float, large: bool) -> None:
    token = repr(number).upper() + ("0" * 5000 if large and isinstance(number, int) else "")
    found = fisk.argv(
        applications.document("pantry"), "wait", b'{"seconds":' + token.encode() + b"}"
    )
    assert found == ["wait", f"--seconds={token}"]


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_arrives_or_is_refused(text: str) -> None:
    raw = json.dumps({"item": text, "note": [text]}).encode()
    document = applications.document("pantry")
    if "\0" in text:
        with pytest.raises(ToolInputError, match="NUL"):
            fisk.argv(document, "stock_add", raw)
        return
    said = "".join(
        "\ufffd" if 0xD800 <= ord(c) < 0xE000 else c for c in json.loads(json.dumps(text))
    )
    assert fisk.argv(document, "stock_add", raw) == ["stock", "add", f"--note={said}", "--", said]


def test_exposed_global_flags_go_first_in_their_order() -> None:
    document = applications.document("pantry")
    raw = b'{"item":"r","silent":true,"dry-run":true,"site":"cellar"}'
    assert fisk.argv(document, "stock_add", raw, ["dry-run", "site"]) == [
        "stock", "add", "--dry-run", "--site=cellar", "--silent", "--", "r",
    ]  # fmt: skip
    with pytest.raises(ToolInputError, match="dry-run"):
        fisk.argv(document, "stock_add", raw, ["site"])


def test_a_required_global_flag_is_exposed_without_being_listed() -> None:
    document = applications.document("depot")
    raw = b'{"yes":false,"only":["a","b"],"region":"n","date":"d"}'
    assert fisk.argv(document, "report_day", raw, ["only", "yes"]) == [
        "report", "day", "--only=a", "--only=b", "--no-yes", "--region=n", "--date=d",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["nope", "trace", "help", "version", ""])
def test_a_global_flag_that_cannot_be_exposed_is_an_error(name: str) -> None:
    with pytest.raises(ConfigError, match="global_flags"):
        fisk.argv(applications.document("pantry"), "wait", b"{}", [name])


def test_framework_flags_cannot_be_exposed_even_if_printed() -> None:
    document = json.dumps({"commands": [leaf("x")], "flags": [{"name": "help", "required": True}]})
    with pytest.raises(ConfigError, match="framework"):
        fisk.argv(document.encode(), "x", b"{}", ["help"])
    assert fisk.argv(document.encode(), "x", b"{}") == ["x"]


@pytest.mark.parametrize("tool", ["stock", "stock_secret", "nope", "", "stock_add "])
def test_what_is_no_tool_is_refused(tool: str) -> None:
    with pytest.raises(ToolInputError, match="no tool"):
        fisk.argv(applications.document("pantry"), tool, b"{}")


FLAGS = [
    {"name": "on", "boolean": True, "default": ["true"]},
    {"name": "off", "boolean": True},
    {"name": "neg", "boolean": True, "negatable": True, "default": ["true"]},
    {"name": "map", "cumulative": True},
]
ARGS = [{"name": "a"}, {"name": "b", "default": ["1", "2"]}, {"name": "c", "cumulative": True}]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ({"on": True}, ["--on"]),
        ({"on": False}, "no negation"),
        ({"off": False}, []),
        ({"neg": False}, ["--no-neg"]),
        ({"neg": "false"}, "boolean"),
        ({"neg": [True]}, "boolean"),
        ({"map": {"b": None, "a": 1.5}}, ["--map=a=1.5", "--map=b="]),
        ({"map": [[1]]}, "unsupported"),
        ({"map": {"a": [1]}}, "unsupported"),
        ({"c": ["x"]}, '"a" must be set'),
        ({"a": "x", "c": ["y", "z"]}, ["--", "x", "1", "2", "y", "z"]),
        ({"a": []}, []),
        ({"a": [{}]}, "unsupported"),
        ({"a": [[1]]}, "unsupported"),
    ],
)
def test_flags_and_positionals(raw: dict[str, Any], expected: list[str] | str) -> None:
    document = json.dumps({"commands": [leaf("x", flags=FLAGS, args=ARGS)]}).encode()
    if isinstance(expected, list):
        assert fisk.argv(document, "x", json.dumps(raw).encode()) == ["x", *expected]
    else:
        with pytest.raises(ToolInputError, match=expected):
            fisk.argv(document, "x", json.dumps(raw).encode())


def test_a_cumulative_positional_is_last() -> None:
    args = [{"name": "a", "cumulative": True}, {"name": "b"}]
    document = json.dumps({"commands": [leaf("x", args=args)]}).encode()
    with pytest.raises(ToolInputError, match="not the last"):
        fisk.argv(document, "x", b'{"a":1}')


def test_of_a_repeated_key_the_last_value_counts() -> None:
    raw = b'{"seconds":1,"seconds":2}'
    assert fisk.argv(applications.document("pantry"), "wait", raw) == ["wait", "--seconds=2"]


# --- tools ----------------------------------------------------------------------------------------


def test_names_descriptions_and_order() -> None:
    found = tools(
        {
            "commands": [
                {
                    "name": "g",
                    "commands": [
                        leaf("one", help="Short", help_long="Long"),
                        leaf("two", help="Short", help_long="Short and long", tags=["a", "b"]),
                        leaf("three", help="Both and more", help_long="more"),
                        leaf("four", tags=["a"]),
                        leaf("five", help=None, help_long="Long"),
                        leaf("hid", hidden=True),
                    ],
                },
                {"name": "h", "hidden": True, "commands": [leaf("x")]},
                leaf("last", commands=None),
            ]
        }
    )
    assert [(tool.name, tool.definition.description) for tool in found] == [
        ("g_one", "Short\n\nLong"),
        ("g_two", "Short and long\n\nTags: a, b"),
        ("g_three", "Both and more"),
        ("g_four", "Tags: a"),
        ("g_five", "Long"),
        ("last", ""),
    ]
    assert found[0].display == "g one"


@pytest.mark.parametrize("schema", [{}, {"restricted_schema": None}])
def test_a_leaf_without_a_restricted_schema_is_too_old(schema: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="too old"):
        tools({"commands": [{"name": "x", **schema}]})


@pytest.mark.parametrize(
    "schema", [[], 1, {"default": 1}, {"required": "x"}, {"required": [2]}, {"properties": ["x"]}]
)
def test_a_schema_is_an_object_of_finite_numbers(schema: Any) -> None:
    document = json.dumps({"commands": [leaf("x", restricted_schema=schema)]})
    app = introspection.decode(document.replace("1}", "1e400}").encode())
    with pytest.raises(ConfigError, match="schema of"):
        fisk.tools(app, CONFIG)


def test_two_commands_cannot_make_one_name() -> None:
    with pytest.raises(ConfigError, match='"a_b"'):
        tools({"commands": [leaf("a_b"), {"name": "a", "commands": [leaf("b")]}]})


@pytest.mark.parametrize(
    ("include", "exclude", "names"),
    [
        (Filter(), Filter(), ["a_x", "a_y", "plain"]),
        (Filter(("x$",)), Filter(), ["a_x"]),
        (Filter(("a",), ("t",)), Filter(), ["a_x", "a_y", "plain"]),
        (Filter((), ("t",)), Filter(), ["a_x"]),
        (Filter((), ("",)), Filter(), ["plain"]),
        (Filter(), Filter((), ("",)), ["a_x", "a_y"]),
        (Filter(("^a_",)), Filter(("y",)), ["a_x"]),
        (Filter(("(?i)^PLAIN$",)), Filter(), ["plain"]),
        (Filter((r"\pL_[[:alpha:]]",)), Filter(), ["a_x", "a_y"]),
        (Filter(("deny",), ("ai:deny",)), Filter(), []),
    ],
)
def test_filters(include: Filter, exclude: Filter, names: list[str]) -> None:
    document = {
        "commands": [
            {"name": "a", "commands": [leaf("x", tags=["t", "u"]), leaf("y", tags=["u"])]},
            leaf("deny", tags=["ai:deny", "t"]),
            leaf("plain"),
        ]
    }
    config = msgspec.structs.replace(CONFIG, include=include, exclude=exclude)
    assert [tool.name for tool in tools(document, config)] == names


def test_a_pattern_that_is_none_is_an_error() -> None:
    config = msgspec.structs.replace(CONFIG, include=Filter(("(?=x)",)))
    with pytest.raises(ConfigError, match="RE2"):
        tools({"commands": [leaf("x")]}, config)


def test_global_flags_in_the_schema() -> None:
    flags = [
        {"name": "plain", "help": "H", "completions": ["x", "y"]},
        {"name": "bool", "boolean": True, "completions": ["x"]},
        {"name": "many", "cumulative": True, "help": "M", "completions": ["x"]},
        {"name": "must", "required": True},
        {"name": "defaulted", "required": True, "default": ["d"]},
        {"name": "shadowed", "required": True},
        {"name": "unlisted"},
    ]
    command = leaf(
        "x",
        restricted_schema={
            "type": "object",
            "properties": {"shadowed": {"type": "integer"}},
            "required": ["shadowed"],
        },
        args=[{"name": "shadowed", "required": True}],
    )
    config = msgspec.structs.replace(CONFIG, global_flags=("many", "plain", "bool"))
    app = introspection.decode(json.dumps({"commands": [command], "flags": flags}).encode())
    (tool,) = fisk.tools(app, config)
    assert tool.definition.schema() == {
        "type": "object",
        "properties": {
            "shadowed": {"type": "integer"},
            "many": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Global flag: M",
            },
            "plain": {
                "type": "string",
                "description": "Global flag: H",
                "enum": ["x", "y"],
            },
            "bool": {"type": "boolean", "description": "Global flag"},
            "must": {"type": "string", "description": "Global flag"},
            "defaulted": {"type": "string", "description": "Global flag"},
        },
        "required": ["shadowed", "must"],
    }
    (early,) = fisk.tools(app, config, required_globals=False)
    assert list(early.definition.schema()["properties"]) == ["shadowed", "many", "plain", "bool"]


def test_gates_and_read_only(tmp_path: Path) -> None:
    document = {
        "commands": [
            leaf("asks", tags=["rw", "ai:confirm"]),
            leaf("gated", tags=["x", "rw"]),
            leaf("reads", tags=["impact:ro"]),
            leaf("named"),
        ]
    }
    path = applications.configuration(
        tmp_path / "a.json",
        harness={"confirm_tags": ["rw"]},
        tenuto={"read_only": ["named"]},
    )
    found = tools(document, load_config(path))
    assert [(tool.confirm, tool.read_only) for tool in found] == [
        ("ai:confirm", False),
        ("rw", False),
        ("", True),
        ("", True),
    ]


def test_deferral_begins_with_ten_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    applications.put_on_path(monkeypatch, tmp_path)
    own = {"commands": [{"name": "mine", "command": ["true"]}]}
    for count, deferred in ((8, False), (9, True)):
        content = {
            "commands": [leaf(f"c{n}", tags=["ai:no_defer"] * (n == 0)) for n in range(count)]
        }
        applications.application(tmp_path, "pantry", json.dumps(content).encode())
        resolved = resolve(load_config(applications.configuration(tmp_path / "a.json", tenuto=own)))
        assert [tool.name for tool in resolved.tools][-1] == "mine"
        marks = [definition.defer_loading for definition in resolved.definitions]
        assert marks == [False] + [deferred] * (count - 1) + [False]


# --- missing properties ---------------------------------------------------------------------------


def journaled_results(name: str) -> list[str]:
    lines = (applications.FISK_REAL / "runs" / f"{name}.json").read_bytes().splitlines()
    records = [json.loads(line) for line in lines]
    return [r["tool_result"]["result"]["content"] for r in records if "tool_result" in r]


def pantry(tmp_path: Path) -> dict[str, Tool]:
    app = introspection.decode(applications.document("pantry"), "/bin/pantry")
    return {tool.name: tool for tool in fisk.tools(app, CONFIG)}


def test_the_refusals_are_the_ones_the_real_program_journaled(tmp_path: Path) -> None:
    missing, unknown = journaled_results("missing-required")
    tool = pantry(tmp_path)["stock_add"]
    assert missing_required(tool, b'{"count":3}') == missing
    with pytest.raises(ToolInputError) as caught:
        tool.arguments(b'{"count":3}')
    assert str(caught.value) == missing
    assert missing_required(tool, b'{"item":"peas","colour":"green"}') is None
    with pytest.raises(ToolInputError) as caught:
        tool.arguments(b'{"item":"peas","colour":"green"}')
    assert str(caught.value) == unknown


def test_what_counts_as_missing(tmp_path: Path) -> None:
    found = pantry(tmp_path)
    assert missing_required(found["stock_add"], b'{"item":null}') is None
    assert missing_required(found["stock_add"], b"[]") is None
    assert missing_required(found["stock_list"], b"") is None
    for empty in (b"", b"null", b"{}"):
        assert missing_required(found["stock_remove"], empty) == (
            'tool "stock_remove" was called without required parameter(s): items. required: items'
        )


def test_a_call_as_people_see_it(tmp_path: Path) -> None:
    tool = pantry(tmp_path)["stock_add"]
    assert tool.command(b'{"item":"a b"}') == "stock add -- a b"
    assert tool.command(b"[]") == "stock add"


def test_the_form_sent_to_anthropic(tmp_path: Path) -> None:
    tool = pantry(tmp_path)["wait"]
    assert anthropic_tool(tool) == {
        "input_schema": {
            "properties": {
                "code": {"description": "Exit code (optional)", "type": "integer"},
                "seconds": {"description": "How long (optional)", "type": "integer"},
            },
            "type": "object",
            "additionalProperties": False,
        },
        "name": "wait",
        "defer_loading": False,
        "description": "Waits, then ends with a code\n\nTags: impact:ro",
        "type": "custom",
    }
    assert anthropic_tool(tool.definition) == anthropic_tool(tool)
