# SPDX-License-Identifier: Apache-2.0
"""Agent configurations: every key, every refusal, and the fingerprints of the real program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from ruamel.yaml import YAML

from tenuto.agent.config import load_config, resolve
from tenuto.agent.schema import Filter
from tenuto.errors import ConfigError
from tests.support import fisk
from tests.support.agent_files import MINIMAL, load, problems

REAL: list[dict[str, Any]] = json.loads((fisk.FISK_REAL / "fingerprints.json").read_bytes())
REAL_V2: list[dict[str, Any]] = json.loads((fisk.FISK_REAL / "v2/fingerprints.json").read_bytes())


pytestmark = pytest.mark.usefixtures("applications")


def write(path: Path, config: dict[str, Any], form: str) -> Path:
    file = path / f"agent.{form}"
    if form == "json":
        file.write_text(json.dumps(config, ensure_ascii=False), "utf-8")
    elif form == "escaped.yaml":
        file.write_text(json.dumps(config), "utf-8")
    else:
        with file.open("w", encoding="utf-8") as out:
            YAML(typ="safe").dump(config, out)
    return file


FORMS = ["json", "yaml", "escaped.yaml"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("row", REAL, ids=lambda row: row["name"])
def test_fingerprint_is_the_one_the_real_program_journaled(
    row: dict[str, Any], form: str, tmp_path: Path
) -> None:
    path = write(tmp_path, row["config"], form)
    if not row["accepted"]:
        with pytest.raises(ConfigError, match="system_prompt"):
            load_config(path)
        return
    resolved = resolve(load_config(path))
    assert msgspec.to_builtins(resolved.fingerprint) == row["fingerprint"]
    sent = [tool.name for tool in resolved.tools]
    if any(definition.defer_loading for definition in resolved.definitions):
        sent.append("tool_search_tool_bm25")
    assert sent == row["sent_tools"]
    assert resolved.unusable is None
    assert resolved.warnings == ()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("row", REAL_V2, ids=lambda row: row["name"])
def test_wire_fingerprint_is_the_one_version_2_journaled(
    row: dict[str, Any], form: str, tmp_path: Path
) -> None:
    resolved = resolve(load_config(write(tmp_path, row["config"], form)))
    assert msgspec.to_builtins(resolved.wire_fingerprint) == row["fingerprint"]


def test_early_builds_did_not_show_required_global_flags(tmp_path: Path) -> None:
    path = fisk.configuration(tmp_path / "a.json", application_path="depot")
    resolved = resolve(load_config(path))
    (early,) = resolved.wire_alternatives
    assert early.tools_hash != resolved.wire_fingerprint.tools_hash
    assert msgspec.structs.replace(early, tools_hash="") == msgspec.structs.replace(
        resolved.wire_fingerprint, tools_hash=""
    )
    listed = fisk.configuration(
        tmp_path / "b.json", application_path="depot", global_flags=["region"]
    )
    assert resolve(load_config(listed)).wire_alternatives == ()


def test_defaults(tmp_path: Path) -> None:
    config = load(tmp_path, MINIMAL)
    assert config.path == tmp_path / "agent.yaml"
    assert config.files == (config.path,)
    assert config.application_path == ""
    assert not config.include
    assert not config.exclude
    assert (config.llm.provider, config.llm.thinking) == ("anthropic", False)
    budget = config.llm.budget
    assert (budget.max_tokens, budget.max_iterations) == (200000, 50)
    assert (budget.max_output_tokens, budget.call_timeout) == (None, 120.0)
    assert config.harness.sessions.backend == "file"
    assert config.runs_directory is None
    assert config.tenuto.read_only_tags == ("impact:ro",)
    assert (config.script, config.working_directory) == (None, None)
    assert config.warnings == ()


def test_every_key(tmp_path: Path) -> None:
    config = load(
        tmp_path,
        """
identity: The_agent-1
system_prompt: |
  Be brief.
  Be kind.
application_path: ./bin/app
include: {tools: ["^a", 'b$'], tags: [x, ""]}
exclude: {tools: [c]}
global_flags: [--site, " dry-run ", site, ""]
llm:
  model: m
  provider: scripted
  budget: {max_tokens: 1_000, max_iterations: 0x10, max_output_tokens: 99, call_timeout: 1m30s}
  thinking: {enabled: true}
  no_prompt_cache: true
  no_tool_search: True
harness:
  human_in_the_loop: {enabled: false}
  confirm_tags: [" impact:rw ", impact:rw, ""]
  memory: {enabled: false, backend: file, no_index: true, options: {directory: notes}}
  sessions: {backend: file, options: {directory: runs}}
  no_tui: true
  no_bell: true
""",
    )
    assert config.identity == "The_agent-1"
    assert config.system_prompt == "Be brief.\nBe kind.\n"
    assert config.include == Filter(("^a", "b$"), ("x", ""))
    assert config.exclude == Filter(("c",))
    assert config.global_flags == ("site", "dry-run")
    llm = config.llm
    assert (llm.provider, llm.thinking, llm.no_prompt_cache) == ("scripted", True, True)
    assert llm.no_tool_search
    assert (llm.budget.max_tokens, llm.budget.max_iterations) == (1000, 16)
    assert (llm.budget.max_output_tokens, llm.budget.call_timeout) == (99, 90.0)
    harness = config.harness
    assert harness.confirm_tags == ("impact:rw",)
    assert harness.memory.no_index
    assert harness.memory.options == {"directory": "notes"}
    assert config.runs_directory == str(tmp_path / "runs")
    assert harness.no_tui
    assert harness.no_bell
    assert config.warnings == ()


@pytest.mark.parametrize(
    "written",
    ["1_000", "2026-01-01", "0o7", "no", "on", "1e3", "12:30:45", "0x1F", "True", ".inf", "-0"],
)
def test_a_text_is_what_was_written(tmp_path: Path, written: str) -> None:
    config = load(tmp_path, f"identity: a\nsystem_prompt: {written}\nllm: {{model: {written}}}\n")
    assert (config.system_prompt, config.llm.model) == (written, written)


def test_a_prompt_keeps_every_character(tmp_path: Path) -> None:
    prompt = "Zo\u00eb \u2028 \u2029 \x85 \u00a0 \U0001f600\n\n  indented\n"
    block = "".join(f"  {line}\n" if line else "\n" for line in prompt.split("\n")[:-1])
    config = load(tmp_path, f"identity: a\nsystem_prompt: |\n{block}llm: {{model: m}}\n")
    assert config.system_prompt == prompt


@pytest.mark.parametrize("empty", ["", "null", "~", "Null"])
def test_a_key_without_a_value_is_a_key_that_is_not_given(tmp_path: Path, empty: str) -> None:
    config = load(
        tmp_path,
        MINIMAL + f"include: {empty}\nharness: {empty}\nglobal_flags: {empty}\nexpose: {empty}\n",
    )
    assert not config.include
    assert config.warnings == ()
    ((line, column, key, message),) = problems(
        tmp_path, f"identity: {empty}\nsystem_prompt: x\nllm: {{model: m}}\n"
    )
    assert (line, column, key) == (1, 11 if empty else 1, "identity")
    assert "required" in message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (MINIMAL + "idenity: b\n", (4, 1, "idenity", "did you mean 'identity'")),
        (MINIMAL + "identity: b\n", (4, 1, "identity", "given twice (first in line 1)")),
        (MINIMAL.replace("m}", "m, x: 1}"), (3, 17, "llm.x", "unknown key 'llm.x'")),
        (MINIMAL.replace("m}", "m, model: n}"), (3, 17, "llm.model", "given twice")),
        (MINIMAL.replace(": a", ": a b"), (1, 11, "identity", "letters, digits")),
        (MINIMAL.replace(": a", ": \u00e9"), (1, 11, "identity", "letters, digits")),
        (MINIMAL.replace("be brief", '""'), (2, 16, "system_prompt", "required")),
        (MINIMAL.replace("be brief", "[x]"), (2, 16, "system_prompt", "must be a text")),
        (MINIMAL.replace("{model: m}", "{}"), (3, 6, "llm.model", "required")),
        (MINIMAL.replace("{model: m}", "x"), (3, 6, "llm", "must be a mapping")),
        (MINIMAL + "include: [a]\n", (4, 10, "include", "must be a mapping")),
        (MINIMAL + "include: {tools: a}\n", (4, 18, "include.tools", "must be a list")),
        (MINIMAL + "global_flags: [a]\n", (4, 15, "global_flags", "needs application_path")),
        (
            MINIMAL + "application_path: x\nexclude: {tools: [ok, 'a(?=b)']}\n",
            (5, 23, "exclude.tools", "RE2"),
        ),
        (
            MINIMAL.replace("m}", "m, budget: {max_tokens: -1}}"),
            (3, 38, "llm.budget.max_tokens", "must not be negative"),
        ),
        (
            MINIMAL.replace("m}", "m, budget: {max_iterations: 1.5}}"),
            (3, 42, "llm.budget.max_iterations", "whole number"),
        ),
        (
            MINIMAL.replace("m}", "m, budget: {max_tokens: 9223372036854775808}}"),
            (3, 38, "llm.budget.max_tokens", "too large"),
        ),
        (
            MINIMAL.replace("m}", "m, budget: {call_timeout: 30}}"),
            (3, 40, "llm.budget.call_timeout", "duration"),
        ),
        (
            MINIMAL.replace("m}", "m, budget: {call_timeout: -5s}}"),
            (3, 40, "llm.budget.call_timeout", "negative"),
        ),
        (
            MINIMAL.replace("m}", "m, thinking: {enabled: yes}}"),
            (3, 37, "llm.thinking.enabled", "true or false"),
        ),
        (
            MINIMAL + "harness: {sessions: {options: {stream: x}}}\n",
            (4, 32, "harness.sessions.options.stream", "unknown key"),
        ),
        ("- a\n", (1, 1, "", "must be a mapping")),
        ("a: \x01\n", (1, 4, "", "U+0001")),
        ("a: [\n", (2, 1, "", "not valid YAML")),
        ('{"identity": "a"', (1, 17, "", "not valid YAML")),
    ],
)
def test_what_is_wrong_is_named_with_its_place(
    tmp_path: Path, text: str, expected: tuple[int, int, str, str]
) -> None:
    found = problems(tmp_path, text)
    line, column, key, words = expected
    assert (line, column, key) in [row[:3] for row in found]
    assert any(row[:3] == (line, column, key) and words in row[3] for row in found)


def test_every_problem_is_told_at_once_in_order(tmp_path: Path) -> None:
    found = problems(tmp_path, "llm: {}\nidentity: ''\nnope: 1\n")
    assert [(line, key) for line, _, key, _ in found] == [
        (1, "system_prompt"),
        (1, "llm.model"),
        (2, "identity"),
        (3, "nope"),
    ]


def test_json_keeps_its_types(tmp_path: Path) -> None:
    path = tmp_path / "agent.json"
    path.write_text(
        '{"identity":"a","system_prompt":"x","llm":{"model":3,\n"budget":{"max_tokens":"5"},'
        '"thinking":{"enabled":"true"}}}',
        "utf-8",
    )
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    assert [(row["line"], row["key"]) for row in caught.value.fields["problems"]] == [
        (1, "llm.model"),
        (2, "llm.budget.max_tokens"),
        (2, "llm.thinking.enabled"),
    ]


def test_a_broken_json_file_is_told_as_json(tmp_path: Path) -> None:
    path = tmp_path / "agent.json"
    path.write_text('{"identity": "a",\n "system_prompt" "x"}', "utf-8")
    with pytest.raises(ConfigError, match=r"agent\.json:2:18: ':' is expected"):
        load_config(path)


@pytest.mark.parametrize("what", ["missing", "folder", "fifo", "latin-1", "huge", "loop"])
def test_what_is_no_readable_file_is_refused(tmp_path: Path, what: str) -> None:
    import os

    path = tmp_path / "agent.yaml"
    if what == "folder":
        path.mkdir()
    elif what == "fifo":
        os.mkfifo(path)
    elif what == "latin-1":
        path.write_bytes(MINIMAL.encode() + b"#\n# \xe9\n")
    elif what == "huge":
        path.write_bytes(MINIMAL.encode() + b"#" * (4 * 1024 * 1024))
    elif what == "loop":
        path.symlink_to(path)
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    (row,) = caught.value.fields["problems"]
    if what == "latin-1":
        assert (row["line"], row["column"]) == (5, 3)


def test_a_byte_order_mark_and_crlf_are_no_content(tmp_path: Path) -> None:
    path = tmp_path / "agent.yaml"
    text = "identity: a\nsystem_prompt: |\n  x\n  y\nllm: {model: m}\n"
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert load_config(path).system_prompt == "x\ny\n"


# --- what is accepted and not run -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("harness: {knowledge: {enabled: true, paths: [docs], top_k: 5}}", "knowledge"),
        ("nats_context: home\nremote_tools: [{name: x, alias: y}]", "remote_tools"),
        ("remote_agents: [{name: x}]", "remote_agents"),
        ("expose: {agent: {agent_to_agent: true, mcp: {port: 1, address: b}}}", "expose"),
        ("nats_context: home", "nats_context"),
    ],
)
def test_what_is_not_run_loads_with_one_warning_each(tmp_path: Path, text: str, words: str) -> None:
    resolved = resolve(load(tmp_path, f"{MINIMAL}{text}\n"))
    assert (
        len([text for text in map(str, resolved.warnings) if text.startswith(words)])
        + len([text for text in map(str, resolved.warnings) if text.startswith(f"harness.{words}")])
        == 1
    )
    assert resolved.unusable is None


@pytest.mark.parametrize(
    "text",
    [
        "harness: {human_in_the_loop: {enabled: false}, memory: {}, knowledge: {paths: [x]}}",
        "remote_tools: []\nremote_agents: []\nexpose:\nnats_context: ''",
    ],
)
def test_what_is_off_is_not_warned_about(tmp_path: Path, text: str) -> None:
    assert load(tmp_path, f"{MINIMAL}{text}\n").warnings == ()


def test_another_session_backend_loads_and_cannot_be_run(tmp_path: Path) -> None:
    path = fisk.configuration(
        tmp_path / "a.json",
        harness={"sessions": {"backend": "jetstream", "options": {"stream": "S", "prefix": "p"}}},
    )
    resolved = resolve(load_config(path))
    assert len(resolved.tools) == 5
    assert resolved.config.harness.sessions.options == {"stream": "S", "prefix": "p"}
    assert resolved.config.runs_directory is None
    assert resolved.fingerprint.tools_hash == REAL[0]["fingerprint"]["tools_hash"]
    assert resolved.unusable is not None
    assert "'jetstream'" in str(resolved.unusable)
    with pytest.raises(ConfigError, match="jetstream") as caught:
        resolved.check_usable()
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("llm: {model: m, provider: mistral}\n", "'mistral'"),
        ("llm: {model: m, provider: scripted}\n", "script"),
        ("llm: {model: m}\nharness: {memory: {enabled: true, backend: nats}}\n", "'nats'"),
    ],
)
def test_what_tenuto_cannot_run_is_said(tmp_path: Path, text: str, words: str) -> None:
    resolved = resolve(load(tmp_path, f"identity: a\nsystem_prompt: x\n{text}"))
    assert resolved.unusable is not None
    assert words in str(resolved.unusable)


def test_a_provider_without_search_defers_nothing(tmp_path: Path) -> None:
    path = fisk.configuration(
        tmp_path / "a.json",
        application_path="depot",
        llm={"model": "m", "provider": "scripted"},
        tenuto={"script": "turns.json"},
    )
    resolved = resolve(load_config(path))
    assert len(resolved.tools) == 12
    assert not any(definition.defer_loading for definition in resolved.definitions)
    assert resolved.fingerprint.provider == "scripted"
    assert resolved.unusable is None
