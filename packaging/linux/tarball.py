# SPDX-License-Identifier: Apache-2.0
"""Makes dist/tenuto-VERSION-linux-ARCH.tar.xz of dist/tenuto-portable: unpack, and it runs.

Its top has the layout of a prefix, so that it can be unpacked into ~/.local or /usr/local, where
desktops find the entry, the icons and the type of exported sessions.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from pathlib import Path

from tree import lay, settle

from freeze import DIST, REPOSITORY, epoch, version  # isort: skip - its path is set by tree


def build() -> Path:
    """Make the tarball; its path."""
    name = f"tenuto-{version()}-linux-{platform.machine()}"
    top = REPOSITORY / "build" / "tarball" / name
    shutil.rmtree(top.parent, ignore_errors=True)
    payload = DIST / "tenuto-portable"
    lay(top, payload)
    documents = top / "share" / "doc" / "tenuto"
    shutil.copyfile(REPOSITORY / "LICENSE", documents / "LICENSE")
    licences = payload / "_internal" / "tenuto_resources" / "licences.txt"
    shutil.copyfile(licences, documents / "licences.txt")
    files = sorted(path.relative_to(top) for path in top.rglob("*") if not path.is_dir())
    manifest = documents / "files"
    listed = [*(str(path) for path in files), str(manifest.relative_to(top))]
    manifest.write_text("".join(f"{path}\n" for path in sorted(listed)), encoding="utf-8")
    settle(top)
    target = DIST / f"{name}.tar.xz"
    words = ["tar", "--create", "--sort=name", "--owner=0", "--group=0", "--numeric-owner"]
    words += ["--format=gnu", f"--mtime=@{epoch()}", "--directory", str(top.parent)]
    words += ["--use-compress-program", "xz -T2 -6", "--file", str(target), name]
    subprocess.run(words, check=True)
    return target


def main() -> int:
    target = build()
    print(f"{target.relative_to(REPOSITORY)}: {target.stat().st_size / 1e6:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
