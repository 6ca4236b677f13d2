# SPDX-License-Identifier: Apache-2.0
"""What goes wrong is told in Chinese in a Chinese window: real failures, read as they are shown."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from tenuto.runs.file import FileRunStore
from tenuto.settings import Settings, save
from tenuto_gui import i18n
from tests.e2e.bench import Bench
from tests.e2e.runs import wait_turn
from tests.gui.driver import Driver
from tests.gui.test_failure_story import fill, opened, until_tool
from tests.gui.test_new_run_story import opened as new_run
from tests.gui.test_new_run_story import words
from tests.gui.working import DONE, LIST, rest, suspended_run
from tests.support import journals as j
from tests.support.store import mounted, suspended_runs

#: What is no sentence of ours: another program's words, paths, code, what is quoted.
_NOT_OURS = re.compile(r"原文“[^”]*”|`[^`]*`|“[^”]*”|(?<!\w)~?/\S+|\S+\.(?:yaml|json|tenuto)\b")
_ENGLISH = re.compile(r"[A-Za-z]{2,}[,;:]? [A-Za-z]{1,}[,;:]? [A-Za-z]{2,}[^\u4e00-\u9fff]*")


def english(text: str) -> list[str]:
    """Runs of three English words and more."""
    return [found.strip() for found in _ENGLISH.findall(_NOT_OURS.sub("\u4e00", text))]


def is_chinese(text: str) -> bool:
    return any("\u4e00" <= letter <= "\u9fff" for letter in text)


def shown(widget: QWidget) -> list[str]:
    """What labels and buttons of a widget say."""
    found = []
    for each in widget.findChildren(QWidget):
        if isinstance(each, QLabel | QAbstractButton) and each.isVisible():
            found += [each.text(), each.toolTip()]
    return [text for text in found if text]


@pytest.fixture(autouse=True)
def in_chinese(home: Path, qapp: QApplication) -> Iterator[None]:
    """``home``: the settings are those of a home of its own."""
    assert home.is_dir()
    before = QLocale()
    save(Settings(language="zh_CN"))
    yield
    i18n.install(qapp, "en")
    QLocale.setDefault(before)


def check(text: str) -> None:
    assert is_chinese(text), text
    assert english(text) == [], text
    # Its signs are as wide as its letters, and bring their own space.
    assert re.findall("[\u3002\uff0c\uff1b\uff1a\uff1f] |[\u4e00-\u9fff][,;:.?] ", text) == [], text


def test_a_disk_that_is_full(qtbot: QtBot, bench: Bench, tmp_path: Path) -> None:
    with mounted(tmp_path / "small", "-t", "tmpfs", "-o", "size=256k,mode=700", "tmpfs") as small:
        bench.runs = small / "runs"
        bench.runs.mkdir(mode=0o700)
        suspended_run(bench, [wait_turn(60), {"text": "All is tidy. " * 2000}])
        window, events = opened(qtbot, bench)
        window.choose("r1", "actionResume")
        until_tool(window, events)
        fill(small)
        bench.pantry.let_go()
        window.until(lambda: "磁盘已满" in window.notice(), "nothing is said of it")
        assert "剩余 0 字节" in window.notice()
        check(window.notice())
        rest(window)
        window.window.close()


#: A configuration of which nothing is wrong, without its model's line.
GOOD = "identity: a\nsystem_prompt: x\n"
CONFIGURATIONS = [
    ("identity: a\nsystem_promt: x\n", "未知的键“system_promt”（是否想写“system_prompt”？）"),
    ("identity: [a]\nsystem_prompt: x\nllm: {model: m}\n", "identity 必须是文本"),
    (GOOD + "llm: {model: m, budget: {max_tokens: no}}\n", "必须是整数"),
    (GOOD + "llm: {model: m}\nidentity: b\n", "写了两次（第一次在第 1 行）"),
    ("identity: a\nllm: {model: m\n", "不是有效的 YAML：原文“"),
    ('{"identity": }', "应为一个 JSON 值"),
    (GOOD + "llm: {model: m, provider: magic}\n", "没有提供方“magic”"),
    (GOOD + "llm: {model: m}\ntenuto: {commands: [{name: a}]}\n", "缺少此键"),
    (GOOD + "llm: {model: m}\ntenuto: {base_url: ftp://x}\n", "必须以 http:// 或 https:// 开头"),
    (GOOD + "llm: {model: m}\napplication_path: ./none\n", "不存在"),
    ("", "identity 是必需的"),
]


@pytest.mark.parametrize(("config", "said"), CONFIGURATIONS)
def test_a_configuration_that_cannot_be_used(
    qtbot: QtBot, bench: Bench, config: str, said: str
) -> None:
    broken = bench.folder / ("broken.json" if config.startswith("{") else "broken.yaml")
    broken.write_text(config)
    window = Driver(qtbot, bench.runs)
    dialog = new_run(window)
    dialog.set_config(str(broken))
    window.until(lambda: said in words(dialog), "it is not told")
    for line in words(dialog).splitlines():
        check(line)


def test_what_is_accepted_and_not_run(qtbot: QtBot, bench: Bench) -> None:
    config = bench.script([DONE])
    wide = bench.configure(
        {
            **json.loads(config.read_text()),
            "remote_tools": [{"name": "x", "alias": "y"}],
            "nats_context": "home",
        },
        "wide.yaml",
        script="script.json",
    )
    window = Driver(qtbot, bench.runs)
    dialog = new_run(window)
    dialog.set_config(str(wide))
    window.until(lambda: "remote_tools" in words(dialog), "no warning")
    for line in words(dialog).splitlines():
        check(line)


def test_a_name_that_is_taken(qtbot: QtBot, bench: Bench) -> None:
    suspended_run(bench, [DONE])
    bench.pantry.hurry()
    window = Driver(qtbot, bench.runs)
    window.until_listed("r1")
    dialog = new_run(window)
    dialog.prompt.setPlainText("Tidy up")
    dialog.name.setText("r1")
    window.press("newRunStart")
    window.until(lambda: "已存在" in words(dialog), "no word of it")
    check(words(dialog))
    rest(window)


def test_a_configuration_that_changed(qtbot: QtBot, bench: Bench) -> None:
    suspended_run(bench, [wait_turn(60), LIST, DONE])
    (bench.folder / "agent.yaml").write_text("{")
    bench.pantry.hurry()
    window = Driver(qtbot, bench.runs)
    window.until_listed("r1")
    window.choose("r1", "actionResume")
    window.until(lambda: "无法使用此配置" in window.notice(), "it is not told")
    check(window.notice())
    rest(window)


@pytest.mark.parametrize("content", [b"PK\x03\x04 nonsense", b""], ids=["cut off", "empty"])
def test_a_bad_import(qtbot: QtBot, folder: Path, tmp_path: Path, content: bytes) -> None:
    suspended_runs(FileRunStore(folder), "one")
    bad = tmp_path / "bad.tenuto"
    bad.write_bytes(content)
    window = Driver(qtbot, folder)
    window.until_listed("one")
    window.window.following.open_bundle(str(bad))
    top = next(w for w in QApplication.topLevelWidgets() if w.objectName() == "bundleWindow")
    window.until(lambda: "zip" in top.notices.accessibleName())
    check(top.notices.accessibleName())
    top.close()


#: Damage that a repair cannot make whole, and that it can.
DAMAGE = {
    "no JSON": b"{nonsense\n",
    "NUL": b"\0" * 40 + b"\n",
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_journal(qtbot: QtBot, folder: Path, damage: bytes) -> None:
    first, _second, third = j.three_records()
    (folder / "broken.json").write_bytes(first + damage + third)
    window = Driver(qtbot, folder)
    window.until_listed("broken")
    window.click("broken")
    detail = window.window.detail
    detail.tabs.setCurrentWidget(detail.records)
    bar = detail.records.bar
    window.until(lambda: bar.isVisible() and bar.doctor is not None, "nobody looked")
    check(bar.accessibleName())
    for text in (*shown(bar), *shown(window.window.detail.header)):
        check(text)


def test_a_trash_that_is_none(qtbot: QtBot, folder: Path, home: Path) -> None:
    from tenuto.paths import trash_dir

    suspended_runs(FileRunStore(folder), "one")
    trash_dir().parent.mkdir(parents=True, exist_ok=True)
    trash_dir().write_text("a file")
    window = Driver(qtbot, folder)
    window.until_listed("one")
    window.choose("one", "actionDelete")
    window.until(window.notice, "nothing is said of it")
    check(window.notice())


def test_a_folder_that_is_none_any_more(qtbot: QtBot, folder: Path) -> None:
    suspended_runs(FileRunStore(folder), "one")
    window = Driver(qtbot, folder)
    window.until_listed("one")
    shutil.rmtree(folder)
    folder.write_text("a file")
    label = window.window.status.notice
    window.window.folder.look_again()
    window.until(label.toolTip, "nothing is said of it")
    check(label.toolTip())
