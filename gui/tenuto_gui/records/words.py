# SPDX-License-Identifier: Apache-2.0
"""What the Records view says in its own words."""

from __future__ import annotations

from tenuto.sources.pretty import Examined, Found, Piece
from tenuto.sources.raw import Row, Unit
from tenuto.text import one_line, visible
from tenuto_gui import format as figures
from tenuto_gui.core_words import damage_words
from tenuto_gui.i18n import enumerated, in_turn, translate

#: A part of a cell: its text, and whether it is a tool's name or an argument (set in mono).
Part = tuple[str, bool]


def kind(row: Row) -> str:
    """The kind as the file writes it."""
    match row.kind:
        case "damaged":
            return translate("Records", "damaged")
        case "tail":
            return translate("Records", "cut off")
        case "newer":
            return row.name
        case "message":
            return visible(row.role) or "?"
        case "log" | "frame":
            return row.record or "?"
        case _:
            return row.kind


def number(row: Row) -> str:
    """The record's number, or the line's where there is no record."""
    if row.kind in ("damaged", "tail") or not row.seq:
        text = translate("Records", "line {n}")
        if row.unit == "frame":
            text = translate("Records", "frame {n}")
        return text.format(n=figures.exact(row.line))
    return figures.exact(row.seq)


def holds(row: Row) -> list[Part]:
    """What tells this record from the others."""
    match row.kind:
        case "meta":
            parts = [(f"{row.name}: ", False)] if row.name else []
            return [*parts, (row.text, False)]
        case "assistant":
            return _turn(row)
        case "tool_result":
            name = [(f"{row.name} ", True)] if row.name else []
            return [*name, (f"{_outcome(row)}{row.text}", False)]
        case "terminal":
            return [(f"{row.name}: {row.text}" if row.text else row.name, False)]
        case "damaged":
            return [(visible(row.text), False)]
        case "tail":
            return [(_tail(row), False)]
        case "newer":
            return [(translate("Records", "written by a newer version, not read"), False)]
        case "log":
            text = translate("Records", "%n message(s): {roles}", None, row.count)
            return [(text.format(roles=row.text), False)]
        case "frame" if row.count:
            text = translate("Records", "%n event(s), {time}", None, row.count)
            return [(text.format(time=row.text), False)]
        case "frame" if row.role:
            return [(f"{visible(row.role)}: ", False), *_message(row)]
        case "message":
            return _message(row)
        case _:
            return [(row.text, False)]


def _tail(row: Row) -> str:
    if row.text == "nul":
        return translate("Records", "NUL bytes, as a power cut leaves them")
    if row.text == "batch":
        return translate("Records", "A batch without its end: its events do not count")
    if row.unit == "message":
        return translate("Records", "A message that was not written to its end")
    return translate("Records", "A record that was not written to its end")


def _message(row: Row) -> list[Part]:
    """Of a message what tells it from the others; whose it is is said elsewhere."""
    if row.role == "assistant":
        return _turn(row)
    name = [(f"{row.name} ", True)] if row.name else []
    return [*name, (f"{_outcome(row)}{row.text}", False)]


def _turn(row: Row) -> list[Part]:
    head = translate("Records", "Turn {n}: ").format(n=figures.exact(row.turn))
    has = []
    if row.has_thinking:
        has.append(translate("Records", "thinking"))
    if row.has_text:
        has.append(translate("Records", "text") if row.calls else row.text)
    if not row.calls:
        return [(head + enumerated(has), False)]
    before = enumerated([*has, translate("Records", "calls")])
    parts: list[Part] = [(f"{head}{before} ", False)]
    for rank, (name, arguments) in enumerate(row.calls):
        comma = ", " if rank else ""
        parts += [(comma, False)] if comma else []
        parts += [(name, True), (f" {arguments}" if arguments else "", False)]
    if row.call_count > len(row.calls):
        more = translate("Records", ", and %n more", None, row.call_count - len(row.calls))
        parts.append((more, False))
    return parts


def _outcome(row: Row) -> str:
    if row.state == "failed" and row.exit_code:
        return translate("Records", "exit {code}: ").format(code=row.exit_code)
    if row.state == "failed":
        return translate("Records", "failed: ")
    return translate("Records", "denied: ") if row.state == "denied" else ""


def plain_holds(row: Row) -> str:
    return "".join(text for text, _ in holds(row)).strip()


def size(row: Row) -> str:
    return figures.exact(row.size)


def spoken(row: Row) -> str:
    """One row in words, for a screen reader."""
    text = translate("Records", "{number}, {kind}, {holds}, {size} bytes")
    return text.format(
        number=number(row), kind=kind(row), holds=plain_holds(row), size=figures.exact(row.size)
    )


def title(row: Row) -> str:
    """The heading above the chosen line."""
    if row.kind in ("damaged", "tail"):
        text = translate("Records", "Line {n}, as it is on disk")
        if row.unit == "frame":
            text = translate("Records", "Frame {n}")
        return text.format(n=figures.exact(row.line))
    if row.kind == "frame" and not row.seq:
        text = translate("Records", "Frame {n}, {kind}")
        return text.format(n=figures.exact(row.line), kind=kind(row))
    if not row.seq:
        return translate("Records", "Line {n}").format(n=figures.exact(row.line))
    text = {
        "message": translate("Records", "Message {n}, {kind}"),
        "frame": translate("Records", "Event {n}, {kind}"),
    }.get(row.kind, translate("Records", "Record {n}, {kind}"))
    return text.format(n=figures.exact(row.seq), kind=kind(row))


def place(row: Row) -> str:
    """Where it is in the file."""
    named = row.kind in ("damaged", "tail") or not row.seq  # the title says which line it is
    text = translate("Records", "bytes {first} to {last}, line {line}")
    if named:
        text = translate("Records", "bytes {first} to {last}")
    elif row.unit == "frame":
        text = translate("Records", "bytes {first} to {last}, frame {line}")
    if row.content:
        whole = translate("Records", "{place}; {size} when unpacked")
        text = whole.format(place=text, size=figures.size(row.content))
    return text.format(
        first=figures.exact(row.offset),
        last=figures.exact(row.offset + max(row.size - 1, 0)),
        line=figures.exact(row.line),
    )


def note(row: Row, piece: Piece, column: int) -> tuple[str, bool]:
    """What is said below a piece of a damaged line, and whether it is good news."""
    found = piece.found
    if piece.kind == "unknown" and row.kind == "tail":
        return translate("Records", "cut off here, after %n byte(s)", None, piece.size), False
    if piece.kind == "unknown":
        return translate("Records", "cannot be read: {why}").format(
            why=visible(damage_words(row.text))
        ), False
    if piece.kind == "record":
        return _about_record(piece)
    assert found is not None
    match found.kind:
        case "glued":
            text = translate(
                "Records",
                "cut off here, after column {n}; a whole record follows on the same line",
            )
            return text.format(n=figures.exact(column)), False
        case "nul":
            text = translate("Records", "%n NUL byte(s), as a power cut leaves them", None,
                             piece.size)  # fmt: skip
            return text, False
        case "torn":
            text = translate("Records", "cut off here, after %n byte(s)", None, piece.size)
            return text, False
        case _:
            return one_line(damage_words(found.message), 300), False


def meaning(found: list[Found]) -> str:
    """What a damaged line is, from what the doctor found in it; "" where that says no more."""
    kinds = {each.kind for each in found}
    if not all(each.repairable for each in found):
        return one_line(
            damage_words(next(each.message for each in found if not each.repairable)), 200
        )
    if "duplicate" in kinds:
        return translate("Records", "A record that is there a second time, byte for byte")
    if "glued" in kinds:
        return translate("Records", "A record was cut off; the next one was written onto its line")
    if "nul" in kinds:
        return translate("Records", "NUL bytes, as a power cut leaves them")
    return ""


def _about_record(piece: Piece) -> tuple[str, bool]:
    found = piece.found
    if found is not None and not found.repairable:
        return one_line(damage_words(found.message), 300), False
    if found is not None and found.kind == "duplicate":
        text = translate(
            "Records", "record {n}, a second time, byte for byte: Repair keeps one of them"
        )
        return text.format(n=figures.exact(found.seq or 0)), True
    text = translate(
        "Records",
        "a whole record: Repair can put it on a line of its own and keep the cut-off bytes beside"
        " the journal",
    )
    return text, True


def damage_title(rows: list[Row]) -> str:
    """The bold sentence above a damaged journal."""
    damaged = [row for row in rows if row.kind == "damaged"]
    if rows and rows[0].unit != "line":
        return _session_title(damaged)
    if not damaged:
        return translate("Records", "This journal ends in the middle of a record")
    if len(damaged) == 1:
        text = translate("Records", "Line {n} of this journal cannot be read")
        return text.format(n=figures.exact(damaged[0].line))
    return translate("Records", "%n line(s) of this journal cannot be read", None, len(damaged))


def _session_title(damaged: list[Row]) -> str:
    if not damaged:
        return translate("Records", "This session ends too early")
    return translate("Records", "%n place(s) of this session cannot be read", None, len(damaged))


def session_text(rows: list[Row], count: int) -> str:
    """As :func:`damage_text`, of a session that is never repaired in its place."""
    good = max(count - len(rows), 0)
    first = translate("Records", "%n other(s) are intact and shown.", None, good)
    return in_turn(
        first,
        translate(
            "Records", "Tenuto leaves the file as it is: only Reasonix itself writes it anew."
        ),
    )


def step(unit: Unit) -> str:
    """Where one is: {n} of {all}."""
    match unit:
        case "message":
            return translate("Records", "message {n} of {all}")
        case "frame":
            return translate("Records", "frame {n} of {all}")
        case _:
            return translate("Records", "line {n} of {all}")


def damage_text(rows: list[Row], count: int, doctor: Examined | None) -> str:
    """What is intact, and what can be rescued."""
    before = rows[0].line - 1 if rows else 0
    good = count - len(rows)
    after = max(good - before, 0)
    if after:
        first = translate(
            "Records", "{before} records before it and {after} after it are intact and shown."
        ).format(before=figures.exact(good - after), after=figures.exact(after))
    else:
        first = translate("Records", "%n record(s) before it are intact and shown.", None, good)
    return in_turn(first, rescue(doctor))


def rescue(doctor: Examined | None) -> str:
    """What a repair would come to."""
    if doctor is None:
        return ""
    lost = [found for found in doctor.findings if not found.repairable]
    if lost:
        return translate(
            "Records", "It cannot be repaired: {why}. Nothing has been changed."
        ).format(why=one_line(damage_words(lost[0].message), 200))
    return translate(
        "Records", "Repair can keep %n whole record(s). Nothing has been changed.", None,
        doctor.records,
    )  # fmt: skip


def plan(id: str, doctor: Examined) -> str:
    """What Repair does, before it is done."""
    return translate(
        "Records",
        "%n record(s) will be kept, byte for byte. What belongs to none of them goes to {torn}, and"
        " the journal as it is now stays as a backup beside it.",
        None,
        doctor.records,
    ).format(torn=f"{id}.torn")


def repaired(made: dict[str, object], id: str) -> str:
    """What a repair did."""
    count = made.get("records")
    rescued, aside, backup = made.get("rescued"), made.get("aside_bytes"), made.get("backup")
    parts = []
    if isinstance(count, int):
        parts.append(translate("Records", "The journal holds %n whole record(s).", None, count))
    if isinstance(rescued, int) and rescued:
        parts.append(translate("Records", "%n of them could not be read before.", None, rescued))
    if isinstance(aside, int) and aside:
        text = translate("Records", "%n byte(s) are set aside in {torn}.", None, aside)
        parts.append(text.format(torn=f"{id}.torn"))
    if isinstance(backup, str):
        text = translate("Records", "The journal as it was is {backup}.")
        parts.append(text.format(backup=visible(backup)))
    return in_turn(*parts)
