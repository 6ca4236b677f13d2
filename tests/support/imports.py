# SPDX-License-Identifier: Apache-2.0
"""What each module of Tenuto imports, read from its syntax tree."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.support.paths import REPOSITORY

PACKAGES = {
    "tenuto": REPOSITORY / "core" / "tenuto",
    "tenuto_gui": REPOSITORY / "gui" / "tenuto_gui",
    "tenuto_resources": REPOSITORY / "resources" / "tenuto_resources",
}


@dataclass(frozen=True)
class Import:
    module: str
    imported: str
    line: int
    in_function: bool

    def __str__(self) -> str:
        return f"{self.module}:{self.line} imports {self.imported}"


def modules(package: str) -> dict[str, Path]:
    """Every module of a package by its dotted name."""
    root = PACKAGES[package]
    found = {}
    for path in sorted(root.rglob("*.py")):
        parts = [package, *path.relative_to(root).with_suffix("").parts]
        if parts[-1] == "__init__":
            parts.pop()
        found[".".join(parts)] = path
    return found


def _known(name: str, names: set[str]) -> str:
    """Cut ``a.b.Class`` to the module ``a.b``; leave names of other packages alone."""
    while name not in names and "." in name and name.split(".", maxsplit=1)[0] in PACKAGES:
        name = name.rpartition(".")[0]
    return name


def _walk(node: ast.AST, inside: bool) -> Iterator[tuple[ast.AST, bool]]:
    for child in ast.iter_child_nodes(node):
        yield child, inside
        deeper = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        yield from _walk(child, inside or deeper)


def imports_of(module: str, path: Path, names: set[str]) -> Iterator[Import]:
    """All imports, those inside functions and for types only included."""
    for node, inside in _walk(ast.parse(path.read_bytes()), inside=False):
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno}: relative import"
            targets = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for target in targets:
            yield Import(module, _known(target, names), node.lineno, inside)


@functools.cache
def all_imports(package: str) -> tuple[Import, ...]:
    """What all modules of a package import; read once for all tests that ask."""
    everything = {name for package in PACKAGES for name in modules(package)}
    return tuple(
        found
        for module, path in modules(package).items()
        for found in imports_of(module, path, everything)
    )


def within(name: str, prefixes: tuple[str, ...]) -> bool:
    return any(name == prefix or name.startswith(f"{prefix}.") for prefix in prefixes)
