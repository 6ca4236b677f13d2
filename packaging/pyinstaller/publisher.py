# SPDX-License-Identifier: Apache-2.0
"""The names under which packages go out, and the files that tell each system of them.

Whoever publishes packages sets the three names (CONTRIBUTING.md, "Packages"). Files of the desktops
name them as ``@APP_ID@`` and ``@PUBLISHER@``.
"""

from __future__ import annotations

#: Reverse DNS of a domain that the publisher owns: the component of AppStream, the bundle of macOS.
APP_ID = "dev.tenuto.Tenuto"
PUBLISHER = "The Tenuto developers"
#: Where to write about a package; a domain that never exists (RFC 2606) until somebody answers.
EMAIL = "developers@tenuto.invalid"


def filled(text: str) -> str:
    """A file of a desktop, with the publisher's names in it."""
    return text.replace("@APP_ID@", APP_ID).replace("@PUBLISHER@", PUBLISHER)


def inno_setup(version: str) -> str:
    """What packaging/windows/tenuto.iss includes."""
    return f'#define Version "{version}"\n#define Publisher "{PUBLISHER}"\n'


def version_info(version: str, file: str, year: int) -> str:
    """What Windows shows in a program's properties, as PyInstaller reads it.

    ``version`` is three numbers, ``file`` what the program is called.
    """
    numbers = (*(int(part) for part in version.split(".")), 0)
    told = {
        "CompanyName": PUBLISHER,
        "FileDescription": "Tenuto",
        "FileVersion": version,
        "InternalName": file.removesuffix(".exe"),
        "LegalCopyright": f"Copyright (C) {year} {PUBLISHER}",
        "OriginalFilename": file,
        "ProductName": "Tenuto",
        "ProductVersion": version,
    }
    rows = ", ".join(f"StringStruct({name!r}, {value!r})" for name, value in told.items())
    # US English and Unicode, in both places.
    return f"""\
VSVersionInfo(
  ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}, mask=0x3F, flags=0, OS=0x40004,
                    fileType=1, subtype=0, date=(0, 0)),
  kids=[
    StringFileInfo([StringTable('040904B0', [{rows}])]),
    VarFileInfo([VarStruct('Translation', [0x0409, 1200])]),
  ],
)
"""
