"""Add to pyproject.toml the files of the app, which lie outside the packages, and a readme without relative links."""

import re
import sys
from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).parent
APP = "share/tao-explorer"
FILES = [ROOT / "app.py", ROOT / ".streamlit" / "config.toml"]
SUFFIXES = (".py", ".md", ".css", ".js", ".json", ".svg", ".ts")
FILES += [path for path in (ROOT / "pages").rglob("*") if path.suffix in SUFFIXES]

if sys.version_info < (3, 11):  # noqa: UP036 - pip tells it only after packages that it cannot find
    sys.exit(f"Python 3.11 or newer is needed, this is {sys.version_info[0]}.{sys.version_info[1]}.")
if __name__ == "__main__":
    folders: dict = {}
    for path in (path.relative_to(ROOT) for path in FILES if path.is_file()):
        folders.setdefault(f"{APP}/{path.parent.as_posix()}".removesuffix("/."), []).append(path.as_posix())
    # A package index shows the readme without the files of the repository.
    readme = re.sub(r"!\[[^]]*\]\((?!https?:)[^)]*\)\n+", "", (ROOT / "README.md").read_text(encoding="utf-8"))
    readme = re.sub(r"\[([^]]*)\]\((?!https?:)[^)]*\)", r"\1", readme)
    setup(
        data_files=sorted(folders.items()), long_description=readme, long_description_content_type="text/markdown",
    )  # fmt: skip
