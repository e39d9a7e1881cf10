"""Test that the cells of a real notebook, whether run or exported, show the stage without a network."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import viz
from benchmarks.grown_trees import grown_tree, noisy_table
from tests.browser.conftest import PATIENCE
from tests.budget import budget

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
CELLS = (
    "import sample_data\nimport viz\nfrom treecore import TAOClassifier, regularization_path\n"
    'iris = sample_data.load("iris")\n'
    'model = TAOClassifier(split="univariate", init="cart", max_depth=3, random_state=0)\n'
    "model.fit(iris.X, iris.labels())\nmodel.tree_.with_names(iris.feature_names)",
    "regularization_path(model, iris.X, iris.labels(), lams=4)",
    "viz.show(model.tree_, iris, height=500)",
)


@pytest.fixture(params=budget(["shown"], ["shown", "exported"]))
def notebook(request, tmp_path):
    """Return the address of a notebook with `CELLS` as HTML: a page with their outputs, or an export by nbconvert."""
    return {"shown": shown, "exported": exported}[request.param](tmp_path)


def shown(tmp_path):
    """Return a page with the notebook outputs of the last values of the cells."""
    names, texts = {}, []
    for cell in CELLS:
        body, _, last = cell.rpartition("\n")
        exec(body, names)
        texts.append(eval(last, names)._repr_html_())
    path = tmp_path / "trees.html"
    path.write_text("<!doctype html>" + "\n".join(texts), encoding="utf-8")
    return path.as_uri()


def exported(tmp_path, first="import sys\nsys.modules['anywidget'] = None\n"):
    """Export the notebook, run in a kernel without anywidget.

    first : code before that of the first cell.
    """
    cells = [
        {"cell_type": "code", "id": f"cell-{i}", "metadata": {}, "outputs": [], "execution_count": None, "source": cell}
        for i, cell in enumerate((first + CELLS[0], *CELLS[1:]))
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    path = tmp_path / "trees.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    subprocess.run(
        [sys.executable, "-m", "nbconvert", "--to", "html", "--execute", str(path)], check=True, timeout=120,
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT), "JUPYTER_RUNTIME_DIR": str(tmp_path)},
        capture_output=True,
    )  # fmt: skip
    return path.with_suffix(".html").as_uri()


def frames(browser, address, n):
    """Return the documents of the `n` frames of a page when their stages are painted, without a network."""
    page = browser.new_context(viewport={"width": 1100, "height": 900}, offline=True).new_page()
    page.goto(address, wait_until="domcontentloaded")
    found = page.locator("iframe[srcdoc]")
    assert found.count() == n
    for i in range(n):
        found.nth(i).scroll_into_view_if_needed()
        frame = found.nth(i).content_frame
        frame.locator("[data-testid=stage][data-painted]").wait_for(timeout=PATIENCE)
        yield frame


@pytest.mark.nightly
def test_cells_of_a_notebook_show_the_stage(browser, notebook):
    tree, path, with_rows = frames(browser, notebook, len(CELLS))
    assert tree.get_by_test_id("stage-no-rows").count() == 1
    assert tree.get_by_test_id("stage-slider").is_hidden()
    assert path.get_by_test_id("stage-slider").get_attribute("max") == "3"
    assert with_rows.get_by_test_id("stage-no-rows").count() == 0
    size = with_rows.locator("html").evaluate("root => [root.clientHeight, root.scrollHeight, innerHeight]")
    assert size == [500, 500, 500]


@pytest.mark.nightly
@pytest.mark.parametrize("first", budget([], [""]))
def test_an_export_of_widgets_shows_their_pictures(browser, tmp_path, first):
    page = browser.new_context(viewport={"width": 1100, "height": 900}, offline=True).new_page()
    page.goto(exported(tmp_path, first), wait_until="domcontentloaded")
    pictures = page.locator("[class^=still-] img")
    assert pictures.count() == len(CELLS)
    assert all(picture.evaluate("one => one.naturalWidth") >= 500 for picture in pictures.all())


def test_a_page_that_allows_no_module_from_a_blob_shows_it_too(browser, tmp_path):
    text = viz.show(grown_tree(noisy_table(300, 2), 9, 2)).html
    policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
    page = tmp_path / "strict.html"
    page.write_text(f'<meta http-equiv="Content-Security-Policy" content="{policy}">{text}', encoding="utf-8")
    (frame,) = frames(browser, page.as_uri(), 1)
    frame.get_by_test_id("stage-plane").wait_for()
