# SPDX-License-Identifier: Apache-2.0
"""Setting up: one clear message where something is missing, nothing to do where nothing is."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.support.paths import REPOSITORY

pytestmark = pytest.mark.skipif(os.name == "nt", reason="make and bash")
DEV = REPOSITORY / "packaging" / "dev"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What setup.sh reads of a clone."""
    shutil.copytree(DEV, tmp_path / "packaging" / "dev")
    shutil.copytree(REPOSITORY / "requirements", tmp_path / "requirements")
    shutil.copy(REPOSITORY / "pyproject.toml", tmp_path)
    (tmp_path / "bin").mkdir()
    return tmp_path


def _script(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def _setup(clone: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, "PATH": f"{clone / 'bin'}:/usr/bin:/bin", **environment}
    words = ["bash", str(clone / "packaging" / "dev" / "setup.sh"), "run"]
    return subprocess.run(words, capture_output=True, text=True, env=variables)


def test_an_old_python_is_named_and_so_is_what_to_install(clone: Path) -> None:
    for name in ("python3", "python3.11", "python3.12", "python3.13", "python3.14"):
        _script(clone / "bin" / name, 'test "$1" = --version && echo "Python 3.9.2"; exit 1')
    done = _setup(clone)
    assert done.returncode == 1
    assert "Python 3.11 or newer is needed; python3 here is Python 3.9.2" in done.stderr
    assert "apt-get install python3 python3-venv" in done.stderr
    assert not (clone / ".venv").exists()


def test_a_python_without_venv_names_its_package(clone: Path) -> None:
    _script(clone / "bin" / "python3", 'case "$2" in *ensurepip*) exit 1;; esac; exit 0')
    done = _setup(clone)
    assert done.returncode == 1
    assert "apt-get install python3-venv" in done.stderr


def test_a_named_python_that_is_none_is_refused(clone: Path) -> None:
    done = _setup(clone, PYTHON="/nowhere/python")
    assert done.returncode == 1
    assert "PYTHON=/nowhere/python is not a Python 3.11 or newer" in done.stderr


def _digest(clone: Path) -> str:
    files = ("requirements/run.txt", "requirements/dev.txt", "pyproject.toml")
    return hashlib.sha256(b"".join((clone / name).read_bytes() for name in files)).hexdigest()


def _environment_made(clone: Path) -> None:
    """A .venv as setup.sh leaves it, whose pip tells that it was called."""
    called = f'test "$1" = -m && echo "$@" >>{clone}/pip.log && exit 0'
    _script(clone / ".venv" / "bin" / "python", f'{called}\nexec {sys.executable} "$@"')
    (clone / ".venv" / "tenuto-home").write_text(f"{clone}\n")


def test_a_second_run_installs_nothing_until_the_locks_change(clone: Path) -> None:
    _environment_made(clone)
    stamp = clone / ".venv" / "tenuto-run.stamp"
    stamp.write_text(f"{_digest(clone)}\n")
    assert _setup(clone).returncode == 0
    assert not (clone / "pip.log").exists()

    with (clone / "requirements" / "run.txt").open("a") as file:
        file.write("# another\n")
    assert _setup(clone).returncode == 0
    installs = (clone / "pip.log").read_text().splitlines()
    assert "--require-hashes" in installs[0]
    assert installs[1].endswith("--editable .")
    assert installs[2].startswith("-m compileall")
    assert stamp.read_text().strip() == _digest(clone)


def test_the_tools_set_serves_the_program_as_well(clone: Path) -> None:
    _environment_made(clone)
    (clone / ".venv" / "tenuto-dev.stamp").write_text(f"{_digest(clone)}\n")
    assert _setup(clone).returncode == 0
    assert not (clone / "pip.log").exists()


# --- system libraries ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def libraries() -> ModuleType:
    spec = importlib.util.spec_from_file_location("system_libraries", DEV / "system_libraries.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_is_missing_and_may_not_be_installed_is_named(
    libraries: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(libraries, "missing_libraries", lambda pyside: {"libEGL.so.1"})
    monkeypatch.setattr(libraries, "has_fonts", lambda: True)
    monkeypatch.setattr(libraries, "installer", lambda: None)
    assert libraries.main([]) == 1
    said = capsys.readouterr().err
    assert "missing: libEGL.so.1" in said
    assert "sudo apt-get install libegl1\n" in said


def test_what_is_missing_is_installed_where_that_is_allowed(
    libraries: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = {"libEGL.so.1", "libxcb-cursor.so.0"}
    installed: list[str] = []

    def install(apt: list[str], packages: list[str]) -> bool:
        installed.extend(packages)
        missing.clear()
        return True

    monkeypatch.setattr(libraries, "missing_libraries", lambda pyside: set(missing))
    monkeypatch.setattr(libraries, "has_fonts", lambda: True)
    monkeypatch.setattr(libraries, "installer", lambda: ["apt-get"])
    monkeypatch.setattr(libraries, "install", install)
    assert libraries.main([]) == 0
    assert installed == ["libegl1", "libxcb-cursor0"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="shared libraries of Linux")
def test_the_table_knows_every_library_that_qt_asks_for(libraries: ModuleType) -> None:
    readelf = shutil.which("readelf")
    if readelf is None:
        pytest.skip("readelf is not installed")
    pyside = libraries.find_pyside()
    present = [pyside / name for name in libraries.LOADED if (pyside / name).exists()]
    assert len(present) > 5
    own = {path.name for path in pyside.rglob("*.so*")} | {
        path.name for path in (pyside.parent / "shiboken6").rglob("*.so*")
    }
    qt = [pyside / "Qt" / "lib" / name for name in own if name.startswith("libQt6")]
    needed = set()
    for path in [*present, *(p for p in qt if _is_used(p.name))]:
        said = subprocess.run([readelf, "-d", str(path)], capture_output=True, text=True).stdout
        needed |= {line.split("[")[1].rstrip("]") for line in said.splitlines() if "NEEDED" in line}
    everywhere = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "libz.so.1"}
    everywhere |= {"ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "libresolv.so.2"}
    by_glib = {"libgobject-2.0.so.0", "libgio-2.0.so.0"}
    unknown = needed - own - everywhere - by_glib - set(libraries.PACKAGES)
    assert sorted(unknown) == []


def _is_used(name: str) -> bool:
    modules = ("Core", "Gui", "Widgets", "Network", "Svg", "DBus", "XcbQpa", "WaylandClient")
    return name.split(".", maxsplit=1)[0].removeprefix("libQt6") in modules
