"""Test that typed rules are exact on boundaries in float64, for any names, for categories and arbitrary input."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.each import each
from tests.refusals import refused
from tests.strategies import small_tree
from treecore import RuleError
from treecore.rules.rule_in_tree import with_split
from treecore.rules.typed_split import typed_split
from treecore.tables.table_columns import TableColumn, TableColumns
from treecore.tree.conditions import condition_of
from treecore.tree.editing import edited_tree, tree_document

COLUMNS = TableColumns(
    (
        TableColumn("age"),
        TableColumn("colour", "category", ("red", "dark blue", "<b>&"), ("mauve", "ochre")),
        TableColumn("joined", "date"),
        TableColumn('a"b`c'),
        TableColumn("größe (cm)"),
        TableColumn("2nd"),
        TableColumn("a-b"),
        TableColumn("3"),
        TableColumn("left"),
    )
)
NAMES = COLUMNS.feature_names()
COMPARE = {"<": float.__lt__, "<=": float.__le__, ">": float.__gt__, ">=": float.__ge__}


def goes_right(split, x):
    margin = split.bias
    for feature, weight in zip(split.features, split.weights, strict=True):
        margin += weight * x[feature]
    return margin >= 0


@given(
    st.floats(-1e100, 1e100, allow_nan=False), st.sampled_from(sorted(COMPARE)), st.booleans(), st.booleans(),
    st.integers(-2, 2), st.sampled_from([1, 2, 3, 7, 1e-3, 0.1, -5]),
)  # fmt: skip
def test_one_feature_is_exact_for_every_float(limit, sign, right, mirrored, step, factor):
    mirror = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
    text = f"{limit!r} {mirror[sign]} {factor}*age" if mirrored else f"{factor} * age {sign} {limit!r}"
    split = typed_split(f"if {text} then go {'right' if right else 'left'}", ["age"])
    x = limit / factor
    for _ in range(abs(step)):
        x = float(np.nextafter(x, np.inf if step > 0 else -np.inf))
    difference = Fraction(factor) * Fraction(x) - Fraction(limit)
    truth = {"<": difference < 0, "<=": difference <= 0, ">": difference > 0, ">=": difference >= 0}[sign]
    assert goes_right(split, [x]) == (truth == right)


@pytest.mark.parametrize(
    ("text", "day_first", "limit"),
    [
        ("joined >= 01.03.2020 go right", None, 18322), ("joined >= 1.3.2020 go right", True, 18322),
        ("joined >= 03/01/2020 go right", False, 18322), ("joined >= 01-03-2020, right", True, 18322),
        ("01.03.2020 <= joined go right", True, 18322), ("joined >= 2020-03-01 go right", True, 18322),
        ("joined >= 01.03.2020 18:00 go right", True, 18322.75),
        ("joined >= 2020-03-01T06:00:00 right", None, 18322.25),
        ("price >= 2,5 go right", None, 2.5), ("price >= 2,5, right", None, 2.5), ("price >= 3, right", None, 3),
        ("price >= 3/6/2 right", None, 0.25),
    ],
)  # fmt: skip
def test_dates_and_numbers_are_read_as_the_file_wrote_them(text, day_first, limit):
    columns = TableColumns((TableColumn("joined", "date", day_first=day_first), TableColumn("price")))
    split = typed_split(text, columns.feature_names(), columns)
    for x in (float(np.nextafter(limit, -np.inf)), float(limit)):
        row = [-1.0, x] if "price" in text else [x, -1.0]
        assert goes_right(split, row) == (x >= limit)


@given(st.lists(st.tuples(st.integers(-20, 20), st.integers(-20, 20)), min_size=1, max_size=30),
       st.sampled_from(sorted(COMPARE)), st.booleans(), st.sampled_from([1.0, 0.1, 1e-7]))  # fmt: skip
def test_sums_are_exact_on_the_rows_that_are_given(rows, sign, right, unit):
    X = np.array(rows) * unit
    split = typed_split(f"2*a - 0.5*b {sign} {3 * unit!r} go {'right' if right else 'left'}", ["a", "b"], X=X)
    for a, b in X.tolist():
        difference = 2 * Fraction(a) - Fraction(b) / 2 - Fraction(3 * unit)
        truth = {"<": difference < 0, "<=": difference <= 0, ">": difference > 0, ">=": difference >= 0}[sign]
        assert goes_right(split, [a, b]) == (truth == right)


@given(st.lists(st.tuples(st.integers(-20, 20), st.integers(-20, 20)), min_size=1, max_size=30),
       st.integers(1, 50), st.integers(1, 50), st.integers(-5, 5), st.sampled_from(sorted(COMPARE)))  # fmt: skip
def test_divided_sums_are_exact_on_the_rows_that_are_given(rows, k, m, limit, sign):
    X = np.array(rows, float)
    split = typed_split(f"a/{k} + b/{m} {sign} {limit} go right", ["a", "b"], X=X)
    for a, b in rows:
        difference = Fraction(a, k) + Fraction(b, m) - limit
        truth = {"<": difference < 0, "<=": difference <= 0, ">": difference > 0, ">=": difference >= 0}[sign]
        assert goes_right(split, [float(a), float(b)]) == truth
    assert typed_split("a/3 + b/3 >= 1 go right", ["a", "b"]).bias == -3.0


@each(
    "text, features, weights, bias",
    [
        ("if age < 18 go left", [0], [1.0], -18.0),
        ("AGE>=18,right", [0], [1.0], -18.0),
        ("age ≤ 18 → right", [0], [-1.0], 18.0),
        ("age > 1e-3 -> left", [0], [-1.0], 1e-3),
        ("colour = red go left", [1], [-1.0], 0.5),
        ("colour is not dark blue goes right.", [2], [-1.0], 0.5),
        ('colour = "<b>&" right', [3], [1.0], -0.5),
        ("`colour = red` right", [1], [1.0], -0.5),
        ("colour in {red} go left", [1], [-1.0], 0.5),
        ("colour not in {dark blue} go left", [2], [1.0], -0.5),
        ('colour in {"<b>&", red} go right', [1, 3], [1.0, 1.0], -0.5),
        ("colour is not in {red, dark blue} right", [1, 2], [-1.0, -1.0], 0.5),
        ("joined >= 1970-01-11 go right", [4], [1.0], -10.0),
        ('"a""b`c" >= 2 right', [5], [1.0], -2.0),
        ('`a"b``c` >= 2 right', [5], [1.0], -2.0),
        ("größe >= 0.8 go right", [6], [1.0], -0.8),
        ("2nd >= 1 right", [7], [1.0], -1.0),
        ("a-b >= 1 right", [8], [1.0], -1.0),
        ('"3" >= 3 right', [9], [1.0], -3.0),
        ("left >= 3 right", [10], [1.0], -3.0),
        ("- age + 2 * age - 3 >= age / 2 right", [0], [1.0], -6.0),
        ("2*age − 0.5·joined >= 3 go right", [0, 4], [2.0, -0.5], -3.0),
        ("if age < 18 or missing go left", [0], [1.0], -18.0),
    ],
)
def test_what_is_read(text, features, weights, bias):
    split = typed_split(text, NAMES, COLUMNS, missing=True)
    assert (split.features.tolist(), split.weights.tolist(), split.bias) == (features, weights, bias)
    left = text.rstrip(".").endswith("left")
    assert split.missing_right == (left != ("or missing" in text))


@each(
    "text, code, place",
    [
        ("", "The rule is empty. Example", 0),
        ("agee < 3 go left", "Unknown feature …. Did you mean", 0),
        ("if wide < 3 go left", "Unknown feature …. Use one of", 3),
        ("colour = redd left", "Unknown value … of …. Did you mean", 9),
        ("colour = mauve left", "is too rare to be a feature", 9),
        ("colour in {redd} left", "Unknown value … of …. Did you mean", 11),
        ("colour in red left", "Expected values in braces after 'in'", 10),
        ("colour in {red dark blue} left", "Expected a comma between values and '}' after the last value", 15),
        ("colour < 3 left", "Expected '=' or '!=' after a column of categories", 7),
        ("age < 3", "Expected 'go left' or 'go right' at the end", 7),
        ("age < 3 go up", "Expected 'go left' or 'go right' at the end", 11),
        ("2 < age < 3 left", "A node supports one comparison", 8),
        ("age = 3 left", "'…' applies to columns of categories", 4),
        ("age - age > 2 left", "The rule has no feature", 0),
        ("(age) > 3 left", "Parentheses are not supported", 0),
        ("age > (3) left", "Parentheses are not supported", 6),
        ("__import__('os').system('ls') > 3 left", "Unknown feature …. Use one of", 0),
        ("age > 1e400 left", "This number is too large", 6),
        ("1e-300 * age > 1e300 left", "A number in the rule exceeds", 0),
        ("age / 0 > 1 left", "Division by 0.", 6),
        ("1 / age > 1 left", "Division by a feature is not supported", 4),
        ("age * age > 1 left", "Products of features are not supported", 6),
        ("age > 3 left, please", "Unexpected text after the rule", 12),
        ('"age > 3 left', "The quote … has no closing quote", 0),
        ("joined > 2020-13-01 left", "is not a date: ….", 9),
        ("joined > 31.02.2020 left", "is not a date: ….", 9),
        ("joined > 10000-01-01 left", "is not a date: ….", 9),
        ("joined > 01.03.99999 left", "is not a date: ….", 9),
        ("joined > 0000-01-01 left", "is not a date: ….", 9),
        ("joined > 2020-01-01 25:00 left", "is not a date: ….", 9),
        ("joined > 01.03.20 left", "Write the year in … with four digits", 9),
        ("joined > 01/03/2020 left", "is ambiguous. Write year-month-day", 9),
        ("age > 1,000 left", "is ambiguous. Write …… or ….", 6),
        ("age", "Expected <, <=, > or >=.", 3),
        ("age > left", "Expected 'go left' or 'go right' at the end", 10),
        ("age < 3 go left" + " " * 3000, "The rule has … characters (maximum …)", 0),
        (7, "A rule must be text.", 0),
    ],
)
def test_faults_of_typed_splits_are_reported_with_their_place(text, code, place):
    with refused(RuleError, code) as caught:
        typed_split(text, NAMES, COLUMNS)
    assert caught.value.place == place


@pytest.mark.parametrize(
    ("text", "feature"),
    [("if_x < 3 go left", 0), ("if if_x < 3 go left", 0), ("if < 3 go left", 1), ("if if < 3 go left", 1),
     ("if dry < 3 go left", 2), ("if if dry < 3 go left", 2), ("if age < 3 go left", 3), ("IF AGE<3,left", 3)],
)  # fmt: skip
def test_names_may_begin_with_if(text, feature):
    split = typed_split(text, ["if_x", "if", "if dry", "age"])
    assert (split.features.tolist(), split.bias) == ([feature], -3.0)


@pytest.mark.parametrize("sign", sorted(COMPARE))
def test_a_limit_is_a_number_of_the_type_of_the_rows(sign):
    X = np.array([[0.1], [np.nextafter(np.float32(0.1), np.float32(1))], [0.0]], np.float32)
    split = typed_split(f"x {sign} 0.1 go right", ["x"], X=X)
    truth = [COMPARE[sign](float(x), float(np.float32(0.1))) for x in X[:, 0]]
    assert [bool(goes_right(split, row)) for row in X.astype(float)] == truth
    assert typed_split("x >= 1e99 go right", ["x"], X=X).bias == -1e99


def test_missing_needs_a_tree_that_knows_it():
    with refused(RuleError, "The tree was trained without missing values"):
        typed_split("age < 3 or missing go left", NAMES, COLUMNS)


PIECES = st.sampled_from(
    ["age", "colour", "joined", '"', "`", "<", "<=", "=", "!=", ">", "+", "-", "*", "/", "3", "1e5", ".", "go", "left",
     "right", "if", "or", "missing", "is", "not", "red", " ", "  ", "2020-01-01", "(", ")", "\0", "é", "٣", "½", "²"]
)  # fmt: skip


@given(st.one_of(st.lists(PIECES, max_size=12).map("".join), st.lists(PIECES, max_size=12).map(" ".join),
                 st.text(max_size=40)), st.booleans())  # fmt: skip
def test_no_text_raises_anything_else(text, table):
    try:
        split = typed_split(text, NAMES, COLUMNS if table else None, np.zeros((3, len(NAMES))))
    except RuleError:
        return
    assert np.isfinite(split.weights).all()
    assert split.features.size


@given(st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=4, unique=True))
def test_any_name_can_be_quoted(names):
    for feature, name in enumerate(names):
        quoted = '"' + name.replace('"', '""') + '"'
        assert typed_split(f"{quoted} >= 2 right", names).features.tolist() == [feature]


def test_a_rule_goes_into_a_tree():
    tree = small_tree()
    X = np.array([[0.0, 0, 0], [0, 1, 0], [0, 1, 0], [2, 0, 9]])
    y = np.array(["a", "b", "b", "b"])
    document = tree_document(tree, positions=[2, 0, 1])
    split = typed_split("y >= 0.5 right", ["x", "y", "z"])
    leaf = next(node["id"] for node in document["nodes"] if node["left"] is None)
    changed = with_split(document, leaf, split, tree, X, y, [2, 0, 1])
    found = edited_tree(changed, tree, X, y, positions=[2, 0, 1])
    assert found.n_leaves == tree.n_leaves + 1
    assert found.predict(X[:3]).tolist() == ["a", "b", "b"]
    again = with_split(changed, leaf, typed_split("x < 7 left", ["x", "y", "z"]), tree, X, y, [2, 0, 1], lock=False)
    node = next(node for node in again["nodes"] if node["id"] == leaf)
    assert (node["bias"], node["locked"], len(again["nodes"])) == (-7.0, False, len(changed["nodes"]))


TWO = TableColumns(
    (TableColumn("sex", "category", ("male",), ("female",)), TableColumn("port", "category", tuple("CQ"), ("S",)))
)


@each(
    "text, same",
    [
        ("sex = female go left", "sex != male go left"),
        ("sex != female go right", "sex = male go right"),
        ("port = S go right", "port not in {C, Q} go right"),
        ("port in {S, C} go left", "port != Q go left"),
        ("port not in {Q, S} go left", "port = C go left"),
    ],
)
def test_the_only_value_without_a_feature_has_a_name(text, same):
    split, other = (typed_split(words, TWO.feature_names(), TWO) for words in (text, same))
    assert split.features.tolist() == other.features.tolist()
    assert (split.weights.tolist(), split.bias) == (other.weights.tolist(), other.bias)


def test_a_condition_on_all_values_is_refused():
    with refused(RuleError, "These are all values of"):
        typed_split("sex in {male, female} go left", TWO.feature_names(), TWO)


@each("values", [("male",), ("C",), ("Q",), ("C", "Q")])
def test_the_text_of_a_condition_names_the_value_without_a_feature_and_can_be_typed(values):
    column = "sex" if values == ("male",) else "port"
    split = typed_split(f"{column} not in {{{', '.join(values)}}} go right", TWO.feature_names(), TWO)
    condition = condition_of((split.features, split.weights, split.bias), TWO.feature_names())
    text = str(TWO.categories().combine(condition))
    assert ("not in" in text or "!=" in text) == (len(values) == 1 and column == "port"), text
    again = typed_split(f"{text} go right", TWO.feature_names(), TWO)
    rows = np.array([[0, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0], [1, 1, 0], [1, 0, 1]], np.float64)

    def side(one):
        return rows[:, one.features] @ one.weights + one.bias >= 0

    np.testing.assert_array_equal(side(again), side(split))
