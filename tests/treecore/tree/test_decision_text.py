"""Test conditions as text: few digits send every known row like the tree, and the browser writes the same text."""

import base64
import re
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.grown_trees import grown_tree, noisy_table
from sample_data import DataSet
from tests.customers import customer_trees, customers
from tests.in_node import in_node
from tests.refusals import refused
from tests.viz.cases import ODD_NAMES
from treecore import TAOClassifier, Tree
from treecore.errors import RuleError
from treecore.ordered_levels import levels_of, ordered_name
from treecore.rules.rule_set import rules
from treecore.rules.typed_split import typed_split
from treecore.tree.category_columns import Category, CategoryColumns, decision_words
from treecore.tree.condition_text import TYPED, TYPESET, margin_text, pixel_sum, visible
from treecore.tree.conditions import DIFFERENCE, Columns, Interval, Linear, side
from treecore.tree.decision_digits import decision_digits
from treecore.tree.feature_statistics import MARGIN_WORDS, feature_deviation, margin_units
from treecore.tree.number_text import count, decimals, number, percent, signed, significant
from treecore.tree.text_tree import node_names
from viz.nodes.category_columns import category_columns
from viz.payload.stage_payload import stage_payload

RIGHT_TO_LEFT = "רוחב"
NAMES = (*ODD_NAMES[:6], RIGHT_TO_LEFT, "a and b", 'the "width"', "0.5 * x", "petal width (cm)", "مرحبا 2")
COLOURS = ("red", "deep, blue", RIGHT_TO_LEFT, "a and b")
CATEGORIES = ("width", *(f"colour = {colour}" for colour in COLOURS), "size = 1", "size = 2")
CITIES = tuple(f"city = {name}" for name in ('> 200 "DM"', "a,b", "in {x} and y", *(f"town {i}" for i in range(9))))


def table(n_features, seed, kind):
    """Return noisy clusters with unusual feature names: decimals, single precision, or missing values."""
    data = noisy_table(600, n_features, 4, seed)
    X = data.X * (10.0 ** (np.arange(n_features) % 5 - 2)) if kind == "scales" else data.X
    if kind == "single":
        X = (X / 3).astype(np.float32)
    return replace(data, X=X, feature_names=NAMES[:n_features])


def trees():
    """{name: (Tree, data)}."""
    found = {}
    for n, (kind, size) in enumerate((kind, size) for kind in ("plain", "scales", "single") for size in (1, 2, 3, 6)):
        data = table(8, n, kind)
        found[f"{kind} {size}"] = grown_tree(data, 41, size), data
    data = table(12, 5, "plain")
    X = data.X.copy()
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    for split in ("univariate", "bivariate"):
        model = TAOClassifier(split=split, init="cart", missing="learn", lam=1.0, max_depth=4, random_state=0)
        found[f"missing {split}"] = model.fit(X, data.y).tree_, replace(data, X=X)
    data = table(7, 6, "plain")
    kind = np.random.default_rng(1).integers(0, 7, (2, 600))  # values of both columns, some without a feature
    X = np.column_stack([data.X[:, 0], *(kind[0] == k for k in range(4)), *(kind[1] == k for k in range(2))])
    labels = (kind[0] % 3 + 2 * (kind[1] == 1)) % data.n_classes
    data = replace(data, X=X.astype(float), y=labels, feature_names=CATEGORIES)
    for size in (1, 2, 3):
        found[f"categories {size}"] = grown_tree(data, 21, size), data
    at = np.random.default_rng(2).integers(0, 12, 600)
    data = replace(data, X=np.eye(12)[at], y=np.isin(at, (0, 1, 3, 4, 5, 6)) * 1, feature_names=CITIES)
    for n, features in enumerate(([0, 1, 2], [1, 3, 5, 7, 9, 11], range(1, 10))):
        found[f"cities {n}"] = one_decision(data, features), data
    levels = ("small", "very large", RIGHT_TO_LEFT, "a and b", "huge")
    X = np.column_stack([kind[0] % 5, data.X[:, 0], kind[1] % 2])
    names = (ordered_name("the size", levels), "width", ordered_name("or not", ("no", "yes")))
    data = replace(data, X=X.astype(float), y=(kind[0] % 5 > 1) * 1 + (X[:, 1] > 0), feature_names=names)
    for size in (1, 2, 3):
        found[f"levels {size}"] = grown_tree(data, 21, size), data
    answers = ("no", "a little", "some (weekly)", "a lot")
    X = np.random.default_rng(4).integers(0, 4, (600, 2)).astype(float)
    names = tuple(ordered_name(name, answers) for name in ("I like it", "it is cheap"))
    for case, weights, bias in (("difference", [1.0, -1.0], -0.5), ("sum", [1.0, 2.0], -3.5)):
        labels = (X @ weights + bias >= 0).astype(np.int64)
        data = DataSet("answers", "Answers", X, labels, names, ("a", "b"))
        found[f"answers {case}"] = replace(one_decision(data, [0, 1]), weights=weights, bias=[bias, 0, 0]), data
    found |= customer_trees()
    data = customers()
    data = replace(data, y=(data.X[:, 3] > 15_000 + 50 * data.X[:, 5]).astype(np.int64))  # date and number
    model = TAOClassifier(split="bivariate", init="bivariate_cart", lam=0.5, max_depth=4, random_state=0)
    found["customers date and sum"] = model.fit(data.X, data.y).tree_, data
    for target in PAIRS:
        found[f"pairs {target}"] = pair_tree(target)
    for case in RATIOS:
        found[f"ratio {case}"] = ratio_tree(case)
    data = table(2, 3, "plain")
    tree = grown_tree(data, 9, 2)
    far = replace(tree, weights=tree.weights * 1e-300, bias=np.full(tree.n_nodes, 1e300))  # every row goes the same way
    found["far"] = replace(far, weights=np.where(tree.weights > 0, 5e-324, -5e-324)), data
    found["constant"] = replace(tree, bias=np.full(tree.n_nodes, -0.0)), data
    return found


PAIRS = ("dates", "hours", "lengths", "far apart", "other units")
PAIR_NAMES = (
    "begin (days since 1970)", "end (days since 1970)", "length (cm)", "the width (cm)", "weight (kg)",
    "paid (days since 1970)",
)  # fmt: skip


def pair_tree(target):
    """Return (bivariate tree, data) with classes that depend on the difference of two columns."""
    rng = np.random.default_rng(PAIRS.index(target))
    begin = rng.integers(19_000, 19_400, 600)
    length = np.round(rng.uniform(1, 9, 600), 1)
    columns = [
        begin, begin + rng.integers(-3, 9, 600), length, np.round(length - rng.normal(1, 1, 600), 1),
        np.round(rng.uniform(1, 9, 600), 1), begin + np.round(rng.uniform(0, 5, 600), 1),
    ]  # fmt: skip
    X = np.column_stack(columns).astype(float)
    first, second, bound = {
        "dates": (0, 1, 3.5), "hours": (0, 5, 2.25), "lengths": (2, 3, 1.25), "far apart": (2, 3, -1.85),
        "other units": (2, 4, 0.05),
    }[target]  # fmt: skip
    y = (X[:, second] - X[:, first] if target in ("dates", "hours") else X[:, first] - X[:, second]) > bound
    classes = ("early", "late")
    data = DataSet("pairs", "Pairs", X, y.astype(np.int64), PAIR_NAMES, classes)
    model = TAOClassifier(split="bivariate", init="bivariate_cart", lam=0.5, max_depth=2, random_state=0)
    return model.fit(data.X, data.y).tree_, data


@pytest.mark.parametrize(
    ("target", "text", "branch"),
    [
        ("dates", r"end − begin [≥≤<>] \d days", r"[≥≤<>] \d days"),
        ("hours", r"paid − begin [≥≤<>] 2\.\d+ days", r"[≥≤<>] 2\.\d+ days"),
        ("lengths", r"length \(cm\) − the width \(cm\) [≥≤<>] 1\.\d+", r"[≥≤<>] 1\.\d+"),
    ],
)
def test_two_columns_of_one_kind_are_a_difference(cases, target, text, branch):
    tree, data = cases[f"pairs {target}"]
    columns, named = category_columns(data), tree.with_names(data.feature_names)
    digits = int(decision_digits(tree, data.X, columns=columns)[0])
    right = tree.margins(data.X, 0) >= 0
    for is_right in (True, False):
        told = columns.combine(side(named, 0, is_right, digits)).rounded("enough")
        assert re.fullmatch(text, told.text(TYPESET))
        assert all(re.fullmatch(branch, one) for one in told.words(TYPESET)[1:])
        np.testing.assert_array_equal(told.covers(Columns(data.X)), right == is_right)
        features, weights, bias = typed_split(f"{told.text(TYPED)} go right", named.feature_names, X=data.X)[:3]
        np.testing.assert_array_equal(data.X[:, features] @ weights + bias >= 0, right == is_right)


def test_columns_of_other_units_are_no_difference(cases):
    tree, data = cases["pairs other units"]
    columns = category_columns(data)
    told = columns.combine(side(tree.with_names(data.feature_names), 0, True, DIFFERENCE + 3)).rounded("enough")
    assert told.form == "ratio"
    assert re.fullmatch(
        r"(length \(cm\) / weight \(kg\)|weight \(kg\) / length \(cm\)) [≥≤] [\d.]+", told.text(TYPESET)
    )


RATIOS = {
    "first": (("price", "area"), (1.0, -1.9), 0.0),
    "second": (("price", "area"), (1.9, -1.0), 0.0),
    "turned": (("price", "area"), (-1.0, 1.9), 0.0),
    "second turned": (("price", "area"), (-1.9, 1.0), 0.0),
    "negative": (("loss", "debt"), (1.0, -1.9), 0.0),
    "equal": (("price", "area"), (2.0, -2.0), 0.0),
    "near": (("price", "area"), (1.0, -1.9), -0.05),
    "near second": (("price", "area"), (-0.4, 2.0), 0.05),
    "far": (("price", "area"), (1.0, -1.9), -2.5),
    "sum": (("price", "area"), (1.0, 1.9), -20.0),
    "both signs": (("price", "balance"), (1.0, -1.9), 0.0),
    "years": (("built", "sold"), (1.0, -1.0), 0.0),
    "dates": (("day (days since 1970)", "area"), (1.0, -2000.0), 0.0),
    "single": (("price", "area"), (1.0, -1e-320), 0.0),
}


def ratio_tree(case):
    """Return (tree with one bivariate split, data) for one of `RATIOS`."""
    names, weights, bias = RATIOS[case]
    rng = np.random.default_rng(3)
    price, area, balance = np.round(rng.uniform(1, 9, (3, 500)), 2)
    values = {"price": price, "area": area, "loss": -price, "debt": -area, "balance": balance - 5,
              "built": 1950 + np.floor(6 * price), "sold": 1950 + np.floor(6 * area),
              "day (days since 1970)": np.floor(2000 * price)}  # fmt: skip
    X = np.column_stack([values[name] for name in names])
    margin = X @ weights + bias
    gap = 0.002 if case in ("years", "dates") else 0.02  # rows near the line would need more digits
    X = X[np.abs(margin) > gap * np.abs(X * weights).sum(axis=1)]
    data = DataSet("pairs", "Pairs", X, (X @ weights + bias >= 0).astype(np.int64), names, ("a", "b"))
    return replace(one_decision(data, [0, 1]), weights=list(weights), bias=[bias, 0, 0]), data


@pytest.mark.parametrize(
    ("case", "right", "left", "typed"),
    [
        ("first", "price / area ≥ 1.9", "price / area < 1.9", "price >= 1.9 * area"),
        ("second", "area / price ≤ 1.9", "area / price > 1.9", "area <= 1.9 * price"),
        ("turned", "price / area ≤ 1.9", "price / area > 1.9", "price <= 1.9 * area"),
        ("second turned", "area / price ≥ 1.9", "area / price < 1.9", "area >= 1.9 * price"),
        ("negative", "loss / debt ≤ 1.9", "loss / debt > 1.9", "loss >= 1.9 * debt"),
        ("equal", "price ≥ area", "price < area", "price >= area"),
        ("near", "price / area ≥ 1.9", "price / area < 1.9", "price >= 1.9 * area"),
        ("near second", "price / area ≤ 5", "price / area > 5", "price <= 5 * area"),
    ],
)
def test_a_line_through_the_origin_is_a_ratio(cases, case, right, left, typed):
    """The few digits send every known row where the tree does, and the quotient itself does as well."""
    tree, data = cases[f"ratio {case}"]
    columns, named = category_columns(data), tree.with_names(data.feature_names)
    digits = int(decision_digits(tree, data.X, columns=columns)[0])
    goes_right = tree.margins(data.X, 0) >= 0
    quotient = data.X[:, 0] / data.X[:, 1]
    for is_right, expected in ((True, right), (False, left)):
        told = columns.combine(side(named, 0, is_right, digits)).rounded("enough")
        text = told.text(TYPESET)
        np.testing.assert_array_equal(told.covers(Columns(data.X)), goes_right == is_right)
        assert re.sub(r"(\d\.\d)\d*$", r"\1", text) == expected
        if "/" in text:
            shown = quotient if text.startswith(data.feature_names[0]) else 1 / quotient
            sign, bound = text.split()[-2:]
            compare = {"≥": np.greater_equal, "<": np.less, "≤": np.less_equal, ">": np.greater}[sign]
            np.testing.assert_array_equal(compare(shown, float(bound)), goes_right == is_right)
        assert told.words(TYPESET).yes == text[text.rindex(text.split()[-2]) :]
        features, weights, bias = typed_split(f"{told.text(TYPED)} go right", named.feature_names, X=data.X)[:3]
        np.testing.assert_array_equal(data.X[:, features] @ weights + bias >= 0, goes_right == is_right)
        if is_right:
            assert re.sub(r"(\d\.\d)\d*", r"\1", told.text(TYPED)) == typed
    exact = columns.combine(side(named, 0, True))
    assert str(exact) == str(side(named, 0, True))  # with all digits, the text is the split itself


@pytest.mark.parametrize("case", ["far", "sum", "both signs", "years", "dates", "single"])
def test_other_lines_are_no_ratio(cases, case):
    tree, data = cases[f"ratio {case}"]
    columns = category_columns(data)
    assert (decision_digits(tree, data.X, columns=columns) < DIFFERENCE).all()
    assert "/" not in columns.combine(side(tree, 0, True)).rounded(DIFFERENCE + 3).text(TYPESET)


def one_decision(data, features):
    """Return a tree whose root sends rows right that have 1 in one of some features."""
    k = data.n_classes
    return Tree(
        [1, -1, -1], [2, -1, -1], [0, *[len(features)] * 3], features, np.ones(len(features)), [-0.5, 0, 0], [0, 0, 1],
        np.ones((3, k)), [2 * k, k, k], [0, 1, 2], np.arange(k), data.X.shape[1], data.feature_names,
    )  # fmt: skip


@pytest.fixture(scope="module")
def cases():
    return trees()


def decisions(tree):
    return np.flatnonzero(tree.left >= 0).tolist()


def test_the_text_sends_every_known_row_where_the_tree_does(cases):
    """The reader of rules and the rounded condition itself both evaluate the text."""
    for name, (tree, data) in cases.items():
        digits, leaves = decision_digits(tree, data.X), tree.apply(data.X)
        named = tree.with_names([f"x{j}" for j in range(tree.n_features)])
        for node in decisions(tree):
            if not 1 <= tree.split(node)[0].size <= 4:
                assert digits[node] == 3
                continue
            below = np.isin(leaves, [leaf for leaf in range(tree.n_nodes) if node in above(tree, leaf)])
            X = data.X[below]
            X = X[~np.isnan(X[:, tree.split(node)[0]]).any(axis=1)]
            right = tree.margins(X, node) >= 0
            condition = side(named, node, True, int(digits[node]))
            if condition is None or (isinstance(condition, Interval) and condition.is_empty):
                continue
            short = replace(condition.rounded("enough"), missing=None)
            np.testing.assert_array_equal(short.covers(Columns(X)), right, name)
            for style in (TYPED, TYPESET) if name != "far" else ():  # users do not type such numbers
                features, weights, bias = typed_split(f"{short.text(style)} go right", named.feature_names, X=X)[:3]
                total = np.full(len(X), bias)
                for feature, weight in zip(features, weights, strict=True):
                    total += weight * X[:, feature]
                np.testing.assert_array_equal(total >= 0, right, name)


def above(tree, node):
    found = {node}
    while node > 0:
        node = int(tree.parents[node])
        found.add(node)
    return found


def test_typed_names_are_read_again():
    names = [visible(name) for name in NAMES]
    for feature, name in enumerate(names):
        text = Interval(feature, name, low=2.0, low_closed=True).text(TYPED)
        assert typed_split(f"{text} go right", names).features.tolist() == [feature]


def test_levels_are_written_in_words_and_read_again(cases):
    tree, data = cases["levels 1"]
    asked = 0
    for node in decisions(tree):
        feature = int(tree.split(node)[0][0])
        levels = levels_of(data.feature_names[feature])
        for style in (TYPED, TYPESET) if levels else ():
            text = side(tree, node, True, 3).rounded("enough").text(style)
            assert re.fullmatch(f'"?({"the size" if feature == 0 else "or not"})"? (<=|>=|≤|≥) \\D+', text), text
            split = typed_split(f"{text} go right", data.feature_names, X=data.X)
            goes_right = split.bias + split.weights[0] * data.X[:, feature] >= 0
            np.testing.assert_array_equal(goes_right, tree.margins(data.X, node) >= 0)
            asked += 1
    assert asked >= 4
    with refused(RuleError, "Unknown level 'giant'"):
        typed_split("the size <= giant go left", data.feature_names)
    between = Interval(0, data.feature_names[0], 0.5, 2.5, missing=True)
    assert str(between) == f'"very large" <= "the size" <= {RIGHT_TO_LEFT} (or missing)'.replace('"', "")
    assert str(replace(between, high=1.5, missing=None)) == "the size = very large"


@pytest.mark.parametrize(
    ("case", "texts", "branches"),
    [
        (
            "difference",
            ("I like it − it is cheap ≥ 1 level", "I like it − it is cheap < 1 level"),
            ("≥ 1 level", "< 1 level"),
        ),
        (
            "sum",
            ("it is cheap (0 to 3) ≥ 1.75 − 0.5 · I like it (0 to 3)",
             "it is cheap (0 to 3) < 1.75 − 0.5 · I like it (0 to 3)"),
            ("above", "below"),
        ),
    ],
)  # fmt: skip
def test_a_sum_of_ordered_answers_has_short_terms_and_is_read_again(cases, case, texts, branches):
    tree, data = cases[f"answers {case}"]
    columns, named = category_columns(data), tree.with_names(data.feature_names)
    digits = int(decision_digits(tree, data.X, columns=columns)[0])
    right = tree.margins(data.X, 0) >= 0
    for is_right, expected, branch in zip((True, False), texts, branches, strict=True):
        told = columns.combine(side(named, 0, is_right, digits)).rounded("enough")
        assert told.text(TYPESET) == expected
        assert told.words(TYPESET).yes == branch
        for style in (TYPED, TYPESET) if case == "sum" else (TYPED,):
            assert "ordered" not in told.text(style)
            features, weights, bias = typed_split(f"{told.text(style)} go right", named.feature_names, X=data.X)[:3]
            np.testing.assert_array_equal(data.X[:, features] @ weights + bias >= 0, right == is_right)


def test_a_rule_with_missing_values_is_read_again(cases):
    tree, data = cases["missing univariate"]
    names = [f"x{j}" for j in range(tree.n_features)]
    for node in decisions(tree.with_names(names)):
        split = typed_split(f"{side(tree.with_names(names), node, True)} go right", names, X=data.X, missing=True)
        assert split.missing_right == bool(tree.missing_right[node])


def test_numbers_and_limits_are_those_that_somebody_meant():
    def one(weight, bias, digits=17):
        return decision_words((np.array([0]), np.array([weight]), bias), ["x"], digits).text

    assert one(1.0, -0.3) == "x ≥ 0.3"
    assert one(1.0, -np.nextafter(0.3, 1)) == "x > 0.3"
    assert one(-1.0, 0.3) == "x ≤ 0.3"
    assert one(-1.0, np.nextafter(0.3, 0)) == "x < 0.3"
    assert one(1.0, -1 / 3, 3) == "x ≥ 0.333"
    pair = np.array([0, 1])
    assert decision_words((pair, np.array([1.0, -2.0]), 0.5), ["a", "b"], 10, np.ones(2)).text == "−2 · b + a ≥ −0.5"
    assert (
        decision_words((pair, np.array([1.0, -2.0]), 0.5), ["a", "b"], 10, np.ones(2), 1).text
        == "−2 · b + 1 more ≥ −0.5"
    )
    assert decision_words((pair[:0], np.zeros(0), -1.0), [], 3).text == "always left"
    assert pixel_sum(31, -2.0) == ("weighted sum of 31 pixels ≥ 2", "≥ 2", "< 2")


VALUES = (
    0.0, -0.0, 1.0, -1.0, 0.5, 2.5, 0.125, 1.125, 0.35, 101.3, 0.1315, 12.25, 12.35, 999.5, 9995.0, 999999.5, 1e6,
    1234567.0, 1e-4, 9.9996e-5, 1e-5, -3.5e20, 5e-324, 1.7976931348623157e308, 0.1 + 0.2, 1 / 3, -2 / 3, 1e15,
    123456789.0, 869.0,
)  # fmt: skip


def test_the_browser_writes_the_same_numbers():
    values = [*VALUES, *(np.random.default_rng(0).normal(size=2000) * 10.0 ** np.arange(-10, 10).repeat(100)).tolist()]
    found = in_node(
        "const { count, number, percent, signed } = await load('model/number_text.js');"
        "return value.map((v) => [1, 2, 3, 4, 6, null].map((d) => number(v, d))"
        ".concat([signed(v), percent(Math.abs(v)), percent(Math.abs(v), 0), count(Math.round(Math.abs(v) % 1e9))]));",
        values,
    )
    for value, texts in zip(values, found, strict=True):
        assert texts[:6] == [number(value, digits) for digits in (1, 2, 3, 4, 6, None)]
        assert texts[6] == signed(value)
        if abs(value) < 1e18:  # browsers write larger numbers as powers of ten
            assert texts[7:9] == [percent(abs(value)), percent(abs(value), 0)]
        assert texts[9] == count(np.floor(abs(value) % 1e9 + 0.5))
    assert in_node(
        "const { number, percent } = await load('model/number_text.js');"
        "return [NaN, Infinity, -Infinity].map((v) => number(v)).concat(percent(NaN));",
        None,
    ) == [number(np.nan), number(np.inf), number(-np.inf), percent(np.nan)]
    assert (significant(0.125, 2), decimals(12.25, 1), percent(0.1225)) == (0.13, "12.3", "12.3 %")


ALL_WORDS = """
const { decode, inflate } = await load('model/payload.js');
const words = await load('model/condition.js');
const { nodeName } = await load('model/tree.js');
const found = {};
for (const [name, bytes] of Object.entries(value)) {
  const path = decode(await inflate(Buffer.from(bytes, 'base64')));
  const tree = path.trees[0];
  const nodes = [...tree.left.keys()].filter((node) => !tree.isLeaf(node));
  found[name] = nodes.map((node) => ({
    texts: [1, 2, 3, 4].flatMap((terms) => [true, false].map((right) => words.condition(tree, node, { terms, right }))),
    names: [node, tree.left[node], tree.right[node]].map((one) => nodeName(tree, one)),
    branches: [tree.left[node], tree.right[node]].map((child) => words.branchTo(tree, child)),
    digits: words.enoughDigits(tree, node),
    exact: words.exactCondition(tree, node, true),
    unit: tree.marginUnit(node),
    way: words.pathSentences(tree, tree.right[node]).at(-1).text,
    side: words.missingSide(tree, node),
  }));
}
return found;
"""


def test_the_browser_writes_the_same_decisions(cases):
    """The conditions agree for every node of every tree, whole or shortened, true or false.

    The digits of edited trees agree too.
    """
    payloads = {name: base64.b64encode(stage_payload(tree, data)).decode() for name, (tree, data) in cases.items()}
    found = in_node(ALL_WORDS, payloads)
    for name, (tree, data) in cases.items():
        named = tree.with_names([visible(one) for one in data.feature_names])
        deviation, columns = feature_deviation(data.X), category_columns(data)
        digits = decision_digits(tree, data.X, columns=columns)
        for node, said in zip(decisions(tree), found[name], strict=True):
            split = tree.split(node)
            names = [named.feature_name(feature) for feature in split[0].tolist()]
            asked = [
                decision_words(split, names, int(digits[node]), deviation, terms, columns=columns)
                for terms in (1, 2, 3, 4)
            ]
            assert said["texts"][::2] == [words.text for words in asked], name
            assert said["digits"] == digits[node], name
            assert said["unit"] == pytest.approx(margin_units(tree, deviation)[node], rel=1e-12), name
            assert said["branches"] == [asked[3].no, asked[3].yes], name
            assert said["names"] == [node_names(tree)[one] for one in (node, tree.left[node], tree.right[node])]
            if asked[0].text in ("always right", "always left"):
                continue
            conditions = [columns.combine(side(named, node, right, int(digits[node]))) for right in (True, False)]
            full = [texts_of(replace(condition, missing=None), deviation) for condition in conditions]
            assert [said["texts"][0::2], said["texts"][1::2]] == full, name
            assert said["exact"] == str(replace(conditions[0], missing=None)), name
            assert said["way"] == conditions_text(conditions[0], deviation), name
            missing = None if tree.missing_right is None else "right" if tree.missing_right[node] else "left"
            assert said["side"] == missing


def test_the_copied_condition_of_cart_has_no_digits_below_single_precision():
    data = noisy_table(200, 2, 2, 0)
    data = replace(data, X=np.round(data.X, 1), feature_names=("x", "y"))
    bound = np.nextafter(float(np.float32(3.46)), np.inf)  # as scikit-learn computes it
    tree = one_decision(replace(data, y=(data.X[:, 0] > 3.4) * 1), [0])
    for limit in (bound, -2.3, 2.114999890327454):
        payload = base64.b64encode(stage_payload(replace(tree, bias=[-limit, 0, 0]), data)).decode()
        exact, full = in_node(
            "const { decode, inflate } = await load('model/payload.js');"
            "const { exactCondition } = await load('model/condition.js');"
            "const [tree] = decode(await inflate(Buffer.from(value, 'base64'))).trees;"
            "return [exactCondition(tree, 0), exactCondition(tree, 0, true)];",
            payload,
        )
        short, own = (float(text.split(" ")[-1]) for text in (exact, full))
        assert np.float32(short) == np.float32(own)
        assert len(exact) <= len(full)
        assert limit != bound or exact == "x > 3.46"


def test_a_split_on_a_category_is_written_as_in_rules(cases):
    tree, data = cases["categories 1"]
    columns, tree = category_columns(data), tree.with_names(data.feature_names)
    asked = {str(columns.combine(side(tree, node, True))) for node in decisions(tree)}
    told = {text for text in asked if re.fullmatch(r"(colour|size) (!?=|(not )?in) .*", text)}
    assert {text.split(" ")[0] for text in told} == {"colour", "size"}
    written = {str(one) for rule in rules(tree, data.X) for one in rule.conditions if isinstance(one, Category)}
    assert told & written  # conditions that no other split on the same column narrows


def test_sets_are_quoted_and_branches_count_many_categories(cases):
    def branches(name):
        tree, data = cases[name]
        told = category_columns(data).combine(side(tree, 0, True))
        text, yes, no = told.words(TYPESET)
        return text, (no, yes)

    named = '"> 200 ""DM""", "a,b", "in {x} and y"'
    assert branches("cities 0") == (f"city in {{{named}}}", ("other values of city", named))
    assert branches("cities 1")[1] == ("other values of city", "6 of 12 values of city")
    tree, data = cases["cities 2"]
    told = category_columns(data).combine(side(tree, 0, True))
    assert told.text(TYPESET, 4) == "city in 9 of 12 values"
    assert told.text(TYPESET).count("town") == 7
    levels = ordered_name("account", ("<0 DM", "0, up to 200", ">=200"))
    assert Interval(0, levels, low=0.5).text(TYPESET) == 'account ≥ "0, up to 200"'
    cases_of = CategoryColumns.of(CITIES + ("age",), [range(12)]).combine(
        Linear((1, 12), ("city = a,b", "age"), (10.0, 1.0), -50.0, ">=", digits=3)
    )
    assert cases_of.rounded(3).text(TYPESET) == 'age ≥ 40 if city = "a,b", else age ≥ 50'


def test_a_sum_of_a_category_and_a_date_is_written_by_category():
    columns = category_columns(customers())
    names = tuple(columns.names[j] for j in (0, 3))
    asked = Linear((0, 3), names, (18_000.0, 1.0), -36_262.0, ">=", digits=3)
    told = columns.combine(asked)
    assert told.rounded("enough").text(TYPESET) == "tariff = basic and since ≥ 2020-01-01"
    opposite = columns.combine(replace(asked, relation="<")).rounded("enough")
    assert opposite.text(TYPESET) == "tariff ≠ basic or since < 2020-01-01"
    assert told.text(TYPED) == asked.text(TYPED)  # with every digit, the sum can be typed
    X = customers().X.copy()
    for one in (told, opposite):
        np.testing.assert_array_equal(one.covers(Columns(X)), (one is told) == ((X[:, 0] == 1) & (X[:, 3] >= 18_262)))
    both = columns.combine(Linear((0, 4), ("tariff = basic", "card = yes"), (1.0, 1.0), -1.5, ">=", digits=3))
    assert both.rounded(3).text(TYPED) == "tariff = basic and card = yes"
    small = columns.combine(Linear((0, 3), names, (1e-9, 1.0), -18_262.0, ">=", digits=3)).rounded(3)
    assert small.text(TYPED) == "since >= 2020-01-01"
    missing = columns.combine(replace(asked, missing=True, missing_side=True)).rounded(3)
    X[:2, (0, 3)] = np.nan
    assert missing.covers(Columns(X))[:2].all()
    assert missing.text(TYPED).endswith(" (or missing)")


def test_a_sum_with_one_date_says_what_that_is_compared_with(cases):
    """Typed again, it decides like the text. For two dates or many terms, the sum is kept."""
    names = ("since (days since 1970)", "calls", "sum")

    def text(weights, bias, digits=3, names=names, style=TYPESET, right=True):
        places = tuple(range(len(weights)))
        relation = ">=" if right else "<"
        return Linear(places, names[: len(weights)], weights, bias, relation).rounded(digits).text(style)

    assert text((0.0003251, 0.7265), -9.579) == "since ≥ 2050-09-03 − 2230 days · calls"
    assert text((-2.0, 1.0, 3.0), 37_000.0) == "since ≤ 2020-08-26 + 0.5 days · calls + 1.5 days · sum"
    assert text((-2.0, 1.0), 37_000.0, right=False, style=TYPED) == "since > 2020-08-26 + 0.5 days * calls"
    assert text((1.0, 1.0), -18_262.0, names=(names[0], "until (days since 1970)")).count("(days since 1970)") == 2
    assert text((1.0, 1.0), -9e9) == "since (days since 1970) + calls ≥ 9e9"
    assert text((1.0, 1.0), -18_262.01, 17).startswith("since (days since 1970) + calls ≥ 18262.01")
    whole = Linear((0, 1, 2), names, (1.0, -0.5, 9.0), -18_262.0, ">=", digits=3).rounded("enough")
    assert whole.text(TYPESET, 2, np.array([1.0, 100.0, 1.0])) == "since ≥ 2020-01-01 + 0.5 days · calls + 1 more"
    X = np.random.default_rng(0).integers(0, [25_000, 900, 90], (2000, 3)).astype(float)
    for style in (TYPED, TYPESET):
        read = typed_split(f"{whole.text(style)} go right", names, X=X)
        np.testing.assert_array_equal(read.bias + X[:, read.features] @ read.weights >= 0, whole.covers(Columns(X)))
    tree, data = cases["customers date and sum"]
    digits = decision_digits(tree, data.X, columns=category_columns(data))
    told = [
        decision_words(tree.split(node), [data.feature_names[j] for j in tree.split(node)[0]], int(digits[node])).text
        for node in decisions(tree)
    ]
    assert any(re.search(r"since [≤≥] \d{4}-\d\d-\d\d . [\d.]+ days · age", text) for text in told), told


def test_the_only_other_category_is_named_instead_of_a_negation():
    asked = Linear((0, 1), ("sex = male", "class"), (10.0, 1.0), -3.0, ">=", digits=3)
    for rest, expected in (("female",), "sex = female and class < 3"), (("a", "b"), "sex ≠ male and class < 3"):
        X = np.array([[0.0, 1.0], [1.0, 3.0]])
        columns = CategoryColumns.of(("sex = male", "class"), [range(1)], X, {range(1): rest})
        told = columns.combine(replace(asked, relation="<")).rounded(3)
        assert told.text(TYPESET) == expected
        assert columns.combine(asked).rounded(3).text(TYPESET) == "sex = male or class ≥ 3"


def test_limits_of_counts_by_category_are_whole_numbers():
    columns = category_columns(customers())
    names = tuple(columns.names[j] for j in (0, 5))
    asked = Linear((0, 5), names, (10.0, 1.0), -43.69, ">=", digits=3)
    told = columns.combine(asked)
    assert told.rounded("enough").text(TYPESET) == "age ≥ 34 if tariff = basic, else age ≥ 44"
    turned = columns.combine(replace(asked, weights=(-10.0, -1.0), offset=43.69))
    assert turned.rounded("enough").text(TYPESET) == "age < 34 if tariff = basic, else age < 44"


def test_a_line_is_solved_for_the_vertical_axis():
    def text(weights, bias, digits=3, terms=4, right=True, style=TYPESET):
        relation = ">=" if right else "<"
        return Linear((0, 1), ("tenure", "tickets"), weights, bias, relation).rounded(digits).text(style, terms)

    assert text((-0.0055, 1.0), -0.94) == "tickets ≥ 0.94 + 0.0055 · tenure"
    assert text((0.011, -2.0), 1.88) == "tickets ≤ 0.94 + 0.0055 · tenure"
    assert text((0.011, -2.0), 1.88, right=False, style=TYPED) == "tickets > 0.94 + 0.0055 * tenure"
    assert text((0.0055, 1.0), 0.94, right=False) == "tickets < −0.94 − 0.0055 · tenure"
    assert text((-1.0, 1.0), 0.0) == "tickets ≥ tenure"
    assert text((3.0, 1.0), 0.0) == "tickets ≥ −3 · tenure"
    assert text((3.0, 1.0), 0.0, terms=1) == "tickets ≥ 0 + 1 more"
    assert text((1.0, 3.0), -4.0) == "tickets ≥ 1.33 − 0.333 · tenure"
    assert text((1.0, 3.0), -4.0, 9) == "tenure + 3 · tickets ≥ 4"  # rows on the line need all digits of a quotient
    assert text((1.0, 5e-324), -4.0) == "tenure + 5e−324 · tickets ≥ 4"
    assert text((0.0, 2.0), -4.0) == "0 · tenure + 2 · tickets ≥ 4"


def test_dates_begin_the_day_from_which_on_rows_go_there():
    def text(precision=None, **limits):
        return Interval(0, "since (days since 1970)", **limits).rounded(precision).text(TYPED)

    assert text(3, low=18_261.0) == text(3, low=18_261.4) == "since >= 2020-01-01"
    assert text(3, low=18_262.0, low_closed=True) == "since >= 2020-01-01"
    assert text(3, high=18_261.0) == text(3, high=18_262.0, high_closed=False) == "since < 2020-01-01"
    assert text(12, low=18_262.0) == "since >= 2020-01-01 00:01"
    assert text(low=18_262.5) == "since > 2020-01-01 12:00"
    assert text(low=18_262.123456) == "since (days since 1970) > 18262.123456"
    assert text(3, low=1e9) == "since (days since 1970) >= 1.000000001e9"
    read = typed_split("since > 2020-01-01 12:00 go right", ["since (days since 1970)"])
    assert read.bias == -np.nextafter(18_262.5, 2e4)


def test_branches_carry_values():
    def branches(weights, bias, names, digits=3, most_terms=4, columns=None):
        split = (np.arange(len(weights)), np.array(weights), bias)
        text, yes, no = decision_words(split, names, digits, None, most_terms, columns=columns)
        return text, (no, yes)

    day, since = 18_262.0, "since (days since 1970)"
    contract = ("contract = basic", "contract = mobile", "contract = other")
    columns = CategoryColumns.of(contract, [range(3)], rest={range(3): ()})
    assert branches([1.0], -0.7, ["petal width"]) == ("petal width ≥ 0.7", ("< 0.7", "≥ 0.7"))
    assert branches([-1.0, -2.0, -1.0], 4.0, ["a", "b", "c"])[1] == ("> 4", "≤ 4")
    assert branches([1.0], -0.5, contract, columns=columns)[1] == ("mobile, other", "basic")
    assert branches([-1.0], 0.5, contract, columns=columns)[1] == ("basic", "mobile, other")
    assert branches([1.0], -day, [since]) == ("since ≥ 2020-01-01", ("< 2020-01-01", "≥ 2020-01-01"))
    assert branches([1.0, 0.5], -day, [since, "calls"])[1] == ("earlier", "later")
    assert branches([-1.0, 0.5], day, [since, "calls"])[1] == ("later", "earlier")
    assert branches([-1.0, 0.5, 0.2], day, [since, "a", "b"], most_terms=1)[1] == ("later", "earlier")
    assert branches([-0.0055, 1.0], -0.94, ["tenure", "tickets"])[1] == ("below", "above")
    assert branches([-3e-7, -1.0], 0.0, ["tenure", "tickets"])[1] == ("above", "below")
    assert branches([-1.0, 1.0], 0.0, ["tenure", "tickets"]) == ("tickets ≥ tenure", ("< tenure", "≥ tenure"))
    assert branches([-1.0, 1.0], 0.0, ["the size", "b"]) == ("b ≥ the size", ("< the size", "≥ the size"))
    assert branches([2.0, 1.0], -1e9, ["a", "b"], most_terms=1) == ("b ≥ 1e9 + 1 more", ("below", "above"))
    assert branches([], 1.0, []) == ("always right", ("none", "all"))
    assert branches([], -1.0, []) == ("always left", ("all", "none"))
    level = Interval(0, ordered_name("account", ("0, up to 200", "> 200 DM")), low=0.5).words(TYPESET)
    assert level == ('account ≥ "> 200 DM"', '≥ "> 200 DM"', '< "> 200 DM"')


@pytest.mark.parametrize("relation", [">=", "<", "<=", ">"])
def test_a_sum_without_a_plus_is_turned_and_keeps_its_meaning(relation):
    names, weights = ("a", "b"), (-0.1, -0.7)
    condition = Linear((0, 1), names, weights, 0.0, relation, -0.3)
    text = condition.text()
    turned = {">=": "<=", "<": ">", "<=": ">=", ">": "<"}[relation]
    assert text == f"0.1 * a + 0.7 * b {turned} 0.3"
    rng = np.random.default_rng(0)
    X = np.round(rng.uniform(-1, 1, (2000, 2)), 1)  # many rows are exactly on the line
    compare = {">=": np.greater_equal, "<": np.less, "<=": np.less_equal, ">": np.greater}[turned]
    assert np.array_equal(condition.covers(Columns(X)), compare(0.0 + 0.1 * X[:, 0] + 0.7 * X[:, 1], 0.3))
    mixed = Linear((0, 1), names, (-0.1, 0.7), 0.0, relation, -0.3)
    assert mixed.text() == f"-0.1 * a + 0.7 * b {relation} -0.3"


def texts_of(condition, deviation):
    return [conditions_text(condition, deviation, terms) for terms in (1, 2, 3, 4)]


def conditions_text(condition, deviation, terms=4):
    return condition.rounded("enough").text(TYPESET, terms, deviation)


def test_the_browser_says_the_same_of_a_row():
    margins = [0.5, -0.25, 0.0, 1e-9, -1234567.0]
    words, found = in_node(
        "const { marginText, MARGIN_WORDS } = await load('model/condition.js');"
        "const told = [...value, NaN].flatMap((v) => [true, false].map((right) => marginText(v, right)));"
        "return [MARGIN_WORDS, told];",
        margins,
    )
    assert words == MARGIN_WORDS
    assert found == [margin_text(margin, right) for margin in (*margins, np.nan) for right in (True, False)]
