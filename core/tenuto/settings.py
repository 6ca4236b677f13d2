# SPDX-License-Identifier: Apache-2.0
"""The settings file: JSON with a fixed schema, shared by window and command line.

Reading never fails: a value that cannot be used is replaced by its default and reported, keys that
this version does not know are kept and written back. Writing replaces the file in one step (temp,
fsync, rename), 0600. Defaults are not written, so that a later version may change them.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from tenuto import paths
from tenuto.sentences import Sentence, others_words, sentence, system_said

SCHEMA = 1

#: Settings that name a folder.
_FOLDERS = ("runs_dir", "reasonix_dir")

ThemeChoice = Literal["system", "light", "dark"]
LanguageChoice = Literal["system", "en", "zh_CN"]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What the operator chose. Field names are the file's keys."""

    #: The runs folder; "" means the default one (``paths.runs_dir``).
    runs_dir: str = ""
    #: Reasonix's folder of sessions; "" means its own (``reasonix.folders.sessions_root``).
    reasonix_dir: str = ""
    theme: ThemeChoice = "system"
    language: LanguageChoice = "system"
    #: Percent of the system's size.
    text_size: Annotated[int, msgspec.Meta(ge=50, le=300)] = 100
    #: Drop Tenuto's proxy style and keep the system's widgets (look.md).
    system_style: bool = False
    reduced_motion: bool = False
    #: Say on the desktop that a run waits or ended while the window is not in front.
    notifications: bool = True
    #: Take secrets out of what is exported, unless it is said otherwise there.
    redact_exports: bool = True
    #: A program that takes ``-e COMMAND ...``, for "Open in terminal"; "" means find one.
    terminal: str = ""


class SettingProblem(msgspec.Struct, frozen=True):
    """A value that was not used. ``key`` is "" when the whole file could not be read."""

    key: str
    said: Sentence

    @property
    def reason(self) -> str:
        """Why, in English."""
        return str(self.said)


class LoadedSettings(msgspec.Struct, frozen=True):
    """What ``load`` found: usable settings, what was wrong, and the keys of other versions."""

    settings: Settings
    problems: list[SettingProblem]
    unknown: dict[str, Any]


def load(path: str | os.PathLike[str] | None = None) -> LoadedSettings:
    """Read the settings. A missing file gives the defaults; nothing is ever raised for content."""
    file = Path(path) if path is not None else paths.settings_file()
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            # A FIFO would be waited for.
            return LoadedSettings(
                Settings(), [SettingProblem("", sentence("is no regular file"))], {}
            )
        raw = file.read_bytes()
    except FileNotFoundError:
        return LoadedSettings(Settings(), [], {})
    except OSError as error:
        reason = sentence("cannot be read: {reason}", reason=system_said(error))
        return LoadedSettings(Settings(), [SettingProblem("", reason)], {})
    try:
        content = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        reason = sentence("is not JSON: {reason}", reason=others_words(str(error)))
        return LoadedSettings(Settings(), [SettingProblem("", reason)], {})
    if not isinstance(content, dict):
        return LoadedSettings(
            Settings(), [SettingProblem("", sentence("is not a JSON object"))], {}
        )
    return _from_content(content)


def _from_content(content: dict[str, Any]) -> LoadedSettings:
    problems: list[SettingProblem] = []
    values: dict[str, Any] = {}
    types = {field.name: field.type for field in msgspec.structs.fields(Settings)}
    unknown = {key: value for key, value in content.items() if key not in types}
    version = unknown.pop("schema", SCHEMA)
    if version != SCHEMA:
        # A newer file is still read key by key; its own number is written back.
        unknown["schema"] = version
    for key, type_ in types.items():
        if key not in content:
            continue
        try:
            values[key] = msgspec.convert(content[key], type_)
        except msgspec.ValidationError as error:
            problems.append(SettingProblem(key, others_words(str(error))))
            continue
        if key in _FOLDERS and (reason := _no_folder(values[key])):
            del values[key]
            problems.append(SettingProblem(key, reason))
    return LoadedSettings(Settings(**values), problems, unknown)


def _no_folder(value: str) -> Sentence | None:
    """Why a folder cannot be called so; None where it can."""
    if "\0" in value:
        return sentence("holds a NUL")
    if value and not os.path.isabs(os.path.expanduser(value)):
        # It would be another folder wherever Tenuto is started from.
        return sentence("is not an absolute path")
    return None


def save(
    settings: Settings,
    path: str | os.PathLike[str] | None = None,
    *,
    unknown: dict[str, Any] | None = None,
) -> None:
    """Write ``settings``, with the unknown keys of ``load``. Raises OSError.

    A settings file that is a symlink (a folder of dotfiles) stays one: what it points to is
    replaced.
    """
    file = Path(os.path.realpath(path if path is not None else paths.settings_file()))
    defaults = Settings()
    content: dict[str, Any] = {"schema": SCHEMA}
    content.update(unknown or {})
    for name in Settings.__struct_fields__:
        value = getattr(settings, name)
        if value != getattr(defaults, name):
            content[name] = value
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _replace(file, msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n")


def _replace(file: Path, content: bytes) -> None:
    import tempfile

    # mkstemp makes it 0600, whatever the umask.
    descriptor, temporary = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with os.fdopen(descriptor, "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        os.replace(temporary, file)
    except BaseException:
        os.unlink(temporary)
        raise
