# SPDX-License-Identifier: Apache-2.0
"""The files of an installation under one prefix, for the Debian package and for the tarball."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import sys
from html import escape
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "pyinstaller")]

import completions  # noqa: E402 - found by the path above
import manual  # noqa: E402
from freeze import GENERATED, REPOSITORY, epoch, version  # noqa: E402
from publisher import APP_ID, filled  # noqa: E402

SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
_DESKTOP = REPOSITORY / "resources" / "tenuto_resources" / "desktop"
_APP_ICON = REPOSITORY / "resources" / "tenuto_resources" / "icons" / "app.svg"
_TYPE = "application-x-tenuto-session"


def lay(prefix: Path, payload: Path) -> None:
    """Lay a whole installation under ``prefix`` (``/usr`` of a package, or a tarball's top)."""
    app = prefix / "lib" / "tenuto"
    app.parent.mkdir(parents=True)
    shutil.copytree(payload, app, symlinks=True)
    (prefix / "bin").mkdir()
    for name in ("tenuto", "tenuto-gui"):
        (prefix / "bin" / name).symlink_to("../lib/tenuto/tenuto")
    share = prefix / "share"
    _put(share / "applications" / "tenuto.desktop", _DESKTOP / "tenuto.desktop")
    _put(share / "mime" / "packages" / "tenuto.xml", _DESKTOP / "tenuto.xml")
    lay_metainfo(share / "metainfo" / f"{APP_ID}.metainfo.xml")
    _icons(share / "icons" / "hicolor")
    _manual(share / "man" / "man1")
    _text(share / "bash-completion" / "completions" / "tenuto", completions.bash())
    # bash looks for a file of the command's own name.
    (share / "bash-completion" / "completions" / "tenuto-gui").symlink_to("tenuto")
    _text(share / "zsh" / "vendor-completions" / "_tenuto", completions.zsh())
    _text(share / "fish" / "vendor_completions.d" / "tenuto.fish", completions.fish())
    documents = share / "doc" / "tenuto"
    _put(documents / "examples" / "tenuto-journals.xml", _DESKTOP / "tenuto-journals.xml")
    compressed(documents / "CHANGELOG.md.gz", (REPOSITORY / "CHANGELOG.md").read_bytes())


def settle(top: Path) -> None:
    """Give everything the time of the build and the usual rights, whatever the umask was."""
    moment = epoch()
    for path in [*sorted(top.rglob("*"), reverse=True), top]:
        if not path.is_symlink():
            executable = path.is_dir() or (path.stat().st_mode & 0o100 and _runs(path))
            path.chmod(0o755 if executable else 0o644)
        os.utime(path, (moment, moment), follow_symlinks=False)


def compressed(path: Path, data: bytes) -> None:
    """Write a gzip file without a name and a time in it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(data, 9, mtime=0))


def _runs(path: Path) -> bool:
    """Libraries need no right to be executed."""
    return ".so" not in path.name


def _put(target: Path, source: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _text(target: Path, text: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")


def lay_metainfo(target: Path) -> None:
    """Write the AppStream component, with the publisher's names and this release."""
    text = (_DESKTOP / "tenuto.metainfo.xml").read_text(encoding="utf-8")
    release = f"""\
  <releases>
    <release version="{version()}" timestamp="{epoch()}">
      <description>
        <p>{escape(release_words(version()))}</p>
      </description>
    </release>
  </releases>
"""
    mark = "  <content_rating"
    _text(target, filled(text.replace(mark, release + mark)))


def release_words(release: str) -> str:
    """What CHANGELOG.md says of a release before its lists."""
    text = (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(release)}\b.*\n+([^#]+)", text, re.MULTILINE)
    if found is None:
        raise SystemExit(f"tree.py: CHANGELOG.md says nothing of {release}")
    return " ".join(found[1].split())


def _icons(hicolor: Path) -> None:
    for size in SIZES:
        folder = hicolor / f"{size}x{size}"
        _put(folder / "apps" / "tenuto.png", GENERATED / f"tenuto-{size}.png")
        _put(folder / "mimetypes" / f"{_TYPE}.png", GENERATED / f"session-{size}.png")
    _put(hicolor / "scalable" / "apps" / "tenuto.svg", _APP_ICON)
    _put(hicolor / "scalable" / "mimetypes" / f"{_TYPE}.svg", _DESKTOP / "session.svg")


def _manual(folder: Path) -> None:
    pages = {"tenuto": manual.command_page, "tenuto-gui": manual.window_page}
    for name, page in pages.items():
        compressed(folder / f"{name}.1.gz", page(version(), epoch()).encode())
