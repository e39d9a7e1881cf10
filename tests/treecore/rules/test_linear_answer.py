"""Test that the text of rules for linear leaves, when evaluated, gives the same predictions as the tree."""

import re

import numpy as np
import pytest

from treecore import TAOClassifier, TAORegressor
from treecore.rules import rules
from treecore.tree.conditions import Columns


def said(text, row):
    """Return the prediction for a row {name: value} from the text of a linear leaf."""
    if found := re.fullmatch(r"the class with the largest sum \((.*)\)", text):
        sums = dict(one.split(": ") for one in found[1].split("; "))
        return max(sums, key=lambda label: eval(sums[label], {}, row))
    if found := re.fullmatch(r"(\w+) if (.*) else (\w+)", text):
        return found[1] if eval(found[2], {}, row) else found[3]
    return text if text in ("low", "middle", "high") else eval(text, {}, row)


def fitted(kind):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 3)) * [1, 100, 0.01] + [0, 1000, 0]
    score = np.where(X[:, 0] > 0, (X[:, 1] - 1000) / 100, X[:, 2] * 100)
    settings = {"lam": 0.5, "max_iter": 4, "leaf": "linear", "random_state": 0}
    if kind == "numbers":
        model = TAORegressor("univariate", init="cart", max_depth=1, **settings).fit(X, 50 * score)
        return model.tree_.with_names(["a", "b", "c"]), X, 50 * score
    names = np.array(["low", "high"] if kind == "two" else ["low", "middle", "high"])
    y = names[np.digitize(score, [0] if kind == "two" else [-0.5, 0.5])]
    model = TAOClassifier(max_depth=1, **settings | ({"lam": 1e3} if kind == "one leaf" else {}))
    return model.fit(X, y).tree_.with_names(["a", "b", "c"]), X, y


@pytest.mark.parametrize("precision", [None, "enough"])
@pytest.mark.parametrize("kind", ["two", "three", "numbers", "one leaf"])
def test_the_words_say_what_the_tree_predicts(kind, precision):
    tree, X, y = fitted(kind)
    found = rules(tree, X, y, precision)
    predicted = tree.predict(X)
    wrong = 0
    for rule in found:
        covered = rule.covers(X)
        rows = [dict(zip("abc", x, strict=True)) for x in X[covered].tolist()]
        texts = [said(rule.label_text, row) for row in rows]
        if kind == "numbers":
            most = 1e-9 if precision is None else 0.02 * y.std()
            np.testing.assert_allclose(texts, predicted[covered], atol=most)
            assert rule.deviation == pytest.approx(np.sqrt(np.mean((predicted - y)[covered] ** 2)))
        else:
            wrong += np.count_nonzero(texts != predicted[covered])
            assert rule.confidence == pytest.approx(np.mean((predicted == y)[covered]))
        assert rule.label_text in str(rule)
        assert rule.label_text in found.to_else_if()
    assert wrong == 0
    assert str(found[0].label) in found.to_csv().replace('""', '"')


@pytest.mark.parametrize("kind", ["two", "numbers"])
def test_figures_without_rows_are_those_of_training(kind):
    tree, X, y = fitted(kind)
    for stored, counted in zip(rules(tree), rules(tree, X, y), strict=True):
        assert stored.confidence == pytest.approx(counted.confidence)
        assert stored.deviation == pytest.approx(counted.deviation)
        assert stored.class_counts == counted.class_counts


def test_changes_by_rounding_are_counted():
    tree, X, y = fitted("two")
    found = rules(tree, X, y, 1)
    changed = 0
    for x, predicted in zip(X, tree.predict(X), strict=True):
        columns = Columns(x[None])
        (rule,) = (one for one in found if all(part.rounded(1).covers(columns)[0] for part in one.conditions))
        changed += said(rule.label_text, dict(zip("abc", x.tolist(), strict=True))) != predicted
    assert found.n_changed == changed > 0
    assert f"{changed} of 200" in found.warning
