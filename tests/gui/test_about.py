# SPDX-License-Identifier: Apache-2.0
"""About: which Tenuto this is, from source and from a package."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tenuto.version import VERSION
from tenuto_gui.app import build
from tenuto_gui.dialogs import about
from tests.support.paths import FISK_REAL


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path):
    runs = tmp_path / "runs"
    shutil.copytree(FISK_REAL / "runs", runs)
    _app, made = build(["tenuto-gui", "--state-dir", str(runs)])
    qtbot.addWidget(made)
    qtbot.waitUntil(lambda: made.sessions.rowCount() > 5, timeout=20_000)
    yield made
    made.close()


def _dialog(window) -> about.AboutDialog:
    window.verbs.about.trigger()
    return window.findChild(about.AboutDialog, "aboutDialog")


def test_from_source_it_says_the_version_and_lists_nothing(window) -> None:
    dialog = _dialog(window)
    assert dialog.isVisible()
    assert not dialog.isModal()
    texts = {label.text() for label in dialog.findChildren(about.plain_label().__class__)}
    assert f"Tenuto {VERSION}" in texts
    assert dialog.build.text() == "Run from source"
    assert not dialog.parts.isVisible()
    # Asked for again it is the same one.
    assert _dialog(window) is dialog
    assert len(window.findChildren(about.AboutDialog)) == 1


def test_a_package_shows_its_build_and_every_licence(
    window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = {
        "version": VERSION,
        "build": "0123456789ab",
        "date": "2026-11-30",
        "parts": [["Qt <b>", "6.11", "LGPL-3.0-only"], ["msgspec", "0.23", "BSD-3-Clause"]],
    }
    (tmp_path / "about.json").write_text(json.dumps(told))
    (tmp_path / "licences.txt").write_text("GNU LESSER GENERAL PUBLIC LICENSE")
    monkeypatch.setattr(about, "files", lambda package: tmp_path)
    dialog = _dialog(window)
    assert dialog.build.text() == "Build 0123456789ab of 2026-11-30"
    assert dialog.parts.toPlainText().splitlines() == [
        "Qt <b> 6.11: LGPL-3.0-only",
        "msgspec 0.23: BSD-3-Clause",
    ]
    dialog.texts.click()
    assert dialog.parts.toPlainText() == "GNU LESSER GENERAL PUBLIC LICENSE"
