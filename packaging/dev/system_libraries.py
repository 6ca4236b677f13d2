# SPDX-License-Identifier: Apache-2.0
"""Sees to the system libraries that Qt loads and PyPI does not carry.

    python packaging/dev/system_libraries.py [--tools] [--packages]

Asks the dynamic linker what is missing, so it does nothing on a desktop that has it all, whatever
the distribution. Where something is missing it installs the Debian packages if it may (root, or
sudo without a password, and apt-get), else names them and ends with code 1. ``--tools`` adds the
programs that some tests start: those are installed where that is possible and never required,
since their tests say why they skip. ``--packages`` adds what builds and checks a Debian package.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

#: Shared library -> the Debian and Ubuntu package that holds it.
PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libX11.so.6": "libx11-6",
    "libbrotlicommon.so.1": "libbrotli1",
    "libbrotlidec.so.1": "libbrotli1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libdrm.so.2": "libdrm2",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-glx.so.0": "libxcb-glx0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb.so.1": "libxcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libzstd.so.1": "libzstd1",
}
#: What the window loads: by import, and by name when it starts.
LOADED = (
    "QtCore.abi3.so",
    "QtGui.abi3.so",
    "QtWidgets.abi3.so",
    "QtNetwork.abi3.so",
    "QtSvg.abi3.so",
    "Qt/plugins/platforms/libqxcb.so",
    "Qt/plugins/platforms/libqwayland.so",
    "Qt/plugins/platforms/libqoffscreen.so",
    "Qt/plugins/imageformats/libqsvg.so",
    "Qt/plugins/iconengines/libqsvgicon.so",
    "Qt/plugins/xcbglintegrations/libqxcb-glx-integration.so",
)
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")
FONT_PACKAGE = "fonts-dejavu-core"
#: Program -> its Debian package: a screen for the tests, and failing and full disks.
TOOLS = {
    "Xvfb": "xvfb",
    "strace": "strace",
    "mkfs.ext4": "e2fsprogs",
    "setpriv": "util-linux",
    "xdotool": "xdotool",
}

#: What packages are made with, and what their tests look at them with.
PACKAGING = {
    "appstreamcli": "appstream",
    "bash": "bash",
    "desktop-file-validate": "desktop-file-utils",
    "dpkg-shlibdeps": "dpkg-dev",
    "fish": "fish",
    "gio": "libglib2.0-bin",
    "lintian": "lintian",
    "man": "man-db",
    "objdump": "binutils",
    "update-mime-database": "shared-mime-info",
    "xprop": "x11-utils",
    "xz": "xz-utils",
    "zsh": "zsh",
}


def missing_libraries(pyside: Path) -> set[str]:
    """Shared libraries that the linker does not find for what the window loads."""
    missing: set[str] = set()
    for name in LOADED:
        path = pyside / name
        if path.exists():
            said = subprocess.run(["ldd", str(path)], capture_output=True, text=True, check=False)
            lines = (line.split() for line in said.stdout.splitlines() if "not found" in line)
            missing.update(words[0] for words in lines)
    return missing


def has_fonts() -> bool:
    """Tell whether there is any font; Qt draws boxes without one."""
    folders = (Path(name).expanduser() for name in FONT_FOLDERS)
    return any(
        path.suffix.lower() in {".ttf", ".otf", ".ttc", ".pfb"}
        for folder in folders
        if folder.is_dir()
        for path in folder.rglob("*")
    )


def missing_tools(tools: Mapping[str, str]) -> list[str]:
    """The Debian packages of the programs that are not here."""
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
    return [package for tool, package in tools.items() if shutil.which(tool, path=path) is None]


def missing_python() -> list[str]:
    """The package of the interpreter's shared library, where a frozen app would miss it."""
    name = str(sysconfig.get_config_var("INSTSONAME") or "")
    folder = Path(str(sysconfig.get_config_var("LIBDIR") or ""))
    places = [folder, folder / str(sysconfig.get_config_var("MULTIARCH") or "")]
    if sysconfig.get_config_var("Py_ENABLE_SHARED") and any((p / name).exists() for p in places):
        return []
    return ["libpython{}.{}".format(*sys.version_info[:2])]


def installer() -> list[str] | None:
    """Give the start of a command that installs packages without asking, or None."""
    if shutil.which("apt-get") is None:
        return None
    apt = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--yes", "--quiet"]
    if os.geteuid() == 0:
        return apt
    if shutil.which("sudo") is None:
        return None
    allowed = subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False)
    return ["sudo", "-n", *apt] if allowed.returncode == 0 else None


def install(apt: list[str], packages: list[str]) -> bool:
    print("tenuto: installing", *packages, file=sys.stderr)
    # The package lists of a new machine are missing or old.
    subprocess.run([*apt, "update"], stdout=subprocess.DEVNULL, check=False)
    words = [*apt, "install", "--no-install-recommends", *packages]
    return subprocess.run(words, stdout=subprocess.DEVNULL, check=False).returncode == 0


def find_pyside() -> Path | None:
    spec = importlib.util.find_spec("PySide6")
    places = spec.submodule_search_locations if spec else None
    return Path(places[0]) if places else None


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--tools", action="store_true", help="programs that tests start, too")
    parser.add_argument("--packages", action="store_true", help="and what makes packages")
    options = parser.parse_args(argv)
    pyside = find_pyside()
    if not sys.platform.startswith("linux") or pyside is None or shutil.which("ldd") is None:
        return 0
    libraries = missing_libraries(pyside)
    needed = sorted({PACKAGES.get(name, "") for name in libraries} - {""})
    if not has_fonts():
        needed.append(FONT_PACKAGE)
    tools = {**(TOOLS if options.tools else {}), **(PACKAGING if options.packages else {})}
    wanted = [*needed, *missing_tools(tools), *(missing_python() if options.packages else [])]
    if not wanted and not libraries:
        return 0
    apt = installer()
    if apt and wanted and install(apt, wanted) and not missing_libraries(pyside):
        return 0
    still = sorted(missing_libraries(pyside))
    if not still and has_fonts():
        if tools:
            print("tenuto: some tests will skip; missing:", *missing_tools(tools), file=sys.stderr)
        return 0
    print("tenuto: the window needs system libraries that are not here.", file=sys.stderr)
    if still:
        print("  missing:", *still, file=sys.stderr)
    print("  Debian, Ubuntu: sudo apt-get install", *needed, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
