"""Hash the code that determines a result, so that the app does not reuse results of older code.

The hash covers the source of all modules that a task imports, directly or indirectly. It ignores comments, formatting,
docstrings, error messages and texts for people: arguments `words` and `help`, and any string with a blank. Therefore
every trained path stays valid if only such texts change. The hash also ignores the data loaders, because the name of a
job contains the fingerprint of the data and its settings.
"""

import ast
import contextlib
import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from pages.jobs import job_files
from treecore.syntax import syntax_tree

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("treecore", "sample_data", "pages")
LIBRARIES = ("numpy", "numba", "scikit-learn", "scipy")
NAMED_BY_VALUE = ("pages.jobs.task_data", "pages.jobs.setting", "pages.jobs.settings", "sample_data")
FOR_PEOPLE = ("treecore.tree.condition_text", "treecore.tree.number_text", "treecore.notebook")
_WORDS = ("words", "help")


def code_stamp(*modules: str, root: Path = ROOT) -> str:
    """Return a hash of the code of these modules, their imports within this project, and the library versions.

    modules : dotted names; root : folder of the packages, or of `pages` if the other packages are installed.
    """
    digest = hashlib.sha256()
    for name in LIBRARIES:
        digest.update(f"{name} {version(name)}\n".encode())
    for name in deciding_modules(*modules, root=root):
        digest.update(f"{name} {_read(root, name)[0]}\n".encode())
    return digest.hexdigest()


def code_stamps(modules: Mapping[str, str], kept: Path) -> dict[str, str]:
    """Return {name: `code_stamp`} for {name: module}.

    Computing the stamps takes half a second. While sources and libraries are unchanged, the stamps are read from the
    file `kept`.
    """
    sources = source_digest()
    found = job_files.read_json(kept, is_checked=True)
    stamps = found.get("stamps") if isinstance(found, dict) and found.get("sources") == sources else None
    if not isinstance(stamps, dict) or stamps.keys() != modules.keys():
        stamps = {name: code_stamp(module) for name, module in modules.items()}
        with contextlib.suppress(OSError):  # on a full disk, the next start computes the stamps again
            job_files.write_json(kept, {"sources": sources, "stamps": stamps})
    return stamps


@cache
def source_digest() -> str:
    """Return a hash of all sources of the project and of the versions of the libraries. It includes texts for people.

    The sources are read once, so call this function before anyone edits them.
    """
    digest = hashlib.sha256("\n".join(map(version, LIBRARIES)).encode())
    packages = (*PACKAGES, "viz")
    for path in sorted(path for package in packages for path in (_folder(ROOT, package) / package).rglob("*.py")):
        digest.update(path.as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def deciding_modules(*modules: str, root: Path = ROOT) -> list[str]:
    """Return the sorted names of these modules and their imports within this project.

    The list leaves out `NAMED_BY_VALUE`, `FOR_PEOPLE` and modules that contain only sentences.
    """
    found, left = set(), list(modules)
    while left:
        name = left.pop()
        if name not in {*found, *NAMED_BY_VALUE, *FOR_PEOPLE} and not name.endswith(".messages"):
            found.add(name)
            left += _read(root, name)[1]
    return sorted(found)


@cache
def _read(root: Path, name: str) -> tuple[str, list[str]]:
    """Return the hash of a module's code, and the names of the project's modules and packages that it imports."""
    tree = syntax_tree(path_of(root, name).read_text(encoding="utf-8"))
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported |= {f"{node.module}.{alias.name}" for alias in node.names}
    ours = set()
    for one in imported:
        parts = one.split(".")
        if parts[0] in PACKAGES:
            ours |= {".".join(parts[: k + 1]) for k in range(len(parts))}
    text = ast.dump(_WithoutWords().visit(tree))
    return hashlib.sha256(text.encode()).hexdigest(), sorted(one for one in ours if path_of(root, one) is not None)


def path_of(root: Path, name: str) -> Path | None:
    path = _folder(root, name.partition(".")[0]).joinpath(*name.split("."))
    return next((one for one in (path.with_suffix(".py"), path / "__init__.py") if one.is_file()), None)


@cache
def _folder(root: Path, package: str) -> Path:
    """Return the folder that contains a package: `root`, or the folder where the package is installed."""
    return root if (root / package).is_dir() else Path(str(find_spec(package).origin)).parents[1]


class _WithoutWords(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        is_text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return ast.Pass() if is_text else self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        if isinstance(node.exc, ast.Call):
            node.exc = node.exc.func
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant("") if isinstance(node.value, str) and " " in node.value else node

    def visit_keyword(self, node: ast.keyword) -> ast.AST | None:
        return None if node.arg in _WORDS else self.generic_visit(node)
