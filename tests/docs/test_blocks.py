"""Test that every Python block and command in README.md and docs/ runs, and that links lead to files and headings.

The blocks of a page run in order, in an empty folder, and share their names. ``python -m treecore ...`` runs in this
process. A block marked ``sh`` has one command per line. A ``text`` block directly below a Python block contains its
output, in which ``...`` stands for any text.
"""

import importlib
import re
import shlex
import sys
from pathlib import Path

import joblib
import pytest

from docs.site import lists
from docs.site.outputs import blocks, cut, matches
from tests.each import each

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")) + ["README.md"]
OTHERS = ["CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "benchmarks/README.md"]
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
ANCHOR = re.compile(r'<a id="([\w-]+)">')
MODULE = re.compile(r"python -m (benchmarks\.\w+)")
FILE = re.compile(r"`(\w[\w./]*\.(?:py|js|ts|css))`")
PAGE = re.compile(r"\b(?:docs|benchmarks)/[\w/]+\.(?:md|ipynb)")
FOLDERS = ("treecore", "viz", "pages", "sample_data", "tests", "benchmarks", "docs")


def run(command):
    """Run one line of a `sh` block.

    For set-up and benchmarks, which take minutes, only check that the command exists.
    """
    if command.startswith("make "):
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        assert re.search(rf"^{command.split('#')[0].split()[-1]}:", makefile, re.M), command
        return
    if found := MODULE.search(command):
        assert (ROOT / (found[1].replace(".", "/") + ".py")).exists(), command
        return
    words = shlex.split(command, comments=True)
    assert words[:3] == ["python", "-m", "treecore"], f"{command!r} is not tried by this test"
    assert importlib.import_module("viz.command_line").main(words[3:]) == 0, command


@pytest.fixture
def threads():
    """Run joblib in threads, because starting processes takes longer than these small examples."""
    with joblib.parallel_config(backend="threading"):
        yield


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("page", PAGES)
def test_every_block_of_a_page_works(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT), str(tmp_path)])
    names = {"__name__": page}
    for language, text, output, _ in blocks((ROOT / page).read_text(encoding="utf-8")):
        capsys.readouterr()
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
        if output is not None:
            shown = capsys.readouterr().out
            assert matches(output, shown), f"python -m docs.site.outputs {page}: {output!r} is now {shown!r}"


def test_a_wrong_output_is_found():
    assert matches("0.957 ...\n2 rows\n", "0.957 of 1\n2 rows\n")
    assert not matches("0.958\n", "0.957\n")
    page = "```python\nprint(1)\n```\n\n```text\n1\n```\n\nWords.\n\n```text\nno output\n```\n"
    assert [(one.language, one.output) for one in blocks(page)] == [("python", "1\n"), ("text", None)]
    assert cut("\n".join(map(str, range(30)))).endswith("12\n...\n")
    assert matches(cut("x" * 200 + "\n" * 30), "x" * 200 + "\n" * 30)


def anchors(path):
    """Return the names in a page that a link can lead to, with headings named as by GitHub and MkDocs."""
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    headings = re.findall(r"^#+ (.+)$", text, re.M)
    plain = [re.sub(r"[^\w\s-]", "", heading.lower()).strip() for heading in headings]
    return {*ANCHOR.findall(text), *(re.sub(r"\s+", "-", heading) for heading in plain)}


@each("page", [*PAGES, *OTHERS])
def test_links_lead_to_files_and_headings(page):
    for target, anchor in LINK.findall((ROOT / page).read_text(encoding="utf-8")):
        if target.startswith("http"):
            continue
        path = (ROOT / page).parent / target if target else ROOT / page
        assert path.exists(), target
        assert not anchor or path.suffix != ".md" or anchor in anchors(path), f"{target}#{anchor}"


def test_pages_that_the_sources_name_exist():
    sources = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")] + [ROOT / "Makefile"]
    named = {(found, path) for path in sources for found in PAGE.findall(path.read_text(encoding="utf-8"))}
    assert named
    assert [pair for pair in named if not (ROOT / pair[0]).exists()] == []


def test_generated_lists_and_links_to_the_glossary_are_up_to_date():
    assert list(lists.stale_pages()) == [], "python -m docs.site.lists"
    with pytest.raises(KeyError):
        lists.with_lists("<!-- list: made-up --><!-- /list -->")


@pytest.mark.parametrize("page", ["docs/how_it_is_built.md", "docs/reference/where_to_change.md", "CONTRIBUTING.md"])
def test_files_that_the_maps_name_exist(page):
    """A name is a complete path or the end of one."""
    paths = [*ROOT.glob("*.*"), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.*"))]
    known = [f"/{path.relative_to(ROOT).as_posix()}" for path in paths]
    named = set(FILE.findall((ROOT / page).read_text(encoding="utf-8")))
    assert named
    assert [name for name in sorted(named) if not any(path.endswith(f"/{name}") for path in known)] == []
