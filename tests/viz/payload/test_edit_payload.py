"""Test the payload of the stage in the editor: every feature, all training rows, the size of the penalty."""

import json
import zlib

import numpy as np

import sample_data
from pages.jobs.point import Point
from treecore import TAOClassifier
from treecore.training.reoptimise import tree_record
from viz.payload import edit_payload as module
from viz.payload import stage_payload
from viz.payload.edit_payload import edit_payload


def header_of(content):
    block = zlib.decompress(content)
    length = int.from_bytes(block[:4], "little")
    return json.loads(block[4 : 4 + length])


def tree_and_rows(name="breast-cancer", **parameters):
    data = sample_data.load(name)
    rows = sample_data.split_rows(data, 0)
    estimator = TAOClassifier(**({"lam": 2.0, "init": "random", "max_depth": 3, "random_state": 0} | parameters))
    X, y = data.X[rows[0]], data.labels()[rows[0]]
    return data, rows, estimator.fit(X, y).tree_, X, y, estimator


def test_all_features_and_rows_are_there_and_the_objective_can_be_worked_out():
    data, rows, tree, X, y, estimator = tree_and_rows()
    content, whole = edit_payload(Point(0, 2.0, tree, {}), data, rows, split="oblique", cost=1.25, scale="standard")
    header = header_of(content)
    assert whole
    assert header["edit"]["whole"] is True
    assert len(header["features"]) == data.X.shape[1]
    assert header["arrays"]["sample_rows"][2] == data.n_rows
    width = np.array(header["edit"]["penalty"]["width"])
    penalty = np.abs(tree.weights * width[tree.features]).sum()
    errors = np.count_nonzero(tree.predict(X) != y)
    record = tree_record(tree, X, y, estimator)
    np.testing.assert_allclose(errors + header["edit"]["lam"] * penalty, record.objective, rtol=1e-9)


def test_large_data_are_sampled_and_marked_as_a_sample(monkeypatch):
    data, rows, tree, *_ = tree_and_rows(split="bivariate", init="cart")
    monkeypatch.setattr(module, "MOST_ROWS", 100)
    monkeypatch.setattr(stage_payload, "MAX_SAMPLE_ROWS", 150)
    header = header_of(
        edit_payload(Point(0, 2.0, tree, {}), data, rows, split="bivariate", cost=1.25, scale="standard")[0]
    )
    penalty = {"width": None, "cost": 1.25, "most": 2, "column": None}
    assert header["edit"] == {"whole": False, "lam": 2.0, "penalty": penalty}
    monkeypatch.setattr(module, "MOST_ROWS", 400)  # enough for all training rows, but not for all test rows
    content, whole = edit_payload(Point(0, 2.0, tree, {}), data, rows, split="bivariate", cost=1.25, scale="standard")
    assert not whole  # the page shows the metrics
    assert header_of(content)["edit"]["whole"] is True  # the objective depends on the training rows only
    assert header_of(content)["arrays"]["sample_rows"][2] == 400
