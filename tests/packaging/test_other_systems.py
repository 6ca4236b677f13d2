# SPDX-License-Identifier: Apache-2.0
"""What Windows and macOS are told of the app, as far as it can be read here."""

from __future__ import annotations

import plistlib
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PySide6.QtGui import QImageReader

from tenuto.version import VERSION
from tests.support.paths import REPOSITORY

PACKAGING = REPOSITORY / "packaging"
SESSION_TYPE = "application/x-tenuto-session"


@pytest.fixture
def publisher(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(PACKAGING / "pyinstaller"))
    monkeypatch.delitem(sys.modules, "publisher", raising=False)
    return __import__("publisher")


@pytest.fixture
def installer() -> str:
    return (PACKAGING / "windows" / "tenuto.iss").read_text()


def test_the_bundle_of_macos_opens_exported_sessions(publisher: ModuleType) -> None:
    text = (PACKAGING / "macos" / "Info.plist").read_text()
    properties = plistlib.loads(publisher.filled(text).encode())
    assert properties["CFBundleIdentifier"] == publisher.APP_ID
    (declared,) = properties["UTExportedTypeDeclarations"]
    (document,) = properties["CFBundleDocumentTypes"]
    assert document["LSItemContentTypes"] == [declared["UTTypeIdentifier"]]
    assert declared["UTTypeIdentifier"].startswith(f"{publisher.APP_ID}.")
    assert declared["UTTypeTagSpecification"]["public.filename-extension"] == ["tenuto"]
    assert declared["UTTypeTagSpecification"]["public.mime-type"] == [SESSION_TYPE]
    assert "@" not in str(properties)


def test_the_installer_of_windows_opens_exported_sessions(installer: str) -> None:
    assert r"Software\Classes\.tenuto\OpenWithProgids" in installer
    assert r'""{app}\tenuto-gui.exe"" ""%1""' in installer
    # The ending itself is nobody's alone: no default is set for it.
    assert not re.search(r'Subkey: "Software\\Classes\\\.tenuto"', installer)
    # Every key of ours goes with us.
    (program,) = set(re.findall(r'ValueName: "(Tenuto[^"]+)"', installer))
    assert rf'Subkey: "Software\Classes\{program}"; ValueType: string; ValueData:' in installer
    assert re.search(rf"{re.escape(program)}\"; ValueType.*Flags: uninsdeletekey", installer)


def test_the_installer_is_told_version_and_publisher(publisher: ModuleType, installer: str) -> None:
    defined = dict(re.findall(r'#define (\w+) "(.*)"', publisher.inno_setup(VERSION)))
    assert defined == {"Version": VERSION, "Publisher": publisher.PUBLISHER}
    assert set(re.findall(r"\{#(\w+)\}", installer)) == set(defined)


def test_the_properties_of_a_program_of_windows(publisher: ModuleType) -> None:
    """The text is read by PyInstaller as an expression of its own classes."""

    def tree(name: str) -> Any:
        return lambda *words, **named: (name, *words, named)

    names = ("VSVersionInfo", "FixedFileInfo", "StringFileInfo", "StringTable", "StringStruct")
    known = {name: tree(name) for name in (*names, "VarFileInfo", "VarStruct")}
    text = publisher.version_info("1.2.3", "tenuto-gui.exe", 2031)
    _, whole = eval(text, known)
    assert whole["ffi"][1]["filevers"] == (1, 2, 3, 0)
    ((_, [(_, language, rows, _)], _), (_, [(_, key, translation, _)], _)) = whole["kids"]
    assert (key, translation) == ("Translation", [int(language[:4], 16), int(language[4:], 16)])
    told = {row[1]: row[2] for row in rows}
    assert told["OriginalFilename"] == "tenuto-gui.exe"
    assert told["InternalName"] == "tenuto-gui"
    assert told["ProductVersion"] == "1.2.3"
    assert told["CompanyName"] == publisher.PUBLISHER


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    script = str(PACKAGING / "pyinstaller" / "pictures.py")
    subprocess.run([sys.executable, script, str(folder)], check=True)
    return folder


@pytest.mark.parametrize("name", ["tenuto", "session"])
def test_icons_of_both_have_every_size(pictures: Path, name: str) -> None:
    for ending, expected in (
        ("ico", [16, 24, 32, 48, 64, 128, 256]),
        ("icns", [32, 64, 128, 256, 512]),
    ):
        reader = QImageReader(str(pictures / f"{name}.{ending}"))
        sizes = []
        for index in range(reader.imageCount()):
            assert reader.jumpToImage(index)
            image = reader.read()
            sizes.append(image.width())
            assert image.pixelColor(image.width() // 2, image.height() // 2).alpha() > 0
        assert sizes == expected
