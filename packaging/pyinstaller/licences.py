# SPDX-License-Identifier: Apache-2.0
"""The licences of everything in a frozen app, from what was collected into it.

Nothing is listed by hand but what has no metadata: Python itself, the bootloader, and Qt, whose
wheels carry no text. A part without a licence ends the build.
"""

from __future__ import annotations

import re
import subprocess
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path
from platform import python_version

TEXTS = Path(__file__).resolve().parents[1] / "licences"
_FILE = re.compile(r"(licen[cs]e|copying|notice|authors)", re.IGNORECASE)
_QT = ("pyside6-essentials", "shiboken6")
#: Trove classifiers say it in words.
_SHORT = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}


@dataclass(frozen=True)
class Part:
    """Something in the app that has a licence of its own."""

    name: str
    version: str
    licence: str
    #: The texts, in the order in which they are printed.
    texts: tuple[str, ...]


class NoLicence(Exception):
    """A part says nothing about its licence."""


def parts(sources: Iterable[Path]) -> list[Part]:
    """What the collected files belong to, by name.

    :raises NoLicence: there is no text or no name of a licence for a part.
    """
    wanted = {path.resolve() for path in sources}
    found = [_python(), _bootloader()]
    for distribution in distributions():
        files = distribution.files or []
        if any(Path(str(distribution.locate_file(file))).resolve() in wanted for file in files):
            found.append(_part(distribution))
    return sorted(found, key=lambda part: part.name.lower())


def of_libraries(files: Iterable[Path]) -> list[Part]:
    """The Debian packages that shared libraries were taken from. Debian only."""
    packages: dict[str, str] = {}
    for file in files:
        words = ["dpkg-query", "--search", f"*{file}"]
        said = subprocess.run(words, capture_output=True, text=True, check=False).stdout
        if not said:
            words[-1] = f"*/{file.name}"
            said = subprocess.run(words, capture_output=True, text=True, check=False).stdout
        if not said:
            raise NoLicence(f"no Debian package holds {file}")
        name = said.splitlines()[0].partition(": ")[0].partition(":")[0]
        text = Path("/usr/share/doc") / name / "copyright"
        packages[name] = text.read_text(encoding="utf-8", errors="replace")
    query = ["dpkg-query", "--show", "--showformat", "${Version}"]
    return [
        Part(
            name,
            subprocess.run([*query, name], capture_output=True, text=True, check=False).stdout,
            "see below",
            (text,),
        )
        for name, text in sorted(packages.items())
    ]


def as_text(found: Iterable[Part]) -> str:
    """One readable file: what there is, then every text, equal ones once."""
    found = list(found)
    lines = ["Tenuto contains, besides its own code (Apache-2.0):", ""]
    lines += [f"  {part.name} {part.version}: {part.licence}" for part in found]
    texts: dict[str, list[str]] = {}
    for part in found:
        for text in part.texts:
            texts.setdefault(text.strip("\n"), []).append(part.name)
    for text, names in texts.items():
        lines += ["", "", "=" * 78, ", ".join(names), "=" * 78, "", text]
    return "\n".join(lines) + "\n"


def _python() -> Part:
    places = (Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_config_var("prefix")))
    for text in (place / "LICENSE.txt" for place in places):
        if text.exists():
            return Part("Python", python_version(), "PSF-2.0", (_read(text),))
    # Debian's interpreter keeps it with its documents.
    version = ".".join(python_version().split(".")[:2])
    for name in (f"libpython{version}-stdlib", f"python{version}-minimal", f"python{version}"):
        text = Path("/usr/share/doc") / name / "copyright"
        if text.exists():
            return Part("Python", python_version(), "PSF-2.0", (_read(text),))
    raise NoLicence("Python's LICENSE.txt is nowhere")


def _bootloader() -> Part:
    (found,) = [each for each in distributions() if _name(each) == "pyinstaller"]
    texts = tuple(_read(path) for path in _texts(found))
    licence = "GPL-2.0-or-later WITH Bootloader-exception"
    return Part("PyInstaller's bootloader", found.version, licence, texts)


def _part(distribution: Distribution) -> Part:
    name = _name(distribution)
    if name in _QT:
        files = ("LGPL-3.0-only", "GPL-3.0-only", "qt-third-party")
        texts = tuple(_read(TEXTS / f"{file}.txt") for file in files)
        return Part(distribution.metadata["Name"], distribution.version, "LGPL-3.0-only", texts)
    texts = tuple(_read(path) for path in _texts(distribution))
    licence = _licence(distribution)
    if not texts or not licence:
        raise NoLicence(f"{name} {distribution.version} says no licence")
    return Part(distribution.metadata["Name"], distribution.version, licence, texts)


def _licence(distribution: Distribution) -> str:
    metadata = distribution.metadata
    for field in ("License-Expression", "License"):
        for expression in metadata.get_all(field) or []:
            # Some put the whole text into it.
            if expression and "\n" not in expression:
                return str(expression)
    marks = [word for word in metadata.get_all("Classifier") or [] if word.startswith("License")]
    words = [mark.rpartition(" :: ")[2] for mark in marks]
    return " AND ".join(_SHORT.get(word, word) for word in words)


def _texts(distribution: Distribution) -> list[Path]:
    return sorted(
        Path(str(distribution.locate_file(file)))
        for file in distribution.files or []
        if ".dist-info" in file.parts[0] and _FILE.search(file.name)
    )


def _name(distribution: Distribution) -> str:
    return re.sub(r"[-_.]+", "-", distribution.metadata["Name"]).lower()


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")
