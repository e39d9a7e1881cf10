"""Test JupyterLab and marimo, if installed: Python receives a brush, and the stage shows values set in Python."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.browser.conftest import PATIENCE, free_port, wait_until_up

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

ROOT = Path(__file__).resolve().parents[2]
SHOWN = """import sample_data, viz
from treecore import TAOClassifier, regularization_path
iris = sample_data.load("iris")
model = TAOClassifier(split="univariate", init="cart", max_depth=3, random_state=0)
stage = viz.show(regularization_path(model, iris.X, iris.labels(), lams=4), iris, height=600)"""
TOLD = 'f"Python: {len(stage.selected_rows)} rows, tree {stage.tree}"'
SET = "stage.tree, stage.selected_rows = 1, range(7)"
MARIMO = """import marimo
app = marimo.App(width="full")
@app.cell
def _():
    import marimo as mo
    {}
    widget = mo.ui.anywidget(stage)
    button = mo.ui.run_button(label="Set")
    mo.vstack([widget, button])
    return button, mo, stage, widget
@app.cell
def _(mo, stage, widget):
    widget.value
    mo.md({})
@app.cell
def _(button, stage):
    if button.value:
        {}
"""


@pytest.fixture
def serve(tmp_path):
    """Return a function that starts the server of a program with some arguments, and returns its address.

    Skip the test if the program is not installed.
    """
    started = []

    def start(name, *arguments, is_up, environment):
        if (program := shutil.which(name)) is None:
            pytest.skip(f"{name} is not installed (an environment of its own that is on the PATH will do)")
        port = free_port()
        with (tmp_path / "server.log").open("wb") as log:
            started.append(
                subprocess.Popen(
                    [program, *arguments, f"--port={port}"],
                    cwd=tmp_path,
                    stdout=log,
                    stderr=log,
                    env=os.environ | environment,
                )
            )
        wait_until_up(f"http://127.0.0.1:{port}{is_up}", started[0])
        return f"http://127.0.0.1:{port}"

    yield start
    for process in started:
        process.terminate()
        process.wait(timeout=60)


def opened(browser, address):
    page = browser.new_context(viewport={"width": 1500, "height": 1000}).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    return page


def brushed(page):
    """Drag over the left half of the root's histogram; return the number of selected rows that the stage shows."""
    page.locator("[data-testid=stage][data-painted]").wait_for()
    plot = page.get_by_test_id("stage-plot")
    plot.click(trial=True)  # the plot is visible and at rest
    box = plot.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 10, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 3, steps=5)
    page.mouse.up()
    seen = [None, chip(page).inner_text()]
    while seen[-2] != seen[-1]:  # the last move may not be shown yet
        page.wait_for_timeout(300)
        seen.append(chip(page).inner_text())
    return int(seen[-1].split()[0])


def chip(page, text=re.compile(r"\d rows selected")):
    return page.get_by_test_id("stage-selection").get_by_text(text)


def test_a_brush_in_jupyterlab_reaches_python(browser, serve, tmp_path):
    kernel = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (tmp_path / "kernels/ours").mkdir(parents=True)
    (tmp_path / "kernels/ours/kernel.json").write_text(
        json.dumps({"argv": kernel, "display_name": "Ours", "language": "python"})
    )
    cells = [
        {"cell_type": "code", "id": f"cell-{i}", "metadata": {}, "outputs": [], "execution_count": None, "source": one}
        for i, one in enumerate((f"{SHOWN}\nstage", TOLD, SET))
    ]
    metadata = {"kernelspec": {"name": "ours", "display_name": "Ours", "language": "python"}}
    notebook = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "trees.ipynb").write_text(json.dumps(notebook))
    folders = {f"JUPYTER_{what}_DIR": str(tmp_path) for what in ("CONFIG", "DATA", "RUNTIME")}
    address = serve(
        "jupyter-lab", "--no-browser", "--allow-root", "--IdentityProvider.token=", is_up="/api",
        environment=folders | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    page = opened(browser, f"{address}/lab/tree/trees.ipynb")
    page.get_by_text("Ours | Idle").wait_for()  # otherwise the page opens a dialog to choose the kernel
    code = page.locator(".jp-CodeCell")
    code.nth(0).locator(".cm-content").click()
    page.keyboard.press("Shift+Enter")
    count = brushed(page)
    assert 0 < count < 150
    code.nth(1).locator(".cm-content").click()
    page.keyboard.press("Shift+Enter")
    page.get_by_text(f"Python: {count} rows, tree 0").wait_for()
    page.keyboard.press("Shift+Enter")
    page.locator("[data-testid=stage][data-painted='1']").wait_for()
    chip(page, re.compile(r"^7 rows selected")).wait_for()


def test_a_brush_in_marimo_reaches_python(browser, serve, tmp_path):
    (tmp_path / "trees.py").write_text(MARIMO.format(SHOWN.replace("\n", "\n    "), TOLD, SET))
    packages = os.pathsep.join([str(ROOT), sysconfig.get_path("purelib")])
    address = serve(
        "marimo", "run", "trees.py", "--headless", "--no-token", is_up="/health", environment={"PYTHONPATH": packages}
    )
    page = opened(browser, address)
    count = brushed(page)
    assert 0 < count < 150
    page.get_by_text(f"Python: {count} rows, tree 0").wait_for()
    page.get_by_role("button", name="Set", exact=True).click()
    page.locator("[data-testid=stage][data-painted='1']").wait_for()
    chip(page, re.compile(r"^7 rows selected")).wait_for()
