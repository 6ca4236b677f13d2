# SPDX-License-Identifier: Apache-2.0
"""Numbers, ages and paths as the window writes them (look.md, "Words")."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from pathlib import Path

from PySide6.QtCore import QDate, QLocale, QTime

from tenuto_gui.i18n import translate

#: Between a number and its unit: narrow no-break space.
NNBSP = "\u202f"
#: Between facts of one line.
DOT = "\u00b7"

_MINUTE = 60
_HOUR = 3600


def locale() -> QLocale:
    """The locale of numbers. The "C" locale writes no group separators, so English stands in."""
    found = QLocale()
    if found.language() == QLocale.Language.C:
        return QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)
    return found


def exact(number: int) -> str:
    """Whole, in groups of three: ``200,000``."""
    return locale().toString(number)


def short(number: int) -> str:
    """``950``, ``12.4k``, ``260k``, ``1.2M``: three digits at most."""
    if number < 1000:
        return str(number)
    for size, unit in ((1_000_000_000, "G"), (1_000_000, "M"), (1000, "k")):
        # 999,500 and up would round to 1000k.
        if number >= size * 0.9995:
            value = number / size
            return f"{locale().toString(value, 'f', 1 if value < 99.95 else 0)}{unit}"
    return str(number)


def tokens(number: int) -> str:
    """With the word: ``12.4k tokens``."""
    if number < 1000:
        return translate("format", "%n token(s)", None, number)
    return translate("format", "{number}\u202ftokens").format(number=short(number))


def percent(part: int, whole: int) -> str:
    """``71 %``; 0 of nothing is 0."""
    return f"{round(100 * part / whole) if whole else 0}{NNBSP}%"


def size(count: int) -> str:
    """Bytes: ``512 B``, ``41.6 GiB``."""
    if count < 1024:
        return f"{count}{NNBSP}B"
    value = float(count)
    for unit in ("KiB", "MiB", "GiB", "TiB"):
        value /= 1024
        if value < 1023.95 or unit == "TiB":
            break
    return f"{locale().toString(value, 'f', 1 if value < 99.95 else 0)}{NNBSP}{unit}"


def duration(seconds: float) -> str:
    """At most two units: ``0.4 s``, ``12 s``, ``6 m 12 s``, ``2 h 5 m``, ``3 d 4 h``."""
    if seconds < 10:
        number = locale().toString(float(max(0.0, seconds)), "f", 1)
        return number + NNBSP + translate("format", "s")
    whole = round(seconds)
    parts = (
        (whole // 86400, translate("format", "d")),
        (whole // _HOUR % 24, translate("format", "h")),
        (whole // _MINUTE % 60, translate("format", "m")),
        (whole % _MINUTE, translate("format", "s")),
    )
    first = next((i for i, (count, _) in enumerate(parts) if count), 3)
    shown = [(count, unit) for count, unit in parts[first : first + 2] if count]
    return " ".join(f"{count}{NNBSP}{unit}" for count, unit in shown)


def parse_time(text: str) -> datetime | None:
    """An RFC 3339 time, nanoseconds cut to microseconds; None for anything else."""
    match = re.fullmatch(
        r"(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)", text, re.ASCII
    )
    if match is None:
        return None
    fraction = (match[2] or "")[:7]
    zone = "+00:00" if match[3] in "Zz" else match[3]
    try:
        return datetime.fromisoformat(f"{match[1]}{fraction}{zone}")
    except ValueError:
        return None


def age(then: datetime, now: datetime) -> str:
    """``now``, ``40 s ago``, ``12 m ago``, ``2 h ago``, ``yesterday``, ``12 Mar``, ``12 Mar 2024``.

    A time in the future (a clock that ran ahead) is written as a date, never as a negative age.
    """
    then, now = then.astimezone(), now.astimezone()
    seconds = (now - then).total_seconds()
    if -2 < seconds < 10:
        return translate("format", "now")
    if 0 <= seconds < _MINUTE:
        # Whole tens, so that the words change seldom.
        return translate("format", "{n}\u202fs ago").format(n=int(seconds) // 10 * 10)
    if 0 <= seconds < _HOUR:
        return translate("format", "{n}\u202fm ago").format(n=int(seconds // _MINUTE))
    if 0 <= seconds < 6 * _HOUR or (seconds >= 0 and then.date() == now.date()):
        return translate("format", "{n}\u202fh ago").format(n=int(seconds // _HOUR))
    if then.date() == now.date() - timedelta(days=1):
        return translate("format", "yesterday")
    if then.year == now.year:
        return day(then)
    return locale().toString(_date(then), translate("format", "d MMM yyyy"))


def _date(then: datetime) -> QDate:
    return QDate(then.year, then.month, then.day)


def day(then: datetime) -> str:
    """``12 Mar``."""
    return locale().toString(_date(then), translate("format", "d MMM"))


def hour(then: datetime, *, seconds: bool = False) -> str:
    """The local time as the locale writes it: ``14:02`` or ``2:02 PM``; ``14:02:08``."""
    then = then.astimezone()
    # Not the English that stands in for "C": that has twelve hours.
    found = QLocale()
    pattern = found.timeFormat(QLocale.FormatType.ShortFormat)
    if seconds:
        # The locale's long format has the name of the zone as well.
        pattern = re.sub(r"([:.]?)mm", lambda m: f"{m[0]}{m[1] or ':'}ss", pattern, count=1)
    return found.toString(QTime(then.hour, then.minute, then.second), pattern)


def moment(then: datetime) -> str:
    """The full local time, for tooltips: ``2026-03-12 14:02:08``."""
    then = then.astimezone()
    return f"{then:%Y-%m-%d} {hour(then, seconds=True)}"


def clock(then: datetime, now: datetime) -> str:
    """``14:02`` today, ``12 Mar 14:02`` on another day."""
    then, now = then.astimezone(), now.astimezone()
    if then.date() == now.date():
        return hour(then)
    return f"{day(then)} {hour(then)}"


def model_name(model: str) -> str:
    """A model's name as a row has room for it: ``claude-haiku-4-5-20251001`` is ``haiku-4.5``."""
    name = re.sub(r"-\d{8}$", "", model.removeprefix("claude-"))
    return re.sub(r"-(\d+)-(\d+)$", r"-\1.\2", name)


def home_path(path: str | Path) -> str:
    """A path with the home folder as ``~``."""
    text, home = str(path), str(Path.home())
    if text == home or text.startswith(home.rstrip("/") + "/"):
        return "~" + text[len(home.rstrip("/")) :]
    return text
