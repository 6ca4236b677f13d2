# SPDX-License-Identifier: Apache-2.0
"""What tests of Reasonix sessions share: the conformance data, and sessions made here."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from tenuto.reasonix.frames import encode_frame
from tests.support.paths import CONFORMANCE

REASONIX = CONFORMANCE / "reasonix"
REAL_A = REASONIX / "real-a"
SESSIONS_REAL_A = REASONIX / "sessions-real-a"

SYSTEM = {"role": "system", "content": "Be brief."}
ASK = {"role": "user", "content": "count the go files"}
CALL = {
    "role": "assistant",
    "tool_calls": [{"id": "c1", "name": "bash", "arguments": '{"command":"ls"}'}],
}
RESULT = {"role": "tool", "content": "12\n", "tool_call_id": "c1", "name": "bash"}
ANSWER = {"role": "assistant", "content": "There are 12."}
SESSION = [SYSTEM, ASK, CALL, RESULT, ANSWER]


def conformance(name: str) -> Any:
    return json.loads((REASONIX / name).read_text(encoding="utf-8"))


def copy(source: Path, target: Path) -> Path:
    """A copy that may be written, with the times of the original."""
    shutil.copytree(source, target)
    for folder, _, files in os.walk(target):
        for path in [folder, *(os.path.join(folder, name) for name in files)]:
            os.chmod(path, os.stat(path).st_mode | stat.S_IWUSR)
    return target


def edge(target: Path) -> Path:
    """The folder of odd files, with the times that its expected order goes by."""
    copy(REAL_A / "edge", target)
    for name, seconds in conformance("real-a/mtimes.json").items():
        os.utime(target / name, (seconds, seconds))
    return target


def lines(messages: Iterable[Any]) -> bytes:
    """Messages as bytes of a session file, made without the code under test."""
    return b"".join(
        json.dumps(m, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" for m in messages
    )


def write(path: Path, messages: Iterable[Any] = SESSION, **meta: object) -> Path:
    """A session file, and a sidecar where any of its keys is given."""
    path.write_bytes(lines(messages))
    if meta:
        Path(f"{path}.meta").write_text(json.dumps(meta))
    return path


def long_session(turns: int = 20, size: int = 3000) -> list[dict[str, Any]]:
    """A session whose early results are worth taking out."""
    out: list[dict[str, Any]] = [SYSTEM, ASK]
    for turn in range(turns):
        call = {"id": f"c{turn}", "name": "bash", "arguments": "{}"}
        content = f"{turn} " + "x" * size
        out.append({"role": "assistant", "tool_calls": [call]})
        out.append({"role": "tool", "content": content, "tool_call_id": call["id"], "name": "bash"})
    return [*out, ANSWER]


# --- generations C and v4 ------------------------------------------------------------------------


def log_line(kind: str, messages: list[Any], index: int = 0, **more: object) -> bytes:
    value = {"schema_version": 1, "type": kind, "message_index": index, "messages": messages}
    return json.dumps(value | more).encode() + b"\n"


def _record(kind: str, **fields: object) -> bytes:
    value = {"schemaVersion": 4, "codec": "reasonix.session.linear/v4", "recordType": kind}
    return json.dumps(value | fields).encode()


def batch(
    seq: int,
    *events: tuple[str, Any],
    commit: str = "",
    count: int | None = None,
    time: str = "",
    sha256: str | None = None,
) -> bytes:
    """The frames of one batch: (kind, payload) each. A payload of bytes is a content kept apart."""
    commit = commit or f"commit-{seq}"
    number = len(events) if count is None else count
    time = time or f"2026-09-01T10:{seq // 60 % 60:02d}:{seq % 60:02d}Z"
    records = [
        _record("batch/begin", commitId=commit, firstSeq=seq, eventCount=number, createdAt=time)
    ]
    for at, (kind, payload) in enumerate(events):
        event = {"id": f"e{seq + at}", "seq": seq + at, "kind": kind}
        if isinstance(payload, bytes):
            digest = hashlib.sha256(payload).hexdigest()
            event["payloadRef"] = {"digest": digest, "bytes": len(payload)}
        else:
            event["payload"] = base64.b64encode(json.dumps(payload).encode()).decode()
        records.append(_record("batch/event", event=event, createdAt="0001-01-01T00:00:00Z"))
    digest = hashlib.sha256(b"".join(record + b"\0" for record in records)).hexdigest()
    said = digest if sha256 is None else sha256
    end = _record("batch/end", commitId=commit, firstSeq=seq, eventCount=number, sha256=said)
    return b"".join(map(encode_frame, [*records, end]))


def kept_apart(folder: Path, data: bytes) -> Path:
    """Put a content where the session in ``folder`` looks for it."""
    digest = hashlib.sha256(data).hexdigest()
    path = folder.parent / ".content-v1" / "objects" / digest[:2] / digest[2:4] / digest
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    return path


def said(message: dict[str, Any]) -> tuple[str, Any]:
    return "message/complete", {"message": message}


def v4_session(folder: Path, *batches: bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "events.frames").write_bytes(b"".join(batches))
    return folder


# --- anything at all -----------------------------------------------------------------------------

#: Text as Python holds it, lone surrogates too.
any_text = st.text(st.characters(), max_size=40)
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def messages(words: st.SearchStrategy[str] = text) -> st.SearchStrategy[list[dict[str, Any]]]:
    """Lists of messages as they may be stored: nothing is empty but what is always there."""
    some = words.filter(bool)
    call = st.fixed_dictionaries({"id": words, "name": words, "arguments": words})
    message = st.fixed_dictionaries(
        {"role": st.sampled_from(["system", "user", "assistant", "tool"])},
        optional={
            "content": some,
            "images": st.lists(words, min_size=1, max_size=2),
            "reasoning_content": some,
            "tool_calls": st.lists(call, min_size=1, max_size=3),
            "tool_call_id": some,
            "name": some,
            "edited": st.just(True),
            "zzz": st.integers(-(2**60), 2**60) | words | st.booleans() | st.none(),
        },
    )
    return st.lists(message, max_size=8)
