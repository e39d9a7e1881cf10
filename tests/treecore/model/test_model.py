"""Test models: an exact round trip, their description, and one typed error for every kind of damage."""

import json
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from tests.each import each
from tests.refusals import refused
from tests.strategies import small_tree, trees
from tests.treecore.model.model_examples import COLUMNS, content, signed, small_data, small_model
from treecore import TAOClassifier, TAORegressor, TreeFormatError, regularization_path
from treecore.model.model import Model
from treecore.model.model_parts import MOST_ROWS
from treecore.version import VERSION


def not_read(text, match=r"\w+ \w+"):
    with pytest.raises(TreeFormatError, match=match):
        Model.from_json(text)


def test_round_trip_is_exact():
    model = small_model()
    text = model.to_json()
    again = Model.from_json(text.encode())
    assert again.to_json() == text
    assert again == model
    assert again.tree == model.tree
    assert again.columns == COLUMNS
    assert again.data == model.data
    assert again.trace == model.trace
    assert again.checksum == model.checksum == json.loads(text)["checksum"]
    assert again.sample.X.dtype == model.sample.X.dtype
    assert again.sample.X.tobytes() == model.sample.X.tobytes()
    assert again != small_model(small_data(title="Other data"))


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.uint32, np.int64, np.float32, np.float64, ">f8", np.float16])
def test_rows_of_a_sample_keep_every_bit(dtype):
    X = (np.random.default_rng(1).normal(60, 20, (50, 3)) / 3).astype(dtype)
    sample = Model.from_json(small_model(small_data(50, X=X)).to_json()).sample
    assert sample.X.tolist() == X.tolist()
    assert sample.X.dtype == (np.float64 if dtype is np.float16 else np.dtype(dtype).newbyteorder("="))


def test_missing_values_of_a_sample_survive():
    X = np.array(small_data().X)
    X[::7, 1] = np.nan
    sample = Model.from_json(small_model(small_data(X=X)).to_json()).sample
    assert np.array_equal(sample.X, X, equal_nan=True)


@given(trees())
def test_any_tree_is_a_model_and_the_file_of_a_tree_is_one_without_data(tree):
    model = Model.of(tree)
    again = Model.from_json(model.to_json())
    assert again.tree == tree
    assert again.to_json() == model.to_json()
    bare = Model.from_json(tree.to_json())
    assert bare.tree == tree
    assert (bare.data, bare.columns, bare.sample, bare.parameters, bare.trace) == (None, None, None, {}, ())


def test_a_sample_is_small_and_holds_every_class():
    data = small_data(5000)
    sample = small_model(data).sample
    assert len(sample.X) == len(sample.y) == MOST_ROWS
    assert np.bincount(sample.y).min() >= 99
    rows = {tuple(row) for row in data.X.tolist()}
    assert all(tuple(row) in rows for row in sample.X.tolist())
    without = replace(small_model(), sample=None)
    assert "X" not in (content(without)["sample"] or {})


def test_a_fitted_estimator_fits_into_a_model():
    data = small_data(200)
    estimator = TAOClassifier(max_depth=3, lam=0.1, random_state=np.int64(3), callback=lambda step: False)
    path = regularization_path(estimator, data.X, data.labels(), lams=2, X_val=data.X, y_val=data.labels())
    assert len(path[1].trace) == path[1].n_iter + 1
    start = path[0].tree
    estimator.set_params(init=start).fit(data.X, data.labels())
    model = Model.of(estimator.tree_, data, estimator.get_params(), estimator.trace_, {"lam": np.float64(0.5)})
    again = Model.from_json(model.to_json())
    assert again.parameters["init"] == "a Tree"
    assert again.parameters["random_state"] == 3
    assert [record["objective"] for record in again.trace] == [record.objective for record in estimator.trace_]
    assert again.figures == {"lam": 0.5}
    assert again.classes == ["a", "b", "c"]


def test_classes_of_a_tree_of_codes_have_the_names_of_the_data():
    assert small_model(classes=[0, 1, 2]).classes == ["a", "b", "c"]
    assert Model.of(small_tree(classes=[4, 5, 6])).classes == [4, 5, 6]


def test_regression_models_survive():
    X = np.random.default_rng(0).normal(size=(60, 3))
    tree = TAORegressor(max_depth=2, lam=0.01, random_state=0).fit(X, X[:, 0]).tree_
    again = Model.from_json(Model.of(tree, figures={"test_error": 0.5}).to_json())
    assert again.tree == tree
    assert again.classes == []


@pytest.mark.parametrize(("key", "value", "match"), [
    ("format", "pickle", "treecore-model"), ("version", 2, "version 2"), ("version", True, "version"),
    ("version", "1", "version"), ("checksum", "0" * 64, "changed or damaged"), ("checksum", None, "changed"),
    ("content", {}, "changed"),
])  # fmt: skip
def test_files_that_are_not_whole_are_refused_by_name(key, value, match):
    not_read(json.dumps(json.loads(small_model().to_json()) | {key: value}), match)


def test_one_changed_digit_is_noticed():
    text = small_model().to_json()
    assert '"bias": [-1.5,' in text
    not_read(text.replace('"bias": [-1.5,', '"bias": [-1.6,'), "checksum")
    blanks = json.dumps(json.loads(text), indent=2, sort_keys=True)
    assert Model.from_json(blanks) == small_model()


@pytest.mark.parametrize("text", ["", "[]", "3", "null", "{}", "{", "[" * 100_000, b"\xff\xfe", '{"format": "x"}'])
def test_texts_that_are_no_model_are_refused(text):
    not_read(text)


def test_names_without_an_encoding_are_refused():
    changed = content(small_model())
    changed["data"]["title"] = "half \ud800"
    with refused(TreeFormatError, "A name or text contains an incomplete character (a lone surrogate)"):
        signed(changed)
    record = json.loads(small_tree(classes=["a", "b", "x"]).to_json())
    record["classes"]["labels"][2] = "\ud800"
    not_read(json.dumps(record), "surrogate")


DAMAGE = {
    "a key is gone": lambda c: c.pop("trace"),
    "an unknown key": lambda c: c.update(run="os.system"),
    "tree of another version": lambda c: c["tree"].update(version=99),
    "tree that is none": lambda c: c["tree"].update(left=[1, -1, 0, -1, -1]),
    "other feature names": lambda c: c["tree"].update(feature_names=["r", "s", "t"]),
    "columns of other features": lambda c: c["columns"]["columns"].pop(),
    "an unknown kind of column": lambda c: c["columns"]["columns"][0].update(kind="code"),
    "columns are a list": lambda c: c.update(columns=[]),
    "columns with more": lambda c: c["columns"].update(more=1),
    "a fingerprint that is none": lambda c: c["data"].update(fingerprint="../../etc"),
    "a class of the tree is unknown": lambda c: c["data"].update(class_names=["a", "b", "d"]),
    "a class twice": lambda c: c["data"].update(class_names=["a", "b", "c", "c"]),
    "no class": lambda c: c["data"].update(class_names=[]),
    "an image of another size": lambda c: c["data"].update(image_shape=[2, 2]),
    "an image of a negative size": lambda c: c["data"].update(image_shape=[-1, -3]),
    "half an image size": lambda c: c["data"].update(image_shape=[3]),
    "a title that is no text": lambda c: c["data"].update(title=3),
    "a target that is no text": lambda c: c["data"].update(target=["x"]),
    "parameters in parameters": lambda c: c["parameters"].update(more={"a": 1}),
    "lists in lists": lambda c: c["parameters"].update(more=[[1]]),
    "too large a number": lambda c: c["figures"].update(n=2**70),
    "very many figures": lambda c: c["figures"].update({str(i): i for i in range(2000)}),
    "a trace that is no list": lambda c: c.update(trace={}),
    "a record that is none": lambda c: c["trace"].append(3),
    "a sample of another width": lambda c: [row.append(1.0) for row in c["sample"]["X"]],
    "a sample with ragged rows": lambda c: c["sample"]["X"][0].append(1.0),
    "a sample without rows": lambda c: c["sample"].update(X=[], y=[]),
    "a sample of objects": lambda c: c["sample"].update(dtype="|O"),
    "a dtype that is no text": lambda c: c["sample"].update(dtype=["<f8"]),
    "numbers that do not fit": lambda c: c["sample"].update(dtype="|u1"),
    "a text in a sample": lambda c: c["sample"]["X"][0].__setitem__(0, "1"),
    "a class of the sample is unknown": lambda c: c["sample"]["y"].__setitem__(0, 3),
    "a negative class": lambda c: c["sample"]["y"].__setitem__(0, -1),
    "half a class": lambda c: c["sample"]["y"].__setitem__(0, 0.5),
    "a class too few": lambda c: c["sample"]["y"].pop(),
    "sample without data": lambda c: c.update(data=None),
    "very many rows": lambda c: c["sample"].update(X=c["sample"]["X"] * 10, y=c["sample"]["y"] * 10),
    "versions that are no texts": lambda c: c.update(created_by={"treecore": 1}),
}


@each("name", DAMAGE)
def test_content_that_does_not_fit_together_is_refused_whatever_its_checksum(name):
    changed = content(small_model())
    assert Model.from_json(signed(changed)) == small_model()
    DAMAGE[name](changed)
    not_read(signed(changed))


def test_a_model_that_does_not_fit_together_cannot_be_made():
    model = small_model()
    with refused(TreeFormatError, "The columns do not match the features of the tree"):
        replace(model, tree=model.tree.with_names(("r", "s", "t")))
    with refused(TreeFormatError, "The features of the data do not match the features of the tree"):
        replace(model, columns=None, data=replace(model.data, feature_names=("r", "s", "t")))


def test_the_version_is_that_of_the_project():
    text = (Path(__file__).resolve().parents[3] / "pyproject.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text)["tool"]["setuptools"]["dynamic"]["version"]["attr"] == "treecore.version.VERSION"
    assert small_model().created_by["treecore"] == VERSION
