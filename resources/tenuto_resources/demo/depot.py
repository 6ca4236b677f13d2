# SPDX-License-Identifier: Apache-2.0
"""The program behind the demo's tools: prints plausible things and changes nothing.

It speaks as a fisk application does (``--fisk-introspect``). :func:`answer` is what the samples'
results were made with, so that a resumed sample goes on with the same facts.
"""

from __future__ import annotations

import json
import sys
import time

RO, RW, ASK = ["impact:ro"], ["impact:rw"], ["impact:rw", "ai:confirm"]

STREAMS = {
    "ORDERS": ("orders.>", 18_402_117, "41.6 GiB", "limits, 30 d", 6),
    "BILLING": ("billing.>", 2_204_981, "3.9 GiB", "limits, 90 d", 4),
    "METRICS": ("metrics.>", 91_377_204, "12.1 GiB", "limits, 48 h", 2),
    "AUDIT": ("audit.>", 640_118, "1.2 GiB", "none", 1),
    "EVENTS_OLD": ("events.v1.>", 12_004, "88 MiB", "none", 0),
    "TMP_IMPORT": ("tmp.import.>", 0, "0 B", "none", 0),
}
CONSUMERS = [
    ("billing-eu-2", "Billing", 1_204, "2 m", "steady"),
    ("audit-archive", "Audit", 412_880, "3 d 4 h", "falling behind"),
    ("dashboard", "Operations", 12, "1 s", "steady"),
    ("warehouse", "مستودع الرياض", 3_020, "4 m", "catching up"),
    ("search-index", "Search", 88, "9 s", "steady"),
    ("mail", "Notices", 0, "0 s", "steady"),
]
STOCK = [
    ("flour", 14, "kg"),
    ("rice", 6, "kg"),
    ("tea", 0, "pcs"),
    ("crème fraîche", 9, "pcs"),
    ("味噌", 4, "kg"),
    ("حليب", 12, "l"),
]
SNAPSHOTS = [f"{day:02d}-0{hour}00" for day in range(1, 8) for hour in (1, 3)]
#: The full one of the week: each of its packs is named, more lines than a transcript shows at once.
FULL = "06-0100"


def _stream_ls() -> str:
    rows = ["Name         Messages        Size  Retention     Consumers"]
    for name, (_, count, size, kept, consumers) in STREAMS.items():
        rows.append(f"{name:<11}{count:>11,}  {size:>10}  {kept:<14}{consumers:>9}")
    return "\n".join(rows) + "\n"


def _stream_info(name: str) -> tuple[int, str]:
    if name not in STREAMS:
        return 1, f"depot: error: stream {name!r} not found (10059)\n"
    subjects, count, size, kept, consumers = STREAMS[name]
    config = {
        "Subjects": subjects, "Acknowledgments": "true", "Retention": kept, "Replicas": 3,
        "Discard Policy": "Old", "Duplicate Window": "2m0s", "Direct Get": "true",
        "Allows Msg Delete": "true", "Allows Purge": "true", "Allows Rollups": "false",
        "Maximum Messages": "unlimited", "Maximum Per Subject": "unlimited",
        "Maximum Bytes": "64 GiB", "Maximum Message Size": "1.0 MiB",
        "Maximum Consumers": "unlimited", "Compression": "S2 Compression",
    }  # fmt: skip
    lines = [f"Information for Stream {name}", "", "Options:", ""]
    lines += [f"{key:>22}: {value}" for key, value in config.items()]
    lines += ["", "Cluster Information:", ""]
    lines += [f"{'Name':>22}: depot-east", f"{'Leader':>22}: n2-east"]
    lines += [f"{'Replica':>22}: {node}, current, seen 0.{node[1]}1s ago" for node in ("n1", "n3")]
    lines += ["", "State:", ""]
    state = {
        "Messages": f"{count:,}", "Bytes": size, "First Sequence": "1",
        "Last Sequence": f"{count:,}", "Active Consumers": consumers,
        "Number of Subjects": max(1, consumers * 7),
    }  # fmt: skip
    return 0, "\n".join(lines + [f"{key:>22}: {value}" for key, value in state.items()]) + "\n"


def _stream_subjects(name: str, match: str) -> str:
    regions = ("eu", "us", "apac", "me")
    kinds = ("placed", "paid", "packed", "sent", "returned")
    rows = [f"{name.lower()}.{region}.{kind}" for region in regions for kind in kinds]
    rows = [row for row in rows if match.rstrip(".>*") in row]
    return "".join(f"{row:<28}{(i * 7919) % 90_001:>9,}\n" for i, row in enumerate(rows))


def _consumer_info(stream: str, name: str) -> tuple[int, str]:
    for row in CONSUMERS:
        if row[0] == name:
            text = (
                f"Information for Consumer {stream} > {name}\n\n"
                f"              Ack Wait: 30.00s\n       Max Ack Pending: 500\n"
                f"           Outstanding: {min(500, row[2])} of 500\n   Unprocessed Messages: "
                f"{row[2]:,}\n          Oldest unacked: {row[3]}\n"
            )
            return 0, text
    return 1, f'depot: error: consumer "{name}" not found on stream {stream} (10014)\n'


def _consumer_report(stream: str, sort: str) -> str:
    rows = sorted(CONSUMERS, key=lambda row: -row[2] if sort == "pending" else 0)
    lines = [f"Consumers of {stream}", ""]
    for name, owner, pending, oldest, trend in rows:
        colour = "\x1b[31m" if pending > 100_000 else "\x1b[32m"
        lines.append(f"{name:<15}{owner:<16}{pending:>9,}  {oldest:>8}  {colour}{trend}\x1b[0m")
    return "\n".join(lines) + "\n"


def _consumer_edit(stream: str, name: str, pending: str) -> tuple[int, str]:
    text = (
        f"--- {stream} > {name} (before)\n+++ {stream} > {name} (after)\n@@ -3,3 +3,3 @@\n"
        f" ack_wait: 30s\n-max_ack_pending: 500\n+max_ack_pending: {pending or 500}\n"
        " replay: instant\n"
    )
    return 0, text


def _stock_list(match: str) -> str:
    rows = [row for row in STOCK if match in row[0]]
    return json.dumps(
        [{"item": item, "count": count, "unit": unit} for item, count, unit in rows],
        ensure_ascii=False,
    )


def _backup_list() -> str:
    rows = ["ID       Time                 Files       Size"]
    for i, name in enumerate(SNAPSHOTS):
        day, hour = name[:2], name[3:5]
        rows.append(f"{name}  2026-11-{day} {hour}:00:04  {41_000 + i * 37:>6}  {96 + i} GiB")
    return "\n".join(rows) + "\n"


def _backup_verify(name: str) -> tuple[int, str]:
    if name not in SNAPSHOTS:
        return 3, f"depot: error: no snapshot {name}\n"
    lines = [f"checking snapshot {name}"]
    if name == FULL:
        packs = (f"{number * 2_654_435_761 % 2**32:08x}" for number in range(1, 411))
        lines += [f"pack {number:>3}  {pack}  ok" for number, pack in enumerate(packs, 1)]
    lines += [f"[0:{i * 3:02d}] {i * 10:>3}%  {i * 4_100} / 41000 packs" for i in range(1, 11)]
    return 0, "\n".join([*lines, "no errors were found"]) + "\n"


def _notes(quarter: str) -> str:
    return "\n".join(
        f"## {quarter} incident {number}\n\nPaged at 0{number % 9}:1{number % 6}. A consumer "
        f"lost its acks after the leader moved; {number * 3} minutes until it caught up. "
        "Follow-up: raise max_ack_pending, alert on the oldest unacked message.\n"
        for number in range(1, 13)
    )


def answer(arguments: list[str]) -> tuple[int, str]:
    """The exit code and the output for a command line."""
    options = dict(a[2:].partition("=")[::2] for a in arguments if a.startswith("--") and a != "--")
    words = [a for a in arguments if not a.startswith("--")]
    command, rest = " ".join(words[:2]), [*words[2:], "", "", ""]
    match command:
        case "stream ls":
            return 0, _stream_ls()
        case "stream info":
            return _stream_info(rest[0])
        case "stream subjects":
            return 0, _stream_subjects(rest[0], rest[1])
        case "stream rm":
            known = rest[0] in STREAMS
            return (0, f"removed {rest[0]}\n") if known else _stream_info(rest[0])
        case "consumer info":
            return _consumer_info(rest[0], rest[1])
        case "consumer report":
            return 0, _consumer_report(rest[0], options.get("sort", "name"))
        case "consumer edit":
            return _consumer_edit(rest[0], rest[1], options.get("max-pending", ""))
        case "stock list":
            return 0, _stock_list(rest[0])
        case "stock set":
            return 0, f"{rest[0]}: {rest[1]}\n"
        case "backup list":
            return 0, _backup_list()
        case "backup verify":
            return _backup_verify(rest[0])
        case "backup prune":
            kept = options.get("keep", "14")
            return 0, f"keep {kept} snapshots\nremoved 9 packs, 11.4 GiB freed\n"
        case "notes read":
            return 0, _notes(rest[0])
    return 2, f"depot: error: unknown command {command!r}\n"


def _command(name: str, text: str, tags: list[str], *args: str, **flags: str) -> dict[str, object]:
    """One leaf; arguments and flags as ``name: help``, an optional argument ends with ``?``."""
    properties: dict[str, object] = {}
    required, positional, options = [], [], []
    for arg in args:
        key, _, about = arg.partition(": ")
        optional = key.endswith("?")
        key = key.rstrip("?")
        properties[key] = {"type": "string", "description": about}
        positional.append({"name": key, "help": about, "required": not optional})
        if not optional:
            required.append(key)
    for word, about in flags.items():
        key = word.replace("_", "-")
        properties[key] = {"type": "string", "description": about}
        options.append({"name": key, "help": about})
    schema: dict[str, object] = {
        "type": "object", "properties": properties, "additionalProperties": False,
    }  # fmt: skip
    if required:
        schema["required"] = required
    return {
        "name": name, "help": text, "tags": tags, "args": positional, "flags": options,
        "schema": schema, "restricted_schema": schema,
    }  # fmt: skip


def _group(name: str, text: str, *commands: dict[str, object]) -> dict[str, object]:
    return {"name": name, "help": text, "commands": list(commands)}


def introspection() -> dict[str, object]:
    """What ``--fisk-introspect`` prints."""
    stream, consumer = "stream: Name of the stream", "consumer: Name of the consumer"
    return {
        "name": "depot",
        "help": "Looks after the depot's streams, stock and backups",
        "version": "1.0.0",
        "commands": [
            _group(
                "stream", "Message streams",
                _command("ls", "Lists the streams", RO),
                _command("info", "State and options of a stream", RO, stream),
                _command(
                    "subjects", "Subjects of a stream", RO, stream, "match?: Only subjects like it"
                ),
                _command("rm", "Removes a stream and all its messages", ASK, stream),
            ),
            _group(
                "consumer", "Readers of a stream",
                _command("info", "State of a consumer", RO, stream, consumer),
                _command("report", "All consumers of a stream", RO, stream, sort="Sort by this"),
                _command(
                    "edit", "Changes a consumer", ASK, stream, consumer,
                    max_pending="How many messages it may hold unacknowledged",
                ),
            ),
            _group(
                "stock", "What is on the shelves",
                _command("list", "Lists the stock", RO, "match?: Only items like it"),
                _command("set", "Sets the count of an item", RW, "item: Item", "count: Count"),
            ),
            _group(
                "backup", "Snapshots",
                _command("list", "Lists the snapshots", RO),
                _command("verify", "Reads a snapshot and checks it", RO, "id: Snapshot"),
                _command("prune", "Removes old snapshots", RW, keep="How many to keep"),
            ),
            _group(
                "notes", "Incident notes",
                _command("read", "Notes of a quarter", RO, "quarter: For example 2026Q3"),
            ),
        ],
        "flags": [],
    }  # fmt: skip


def main() -> int:
    arguments = sys.argv[1:]
    if arguments == ["--fisk-introspect"]:
        text, code = json.dumps(introspection(), ensure_ascii=False), 0
    else:
        code, text = answer(arguments)
        # Long enough to be seen at work, and to be interrupted.
        time.sleep(2.5 if "prune" in arguments or "verify" in arguments else 0.4)
    sys.stdout.buffer.write(text.encode())
    return code


if __name__ == "__main__":
    sys.exit(main())
