# SPDX-License-Identifier: Apache-2.0
"""The built package, installed beside the system, and a desktop for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.packaging.installed import InstalledBench, Root, desktop, need
from tests.support.paths import REPOSITORY


@pytest.fixture(scope="session")
def package() -> Path:
    need("dpkg", "dpkg-deb")
    found = sorted((REPOSITORY / "dist").glob("tenuto_*.deb"))
    assert len(found) == 1, "make deb builds it, and make clean removes old ones"
    return found[0]


@pytest.fixture(scope="session")
def root(package: Path, tmp_path_factory: pytest.TempPathFactory):
    """The package installed; removed again at the end, and nothing may be left."""
    need("update-mime-database", "update-desktop-database")
    made = Root(tmp_path_factory.mktemp("root"))
    done = made.dpkg("--install", str(package))
    assert done.returncode == 0, done.stderr
    made.caches()
    return made


@pytest.fixture
def bench(tmp_path: Path, root: Root) -> InstalledBench:
    return InstalledBench(tmp_path / "bench", root)


@pytest.fixture
def screen(root: Root, x_display: str):
    need("xdotool", "gio", "xprop")
    with desktop(root, x_display) as made:
        yield made
