"""Test that the notebooks of the project run in a real kernel and give their stored outputs, except for numbers.

Another processor adds numbers in another order, so its tree may differ.
"""

import json
import re

import pytest

from docs.site.notebooks import NOTEBOOKS, notebook_page, run

MOST = 300_000  # maximum size in bytes
# Further cells that check the results.
CHECKS = {
    "notebook": """
assert type(stage).__name__ == type(along).__name__ == "StageWidget"
assert list(stage.selected_rows) == [row for row in test if model.predict(X[[row]])[0] != y[row]]
assert along.tree == path.best("one_se").index
stage.selected_rows = []
assert set(predicted) == set(cells.class_names)
assert chosen.tree_.n_leaves <= cart.tree_.n_leaves < model.tree_.n_leaves
assert table["test errors"].max() < len(test) / 10
""",
    "beside_cart": """
assert tao.tree_.n_leaves < grown.get_n_leaves() / 2
assert quality.shape == (6, 4) and speed.shape == (2, 3)
accuracy, leaves = quality["test accuracy %"].unstack(), quality["leaves, median"].unstack()
assert (accuracy > 85).all(axis=None)
assert (leaves["TAO, least error"] < leaves["CART"]).all()
assert np.allclose(speed["TAO / CART"], speed["TAO, ms"] / speed["CART, ms"])
assert (speed > 0).all(axis=None)
""",
}


def said(notebook):
    """Return the words that each cell prints, except for cells that print times and versions."""
    cells = [cell for cell in notebook["cells"] if "times" not in cell["metadata"].get("tags", ())]
    outputs = [output for cell in cells for output in cell.get("outputs", ())]
    texts = ["".join(one.get("text") or one["data"]["text/plain"]) for one in outputs]
    return [set(re.findall(r"[^\W\d_]{2,}", text)) for text in texts]


# test_blocks.py runs the code of all other pages, so by day one notebook is enough.
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long) if name == "beside_cart" else name for name in NOTEBOOKS]
)
def test_a_notebook_runs_and_says_what_is_kept_in_it(name, tmp_path, monkeypatch):
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    text = NOTEBOOKS[name].read_text(encoding="utf-8")
    kept = json.loads(text)
    assert said(run(NOTEBOOKS[name], CHECKS[name])) == said(kept), (
        "python -m docs.site.notebooks keeps what they say now"
    )
    assert len(text) < MOST
    assert "widgets" not in kept["metadata"]


def test_the_site_shows_what_is_kept():
    shown, pictures = notebook_page(NOTEBOOKS["notebook"])
    assert shown.startswith("# TAO in a notebook\n")
    assert shown.count('src="data:image/webp;base64,') == 3
    assert [f"(pictures/{name})" in shown for name in pictures] == [True]
    assert "<th>validation_error</th>" in shown
