"""Hash the sources of the project, so that the app does not reuse results of older code."""

import hashlib
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ("treecore", "sample_data", "pages/jobs")  # folders of the code that determines the result of a job
LESSONS = (*RESULTS, "pages/ui/learn", "viz")  # folders of the code that determines a lesson and its texts
LIBRARIES = ("numpy", "numba", "scikit-learn", "scipy")


@cache
def source_digest(folders: tuple[str, ...] = RESULTS) -> str:
    """Return a hash of all Python files in these folders and of the versions of the libraries.

    The sources are read once, so call this function before anyone edits them.
    """
    digest = hashlib.sha256("\n".join(map(version, LIBRARIES)).encode())
    for folder in folders:
        root = _root(folder.partition("/")[0])
        for path in sorted((root / folder).rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def _root(package: str) -> Path:
    """Return the folder that contains a package: this project, or the folder where the package is installed."""
    return ROOT if (ROOT / package).is_dir() else Path(str(find_spec(package).origin)).parents[1]
