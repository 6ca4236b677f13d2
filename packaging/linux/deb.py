# SPDX-License-Identifier: Apache-2.0
"""Makes dist/tenuto_VERSION_ARCH.deb of dist/tenuto: ``python packaging/linux/deb.py``.

There are no maintainer scripts: the desktop, MIME, icon and manual caches of a Debian system are
kept by triggers of the packages that own them, when we come and when we go.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

from tree import HERE, compressed, lay, settle

from freeze import DIST, REPOSITORY, epoch, version  # isort: skip - its path is set by tree
from libraries import elf_files  # isort: skip
from publisher import EMAIL, PUBLISHER  # isort: skip

#: What no library names: the caches' owners, and the roots that TLS trusts.
_ALSO = ("ca-certificates", "desktop-file-utils", "hicolor-icon-theme", "shared-mime-info")
#: The last is for Chinese, Japanese and Korean, where no font for them is there.
_RECOMMENDS = (
    "libgl1-mesa-dri",
    "xdg-utils",
    "fonts-droid-fallback | fonts-noto-cjk | fonts-wqy-microhei",
)
_SUGGESTS = ("gnome-keyring | kwalletmanager",)
_DESCRIPTION = """\
see, read and resume the runs of AI agents
 Tenuto is a desktop session manager for AI agent runs: it lists every run with
 its status and the evidence for it, shows its transcript, compares the
 configuration it was saved with to the one of today, and goes on exactly where
 it stopped.
 .
 It reads and writes the run journals of fisk-ai and the sessions of Reasonix,
 in their own folders, beside those programs.
"""


_ABOUT = "_internal/tenuto_resources/about.json"
_LICENCES = "_internal/tenuto_resources/licences.txt"


def maintainer() -> str:
    """Who built it: $DEBFULLNAME and $DEBEMAIL, as Debian's own tools have it."""
    name = os.environ.get("DEBFULLNAME", PUBLISHER)
    return f"{name} <{os.environ.get('DEBEMAIL', EMAIL)}>"


def architecture() -> str:
    words = ["dpkg", "--print-architecture"]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


def depends(top: Path) -> list[str]:
    """The packages that hold the libraries the payload asks for, with the versions it needs."""
    app = top / "usr" / "lib" / "tenuto"
    folders = sorted({str(path.parent) for path in elf_files(app)} | {str(app / "_internal")})
    with tempfile.TemporaryDirectory() as place:
        control = Path(place) / "debian" / "control"
        control.parent.mkdir()
        control.write_text("Source: tenuto\n\nPackage: tenuto\nArchitecture: any\n")
        words = ["dpkg-shlibdeps", "-O", "--warnings=0", "-xtenuto"]
        words += [f"-l{folder}" for folder in folders]
        words += [f"-e{path}" for path in elf_files(app)]
        done = subprocess.run(words, cwd=place, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"deb.py: {done.stderr.strip()}")
    found = done.stdout.strip().partition("shlibs:Depends=")[2]
    return sorted({*(word for word in found.split(", ") if word), *_ALSO})


def control(top: Path) -> str:
    """The control file."""
    size = sum(path.lstat().st_size for path in top.rglob("*") if not path.is_dir())
    fields = {
        "Package": "tenuto",
        "Version": version(),
        "Architecture": architecture(),
        "Maintainer": maintainer(),
        "Installed-Size": str(-(-size // 1024)),
        "Depends": ", ".join(depends(top)),
        "Recommends": ", ".join(_RECOMMENDS),
        "Suggests": ", ".join(_SUGGESTS),
        "Section": "utils",
        "Priority": "optional",
    }
    lines = [f"{name}: {value}" for name, value in fields.items()]
    return "\n".join([*lines, f"Description: {_DESCRIPTION}"])


def copyright_file(about: dict[str, list[list[str]]]) -> str:
    """Debian's copyright file. The texts are where the window shows them from, once."""
    parts = "".join(f"  {name} {each}: {licence}\n" for name, each, licence in about["parts"])
    return f"""\
Tenuto: Copyright (C) {datetime.fromtimestamp(epoch(), UTC).year} {PUBLISHER}
Licensed under the Apache License, version 2.0: /usr/share/common-licenses/Apache-2.0

It contains, in /usr/lib/tenuto/_internal:

{parts}
Their copyright notices and licences in full: /usr/lib/tenuto/{_LICENCES}
Of the GNU licences among them, Debian's copies are /usr/share/common-licenses/LGPL-3 and
/usr/share/common-licenses/GPL-3 (Qt, PySide6, Shiboken), and /usr/share/common-licenses/GPL-2
(the bootloader, with an exception for what it starts).
"""


def changelog() -> bytes:
    """What Debian's tools read; what changed is in CHANGELOG.md."""
    moment = format_datetime(datetime.fromtimestamp(epoch(), UTC))
    return f"""\
tenuto ({version()}) unstable; urgency=medium

  * Release {version()}: /usr/share/doc/tenuto/CHANGELOG.md.gz

 -- {maintainer()}  {moment}
""".encode()


def build(level: int) -> Path:
    """Make the package, compressed as well as ``level`` (1 to 9) says; its path."""
    payload = DIST / "tenuto"
    top = REPOSITORY / "build" / "deb"
    shutil.rmtree(top, ignore_errors=True)
    lay(top / "usr", payload)
    documents = top / "usr" / "share" / "doc" / "tenuto"
    about = json.loads((payload / _ABOUT).read_text(encoding="utf-8"))
    (documents / "copyright").write_text(copyright_file(about), encoding="utf-8")
    compressed(documents / "changelog.gz", changelog())
    overrides = top / "usr" / "share" / "lintian" / "overrides" / "tenuto"
    overrides.parent.mkdir(parents=True)
    shutil.copyfile(HERE / "lintian-overrides", overrides)
    debian = top / "DEBIAN"
    settle(top)
    debian.mkdir()
    (debian / "control").write_text(control(top), encoding="utf-8")
    sums = [
        f"{hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()}  "
        f"{path.relative_to(top)}\n"
        for path in sorted(top.rglob("*"))
        if path.is_file() and not path.is_symlink() and debian not in path.parents
    ]
    (debian / "md5sums").write_text("".join(sums), encoding="utf-8")
    settle(debian)
    target = DIST / f"tenuto_{version()}_{architecture()}.deb"
    words = [
        "dpkg-deb",
        "--root-owner-group",
        "-Zxz",
        f"-z{level}",
        "--build",
        str(top),
        str(target),
    ]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch())}
    subprocess.run(words, env=environment, check=True, stdout=subprocess.DEVNULL)
    return target


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--level", type=int, default=6, metavar="1-9", help="of compression")
    options = parser.parse_args()
    for tool in ("dpkg-deb", "dpkg-shlibdeps"):
        if shutil.which(tool) is None:
            print(f"tenuto: {tool} is missing: apt-get install dpkg-dev", file=sys.stderr)
            return 1
    target = build(options.level)
    print(f"{target.relative_to(REPOSITORY)}: {target.stat().st_size / 1e6:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
