# SPDX-License-Identifier: Apache-2.0
"""From the tree of a file to a configuration, key by key (agent-config.md, "Keys")."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tenuto.agent import own
from tenuto.agent.own import OwnKeys
from tenuto.agent.schema import (
    DEFAULT_CALL_TIMEOUT,
    DEFAULT_MAX_ITERATIONS,
    DEFAULT_MAX_TOKENS,
    FILE_BACKEND,
    AgentConfig,
    Budget,
    Filter,
    Harness,
    Llm,
    Memory,
    Sessions,
)
from tenuto.agent.tree import Listing, Mark, Node, Reader, Scalar, Table, join, not_a_mapping
from tenuto.sentences import Sentence, others_words, sentence

_TOP = (
    "identity",
    "system_prompt",
    "application_path",
    "include",
    "exclude",
    "global_flags",
    "llm",
    "harness",
    "nats_context",
    "remote_tools",
    "remote_agents",
    "expose",
    "tenuto",
)


def read(
    reader: Reader, path: Path, tree: Node, beside: Path, separate: Node | None
) -> AgentConfig:
    top = reader.section(tree, "", _TOP)
    whole = tree.mark if isinstance(tree, Table) else None
    if "tenuto" in top and separate is not None:
        reader.complain(
            sentence(
                "a 'tenuto' key and {file} beside the file: only one of them can hold "
                "Tenuto's own keys",
                file=beside.name,
            ),
            top["tenuto"].mark,
            "tenuto",
        )
    identity = reader.text(top.get("identity"), "identity")
    reader.require(identity, _place(top, "identity", whole), "identity")
    if identity and not re.fullmatch(r"[A-Za-z0-9_-]+", identity):
        reader.complain(
            sentence("identity may hold only letters, digits, '-' and '_'"),
            _place(top, "identity", whole),
            "identity",
        )
    prompt = reader.text(top.get("system_prompt"), "system_prompt")
    reader.require(prompt, _place(top, "system_prompt", whole), "system_prompt")
    application = reader.text(top.get("application_path"), "application_path")
    flags = _tidy(
        name.strip().lstrip("-") for name in reader.texts(top.get("global_flags"), "global_flags")
    )
    if flags and not application:
        reader.complain(
            sentence("global_flags needs application_path: they are flags of that application"),
            top["global_flags"].mark,
            "global_flags",
        )
    include = _filter(reader, top.get("include"), "include", bool(application))
    exclude = _filter(reader, top.get("exclude"), "exclude", bool(application))
    llm = _llm(reader, top.get("llm"), whole)
    harness = _harness(reader, top.get("harness"))
    reader.text(top.get("nats_context"), "nats_context")
    if separate is not None:
        keys = _separate(reader, beside, separate)
    else:
        keys = own.read(reader, top.get("tenuto"), "tenuto")
    return AgentConfig(
        path=path,
        identity=identity,
        system_prompt=prompt,
        application_path=application,
        include=include,
        exclude=exclude,
        global_flags=flags,
        llm=llm,
        harness=harness,
        tenuto=keys,
        credentials=(*_credentials(reader, top.get("harness")), *_key_variables(keys)),
        warnings=tuple(_warnings(top, harness, bool(include or exclude) and not application)),
        remarks=tuple(_remarks(harness)),
        files=(path, beside) if separate is not None else (path,),
    )


def _place(members: dict[str, Node], key: str, otherwise: Mark | None) -> Mark | None:
    return members[key].mark if key in members else otherwise


def _tidy(names: Iterable[str]) -> tuple[str, ...]:
    """Without empty names and repetitions, in order."""
    return tuple(dict.fromkeys(name for name in names if name))


def _filter(reader: Reader, node: Node | None, key: str, used: bool) -> Filter:
    found = reader.section(node, key, ("tools", "tags"))
    tools = reader.texts(found.get("tools"), join(key, "tools"))
    if used and tools:
        from tenuto.agent.tools import filters

        for item in reader.items(found["tools"], join(key, "tools")):
            fault = filters.fault(item.text) if isinstance(item, Scalar) else None
            if fault is not None:
                reader.complain(
                    sentence("not a regular expression (RE2): {fault}", fault=others_words(fault)),
                    item.mark,
                    join(key, "tools"),
                )
    return Filter(tools, reader.texts(found.get("tags"), join(key, "tags")))


def _llm(reader: Reader, node: Node | None, whole: Mark | None) -> Llm:
    known = ("model", "provider", "budget", "thinking", "no_prompt_cache", "no_tool_search")
    found = reader.section(node, "llm", known)
    model = reader.text(found.get("model"), "llm.model")
    place = _place(found, "model", node.mark if node is not None else whole)
    reader.require(model, place, "llm.model")
    limits = reader.section(
        found.get("budget"),
        "llm.budget",
        ("max_tokens", "max_iterations", "max_output_tokens", "call_timeout"),
    )
    thinking = reader.section(found.get("thinking"), "llm.thinking", ("enabled",))

    def count(name: str) -> int:
        return reader.count(limits.get(name), f"llm.budget.{name}")

    return Llm(
        model=model,
        provider=reader.text(found.get("provider"), "llm.provider") or "anthropic",
        budget=Budget(
            count("max_tokens") or DEFAULT_MAX_TOKENS,
            count("max_iterations") or DEFAULT_MAX_ITERATIONS,
            count("max_output_tokens") or None,
            reader.seconds(limits.get("call_timeout"), "llm.budget.call_timeout")
            or DEFAULT_CALL_TIMEOUT,
        ),
        thinking=reader.boolean(thinking.get("enabled"), "llm.thinking.enabled"),
        no_prompt_cache=reader.boolean(found.get("no_prompt_cache"), "llm.no_prompt_cache"),
        no_tool_search=reader.boolean(found.get("no_tool_search"), "llm.no_tool_search"),
    )


def _harness(reader: Reader, node: Node | None) -> Harness:
    known = (
        "human_in_the_loop",
        "confirm_tags",
        "memory",
        "sessions",
        "knowledge",
        "no_tui",
        "no_bell",
    )
    found = reader.section(node, "harness", known)
    human = reader.section(
        found.get("human_in_the_loop"), "harness.human_in_the_loop", ("enabled",)
    )
    memory = reader.section(
        found.get("memory"), "harness.memory", ("enabled", "backend", "no_index", "options")
    )
    sessions = reader.section(found.get("sessions"), "harness.sessions", ("backend", "options"))
    confirm = reader.texts(found.get("confirm_tags"), "harness.confirm_tags")
    memory_backend = reader.text(memory.get("backend"), "harness.memory.backend")
    sessions_backend = reader.text(sessions.get("backend"), "harness.sessions.backend")
    return Harness(
        human_in_the_loop=reader.boolean(human.get("enabled"), "harness.human_in_the_loop.enabled"),
        confirm_tags=_tidy(tag.strip() for tag in confirm),
        memory=Memory(
            reader.boolean(memory.get("enabled"), "harness.memory.enabled"),
            memory_backend or FILE_BACKEND,
            reader.boolean(memory.get("no_index"), "harness.memory.no_index"),
            _options(reader, memory, "harness.memory.options", memory_backend),
        ),
        sessions=Sessions(
            sessions_backend or FILE_BACKEND,
            _options(reader, sessions, "harness.sessions.options", sessions_backend),
        ),
        knowledge=_enabled(reader, found.get("knowledge"), "harness.knowledge"),
        no_tui=reader.boolean(found.get("no_tui"), "harness.no_tui"),
        no_bell=reader.boolean(found.get("no_bell"), "harness.no_bell"),
    )


def _options(reader: Reader, members: dict[str, Node], key: str, backend: str) -> dict[str, Any]:
    """A backend's own options: known for the file one, anything for others."""
    node = members.get("options")
    if node is None or (isinstance(node, Scalar) and node.is_null):
        return {}
    if (backend or FILE_BACKEND) == FILE_BACKEND:
        found = reader.section(node, key, ("directory",))
        return {"directory": reader.text(found["directory"], f"{key}.directory")} if found else {}
    if not isinstance(node, Table):
        reader.complain(not_a_mapping(key), node.mark, key)
        return {}
    options: dict[str, Any] = reader.value(node, key)
    return options


def _separate(reader: Reader, path: Path, tree: Node) -> OwnKeys:
    """The own keys in a file of their own; problems name that file."""
    inner = Reader()
    keys = own.read(inner, tree, "")
    for problem in inner.problems:
        reader.complain(
            sentence("in {file}: {what}", file=path.name, what=problem.said),
            problem.mark,
            problem.key,
        )
    return keys


def _enabled(reader: Reader, node: Node | None, key: str) -> bool:
    """The ``enabled`` of a block whose other keys Tenuto does not read."""
    if node is None or (isinstance(node, Scalar) and node.is_null):
        return False
    if not isinstance(node, Table):
        reader.complain(not_a_mapping(key), node.mark, key)
        return False
    found = reader.members(node, key).get("enabled")
    return found is not None and reader.boolean(found[1], f"{key}.enabled")


def _credentials(reader: Reader, harness: Node | None) -> tuple[str, ...]:
    """Where the embeddings of ``harness.knowledge`` find their key, if that is named."""
    node = harness
    for step in ("knowledge", "embeddings", "api_key_env"):
        if not isinstance(node, Table):
            return ()
        node = next((value for name, value in node.items if name.text == step), None)
    name = reader.text(node, "harness.knowledge.embeddings.api_key_env")
    return (name,) if name else ()


def _key_variables(keys: OwnKeys) -> Iterator[str]:
    """Where the model's key is, and what MCP servers' headers hold: keys, as a rule."""
    if keys.api_key_env is not None:
        yield keys.api_key_env
    for server in keys.mcp_servers.values():
        yield from server.headers_env.values()


def _own_words(key: str) -> Sentence:
    return sentence(
        "{key}: Tenuto words its tools and its note in the prompt in its own way, so a run that"
        " fisk-ai began with it can be read, compared and forced, not matched",
        key=key,
    )


def _remarks(harness: Harness) -> Iterator[Sentence]:
    if harness.human_in_the_loop:
        yield _own_words("harness.human_in_the_loop")
    if harness.memory.enabled:
        yield _own_words("harness.memory")


def _warnings(
    top: dict[str, Node], harness: Harness, filters_without_app: bool
) -> Iterator[Sentence]:
    """One sentence for each thing that is accepted and not run."""
    if harness.knowledge:
        yield sentence(
            "harness.knowledge adds tools and a note to the prompt: they are not part of what"
            " Tenuto runs yet, so this fingerprint is not the one that fisk-ai journals"
        )
    for key in ("remote_tools", "remote_agents"):
        node = top.get(key)
        if isinstance(node, Listing | Table) and node.items:
            yield sentence(
                "{key} adds tools of other agents: they are not part of what Tenuto runs yet, so"
                " this fingerprint is not the one that fisk-ai journals",
                key=key,
            )
    if isinstance(top.get("expose"), Table):
        yield sentence("expose is accepted and not acted on: Tenuto serves no tools to others")
    context = top.get("nats_context")
    if isinstance(context, Scalar) and not context.is_null and context.text:
        yield sentence("nats_context is accepted and not used: Tenuto does not connect to NATS yet")
    if filters_without_app:
        yield sentence("include and exclude select nothing without application_path")
