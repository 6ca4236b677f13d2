# SPDX-License-Identifier: Apache-2.0
"""The desktop's files, the manual and the completions, by the tools that will read them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tenuto.cli.main import VERBS
from tenuto.version import VERSION
from tests.support.imports import all_imports
from tests.support.paths import FISK_REAL, REPOSITORY

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux desktops")
DESKTOP = REPOSITORY / "resources" / "tenuto_resources" / "desktop"
SESSION_TYPE = "application/x-tenuto-session"
RUN_TYPE = "application/x-fisk-ai-run"


def tool(name: str) -> str:
    """The path of a program, or a skip that names it."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed (packaging/dev/system_libraries.py --packages)")
    return found


def run(*words: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)


@pytest.fixture
def linux(monkeypatch: pytest.MonkeyPatch):
    """The scripts of packaging/linux, as modules; gone again afterwards."""

    def load(name: str) -> ModuleType:
        return __import__(name)

    before = set(sys.modules)
    paths = list(sys.path)
    for folder in ("linux", "pyinstaller"):
        monkeypatch.syspath_prepend(str(REPOSITORY / "packaging" / folder))
    yield load
    sys.path[:] = paths
    scripts = {path.stem for path in (REPOSITORY / "packaging").rglob("*.py")}
    for name in (set(sys.modules) - before) & scripts:
        del sys.modules[name]


def test_the_desktop_entry_is_valid() -> None:
    done = run(tool("desktop-file-validate"), DESKTOP / "tenuto.desktop")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_desktop_entry_is_that_of_the_window() -> None:
    from tenuto_gui.app import APP_ID

    text = (DESKTOP / f"{APP_ID}.desktop").read_text()
    assert "\nExec=tenuto-gui %f\n" in text
    assert SESSION_TYPE in re.search(r"^MimeType=(.*)$", text, re.MULTILINE)[1]
    # Other programs' documents are nobody's to claim.
    assert "application/json" not in text


def test_the_metainfo_is_valid(linux, tmp_path: Path) -> None:
    """As it is installed: with the publisher's names and the release."""
    tree, publisher = linux("tree"), linux("publisher")
    tree.lay_metainfo(file := tmp_path / f"{publisher.APP_ID}.metainfo.xml")
    done = run(tool("appstreamcli"), "validate", "--no-net", "--strict", file)
    assert done.returncode == 0, done.stdout
    text = file.read_text()
    assert f"<id>{publisher.APP_ID}</id>" in text
    assert '<launchable type="desktop-id">tenuto.desktop</launchable>' in text
    assert re.search(rf'<release version="{re.escape(VERSION)}" timestamp="\d+">', text)
    assert re.search(r"<release .*?<p>\w.*</p>", text, re.DOTALL)
    assert "@" not in text


@pytest.fixture
def types(home: Path):
    """A user's own MIME types: the system's stay as they are. Gives a function that asks."""
    gio, update = tool("gio"), tool("update-mime-database")
    if not Path("/usr/share/mime/packages/freedesktop.org.xml").exists():
        pytest.skip("shared-mime-info is not installed")
    packages = home / ".local" / "share" / "mime" / "packages"
    packages.mkdir(parents=True)

    def install(*names: str) -> None:
        for name in names:
            shutil.copy(DESKTOP / name, packages)
        done = run(update, packages.parent)
        assert (done.returncode, done.stderr) == (0, "")

    def ask(path: Path) -> str:
        done = run(gio, "info", "--attributes", "standard::content-type", path)
        return re.search(r"content-type: (\S+)", done.stdout)[1]

    return install, ask


def test_exported_sessions_have_a_type_and_journals_have_none(types, tmp_path: Path) -> None:
    install, ask = types
    install("tenuto.xml")
    session = tmp_path / "run.tenuto"
    session.write_bytes(b"PK\3\4")
    assert ask(session) == SESSION_TYPE
    assert ask(FISK_REAL / "runs" / "completed.json") == "application/json"


def test_who_asks_for_it_gets_a_type_for_journals_and_json_stays_json(
    types, tmp_path: Path
) -> None:
    install, ask = types
    install("tenuto.xml", "tenuto-journals.xml")
    for path in sorted((FISK_REAL / "runs").glob("*.json")):
        assert ask(path) == RUN_TYPE, path.name
    others = {"list.json": "[1, 2]", "object.json": '{"seq": 1}', "odd.json": "hello"}
    for name, text in others.items():
        (tmp_path / name).write_text(text)
        assert ask(tmp_path / name) == "application/json", name


def test_the_manual_has_every_command_and_no_mistake(linux, tmp_path: Path) -> None:
    manual = linux("manual")
    page = manual.command_page("1.2.3", 1_800_000_000)
    for group, verbs in VERBS.items():
        for verb in verbs:
            name = manual.escape(f"{group} {verb}".strip())
            assert re.search(rf"^\.SS tenuto {re.escape(name)}\b", page, re.MULTILINE), name
    assert r"\fB\-\-state\-dir\fR \fIDIR\fR" in page
    man = tool("man")
    for name, text in (("tenuto", page), ("tenuto-gui", manual.window_page("1", 1_800_000_000))):
        file = tmp_path / f"{name}.1"
        file.write_text(text)
        done = run(man, "--warnings", "-E", "UTF-8", "-l", file)
        assert (done.returncode, done.stderr) == (0, "")
        assert name in done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_are_readable_to_their_shell(linux, shell: str, tmp_path: Path) -> None:
    file = tmp_path / f"tenuto.{shell}"
    file.write_text(getattr(linux("completions"), shell)())
    done = run(tool(shell), "-n", file)
    assert (done.returncode, done.stderr) == (0, "")


BASH_ASK = """
source {file}
tenuto() {{ echo "ID  Model"; echo "{ids}  m"; }}
COMP_WORDS=({line}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_tenuto
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.mark.parametrize(
    ("line", "there", "not_there"),
    [
        ("tenuto ''", {"session", "run", "resume", "demo", "some-run"}, {"ls", "--force"}),
        ("tenuto session ''", {"ls", "rm", "export"}, {"run", "some-run"}),
        ("tenuto --state-dir d session ''", {"ls", "rm"}, {"run"}),
        ("tenuto session rm ''", {"some-run"}, {"ls"}),
        ("tenuto session export some-run --format ''", {"html", "markdown"}, {"some-run", "--to"}),
        ("tenuto session trash ''", {"ls", "restore", "empty"}, {"rm"}),
        ("tenuto resume --f", {"--force"}, {"--config", "some-run"}),
    ],
)
def test_bash_completes(
    linux, line: str, there: set[str], not_there: set[str], tmp_path: Path
) -> None:
    file = tmp_path / "tenuto"
    file.write_text(linux("completions").bash())
    script = BASH_ASK.format(file=file, line=line, ids="some-run")
    done = run(tool("bash"), "-c", script, cwd=tmp_path)
    assert done.stderr == ""
    found = set(done.stdout.split())
    assert there <= found
    assert not found & not_there


@pytest.mark.parametrize(
    ("line", "there", "not_there"),
    [
        ("tenuto session ", {"ls", "rm", "export"}, {"run"}),
        ("tenuto session trash ", {"restore", "empty"}, {"rm"}),
        ("tenuto resume --f", {"--force"}, {"--config"}),
    ],
)
def test_fish_completes(
    linux, line: str, there: set[str], not_there: set[str], tmp_path: Path
) -> None:
    file = tmp_path / "tenuto.fish"
    file.write_text(linux("completions").fish())
    done = run(tool("fish"), "--no-config", "-c", f"source {file}; complete -C '{line}'")
    found = {row.split("\t")[0] for row in done.stdout.splitlines()}
    assert there <= found, done.stderr
    assert not found & not_there


def test_the_frozen_app_keeps_what_the_window_imports_of_qt(linux) -> None:
    contents = linux("contents")
    imported = {
        found.imported.split(".")[1]
        for package in ("tenuto", "tenuto_gui")
        for found in all_imports(package)
        if found.imported.startswith("PySide6.")
    }
    assert imported <= set(contents.QT_MODULES)


@pytest.mark.parametrize(
    ("place", "kept"),
    [
        ("PySide6/QtWidgets.abi3.so", True),
        ("PySide6/QtQml.abi3.so", False),
        ("PySide6/Qt/lib/libQt6Core.so.6", True),
        ("PySide6/Qt/lib/libQt6Quick.so.6", False),
        ("PySide6/Qt/lib/libicudata.so.73", True),
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platforms/libqvnc.so", False),
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", False),
        ("PySide6/Qt/plugins/sqldrivers/libqsqlite.so", False),
        ("PySide6/Qt/translations/qtbase_zh_CN.qm", True),
        ("PySide6/Qt/translations/qtbase_de.qm", False),
        ("PySide6\\plugins\\platforms\\qwindows.dll", True),
        ("PySide6\\Qt6Quick.dll", False),
        ("libQt6Quick.so.6", False),
        ("libssl.so.3", True),
        ("tenuto_resources/icons/app.svg", True),
    ],
)
def test_what_is_pruned(linux, place: str, kept: bool) -> None:
    assert linux("contents").keeps(place) is kept


def test_every_module_and_resource_of_ours_goes_in(linux) -> None:
    contents = linux("contents")
    found = set(contents.modules())
    assert {"tenuto.cli.session_ls", "tenuto_gui.app", "tenuto_resources"} <= found
    for group in VERBS.values():
        for module, _ in group.values():
            assert f"tenuto.cli.{module}" in found
    files = {f"{folder}/{Path(source).name}" for source, folder in contents.resources()}
    assert "tenuto_resources/demo/depot.py" in files
    assert "tenuto_resources/theme/tokens.json" in files
