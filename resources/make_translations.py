# SPDX-License-Identifier: Apache-2.0
"""Brings the window's words up to date: ``python resources/make_translations.py``.

English texts are in the code, but "%n turn(s)" needs its two forms from a file: ``tenuto_en.ts`` is
written from the code alone. In both files it is "%Ln": the number as the locale groups its digits.
``tenuto_zh_CN.ts`` is kept by hand: texts that came are added to it
without a translation, texts that went are dropped, and the script says how many are still to be
translated. Both are compiled with pyside6-lrelease (part of PySide6).
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "gui" / "tenuto_gui"
#: What the core says is translated too, under one context.
CORE = ROOT / "core" / "tenuto"
CORE_CONTEXT = "core"
FOLDER = ROOT / "resources" / "tenuto_resources" / "i18n"
ENGLISH = FOLDER / "tenuto_en.ts"
CHINESE = FOLDER / "tenuto_zh_CN.ts"

#: (context, text)
Message = tuple[str, str]
#: Its translation: one text, or one for each plural form.
Words = tuple[str, ...]


def messages() -> list[Message]:
    """All texts of the window and all sentences of the core, sorted."""
    found: set[Message] = set()
    for file in SOURCES.rglob("*.py"):
        found.update(_of_module(ast.parse(file.read_text(encoding="utf-8"))))
    for file in CORE.rglob("*.py"):
        found.update(_of_core(ast.parse(file.read_text(encoding="utf-8"))))
    return sorted(found)


def _of_core(module: ast.Module) -> Iterator[Message]:
    for call in _calls(module):
        if ast.unparse(call.func) in ("sentence", "marked"):
            yield CORE_CONTEXT, _literal(call.args[0])


def _of_module(module: ast.Module) -> Iterator[Message]:
    constants = {
        target.id: node.value.value
        for node in module.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for owner in ast.walk(module):
        if isinstance(owner, ast.ClassDef):
            for call in _calls(owner):
                if isinstance(call.func, ast.Attribute) and call.func.attr == "tr":
                    yield owner.name, _literal(call.args[0])
    for call in _calls(module):
        # `tr` by itself is `translate` under a shorter name.
        if ast.unparse(call.func) in ("translate", "tr", "i18n.translate"):
            context = call.args[0]
            if isinstance(context, ast.Name):
                yield str(constants[context.id]), _literal(call.args[1])
            else:
                yield _literal(context), _literal(call.args[1])


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            yield node


def _literal(node: ast.expr) -> str:
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        raise SystemExit(f"not a text that can be translated: {ast.unparse(node)}")
    return node.value


def read(file: Path) -> dict[Message, Words]:
    """The translations of a file; empty texts for what is not translated."""
    found: dict[Message, Words] = {}
    root = ET.parse(file).getroot()  # noqa: S314 - a file of our own
    for context in root.iter("context"):
        name = context.findtext("name") or ""
        for message in context.iter("message"):
            words = message.find("translation")
            forms = [] if words is None else [form.text or "" for form in words]
            whole = (words.text or "") if words is not None else ""
            found[name, message.findtext("source") or ""] = tuple(forms) or (whole,)
    return found


def write(file: Path, language: str, translations: dict[Message, Words]) -> None:
    """Write a file of translations, in the order of the texts, and compile it."""
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<!DOCTYPE TS>"]
    lines.append(f'<TS version="2.1" language="{language}" sourcelanguage="en">')
    for context in sorted({context for context, _ in translations}):
        lines += ["<context>", f"    <name>{escape(context)}</name>"]
        for (owner, text), words in sorted(translations.items()):
            if owner == context:
                lines += _message(text, words)
        lines.append("</context>")
    file.parent.mkdir(exist_ok=True)
    file.write_text("\n".join([*lines, "</TS>", ""]), encoding="utf-8")
    release = Path(sys.executable).with_name("pyside6-lrelease")
    # Not in place: a window that runs from this folder has the old file mapped, and would die.
    made = file.with_suffix(".new")
    subprocess.run([release, "-silent", file, "-qm", made], check=True)
    made.replace(file.with_suffix(".qm"))


def _message(text: str, words: Words) -> list[str]:
    plural = "%n" in text
    head = '    <message numerus="yes">' if plural else "    <message>"
    unfinished = "" if all(words) else ' type="unfinished"'
    lines = [head, f"        <source>{escape(text)}</source>"]
    if plural:
        lines.append(f"        <translation{unfinished}>")
        lines += [f"            <numerusform>{escape(form)}</numerusform>" for form in words]
        lines.append("        </translation>")
    else:
        lines.append(f"        <translation{unfinished}>{escape(words[0])}</translation>")
    return [*lines, "    </message>"]


def english(known: list[Message]) -> dict[Message, Words]:
    """The plural forms: all that English needs a file for."""
    return {
        (context, text): tuple(_grouped(text.replace("(s)", end)) for end in ("", "s"))
        for context, text in known
        if "%n" in text
    }


def chinese(known: list[Message]) -> dict[Message, Words]:
    """What is translated already, and room for the rest."""
    before = read(CHINESE) if CHINESE.exists() else {}
    return {message: tuple(map(_grouped, before.get(message, ("",)))) for message in known}


def _grouped(form: str) -> str:
    """A form of a text with its number as the locale writes it: 10,000, as everywhere else."""
    return form.replace("%n", "%Ln")


def main() -> None:
    """Write and compile both files."""
    known = messages()
    write(ENGLISH, "en", english(known))
    translated = chinese(known)
    write(CHINESE, "zh_CN", translated)
    left = [f"{context}: {text}" for (context, text), words in translated.items() if not all(words)]
    if left:
        text = "\n".join(left)
        sys.stderr.write(f"{text}\n{len(left)} of {len(known)} texts are not translated\n")


if __name__ == "__main__":
    main()
