# SPDX-License-Identifier: Apache-2.0
"""What goes into the frozen app and what stays out; read by tenuto.spec, looked at by the tests."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

REPOSITORY = Path(__file__).resolve().parents[2]
#: The roots of our import packages.
ROOTS = {"tenuto": "core", "tenuto_gui": "gui", "tenuto_resources": "resources"}
#: The Qt modules of the window; the libraries that they and the plugins below load.
QT_MODULES = ("QtCore", "QtGui", "QtNetwork", "QtSvg", "QtWidgets")
QT_LIBRARIES = {
    *(f"Qt6{name.removeprefix('Qt')}" for name in QT_MODULES),
    "Qt6DBus",
    "Qt6WaylandClient",
    "Qt6XcbQpa",
    # Unicode, of which Qt's own build cannot do without any part.
    "icudata",
    "icui18n",
    "icuuc",
    "pyside6",
    "shiboken6",
}
#: Plugins by folder; an empty set stands for all of the folder. The GTK theme is left out because
#: it pulls in GTK, TLS because our requests are made by Python.
QT_PLUGINS: dict[str, set[str]] = {
    "iconengines": {"qsvgicon"},
    "imageformats": {"qsvg", "qico", "qicns"},
    "platforminputcontexts": {
        "composeplatforminputcontextplugin",
        "ibusplatforminputcontextplugin",
    },
    "platforms": {"qxcb", "qwayland", "qoffscreen", "qwindows", "qcocoa"},
    "platformthemes": {"qxdgdesktopportal"},
    "styles": set(),
    "wayland-decoration-client": set(),
    "wayland-shell-integration": {"xdg-shell"},
}
#: Modules that imported packages name and the app never reaches.
EXCLUDED = (
    "IPython",
    "PyInstaller",
    "_pytest",
    "distutils",
    "editables",
    "hatchling",
    "idlelib",
    "lib2to3",
    "numpy",
    "pip",
    "pkg_resources",
    "pytest",
    "setuptools",
    "sqlite3",
    "tkinter",
    "turtle",
    "wheel",
)
#: PyInstaller's hooks at start-up. The one of PySide6 imports Qt into every `tenuto session ls` and
#: hands Qt's folders down to the programs we start; the wheel finds them by itself.
UNWANTED_HOOKS = (
    "pyi_rth_inspect",
    "pyi_rth_multiprocessing",
    "pyi_rth_pyside6",
    "pyi_rth_pkgutil",
    "pyi_rth_setuptools",
    "pyi_rth_pkgres",
)
_NAME = re.compile(
    r"^(?:lib)?([A-Za-z0-9_-]+?)(?:\.abi3)?(?:\.so|\.dll|\.dylib|\.pyd)?(?:\.[0-9.]+)?$"
)


def modules() -> list[str]:
    """Every module of ours: the command line imports its verbs by name."""
    found = []
    for package, root in ROOTS.items():
        for path in sorted((REPOSITORY / root / package).rglob("*.py")):
            if package == "tenuto_resources" and path.parent.name == "demo":
                continue
            parts = list(path.relative_to(REPOSITORY / root).with_suffix("").parts)
            if parts[-1] == "__init__":
                parts.pop()
            if parts[-1] != "__main__":
                found.append(".".join(parts))
    return found


def resources() -> list[tuple[str, str]]:
    """Every file of ours that is no module, as (source, folder in the app)."""
    base = REPOSITORY / "resources"
    package = base / "tenuto_resources"
    return [
        (str(path), str(path.parent.relative_to(base)))
        for path in sorted(package.rglob("*"))
        if path.is_file()
        and "__pycache__" not in path.parts
        and path.suffix != ".ts"
        and path != package / "__init__.py"
    ]


def stem(file: str) -> str:
    """``libQt6Core.so.6`` -> ``Qt6Core``, ``qwindows.dll`` -> ``qwindows``."""
    matched = _NAME.match(file)
    return matched[1] if matched else file


def keeps(destination: str) -> bool:
    """Whether a file that PyInstaller collected belongs into the app, by its place there."""
    parts = PurePosixPath(destination.replace("\\", "/")).parts
    if parts[0] not in {"PySide6", "shiboken6"}:
        return not parts[-1].startswith(("libQt6", "Qt6")) or stem(parts[-1]) in QT_LIBRARIES
    if "plugins" in parts[:-1]:
        folder = parts[parts.index("plugins") + 1]
        wanted = QT_PLUGINS.get(folder)
        return wanted is not None and (not wanted or stem(parts[-1]) in wanted)
    if "translations" in parts:
        return parts[-1].removesuffix(".qm") in _qt_words()
    if "qml" in parts:
        return False
    name = stem(parts[-1])
    if name.startswith(("Qt6", "icu")):
        return name in QT_LIBRARIES
    if name.startswith("Qt"):
        return name in QT_MODULES
    return True


def _qt_words() -> set[str]:
    """Qt's own words, in the languages that the window speaks."""
    folder = REPOSITORY / "resources" / "tenuto_resources" / "i18n"
    return {f"qtbase_{path.stem.removeprefix('tenuto_')}" for path in folder.glob("*.qm")}


def pruned(entries: Iterable[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """The entries of one of PyInstaller's tables that stay."""
    return [entry for entry in entries if keeps(entry[0])]
