"""`lazy_names`: lazy loading of the public names of a package."""

import ast
from importlib import import_module
from pathlib import Path

from treecore.syntax import syntax_tree


def lazy_names(package: str, file: str) -> tuple:
    """Return `__getattr__`, `__dir__` and `__all__` for the `__init__.py` of a package. file : its path.

    The adjacent `__init__.pyi`, which editors and type checkers also read, lists the names and their modules in lines
    such as `from treecore.tree.tree import Tree as Tree` and `from treecore import rules as rules`.
    """
    modules = {}
    for node in syntax_tree(Path(file).with_suffix(".pyi").read_text(encoding="utf-8")).body:
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
