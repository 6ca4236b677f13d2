# SPDX-License-Identifier: Apache-2.0
"""Writes the English plural forms of the window: ``python resources/make_translations.py``.

English texts are in the code, but "%n turn(s)" needs its two forms from a translation file. This
reads every ``translate(context, text, None, n)`` and ``self.tr(text, None, n)`` of gui/, writes
``i18n/tenuto_en.ts`` and compiles it with pyside6-lrelease (part of PySide6).
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "gui" / "tenuto_gui"
TARGET = ROOT / "resources" / "tenuto_resources" / "i18n" / "tenuto_en.ts"


def plural_messages() -> list[tuple[str, str]]:
    """(context, text) of all texts with ``%n`` in them, sorted."""
    found: set[tuple[str, str]] = set()
    for file in SOURCES.rglob("*.py"):
        found.update(_of_module(ast.parse(file.read_text(encoding="utf-8"))))
    return sorted(found)


def _of_module(module: ast.Module) -> Iterator[tuple[str, str]]:
    constants = {
        target.id: node.value.value
        for node in module.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    classes = [node for node in ast.walk(module) if isinstance(node, ast.ClassDef)]
    for owner in classes:
        for call in _calls(owner, "tr"):
            yield from _pair(owner.name, call.args[0])
    for call in _calls(module, "translate"):
        context = call.args[0]
        if isinstance(context, ast.Name) and context.id in constants:
            yield from _pair(str(constants[context.id]), call.args[1])
        elif isinstance(context, ast.Constant):
            yield from _pair(str(context.value), call.args[1])


def _calls(tree: ast.AST, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            called = node.func
            if name == getattr(called, "attr", getattr(called, "id", "")):
                yield node


def _pair(context: str, text: ast.expr) -> Iterator[tuple[str, str]]:
    if isinstance(text, ast.Constant) and "%n" in str(text.value):
        yield context, str(text.value)


def main() -> None:
    """Write and compile the file."""
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<!DOCTYPE TS>"]
    lines.append('<TS version="2.1" language="en" sourcelanguage="en">')
    messages = plural_messages()
    for context in sorted({context for context, _ in messages}):
        lines += ["<context>", f"    <name>{context}</name>"]
        for text in (text for owner, text in messages if owner == context):
            lines += [
                '    <message numerus="yes">',
                f"        <source>{escape(text)}</source>",
                "        <translation>",
                f"            <numerusform>{escape(text.replace('(s)', ''))}</numerusform>",
                f"            <numerusform>{escape(text.replace('(s)', 's'))}</numerusform>",
                "        </translation>",
                "    </message>",
            ]
        lines.append("</context>")
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text("\n".join([*lines, "</TS>", ""]), encoding="utf-8")
    release = Path(sys.executable).with_name("pyside6-lrelease")
    compiled = TARGET.with_suffix(".qm")
    subprocess.run([release, "-silent", TARGET, "-qm", compiled], check=True)


if __name__ == "__main__":
    main()
