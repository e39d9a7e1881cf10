"""Test rules: they fire for exactly the rows of their leaf, also when read as text, and hostile names are harmless."""

import csv
import io
import re
from dataclasses import replace

import numpy as np
import pandas
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_diabetes, load_iris

import treecore
from tests.each import each
from tests.refusals import refused
from tests.strategies import FINITE, MODEST, rows, small_tree, trees
from tests.treecore.rules.rule_reader import RuleReader
from treecore import C50Classifier, CARTClassifier, CARTRegressor, DataError, ParameterError, Rule, TAOClassifier, Tree
from treecore.column_groups import column_groups
from treecore.rules.rule_set import rules
from treecore.tree.condition_text import quoted
from treecore.tree.conditions import Columns, limits

TYPED_SIGNS = str.maketrans({"≥": ">=", "≤": "<=", "·": "*", "−": "-"})


def on_boundaries(tree, X):
    """Return X, and each row moved onto the threshold of each univariate split, and to either side of it."""
    out = [X]
    for node in np.flatnonzero(tree.left >= 0):
        features, weights, bias = tree.split(node)
        if features.size == 1 and weights[0]:
            below, above = limits(float(weights[0]), bias)
            for value in (below, above, np.nextafter(below, -np.inf), np.nextafter(above, np.inf)):
                if np.isfinite(value):
                    moved = X.copy()
                    moved[:, features[0]] = value
                    out.append(moved)
    return np.concatenate(out)


def assert_exact(tree, X):
    found = rules(tree)
    leaves = tree.apply(X)
    fired = np.array([rule.covers(X) for rule in found])
    assert (fired.sum(axis=0) == 1).all()
    assert np.array([rule.leaf for rule in found])[fired.argmax(axis=0)].tolist() == leaves.tolist()
    return found


def read(found, X, names):
    """Return the rule that fires for each row of X according to the text alone, or -1."""
    reader = RuleReader(names, X)
    fired = np.array([reader.holds(rule.condition_text) for rule in found])
    return np.where(fired.any(axis=0), fired.argmax(axis=0), -1)


@given(st.data())
def test_every_row_fires_the_rule_of_its_leaf(data):
    tree = data.draw(trees(data.draw(st.sampled_from([FINITE, MODEST]))))
    X = data.draw(rows(tree.n_features, data.draw(st.sampled_from([FINITE, MODEST]))))
    X = on_boundaries(tree, X)
    assert_exact(tree, X)
    assert_exact(tree, np.clip(X, -3e38, 3e38).astype(np.float32))
    found = rules(tree)
    for rule in found:
        assert rule.covers(scipy.sparse.csr_matrix(X)).tolist() == (tree.apply(X) == rule.leaf).tolist()


@given(st.data())
def test_missing_values_fire_the_rule_of_their_leaf(data):
    tree = data.draw(trees(MODEST))
    sides = data.draw(st.lists(st.booleans(), min_size=tree.n_nodes, max_size=tree.n_nodes))
    tree = replace(tree, missing_right=sides)
    assert_exact(tree, on_boundaries(tree, data.draw(rows(tree.n_features, MODEST | st.just(np.nan)))))


@given(FINITE.filter(bool), FINITE)
def test_limits_are_the_neighbours_between_which_the_side_changes(weight, bias):
    below, above = limits(weight, bias)
    assert np.nextafter(below, np.inf) == above
    for value, is_above in ((below, False), (above, True)):
        if np.isfinite(value):
            assert (bias + weight * value >= 0) == (is_above == (weight > 0))


@given(st.data())
def test_the_words_at_full_precision_are_the_tree(data):
    tree = data.draw(trees(MODEST))
    names = tuple(f"f{j}" for j in range(tree.n_features))
    tree = tree.with_names(names)
    X = on_boundaries(tree, data.draw(rows(tree.n_features)))
    found = rules(tree, precision=None)
    assert [found[i].leaf for i in read(found, X, names)] == tree.apply(X).tolist()


@given(st.data())
def test_rows_changed_by_rounding_are_those_the_words_predict_otherwise(data):
    tree = data.draw(trees(MODEST))
    names = tuple(f"f{j}" for j in range(tree.n_features))
    tree = tree.with_names(names)
    X = on_boundaries(tree, data.draw(rows(tree.n_features)))
    found = rules(tree, X, precision=data.draw(st.integers(1, 4)))
    labels = np.array([tree.labels[rule.leaf] for rule in found])[read(found, X, names)]
    assert found.n_changed == np.count_nonzero(labels != tree.labels[tree.apply(X)])
    assert (found.warning is not None) >= (found.n_changed > 0)
    assert rules(tree, X, precision=None).n_changed == 0


def chain_of(bounds, features=None, names=None, n_features=1, **changes):
    """Return a chain of splits: x >= bound goes right, to the split at the next bound."""
    m = 2 * len(bounds) + 1
    left, right = [-1] * m, [-1] * m
    for i in range(len(bounds)):
        left[2 * i], right[2 * i] = 2 * i + 1, 2 * i + 2
    labels = [i % 2 for i in range(m)]
    sizes = [1 if left[i] >= 0 else 0 for i in range(m)]
    return Tree(
        left, right, np.cumsum([0, *sizes]), features or [0] * len(bounds), [1.0] * len(bounds),
        [-bounds[i // 2] if left[i] >= 0 else 0 for i in range(m)], labels, np.ones((m, 2)), [m - i for i in range(m)],
        range(m), ["no", "yes"], n_features, names, **changes,
    )  # fmt: skip


def test_enough_digits_keep_every_prediction_also_in_long_sums(rng):
    for scale in (1e-3, 1.0, 1e5):
        X = rng.normal(size=(2000, 9)) * scale
        y = (X @ rng.normal(size=9) + 0.1 * scale * rng.normal(size=2000) > 0).astype(int)
        tree = TAOClassifier(split="oblique", init="cart", max_depth=3, lam=1.0, max_iter=3).fit(X, y).tree_
        assert max(np.diff(tree.indptr)) > 4
        assert rules(tree, X, y, precision="enough").n_changed == 0
        assert rules(tree, X, y, precision=1).n_changed > 0


def test_conditions_on_one_feature_become_an_interval():
    tree = chain_of([2.0, 1.0, 5.0, 5.5], names=["age"])
    assert [rule.condition_text for rule in rules(tree)] == [
        "age < 2", "never", "2 <= age < 5", "5 <= age < 5.5", "age >= 5.5",
    ]  # fmt: skip
    assert [rule.label for rule in rules(tree)] == ["yes", "yes", "yes", "yes", "no"]
    single = rules(tree)[3]
    assert isinstance(single, Rule)
    assert (single.leaf, single.n_rows, single.share, single.confidence) == (7, 2, 2 / 9, 0.5)
    assert str(single) == "if 5 <= age < 5.5 then yes (2 rows, 22.2 %, confidence 0.500)"


def test_a_limit_is_written_as_it_was_meant():
    closed = chain_of([np.nextafter(2.45, 3)], names=["width"])
    assert [rule.condition_text for rule in rules(closed)] == ["width <= 2.45", "width > 2.45"]
    assert [rule.condition_text for rule in rules(chain_of([0.1 + 0.2]), precision=3)] == ["x0 <= 0.3", "x0 > 0.3"]
    assert [rule.condition_text for rule in rules(chain_of([-0.0]))] == ["x0 < 0", "x0 >= 0"]


def test_rules_mention_missing_values_that_they_cover():
    sides = [True, False, False, False, False]
    tree = chain_of([2.0, 5.0], names=["age"], missing_right=sides)
    assert [rule.condition_text for rule in rules(tree)] == ["age < 2", "2 <= age < 5 (or missing)", "age >= 5"]
    found = rules(tree)
    assert found[1].texts(missed=np.array([False])) == ["2 ≤ age < 5"]
    assert found[1].texts(missed=np.array([True])) == found[1].texts() == ["2 ≤ age < 5 (or missing)"]


def test_weighted_sums_have_the_weights_of_the_tree():
    tree = small_tree(features=[0, 0, 2], weights=[1.0, -0.84, -2.0], bias=[-1.5, 0, 2.6, 0, 0])
    tree = tree.with_names(["length", "area", "width"])
    assert [rule.condition_text for rule in rules(tree, precision=2)] == [
        "length < 1.5",
        "length >= 1.5 and width > 1.3 - 0.42 * length",
        "length >= 1.5 and width <= 1.3 - 0.42 * length",
    ]
    assert "2.6 - 0.84 * length - 2 * width >= 0" in rules(tree, precision=None)[2].condition_text


@pytest.fixture
def colours(rng):
    frame = pandas.DataFrame({"size": rng.random(600), "colour": rng.choice(list("abcde"), 600)})
    y = np.where(frame["colour"].isin(["b", "d"]) & (frame["size"] > 0.3), "in", "out")
    return frame, y


@pytest.mark.parametrize(
    "model", [C50Classifier(), TAOClassifier(split="univariate", init="cart", lam=0.5), CARTClassifier()]
)
def test_categories_are_named_as_sets(colours, model):
    frame, y = colours
    model.fit(frame, y)
    X = model.encoder_.transform(model, frame)
    unseen = np.column_stack([np.linspace(0, 1, 9), np.zeros((9, 5))])
    found = assert_exact(model.tree_, np.concatenate([X, unseen]))
    assert [len(rule.conditions) <= 2 for rule in found] == [True] * len(found)
    for category in "abcdez":
        for size in (0.1, 0.9):
            row = np.array([[size] + [float(category == other) for other in "abcde"]])
            fired = [rule for rule in found if says(rule, size, category)]
            assert [rule.leaf for rule in fired] == model.tree_.apply(row).tolist()
    with_data = rules(model.tree_, X, y)
    assert [rule.conditions for rule in with_data] == [rule.conditions for rule in found]
    assert "colour =" in rules(model.tree_, groups=()).to_text()
    assert rules(model.tree_, groups=model.encoder_.groups).to_text() == found.to_text()


def says(rule, size, category):
    """Evaluate the text of a rule on `size` and `colour`."""
    for part in rule.condition_text.split(" and "):
        if part.startswith("colour"):
            values = re.fullmatch(r"colour (?:(?:not )?in \{(.*)\}|!?= (.*))", part)
            inside = category in (values[1] or values[2]).split(", ")
            if inside == part.startswith(("colour not in", "colour !=")):
                return False
        elif not RuleReader(["size"], [[size]]).holds(part)[0]:
            return False
    return True


def test_texts_contain_the_name_of_the_target():
    found = rules(small_tree(), target_name="is it so?")
    labels = [rules(small_tree())[i].label_text for i in range(len(found))]
    assert [rule.label_text for rule in found] == [f"{quoted('is it so?')} = {label}" for label in labels]
    assert found.to_text().count(' then "is it so?" = ') == len(found)
    numbers = rules(CARTRegressor(max_depth=1).fit([[0.0], [1.0]] * 9, [1.0, 2.5] * 9), target_name="price")
    assert [rule.label_text for rule in numbers] == ["price = 1", "price = 2.5"]


def test_names_that_look_like_categories_of_numbers_are_left_alone(rng):
    tree = chain_of([0.5, 0.5], features=[0, 1], names=["a = b", "a = c"], n_features=2)
    assert [rule.condition_text for rule in rules(tree)] == ["a != b", "a = b", "never"]
    X = rng.random((50, 2))
    assert [rule.condition_text for rule in rules(tree, X)] == [
        '"a = b" < 0.5',
        '"a = b" >= 0.5 and "a = c" < 0.5',
        '"a = b" >= 0.5 and "a = c" >= 0.5',
    ]
    assert column_groups(["a = b", "a = b", "c", "d = e", "f = g = h", "f = g = i"]) == [range(4, 6)]


def test_figures_of_given_rows(bundled):
    X, y = bundled("iris")
    tree = CARTClassifier().fit(X[::2], y[::2]).tree_
    leaves = tree.apply(X)
    for rule in rules(tree, X, y):
        here = y[leaves == rule.leaf]
        assert (rule.n_rows, rule.share) == (here.size, here.size / 150)
        assert rule.class_counts == tuple(np.bincount(here, minlength=3))
        assert rule.confidence == pytest.approx(np.mean(here == rule.label))
    for rule in rules(tree):
        assert (rule.n_rows, rule.class_counts) == (tree.n_samples[rule.leaf], tuple(tree.values[rule.leaf]))
    unknown = rules(tree, X[:2], [7, 0])
    assert [rule.confidence for rule in unknown if rule.n_rows] == [0.5]


def test_rules_of_a_regression_tree_predict_numbers():
    X, y = load_diabetes(return_X_y=True)
    tree = CARTRegressor().fit(X, y).tree_
    found = assert_exact(tree, X)
    assert [rule.label for rule in found] == [tree.values[rule.leaf, 1] for rule in found]
    assert {rule.confidence for rule in found} == {rule.class_counts for rule in found} == {None}
    assert "confidence" not in found.to_text() + found.to_markdown()
    given, leaves = rules(tree, X, y), tree.apply(X)
    assert [rule.deviation for rule in given] == pytest.approx([y[leaves == rule.leaf].std() for rule in given])
    assert [rule.deviation for rule in found] == pytest.approx([rule.deviation for rule in given])
    assert f"deviation {found[0].deviation:.4g}" in str(found[0])
    assert [rule.deviation for rule in rules(tree, X[:1], y[:1]) if not rule.n_rows][0] is None
    with pytest.raises(DataError, match="could not convert"):
        rules(tree, X[:1], ["much"])
    assert list(csv.reader(io.StringIO(found.to_csv())))[1][2] == repr(found[0].label)


def test_a_lopsided_tree_has_an_else_if_form():
    tree = chain_of([2.0, 1.0, 5.0], names=["age"])
    assert (
        rules(tree).to_else_if() == "IF age < 2 THEN yes\nELSE IF age < 1 THEN yes\nELSE IF age < 5 THEN yes\nELSE no\n"
    )
    assert [rule.leaf for _, rule in rules(tree).chain] == [1, 3, 5, 6]
    single = Tree([-1], [-1], [0, 0], [], [], [0], [0], [[3.0]], [3], [0], ["only"], 2)
    assert rules(single).to_else_if() == "only\n"
    assert rules(single).to_text() == "if always then only (3 rows, 100.0 %, confidence 1.000)\n"


def test_the_else_if_form_takes_the_leaf_on_either_side(bundled):
    X, y = bundled("iris")
    tree = TAOClassifier(split="bivariate", init="cart", lam=3.0).fit(X, y).tree_
    found = rules(tree)
    assert found.is_lopsided
    undecided, predicted = np.ones(150, bool), np.full(150, -1)
    for conditions, rule in found.chain:
        here = undecided & np.logical_and.reduce([part.covers(Columns(X)) for part in conditions], initial=True)
        predicted[here] = rule.label
        undecided &= ~here
    assert predicted.tolist() == tree.predict(X).tolist()


def test_a_bushy_tree_has_no_else_if_form():
    tree = Tree([1, 3, 5, -1, -1, -1, -1], [2, 4, 6, -1, -1, -1, -1], [0, 1, 2, 3, 3, 3, 3, 3], [0, 0, 0], [1.0] * 3,
                [0.0, 1, -1, 0, 0, 0, 0], [0] * 7, np.ones((7, 1)), [1] * 7, range(7), ["a"], 1)  # fmt: skip
    assert not rules(tree).is_lopsided
    with refused(
        DataError, "These 4 rules have no IF, ELSE IF form, because a decision node of the tree has no leaf as a child"
    ):
        rules(tree).to_else_if()


HOSTILE = [
    "=cmd()|'/c'", "a|b", "<script>alert(1)</script>", "line\nbreak", "100 % & $x_1$ \\input{x}", "", "a and b <= 3",
    '"', "\u202eevil", "x\x00y", "\ud800", "-1", "{x}", "[link](http://x)", "`code`", "# title", "or",
    "=cmd|' /C calc'!A0", "'; DROP TABLE x; --", '"""', "*/", "${x}", "\\", " ", "\u3000", "x" * 300, "@SUM(1)",
    "+1+1", "\t=1+1",
]  # fmt: skip


@each("name", HOSTILE)
def test_hostile_names_stay_names_in_every_form(name):
    tree = chain_of([2.0], names=[name])
    tree = replace(tree, classes=[name, "other"])
    found = rules(tree)
    text = found.to_text()
    assert len(text.splitlines()) == 2
    assert text.isprintable() or set(text) - {"\n"} == {c for c in text if c.isprintable()}
    assert len(found.to_else_if().splitlines()) == 2
    table = list(csv.reader(io.StringIO(found.to_csv())))
    assert {len(row) for row in table} == {8}
    assert not [cell for row in table for cell in row if cell[:1] in ("=", "@")]
    for line in found.to_markdown().splitlines():
        assert line.replace("\\|", "").count("|") == 6
        assert "<script" not in line
        assert "[link](" not in line
    latex = found.to_latex()
    assert "\\input" not in latex
    assert latex.count("\\\\\n") == 3
    for whole in (text, found.to_csv(), found.to_markdown(), latex):
        whole.encode("utf-8")
        assert "\u202e" not in whole
        assert "\x00" not in whole


def test_names_that_could_be_misread_are_quoted():
    for name, shown in [("a and b", '"a and b"'), ("x <= 1", '"x <= 1"'), ("petal width (cm)", "petal width (cm)")]:
        assert rules(chain_of([2.0], names=[name]))[0].condition_text == f"{shown} < 2"


def test_tables_have_every_rule():
    tree = CARTClassifier().fit(*load_iris(return_X_y=True)).tree_
    found = rules(tree, precision=3)
    table = list(csv.reader(io.StringIO(found.to_csv())))
    assert table[0] == ["leaf", "if", "then", "rows", "share %", "confidence", "count of 0", "count of 1", "count of 2"]
    assert [row[1] for row in table[1:]] == [rule.condition_text for rule in found]
    assert len(found.to_markdown().splitlines()) == 2 + len(found)
    assert r"$\geq$" in found.to_latex()


def test_rounding_that_breaks_something_warns():
    tree = chain_of([2.001, 2.002], names=["age"])
    found = rules(tree, [[2.0015], [3.0]], precision=2)
    assert (found.n_changed, found.n_rows, found.is_lopsided) == (1, 2, True)
    assert "the two limits of leaf 2 of 3 are equal" in found.warning
    assert found.to_csv().splitlines()[1].startswith("leaf 1 of 3,")
    assert "predict 1 of 2 rows differently" in found.warning
    assert found.warning in found.to_text()
    assert rules(tree, [[2.0015]], precision=4).warning is None


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({"precision": 0}, ParameterError, "precision=0: expected a whole number >="),
        ({"precision": 2.5}, ParameterError, "precision=2.5: expected a whole number >="),
        ({"y": [1]}, DataError, "y was passed without X"),
        ({"X": [[1.0, 2.0]]}, DataError, "X has 2 features, but the tree was trained on"),
        ({"X": [[np.nan]]}, DataError, "X contains NaN or infinite values"),
        ({"X": [[1.0]], "y": [1, 2]}, DataError, "y has shape (2,), but X has … rows"),
        ({"groups": [range(0, 3)]}, DataError, "groups contains …, but the tree has … features"),
    ],
)
def test_bad_arguments_are_named(arguments, kind, message):
    with refused(kind, message):
        rules(chain_of([1.0]), **arguments)


def test_the_module_keeps_its_name():
    assert treecore.rules.rules is rules
    assert treecore.rules(chain_of([1.0])) == rules(chain_of([1.0]))
    with refused(DataError, "X has … features, but the tree was trained on"):
        rules(chain_of([1.0]))[0].covers([[1.0, 2.0]])


def test_the_conditions_and_errors_of_a_rule():
    X, y = load_iris(return_X_y=True)
    for split in ("univariate", "oblique"):
        tree = TAOClassifier(split=split, lam=0.3, max_depth=3, random_state=0).fit(X, y).tree_
        tree = tree.with_names(["a", "b", "c", "d"])
        for rule in rules(tree, X, y):
            path = tree.parents[rule.leaf]
            nodes = []
            while path >= 0:
                nodes.append(path)
                path = tree.parents[path]
            asked = {tree.feature_name(j) for node in nodes for j in tree.split(node)[0]}
            assert set(rule.features_used) == asked
            assert all(tree.feature_name(j) == name for name, (j,) in rule.features_used.items())
            assert rule.n_errors == np.count_nonzero(y[tree.apply(X) == rule.leaf] != rule.label)
            typed = [text.translate(TYPED_SIGNS) for text in rule.texts()]
            assert " and ".join(typed) == rule.condition_text or rule.condition_text == "always"
            shown = [text.count("·") for text in rule.texts(1)]
            assert max(shown, default=0) <= 1


def test_a_column_of_categories_is_asked_for_by_its_name():
    names = ("size", "colour = red", "colour = blue", "colour = green")
    X = np.array([[i % 7, *np.eye(3)[i % 3]] for i in range(42)])
    tree = CARTClassifier(random_state=0).fit(X, ((X[:, 1] > 0) ^ (X[:, 0] > 3)).astype(int)).tree_.with_names(names)
    used = [rule.features_used for rule in rules(tree, X)]
    assert set().union(*used) == {"size", "colour"}
    assert all(set(one["colour"]) <= {1, 2, 3} for one in used if "colour" in one)


def test_counts_are_of_the_rows_that_they_name():
    X, y = load_iris(return_X_y=True)
    tree = TAOClassifier("univariate", lam=1.0, max_depth=3, random_state=0).fit(X[::2], y[::2]).tree_
    some = np.arange(0, 150, 7)
    found, alone, whole = (
        rules(tree, X, y, 2, counted=some, rows_name="test rows"),
        rules(tree, X[some], y[some]),
        rules(tree, X, y, 2),
    )
    assert [(rule.n_rows, rule.share, rule.confidence, rule.class_counts) for rule in found] == [
        (rule.n_rows, rule.share, rule.confidence, rule.class_counts) for rule in alone
    ]
    assert [rule.condition_text for rule in found] == [rule.condition_text for rule in whole]
    assert (found.n_rows, found.n_changed, found.warning) == (some.size, whole.n_changed, whole.warning)
    assert found.to_csv().splitlines()[0].split(",")[3] == "test rows"
    assert f"({alone[0].n_rows} test rows, " in found.to_text()
    assert replace(found[0], n_rows=1).of_rows == "test row"


@pytest.mark.parametrize("unseen", ["c", np.nan])
def test_rows_of_a_class_that_training_did_not_have_are_counted(unseen):
    X, y = np.arange(40.0)[:, None], np.repeat(["a", "b"], 20)
    tree = CARTClassifier().fit(X, y).tree_
    y = y.astype(object)
    y[[3, 5, 30]] = unseen
    found = rules(tree, X, y)
    assert [rule.class_counts for rule in found] == [(18, 0, 2), (0, 19, 1)]
    assert [(rule.n_rows, rule.n_errors) for rule in found] == [(20, 2), (20, 1)]
    assert found.classes[:2] == ("a", "b")
    assert found.classes[2:] == (("c",) if unseen == "c" else (None,))
    header = found.to_csv().splitlines()[0].split(",")
    assert [title.split()[-1] for title in header[-2:]] == ["b", str(found.classes[2])]
    assert rules(tree).classes == ("a", "b")
