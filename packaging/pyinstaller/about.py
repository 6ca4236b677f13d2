# SPDX-License-Identifier: Apache-2.0
"""Writes what a frozen app says about itself: ``about.py SOURCES COMMIT FOLDER``.

Into the app: about.json (version, commit, date, parts with their licences), which the window shows,
and licences.txt with every text. Run by the interpreter whose packages were frozen.
"""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

import licences


def main() -> int:
    sources, commit, folder = sys.argv[1:4]
    collected = json.loads(Path(sources).read_text(encoding="utf-8"))
    found = licences.parts(Path(path) for path in collected["files"])
    if Path(folder).name.endswith("-portable"):
        found += licences.of_libraries(Path(path) for path in collected["libraries"])
    moment = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), UTC)
    about = {
        "version": os.environ["TENUTO_VERSION"],
        "build": commit,
        "date": moment.date().isoformat(),
        "parts": [[part.name, part.version, part.licence] for part in found],
    }
    place = Path(folder) / "_internal" / "tenuto_resources"
    text = json.dumps(about, ensure_ascii=False, indent=1) + "\n"
    (place / "about.json").write_text(text, encoding="utf-8")
    (place / "licences.txt").write_text(licences.as_text(found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
