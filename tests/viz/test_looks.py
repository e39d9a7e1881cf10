"""Test that sizes of the drawing are declared once: figures and stage take them from `viz.looks`."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import viz
from viz.looks import LOOKS, looks_header

FOLDER = Path(viz.__file__).parent
DRAWING = [
    *(FOLDER / "tree").glob("*.py"),
    *(FOLDER / "nodes").glob("*.py"),
    *(FOLDER / "payload").glob("*.py"), *(FOLDER / "stage").rglob("*.js"),
    FOLDER / "palette.py", FOLDER / "words" / "text_fit.py",
]  # fmt: skip
# Modules with a counterpart in the other language that draws the same.
COUNTERPARTS = [
    *(FOLDER / "nodes" / f"{name}.py" for name in ("node_painter", "node_content", "node_box", "leaf", "linear_leaf")),
    *(FOLDER / "nodes" / f"{name}.py" for name in ("weight_image", "scatter", "projection", "bars")),
    FOLDER / "tree" / "tree_places.py",
    FOLDER / "drawing" / "labels.py",
    *(FOLDER / "stage" / "draw" / f"{name}.js" for name in ("picture", "scatter", "projection", "edges")),
    FOLDER / "stage" / "geometry" / "places.js",
    FOLDER / "stage" / "geometry" / "limits.js",
]
COMMON = {0, 0.5, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 40}  # numbers with many meanings
OTHERS = {  # numbers with another meaning in this place
    "scatter.py": {0.8, 9, 16}, "node_box.py": {16}, "node_content.py": {28}, "linear_leaf.py": {20, 24},
    "projection.py": {13, 24}, "leaf.py": {50}, "tree_places.py": {0.8, 50, 64},
    "picture.js": {20, 60, 400}, "scatter.js": {0.8, 1.5},
    "projection.js": {1.5}, "edges.js": {1.4, 1.5, 1.6, 11}, "places.js": {18, 20},
}  # fmt: skip
DRAW = """
import json, sys
sys.path.insert(0, sys.argv[1])
import viz, sample_data
from benchmarks.grown_trees import grown_tree
from tests.decoded_payload import decoded
from viz.payload.stage_payload import stage_payload
data = sample_data.load("clouds")
tree = grown_tree(data, 3, 2)
header = decoded(stage_payload(tree, data)).header
svgs = [viz.figure(tree, data, "svg", theme=theme).decode() for theme in ("light", "dark")]
print(json.dumps([header["palette"]["themes"], header["looks"], svgs, viz.__file__]))
"""


def leaves(table, path=()):
    """Yield (path of names, value) of everything in a table."""
    for name, value in table.items():
        yield from leaves(value, (*path, name)) if isinstance(value, dict) else [((*path, name), value)]


def drawn_with(folder, *lines):
    """Replace lines (old, new) of the table. Return (themes, looks of the payload, SVGs in both themes)."""
    source = (FOLDER / "looks.py").read_text()
    for old, new in lines:
        assert source.count(old) == 1
        source = source.replace(old, new)
    shutil.copytree(FOLDER, folder / "viz", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "viz" / "looks.py").write_text(source)
    paths = os.pathsep.join([str(folder), str(FOLDER.parent)])
    done = subprocess.run(
        [sys.executable, "-c", DRAW, str(folder)], capture_output=True, text=True, check=False, cwd=folder,
        env=os.environ | {"PYTHONPATH": paths},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    *found, file = json.loads(done.stdout)
    assert file.startswith(str(folder))
    return found


def test_one_line_changes_the_colour_or_the_width_of_the_split_everywhere(tmp_path):
    color = '    color: str = "text"', '    color: str = "#12ab34"'
    width = "    width: float = 2.0\n", "    width: float = 7.25\n"
    themes, looks, svgs = drawn_with(tmp_path, color, width)
    assert {theme["split"] for theme in themes.values()} == {"#12ab34"}
    assert looks["split"]["width"] == 7.25
    for svg in svgs:
        assert len(re.findall(r"stroke: #12ab34", svg)) == 1
        assert "stroke-width: 5.22" in svg  # in points


def test_the_browser_gets_the_whole_table():
    text = json.dumps(looks_header())
    assert "_" not in text
    assert json.loads(text)["places"]["leastHigh"] == LOOKS.places.least_high


def test_every_entry_is_used():
    text = "\n".join(path.read_text() for path in DRAWING)
    unused = [path for path, _ in leaves(looks_header()) if not re.search(rf"\b{path[-1]}\b", text)]
    snake = {path: re.sub(r"([A-Z])", r"_\1", path[-1]).lower() for path in unused}
    assert [path for path in unused if not re.search(rf"\b{snake[path]}\b", text)] == []


@pytest.mark.parametrize("path", COUNTERPARTS, ids=lambda path: path.name)
def test_the_drawing_shows_no_number_of_the_table(path):
    known = {value for _, value in leaves(looks_header()) if isinstance(value, (int, float))} - COMMON
    source = re.sub(
        r'layer=[\d.]+|^\s*(//|/?\*|#).*$|"""(.|\n)*?"""|[`"\'][^`"\'\n]*[`"\']',
        "",
        path.read_text(),
        flags=re.MULTILINE,
    )
    numbers = {float(number) for number in re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])", source)}
    assert sorted((numbers & known) - OTHERS.get(path.name, set())) == []
