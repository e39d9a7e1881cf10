"""Test that texts for visitors contain no large number without commas between thousands."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHON = re.compile(r"\{[^{}:]*\bn_(?:leaves|nodes|rows|features|columns)\} (?:leaves|nodes|rows|features|columns)")
STAGE = re.compile(r"\$\{(?:tree\.n|[\w.]*leaves|found\.size|terms\.length)\} (?:leaves|nodes|found|coefficients)")


def test_numbers_of_rows_and_nodes_have_commas():
    views = [*(ROOT / "viz").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]
    # Trees of lessons and of worksheets are small.
    views = [path for path in views if "learn" not in path.parts]
    raw = [f"{path}: {one}" for path in views for one in PYTHON.findall(path.read_text(encoding="utf-8"))]
    stage = [*(ROOT / "viz" / "stage").rglob("*.js")]
    raw += [f"{path}: {one}" for path in stage for one in STAGE.findall(path.read_text(encoding="utf-8"))]
    assert len(views) > 100 < len(stage)
    assert raw == []
