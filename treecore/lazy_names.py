"""`lazy_names`: names of a package that are loaded at first use."""

import ast
from importlib import import_module
from pathlib import Path


def lazy_names(package: str, file: str) -> tuple:
    """Return (`__getattr__`, `__dir__`, `__all__`) for the `__init__.py` of a package; file : its path.

    The names and the modules that define them are listed in the adjacent `__init__.pyi`, which editors and type
    checkers read too: `from treecore.tree.tree import Tree as Tree`, `from treecore import rules as rules`.
    """
    modules = {}
    for node in ast.parse(Path(file).with_suffix(".pyi").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            modules |= {alias.name: node.module for alias in node.names}
    names = sorted(modules)

    def get(name):
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if modules[name] == package:
            return import_module(f"{package}.{name}")
        return getattr(import_module(modules[name]), name)

    return get, lambda: names, names
