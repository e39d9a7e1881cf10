"""Test that a visitor saves a trained model, and that another visitor applies it to a table and saves the result."""

import csv
import io
import json
import re

import pytest

import sample_data
from tests.browser.conftest import at_rest, open_save_menu
from treecore import Model
from treecore.tree.text_tree import node_names

pytestmark = pytest.mark.browser

SMALL = "data_set=iris&max_depth=3&n_lambdas=6"


def table(data, rows):
    """Return the CSV of some rows, with a name that is a formula and a column that the tree does not have."""
    lines = [[*data.feature_names, "who", "class"]]
    lines += [[*data.X[row], f"=HYPERLINK({row})", data.class_names[data.y[row]]] for row in rows]
    out = io.StringIO()
    csv.writer(out).writerows(lines)
    return out.getvalue()


@pytest.mark.long
def test_a_model_is_saved_opened_elsewhere_and_predicts_a_table(open_page, tmp_path):
    page = open_page(f"/?{SMALL}")
    open_save_menu(page, re.compile("^Model$"))
    with page.expect_download() as download:
        at_rest(page.get_by_role("button", name="Model (JSON)")).click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    model = Model.from_json(path.read_bytes())
    assert model.data.name == "iris"
    assert len(model.trace) > 1
    assert len(model.sample.X) == 90

    data, rows = sample_data.load("iris"), [0, 60, 120, 149]
    (tmp_path / "new.csv").write_text(table(data, rows), encoding="utf-8")
    elsewhere = open_page(f"/predict?{SMALL}", "dark")
    elsewhere.locator("[data-testid=stage][data-painted]").wait_for()
    record = json.loads(path.read_text(encoding="utf-8"))
    (tmp_path / "other.json").write_text(json.dumps(record | {"version": 7}), encoding="utf-8")
    at_rest(elsewhere.get_by_role("button", name="Open a model file")).click()
    files = elsewhere.get_by_test_id("stPopoverBody").locator("input[type=file]")
    files.set_input_files(tmp_path / "other.json")
    elsewhere.get_by_text("version 7").wait_for()
    files.set_input_files(path)
    at_rest(elsewhere.get_by_role("radio", name="Upload a file").first).click()
    elsewhere.get_by_test_id("stMain").locator("input[type=file]").set_input_files(tmp_path / "new.csv")
    elsewhere.get_by_test_id("stMetric").filter(has_text="Rows").get_by_text("4", exact=True).wait_for()
    with elsewhere.expect_download() as download:
        at_rest(elsewhere.get_by_role("button", name="Predictions (CSV)")).click()
    assert download.value.suggested_filename == "predictions-new.csv"
    lines = list(csv.DictReader(io.StringIO(download.value.path().read_text(encoding="utf-8"))))
    assert [line["prediction"] for line in lines] == model.tree.predict(data.X[rows]).tolist()
    assert [line["who"] for line in lines] == [f"'=HYPERLINK({row})" for row in rows]
    assert [line["leaf"] for line in lines] == [node_names(model.tree)[leaf] for leaf in model.tree.apply(data.X[rows])]
