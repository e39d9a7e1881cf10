"""Test metrics by class, curves and thresholds against scikit-learn's and against rows counted one by one."""

import numpy as np
import pandas
import pytest
from sklearn import metrics

import sample_data
from tests.refusals import refused
from treecore import DataError, ParameterError, TAOClassifier, TAORegressor
from treecore.export import FORMATS
from treecore.model.model import Model
from treecore.rules.rule_set import rules
from treecore.tables.class_figures import class_figures
from treecore.tables.prediction_figures import prediction_figures
from treecore.tables.threshold import leaf_shares, with_threshold
from treecore.tables.threshold_curve import threshold_curve

WINE = sample_data.load("wine")


@pytest.fixture(scope="module")
def model():
    tree = TAOClassifier("univariate", lam=2.0, max_depth=4, random_state=0).fit(WINE.X[::2], WINE.labels()[::2]).tree_
    return Model.of(tree, WINE)


@pytest.fixture(scope="module")
def table():
    return pandas.DataFrame(WINE.X, columns=list(WINE.feature_names))


def test_figures_by_class_are_those_of_scikit_learn(model, table):
    found, labels = model.predict_table(table), WINE.labels()
    compared = prediction_figures(found, pandas.Series(labels))
    rows = class_figures(found, compared)
    names = [row.name for row in rows]
    wanted = metrics.precision_recall_fscore_support(labels, found.prediction.astype(str), labels=names)
    for code, row in enumerate(rows):
        assert (row.precision, row.recall, row.f1, row.n) == pytest.approx([column[code] for column in wanted])
        is_positive, shares = labels == row.name, found.probabilities[:, code]
        assert row.auc == pytest.approx(metrics.roc_auc_score(is_positive, shares))
        assert row.average_precision == pytest.approx(metrics.average_precision_score(is_positive, shares))
        assert row.n_predicted == np.count_nonzero(found.prediction == row.name)


def test_a_class_without_rows_or_predictions_has_no_metric(model, table):
    one = WINE.labels() == WINE.class_names[0]
    found = model.predict_table(table[one])
    truth = pandas.Series([WINE.class_names[0]] * (one.sum() - 1) + ["a stranger"])
    first, *others, stranger = class_figures(found, prediction_figures(found, truth))
    assert first.n == one.sum() - 1
    assert all(np.isnan([row.recall, row.auc, row.average_precision]).all() for row in others)
    assert (stranger.n, stranger.n_predicted) == (1, 0)
    assert np.isnan(stranger.precision)
    assert stranger.recall == stranger.f1 == 0
    numbers = TAORegressor(max_depth=1, random_state=0).fit(WINE.X[:, :1], WINE.X[:, 1]).tree_
    found = Model.of(numbers.with_names(("a",))).predict_table(pandas.DataFrame({"a": [1.0, 2.0]}))
    assert class_figures(found, prediction_figures(found, pandas.Series([1.0, 2.0]))) == []


@pytest.mark.parametrize("code", range(3))
def test_every_threshold_flags_what_it_says(model, table, code):
    label, is_positive = WINE.class_names[code], WINE.labels() == WINE.class_names[code]
    shares = model.predict_table(table).probabilities[:, code]
    curve = threshold_curve(shares, is_positive, leaf_shares(model.tree, label))
    for share in (*np.linspace(0, 1, 7), *leaf_shares(model.tree, label)):
        flagged, place = shares >= share, curve.place(share)
        assert curve.n_flagged[place] == flagged.sum()
        assert curve.n_found[place] == (flagged & is_positive).sum()
        wrong, missed = (flagged & ~is_positive).sum(), (~flagged & is_positive).sum()
        assert curve.costs(2, 30)[place] == 2 * wrong + 30 * missed
        assert with_threshold(model.tree, label, share).predict(WINE.X).tolist() == [
            label if is_flagged else other for is_flagged, other in zip(flagged, without(model.tree, code), strict=True)
        ]
    false_alarms, recall, _ = metrics.roc_curve(is_positive, shares, drop_intermediate=False)
    assert (
        pytest.approx(np.unique([false_alarms, recall], axis=1).T)
        == np.unique([curve.false_alarms, curve.recall], axis=1).T
    )
    assert np.isnan(curve.precision[0])
    assert curve.n_flagged[0] == 0


def without(tree, code):
    """Return the predictions of a tree that cannot predict one of its classes."""
    shares = tree.predict_proba(WINE.X)
    shares[:, code] = -1
    return tree.classes[shares.argmax(axis=1)].tolist()


def test_rules_and_code_predict_by_the_threshold(model):
    label = WINE.class_names[1]
    tree = with_threshold(model.tree, label, 0.01)
    assert (tree.predict(WINE.X) == label).sum() > (model.tree.predict(WINE.X) == label).sum()
    assert (
        sum(rule.n_rows for rule in rules(tree, WINE.X) if rule.label == label) == (tree.predict(WINE.X) == label).sum()
    )
    scope = {}
    exec(FORMATS["python"](tree), scope)
    assert [scope["predict"](x) for x in WINE.X[::20].tolist()] == tree.predict(WINE.X[::20]).tolist()
    assert Model.from_json(Model.of(tree, WINE).to_json()).tree == tree


def test_thresholds_that_cannot_be_are_refused(model):
    for share in (-0.1, 1.5, np.nan, "half"):
        with refused(ParameterError, "share=…: expected a class share from 0 to 1"):
            with_threshold(model.tree, WINE.class_names[0], share)
    with refused(DataError, "label=…: expected a class of the tree"):
        with_threshold(model.tree, "beer", 0.5)
    numbers = TAORegressor(max_depth=1, random_state=0).fit(WINE.X[:, :1], WINE.X[:, 1]).tree_
    with pytest.raises(DataError):
        with_threshold(numbers, "beer", 0.5)
