# SPDX-License-Identifier: Apache-2.0
"""The Debian package: what is in it, and that it installs, works, and goes without a trace.

``make test-packages`` builds it first.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packaging.installed import Desktop, InstalledBench, Root, need, wait_until
from tests.packaging.test_desktop_files import SESSION_TYPE
from tests.support.paths import REPOSITORY

pytestmark = [
    pytest.mark.packaging,
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Debian packages"),
]
#: Where CI keeps pictures of what it saw.
PICTURES = REPOSITORY / "build" / "pictures"


def _fields(package: Path) -> dict[str, str]:
    done = subprocess.run(["dpkg-deb", "--field", package], capture_output=True, text=True)
    return dict(re.findall(r"^([A-Z][A-Za-z-]*): (.*)$", done.stdout, re.MULTILINE))


# --- the package itself --------------------------------------------------------------------------


def test_lintian_finds_nothing_that_is_not_explained(package: Path) -> None:
    need("lintian")
    words = ["lintian", "--allow-root", "--tag-display-limit", "0", "--fail-on", "error,warning"]
    done = subprocess.run([*words, str(package)], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def test_each_override_says_why() -> None:
    text = (REPOSITORY / "packaging" / "linux" / "lintian-overrides").read_text()
    for block in text.strip().split("\n\n"):
        assert block.startswith("# "), block


def test_the_system_is_asked_for_what_the_payload_loads(package: Path, root: Root) -> None:
    """On the machine that built it every library is there: the loader finds what it needs."""
    depends = _fields(package)["Depends"]
    for name in ("libc6 ", "libegl1", "libssl3 ", "libxcb-cursor0", "shared-mime-info"):
        assert name in f"{depends}, ", name
    app = root.usr / "lib" / "tenuto"
    libraries = [path for path in app.rglob("*.so*") if not path.is_symlink()]
    assert len(libraries) > 50
    environment = {**os.environ, "LD_LIBRARY_PATH": str(app / "_internal")}
    done = subprocess.run(["ldd", *libraries], capture_output=True, text=True, env=environment)
    assert not [line for line in done.stdout.splitlines() if "not found" in line]


def test_nothing_of_the_building_machine_is_in_it(root: Root) -> None:
    mark = str(REPOSITORY).encode()
    assert [p for p in root.usr.rglob("*") if p.is_file() and mark in p.read_bytes()] == []


def test_everything_bundled_has_its_licence(root: Root) -> None:
    place = root.usr / "lib" / "tenuto" / "_internal" / "tenuto_resources"
    about = json.loads((place / "about.json").read_text())
    parts = {name: licence for name, _, licence in about["parts"]}
    assert all(parts.values())
    assert parts["PySide6_Essentials"] == "LGPL-3.0-only"
    assert {"Python", "PyInstaller's bootloader", "anthropic", "mcp", "msgspec"} <= parts.keys()
    assert about["version"] == _fields_version(root)
    texts = (place / "licences.txt").read_text()
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in texts
    assert "PYTHON SOFTWARE FOUNDATION LICENSE" in texts
    copyright_file = (root.usr / "share" / "doc" / "tenuto" / "copyright").read_text()
    for name in parts:
        assert f"  {name} " in copyright_file


def _fields_version(root: Root) -> str:
    status = (root.folder / "var" / "lib" / "dpkg" / "status").read_text()
    return re.search(r"^Version: (\S+)$", status, re.MULTILINE)[1]


# --- the desktop ---------------------------------------------------------------------------------


def test_its_icon_opens_the_window_with_samples_one_click_away(screen: Desktop, home: Path) -> None:
    entry = screen.root.usr / "share" / "applications" / "tenuto.desktop"
    screen.launch("gio", "launch", str(entry))
    window = screen.wait_for("^Tenuto")
    words = ["xprop", "-notype", "-id", window, "WM_CLASS"]
    said = subprocess.run(words, env=screen.environment, capture_output=True, text=True).stdout
    named = re.search(r"^StartupWMClass=(.*)$", entry.read_text(), re.MULTILINE)[1]
    # Else a dock shows a second icon beside the one that was clicked.
    assert said.strip().endswith(f', "{named}"')
    PICTURES.mkdir(parents=True, exist_ok=True)
    samples = home / ".local" / "share" / "tenuto" / "demo" / "runs"
    screen.click_primary_button(PICTURES / "first-run.png")
    wait_until(lambda: len(list(samples.glob("*.json"))) > 20, "no samples were made")
    wait_until(lambda: any(samples.glob("*.preview.json")), "the samples are not shown")
    screen.picture(PICTURES / "samples.png")


def test_a_double_click_on_a_session_opens_it(
    screen: Desktop, bench: InstalledBench, home: Path
) -> None:
    bench.take("completed")
    session = home / "one of mine.tenuto"
    done = bench.tenuto("session", "export", "completed", "--to", str(session))
    assert done.returncode == 0, done.stderr
    info = subprocess.run(
        ["gio", "mime", SESSION_TYPE], env=screen.environment, capture_output=True, text=True
    )
    assert "tenuto.desktop" in info.stdout
    screen.launch("gio", "open", str(session))
    screen.wait_for("one of mine.tenuto")
    opened = home / ".cache" / "tenuto"
    wait_until(lambda: any(opened.glob("opened-*/completed.preview.json")), "it is not shown")
    PICTURES.mkdir(parents=True, exist_ok=True)
    screen.picture(PICTURES / "opened.png")
    # A second one goes to the window that is open.
    (other := home / "another.tenuto").write_bytes(session.read_bytes())
    before = screen.pids()
    screen.launch("gio", "open", str(other))
    screen.wait_for("another.tenuto")
    wait_until(lambda: len(screen.pids()) == len(before), "it became a program of its own")


# --- leaving -------------------------------------------------------------------------------------


def test_removed_it_leaves_nothing_and_takes_nothing_of_the_user(
    package: Path, tmp_path: Path, home: Path
) -> None:
    made = Root(tmp_path / "root")
    made.dpkg("--install", str(package))
    assert "usr/bin/tenuto" in made.files()
    demo = home / ".local" / "share" / "tenuto" / "demo"
    program = made.usr / "bin" / "tenuto"
    subprocess.run([program, "demo", "--no-window"], check=True, capture_output=True)
    mine = sorted(path for path in demo.rglob("*") if path.is_file())
    done = made.dpkg("--purge", "tenuto")
    assert done.returncode == 0, done.stderr
    assert made.files() == set()
    assert not (made.folder / "usr").exists()
    assert sorted(path for path in demo.rglob("*") if path.is_file()) == mine


@pytest.mark.skipif(os.geteuid() != 0, reason="installing on the machine needs root")
@pytest.mark.skipif(os.environ.get("CI") != "true", reason="changes the machine: CI only")
def test_apt_installs_it_on_this_machine_and_removes_it(package: Path, home: Path) -> None:
    if shutil.which("tenuto", path="/usr/bin") is not None:
        pytest.skip("it is installed here already")
    apt = ["apt-get", "--yes", "--quiet", "--no-install-recommends"]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(
            [*apt, "install", str(package)], capture_output=True, text=True, env=environment
        )
        assert done.returncode == 0, done.stdout + done.stderr
        listed = subprocess.run(["dpkg", "--listfiles", "tenuto"], capture_output=True, text=True)
        files = [Path(line) for line in listed.stdout.splitlines() if line != "/."]
        said = subprocess.run(["/usr/bin/tenuto", "--version"], capture_output=True, text=True)
        assert said.stdout.startswith("tenuto ")
        # The triggers of the caches' owners have run.
        assert SESSION_TYPE in Path("/usr/share/applications/mimeinfo.cache").read_text()
        assert "*.tenuto" in Path("/usr/share/mime/globs2").read_text()
    finally:
        gone = subprocess.run(
            [*apt, "purge", "tenuto"], capture_output=True, text=True, env=environment
        )
    assert gone.returncode == 0, gone.stderr
    ours = [path for path in files if "tenuto" in path.name.lower()]
    assert len(ours) > 20
    assert [str(path) for path in ours if os.path.lexists(path)] == []
    assert SESSION_TYPE not in Path("/usr/share/applications/mimeinfo.cache").read_text()
    assert "*.tenuto" not in Path("/usr/share/mime/globs2").read_text()
