"""What the documents tell people to type works: every Python block and every command of README.md and docs/ is run.

Blocks of one page run in order, in an empty folder, and share their names. ``python -m treecore ...`` runs in this
process. A block marked ``sh`` holds commands, one a line.
"""

import importlib
import os
import re
import shlex
import sys
from pathlib import Path

import joblib
import pytest

from docs.site import lists

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md")) + ["README.md"]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)]*)?\)")
MODULE = re.compile(r"python -m (benchmarks\.\w+)")
FILE = re.compile(r"`(\w[\w./]*\.(?:py|js|ts|css))`")
WINGS = ("treecore", "viz", "pages", "sample_data", "tests", "benchmarks", "docs")


def blocks(page):
    """(language, text) of every fenced block of a page."""
    return BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))


def run(command):
    """Run one line of a `sh` block. Set-up and benchmarks take minutes: that there are such is all that is checked."""
    if command.startswith("make "):
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        assert re.search(rf"^{command.split('#')[0].split()[-1]}:", makefile, re.M), command
        return
    if found := MODULE.search(command):
        assert (ROOT / (found[1].replace(".", "/") + ".py")).exists(), command
        return
    words = shlex.split(command, comments=True)
    assert words[:3] == ["python", "-m", "treecore"], f"{command!r} is not tried by this test"
    with joblib.parallel_config(backend="threading"):  # new processes take longer than such work
        assert importlib.import_module("viz.command_line").main(words[3:]) == 0, command


@pytest.mark.parametrize("page", PAGES)
def test_every_block_of_a_page_works(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT), str(tmp_path)])
    names = {"__name__": page}
    for language, text in blocks(page):
        if language == "python":
            exec(compile(text, page, "exec"), names)
        elif language == "sh":
            for line in text.replace("\\\n", " ").splitlines():
                if line.split("#")[0].strip():
                    run(line.strip())
        else:
            assert language in ("text", "csv", "sql", "json", "ini"), f"{page}: a block is marked {language!r}"
            if language == "csv":
                Path("data.csv").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("page", [*PAGES, "CONTRIBUTING.md"])
def test_links_lead_to_files_that_are_there(page):
    folder = (ROOT / page).parent
    for target, _ in LINK.findall((ROOT / page).read_text(encoding="utf-8")):
        assert target.startswith("http") or os.path.exists(folder / target), target


def test_lists_follow_from_the_declarations():
    assert list(lists.stale_pages()) == [], "python -m docs.site.lists"
    with pytest.raises(KeyError):
        lists.with_lists("<!-- list: made-up --><!-- /list -->")


def test_files_that_the_map_names_are_there():
    """By their whole path, or by the end of it."""
    paths = [*ROOT.glob("*.*"), *(path for wing in WINGS for path in (ROOT / wing).rglob("*.*"))]
    known = [f"/{path.relative_to(ROOT).as_posix()}" for path in paths]
    named = set(FILE.findall((ROOT / "docs/how_it_is_built.md").read_text(encoding="utf-8")))
    assert len(named) > 100
    assert [name for name in sorted(named) if not any(path.endswith(f"/{name}") for path in known)] == []
