# SPDX-License-Identifier: Apache-2.0
"""What was in a system prompt or tool set whose hash a run holds, without keeping its text.

A fingerprint says that something changed, not what. For each hash that Tenuto has resolved it keeps
digests of the parts: an HMAC for each line of the prompt and for each tool's description and
schema, under a key that never leaves the data folder (design.md, "Configuration"). So the new lines
can be shown, which today's configuration holds, and the old ones only be counted.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from tenuto import gojson, paths
from tenuto.agent.tools import builtin
from tenuto.errors import StoreError
from tenuto.runs.files import FileLayer, Folder

if TYPE_CHECKING:
    from tenuto.agent.resolve import ResolvedAgent
    from tenuto.fingerprint import FieldChange

_KEY = "digests.key"
_KEY_SIZE = 32
#: Bytes of a digest that are kept: enough that two lines never share one.
_DIGEST_SIZE = 16
#: Files kept, newest first.
_MOST = 2000
_HASH = re.compile(r"[0-9a-f]{64}\Z")
Row = dict[str, Any]
_Kind = TypeVar("_Kind", bound=msgspec.Struct)


class _Part(msgspec.Struct):
    #: Of each line that is not blank, in order.
    lines: list[str]


class _Prompt(msgspec.Struct):
    parts: list[_Part]
    schema: int = 1


class _ToolDigest(msgspec.Struct):
    name: str
    description: str
    input_schema: str
    deferred: bool


class _ToolSet(msgspec.Struct):
    tools: list[_ToolDigest]
    schema: int = 1


def record(resolved: ResolvedAgent, directory: Path | None = None) -> bool:
    """Keep the digests of a configuration under each hash that it has.

    They are a comfort: False, and nothing else, where the folder cannot be written.
    """
    try:
        with _folder(directory) as folder:
            key = _key(folder)
            known = {entry.name for entry in os.scandir(folder.path)}
            contents: dict[str, msgspec.Struct] = {}
            for found in (resolved.fingerprint, resolved.wire_fingerprint):
                contents[_name("system", found.system_hash)] = _prompt(key, resolved)
                contents[_name("tools", found.tools_hash)] = _tool_set(key, resolved)
            layer = FileLayer()
            for name, content in contents.items():
                if name not in known:
                    layer.atomic_write(folder, name, msgspec.json.encode(content), sync_dir=False)
            _prune(layer, folder)
    except (OSError, StoreError):
        return False
    return True


def details(
    rows: Iterable[FieldChange], resolved: ResolvedAgent, directory: Path | None = None
) -> dict[str, list[Row]]:
    """What changed inside the changed hashes, by field.

    A field is missing where its saved hash was never seen here, or the folder cannot be read. Rows
    of ``tools_hash``: ``{"change": "added" | "removed", "name"}``, ``{"change": "changed", "name",
    "what": ["description", "schema", "deferred"]}`` and ``{"change": "order"}``. Rows of
    ``system_hash``: ``{"change": "added", "part", "line", "text"}`` for each new line of today's
    prompt, ``{"change": "removed", "count"}``, ``{"change": "order"}``. Where nothing is known of
    the saved hash, but a likely reason, it is ``{"change": "reason", "text"}``.
    """
    changed = _hashes(rows)
    found = _known_details(changed, resolved, directory) if changed else {}
    reason = builtin.differs_from_fisk(resolved.config)
    if reason is not None:
        for row in changed:
            found.setdefault(row.field, [{"change": "reason", "text": reason}])
    return found


def between(rows: Iterable[FieldChange], directory: Path | None = None) -> dict[str, list[Row]]:
    """The same where nothing but hashes is known of either side, as of two saved runs.

    New lines of a prompt can only be counted then, too: ``{"change": "added", "count"}``.
    """

    def compare(folder: Folder, row: FieldChange) -> list[Row] | None:
        if row.field == "system_hash":
            before, after = (_saved(folder, each, _Prompt) for each in (row.saved, row.current))
            return _count_rows(before, after) if before and after else None
        old, new = (_saved(folder, each, _ToolSet) for each in (row.saved, row.current))
        return _tool_rows(old, new) if old and new else None

    return _compared(_hashes(rows), compare, directory)


def _known_details(
    changed: Iterable[FieldChange], resolved: ResolvedAgent, directory: Path | None
) -> dict[str, list[Row]]:
    def compare(folder: Folder, row: FieldChange) -> list[Row] | None:
        key = _key(folder, make=False)
        if row.field == "system_hash":
            prompt = _saved(folder, row.saved, _Prompt)
            return _prompt_rows(key, prompt, resolved.system_parts) if prompt else None
        tool_set = _saved(folder, row.saved, _ToolSet)
        return _tool_rows(tool_set, _tool_set(key, resolved)) if tool_set else None

    return _compared(changed, compare, directory)


def _hashes(rows: Iterable[FieldChange]) -> list[FieldChange]:
    return [row for row in rows if row.changed and row.field in ("system_hash", "tools_hash")]


def _compared(
    changed: Iterable[FieldChange],
    compare: Callable[[Folder, FieldChange], list[Row] | None],
    directory: Path | None,
) -> dict[str, list[Row]]:
    """What ``compare`` finds of each field; nothing where the folder cannot be read."""
    try:
        with _folder(directory, make=False) as folder:
            found = {row.field: compare(folder, row) for row in changed}
    except (OSError, StoreError):
        return {}
    return {field: rows for field, rows in found.items() if rows is not None}


def _folder(directory: Path | None, *, make: bool = True) -> Folder:
    path = os.path.realpath(directory or paths.data_dir() / "digests")
    layer = FileLayer()
    return layer.make_dir(path) if make else layer.open_dir(path)


def _key(folder: Folder, *, make: bool = True) -> bytes:
    """The key, made once. Raises OSError or StoreError."""
    layer = FileLayer()
    while True:
        try:
            key = layer.read_all(folder, _KEY, limit=4096)
        except FileNotFoundError:
            if not make:
                raise
        else:
            if len(key) == _KEY_SIZE:
                return key
            # Not one of ours, or cut by a full disk: what it made can never be compared again.
            layer.unlink(folder, _KEY)
        temporary = f".{_KEY}.{secrets.token_hex(8)}"
        layer.atomic_write(folder, temporary, secrets.token_bytes(_KEY_SIZE))
        try:
            # A link is made whole or not at all, and never takes the place of another key.
            os.link(folder.file(temporary), folder.file(_KEY))
        except FileExistsError:
            continue
        finally:
            layer.unlink(folder, temporary)


def _name(kind: str, digest: str) -> str:
    return f"{kind}-{digest}.json"


def _load(folder: Folder, name: str, kind: type[_Kind]) -> _Kind | None:
    try:
        return msgspec.json.decode(FileLayer().read_all(folder, name), type=kind)
    except (FileNotFoundError, msgspec.DecodeError, UnicodeDecodeError):
        return None


def _saved(folder: Folder, digest: object, kind: type[_Kind]) -> _Kind | None:
    """What is kept under a hash; None for what is none."""
    word = str(digest)
    prefix = "system" if kind is _Prompt else "tools"
    return _load(folder, _name(prefix, word), kind) if _HASH.match(word) else None


def _prune(layer: FileLayer, folder: Folder) -> None:
    entries = [entry for entry in os.scandir(folder.path) if entry.name.endswith(".json")]
    if len(entries) > _MOST:
        entries.sort(key=lambda entry: entry.stat(follow_symlinks=False).st_mtime_ns)
        for entry in entries[:-_MOST]:
            layer.unlink(folder, entry.name)


def _digest(key: bytes, kind: str, data: bytes) -> str:
    full = hmac.new(key, kind.encode() + b"\0" + data, hashlib.sha256).digest()
    return full[:_DIGEST_SIZE].hex()


def _line_digest(key: bytes, line: str) -> str:
    return _digest(key, "line", line.encode("utf-8", "surrogatepass"))


def _lines(part: str) -> list[tuple[int, str]]:
    """Number and text of each line that is not blank; white space around it does not count."""
    return [(n, line.strip()) for n, line in enumerate(part.split("\n"), 1) if line.strip()]


def _prompt(key: bytes, resolved: ResolvedAgent) -> _Prompt:
    return _Prompt(
        [
            _Part([_line_digest(key, line) for _, line in _lines(part)])
            for part in resolved.system_parts
        ]
    )


def _tool_set(key: bytes, resolved: ResolvedAgent) -> _ToolSet:
    return _ToolSet(
        [
            _ToolDigest(
                tool.name,
                _digest(key, "description", tool.description.encode("utf-8", "surrogatepass")),
                _digest(key, "schema", gojson.canonical(tool.schema())),
                tool.defer_loading,
            )
            for tool in resolved.definitions
        ]
    )


def _prompt_rows(key: bytes, saved: _Prompt, parts: Iterable[str]) -> list[Row]:
    left = Counter(digest for part in saved.parts for digest in part.lines)
    rows: list[Row] = []
    for number, part in enumerate(parts, 1):
        for line, text in _lines(part):
            digest = _line_digest(key, text)
            if left[digest] > 0:
                left[digest] -= 1
            else:
                rows.append({"change": "added", "part": number, "line": line, "text": text})
    gone = sum(left.values())
    if gone:
        rows.append({"change": "removed", "count": gone})
    # The same lines, and yet another hash: their order, or white space.
    return rows or [{"change": "order"}]


def _count_rows(saved: _Prompt, current: _Prompt) -> list[Row]:
    before, after = (
        Counter(digest for part in each.parts for digest in part.lines) for each in (saved, current)
    )
    counts = {"added": (after - before).total(), "removed": (before - after).total()}
    rows = [{"change": change, "count": count} for change, count in counts.items() if count]
    return rows or [{"change": "order"}]


def _tool_rows(saved: _ToolSet, current: _ToolSet) -> list[Row]:
    before = {tool.name: tool for tool in saved.tools}
    after = {tool.name: tool for tool in current.tools}
    rows: list[Row] = [{"change": "added", "name": name} for name in after if name not in before]
    rows += [{"change": "removed", "name": name} for name in before if name not in after]
    for name, tool in after.items():
        old = before.get(name)
        if old is None:
            continue
        what = [
            label
            for label, same in (
                ("description", tool.description == old.description),
                ("schema", tool.input_schema == old.input_schema),
                ("deferred", tool.deferred == old.deferred),
            )
            if not same
        ]
        if what:
            rows.append({"change": "changed", "name": name, "what": what})
    return rows or [{"change": "order"}]
