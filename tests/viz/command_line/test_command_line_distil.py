"""Test `treecore distil`: fidelity, classes and columns of the model, and files that are refused."""

import json
import pickle
import sys

import numpy as np
import pandas
import pytest
import sklearn.datasets
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.preprocessing import FunctionTransformer

import sample_data
from treecore import Model
from viz.command_line import main

skops_io = pytest.importorskip("skops.io")
TRUST = ["--trust", "sklearn.tree._tree.Tree"]


@pytest.fixture
def forest(tmp_path):
    data = sample_data.load("iris")
    file = tmp_path / "forest.skops"
    skops_io.dump(RandomForestClassifier(20, random_state=0).fit(data.X, data.labels()), file)
    return file


def test_a_forest_on_a_bundled_data_set(forest, tmp_path, capsys):
    out = tmp_path / "tree.json"
    assert main(["distil", str(forest), "iris", *TRUST, "--json", "--out", str(out)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["fidelity"] > 0.85
    assert found["n_test"] == 30
    assert 0 <= found["model_error"] <= found["test_error"] + 0.1
    model = Model.from_json(out.read_text(encoding="utf-8"))
    data = sample_data.load("iris")
    assert (model.tree.predict(data.X) == data.labels()).mean() > 0.85
    assert model.tree.feature_names == data.feature_names


def test_a_table_with_the_columns_of_the_model(tmp_path, capsys):
    X, y = sklearn.datasets.load_diabetes(return_X_y=True, as_frame=True)
    file, table = tmp_path / "forest.skops", tmp_path / "data.csv"
    columns = ["bmi", "s5", "bp"]
    skops_io.dump(RandomForestRegressor(10, random_state=0).fit(X[columns], y), file)
    X.assign(target=y).to_csv(table, index=False)
    command = ["distil", str(file), str(table), "--target", "target", "--regression", "--json", *TRUST]
    assert main(command) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["fidelity"] > 0.5
    X.drop(columns="s5").assign(target=y).to_csv(table, index=False)
    assert main(command) == 2
    assert "'s5'" in capsys.readouterr().err


def test_numbers_of_classes_are_their_names(tmp_path, capsys):
    data = sample_data.load("iris")
    file = tmp_path / "codes.skops"
    skops_io.dump(RandomForestClassifier(20, random_state=0).fit(data.X, data.y), file)
    assert main(["distil", str(file), "iris", "--json", *TRUST, "--weighting", "margin"]) == 0
    assert json.loads(capsys.readouterr().out)["model_error"] < 0.1
    skops_io.dump(RandomForestClassifier(20, random_state=0).fit(data.X, data.y + 7), file)
    assert main(["distil", str(file), "iris", "--json", *TRUST]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["model_error"] is None
    assert "not those of the target" in captured.err


def test_pickles_and_damaged_files_are_refused(forest, tmp_path, capsys):
    file = tmp_path / "model.pkl"
    file.write_bytes(pickle.dumps(RandomForestClassifier()))
    broken = tmp_path / "broken.skops"
    broken.write_bytes(forest.read_bytes()[:2000])
    for name, words in ((file, "Pickles are not read"), (broken, "not a readable skops file"),
                        (tmp_path / "none.skops", "none.skops")):  # fmt: skip
        assert main(["distil", str(name), "iris"]) == 2
        assert words in capsys.readouterr().err
    assert main(["distil", str(forest), "iris", "--test", "0", *TRUST]) == 2
    assert "--test" in capsys.readouterr().err


def test_types_that_skops_does_not_trust_need_consent(forest, tmp_path, capsys):
    assert main(["distil", str(forest), "iris"]) == 2
    assert "pass --trust sklearn.tree._tree.Tree" in capsys.readouterr().err
    file = tmp_path / "function.skops"
    skops_io.dump(FunctionTransformer(pandas.read_pickle).fit(np.zeros((3, 1))), file)
    assert main(["distil", str(file), "iris", *TRUST]) == 2
    assert "does not trust" in capsys.readouterr().err
    assert main(["distil", str(file), "iris", "--trust", "pandas.io.pickle.read_pickle"]) == 2
    assert "expected types of scikit-learn" in capsys.readouterr().err


def test_without_skops_the_error_names_it(forest, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "skops", None)
    monkeypatch.setitem(sys.modules, "skops.io", None)
    assert main(["distil", str(forest), "iris"]) == 2
    assert "pip install skops" in capsys.readouterr().err
