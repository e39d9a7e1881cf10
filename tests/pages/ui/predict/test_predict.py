"""Test the Predict page: saved and opened models, rows from every source, files, and invalid input."""

import json
from dataclasses import replace

import pytest

import sample_data
from pages.jobs import user_store
from pages.jobs.limited_process import Limits
from pages.jobs.point import Point
from pages.ui.save.project_file import model_of
from pages.ui.session import data_sets, loaded_models
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell import reader
from sample_data import Entry, user_data
from tests.pages.conftest import about_page
from tests.refusals import wording
from tests.strategies import small_tree
from tests.treecore.model.model_examples import small_data, small_model
from treecore import Model, TAOClassifier, TAORegressor

SMALL = {"data_set": "iris", "max_depth": "3", "n_lambdas": "6"}
FILE, PASTE, KNOWN = "Upload a file", "Paste rows", "Test rows"


@pytest.fixture(scope="module")
def iris_model():
    data = sample_data.load("iris")
    train = data_sets.rows("iris", 0)[0]
    tree = TAOClassifier(max_depth=3, lam=1.0, random_state=0).fit(data.X[train], data.labels()[train]).tree_
    point = Point(0, 1.0, tree, {"test_error": 0.1})
    return model_of(ChosenTree("", "", point, data, (), {"seed": 0, "rows": "standard"}), with_rows=True)


def open_file(app, content, name="my model.json"):
    content = content if isinstance(content, bytes) else content.encode()
    uploader(app, "Open a model file").set_value((name, content, "application/json")).run()
    assert not app.exception
    return app


def uploader(app, label):
    if label == "Table":
        source_of_rows(app, "file")
    return next(one for one in app.file_uploader if one.label.startswith(label))


def source_of_rows(app, kind):
    app.segmented_control[0].set_value(kind).run()
    assert not app.exception
    return app


def metric(app, label):
    return next(m.value for m in app.metric if m.label == label)


def predictions(app):
    return next(d.value for d in app.dataframe if "prediction" in d.value.columns)


def page_of(open_app, content, **query):
    """Return the page with a model opened. Its first tree may train in the meantime."""
    return open_file(open_app("pages/predict.py", **(SMALL | query)), content)


def test_a_model_of_known_data_is_applied_to_its_test_rows(open_app, iris_model):
    app = page_of(open_app, iris_model.to_json())
    assert about_page(app).startswith("Iris flowers")
    assert "test error 10.0 %" in app.caption[0].value
    assert "the data set is not available" not in app.caption[0].value
    source_of_rows(app, "known")
    data, test = sample_data.load("iris"), data_sets.rows("iris", 0)[2]
    table = predictions(app)
    assert table["prediction"].tolist() == iris_model.tree.predict(data.X[test]).tolist()
    assert table["species"].tolist() == data.labels()[test].tolist()
    wrong = (table["prediction"] != table["species"]).mean()
    assert metric(app, "Error") == f"{100 * wrong:.1f} %"
    assert not app.info


def test_pasted_rows_are_predicted_and_oddities_are_reported(open_app, iris_model):
    app = source_of_rows(page_of(open_app, iris_model.to_json()), "paste")
    names = [name for name in iris_model.data.feature_names]
    app.text_area[0].set_value(f"{';'.join(names)};who\n5,1;3,5;1,4;0,2;me\n6;3;;2;you\n").run()
    assert not app.exception
    table = predictions(app)
    assert table["prediction"][0] == "setosa"
    assert any("who" in info.value for info in app.info)
    app.text_area[0].set_value("height,weight\n1,2\n").run()
    assert wording("The table contains none of the columns").search(app.error[0].value.replace("\\", ""))
    assert not app.exception


def test_a_file_of_rows_without_any_data(open_app):
    model = replace(small_model(small_data(title="No <b>data</b>")), sample=None)
    app = page_of(open_app, model.to_json())
    assert "No <b>data</b>" in about_page(app)
    assert "the data set is not available" in app.caption[0].value
    assert len(app.segmented_control[0].options) == 2
    content = b"colour,length,kind\nred,1.0,a\nblue,3.5,b\n=1+1,,c\n"
    uploader(app, "Table").set_value(("rows.csv", content, "text/csv")).run()
    assert not app.exception
    table = predictions(app)
    assert table["prediction"].tolist()[0] == "a"
    assert metric(app, "Rows") == "2"
    assert any(
        wording(
            "of … have no prediction, because a split on the decision path tests a missing value and this tree "
            "does not support missing values"
        ).search(warning.value)
        for warning in app.warning
    )
    for name in ("", "-Other rule formats", "-Other code"):
        app.session_state[f"save-open{name}"] = True
    labels = [button.proto.label for button in app.run().get("download_button")]
    assert {"Predictions (CSV)", "Template (CSV)", "Code (SQL)", "Rules (CSV)"} <= set(labels)


def test_the_rows_of_a_file_stand_for_data_that_are_not_here(open_app):
    app = page_of(open_app, small_model().to_json())
    source_of_rows(app, "known")
    assert len(predictions(app)) == len(small_model().sample.X)
    took_part = f"All {len(small_model().sample.X)} rows took part in training"
    assert f"{took_part}, so this error is not an estimate of the test error." in app.warning[0].value
    app.switch_page("pages/rules.py").run()
    assert not app.exception
    assert "Small data" in about_page(app)


def test_own_data_are_found_by_their_visitor_and_their_target_is_compared(open_app):
    lines = "".join(f"{i},{'red' if i % 3 else 'blue'},{'high' if i > 30 else 'low'}\n" for i in range(60))
    table = user_data.read(f"size,colour,grade\n{lines}".encode(), "own.csv")
    recipe = replace(user_data.propose(table, user_data.summarise(table)), target="grade")
    recipe = replace(recipe, kinds={"size": "number", "colour": "category"}, row_names=None)
    data = user_data.make_data_set(table, recipe)
    user_store.save(data, recipe)
    tree = TAOClassifier("univariate", lam=1.0, max_depth=2, random_state=0).fit(data.X, data.labels()).tree_
    model = model_of(ChosenTree("", "", Point(0, 1.0, tree, {}), data, (), {"seed": 0, "rows": "standard"}))
    assert model.data.target == "grade"
    assert (
        "the data set is not available" in page_of(open_app, model.to_json()).caption[0].value
    )  # another visitor's data
    app = open_app("pages/predict.py", **SMALL)
    entry = Entry(data.name, data.title, "table", data.n_rows, data.n_features, data.n_classes, data.source)
    app.session_state["own_sets"] = {data.name: entry}
    app = open_file(app, model.to_json())
    assert "the data set is not available" not in app.caption[0].value
    content = b"grade,colour,size\nlow,blue,2\nlow,red,50\n"
    uploader(app, "Table").set_value(("rows.csv", content, "text/csv")).run()
    assert metric(app, "Error") == "50.0 %"
    assert predictions(app)["row"].tolist() == [2, 3]  # row 1 contains the names


@pytest.mark.parametrize(("content", "match"), [
    (b"\xff\xfe", "UTF-8"), (b"{", "not JSON"), (b"[1]", "not a model"), (b'{"format": "pickle"}', "pickle"),
    (json.dumps(json.loads(small_model().to_json()) | {"version": 9}).encode(), "version 9"),
    (small_model().to_json().replace("-1.5", "-1.6").encode(), "changed or damaged"),
])  # fmt: skip
def test_files_without_a_model_are_refused_and_nothing_is_lost(open_app, content, match):
    app = page_of(open_app, small_model().to_json())
    open_file(app, content, "<img src=x>.json")
    assert match in app.error[0].value
    assert "\\<img" in app.error[0].value
    assert "Small data" in about_page(app)
    open_file(app, small_tree().to_json(), "bare.json")
    assert not app.error
    assert "without data" in about_page(app)
    assert len(next(s for s in app.selectbox if s.label == "Tree").options) == 3


def test_trees_that_no_page_draws_still_predict(open_app):
    X = sample_data.load("iris").X
    numbers = TAORegressor(max_depth=2, lam=1.0, random_state=0).fit(X[:, :3], X[:, 3]).tree_
    app = source_of_rows(page_of(open_app, numbers.with_names(("a", "b", "c")).to_json()), "paste")
    app.text_area[0].set_value("a,b,c,truth\n5.1,3.5,1.4,0.2\n7,3,5,2\n").run()
    assert not app.exception
    assert predictions(app)["prediction"].tolist() == numbers.predict([[5.1, 3.5, 1.4], [7, 3, 5]]).tolist()
    open_file(app, small_tree(n_features=2**31 - 1).to_json(), "wide.json")
    for page in ("pages/rules.py", "pages/predict.py"):
        app.switch_page(page).run()
        assert not app.exception


def test_a_model_is_opened_once_closed_again_and_not_too_many(open_app):
    app = page_of(open_app, small_model().to_json())
    open_file(app, small_model().to_json(), "again.json")
    assert len(app.session_state["loaded_models"]) == 1
    for i in range(loaded_models.MOST):
        open_file(app, Model.of(small_tree(bias=[float(i), 0, 0, 0, 0])).to_json(), "same.json")
    assert len(app.session_state["loaded_models"]) == loaded_models.MOST
    assert wording("You can open up to … models").search(app.error[0].value)
    next(button for button in app.button if button.label == "Close model").click().run()
    assert not app.exception
    assert len(app.session_state["loaded_models"]) == loaded_models.MOST - 1


def hostile_rows():
    """Yield (name, content, part of the error message) for odd tables of new rows.

    If the file is read, the part of the error message is None.
    """
    yield "digits", b"a,b,c\n1," + b"1" * 131_000 + b"x,2\n", None
    yield "equal names", b",".join([b"x"] * 5000) + b"\n" + b",".join([b"1"] * 5000) + b"\n", "none of the columns"
    yield "one line", b"1,2," * 500_000, "columns"
    yield "binary", bytes(range(256)) * 100, "not a text file"
    yield "names", b'=cmd|" /C calc"!A0,<script>alert(1)</script>,$x$\n1,2,3\n', "none of the columns"
    yield "half a zip", b"PK\x03\x04" + bytes(500), "damaged"
    yield "a page", b"<!DOCTYPE html><html></html>", "web page"


@pytest.mark.parametrize(("name", "content", "said"), list(hostile_rows()))
def test_hostile_rows_end_in_words(open_app, name, content, said):
    app = page_of(open_app, Model.of(small_tree().with_names(("a", "b", "c"))).to_json())
    uploader(app, "Table").set_value((f"{name}.csv", content, "text/csv")).run()
    assert not app.exception
    if said is None:
        assert len(predictions(app)) == 1
    else:
        assert said in app.error[0].value
    for element in [*app.markdown, *app.error, *app.info, *app.caption]:
        assert "<script" not in element.value.replace("\\<script", "")


def test_rows_that_take_too_long_or_too_much_are_reported(open_app, monkeypatch):
    app = page_of(open_app, Model.of(small_tree().with_names(("a", "b", "c"))).to_json())
    monkeypatch.setattr(reader, "limits", lambda: Limits(0.05, 500))
    rows = b"a,b,c\n" + b"1,2,3\n" * 1_500_000
    uploader(app, "Table").set_value(("long.csv", rows, "text/csv")).run()
    slow = f"took longer than {0.05:g} s"
    assert wording(f"{slow}. Upload fewer rows or columns at a time").search(app.error[0].value)
    next(button for button in app.button if button.label == "Close").click().run()
    assert not app.error
    monkeypatch.setattr(reader, "limits", lambda: Limits(60, 10))
    uploader(app, "Table").set_value(("large.csv", rows, "text/csv")).run()
    assert "needed more than 10 MB of memory" in app.error[0].value
