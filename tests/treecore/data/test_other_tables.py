"""Test polars tables, nullable dtypes, labels of one dtype, and scikit-learn's metadata routing."""

import datetime

import numpy as np
import pandas
import polars
import pytest
import sklearn
from sklearn.feature_selection import SelectFromModel
from sklearn.model_selection import cross_validate

import viz
from tests.refusals import is_said, refused, warned
from treecore import C50Classifier, CARTClassifier, TAOClassifier, TAOForestClassifier, TAORegressor
from treecore.errors import DataError, DataWarning
from treecore.model.model import Model
from treecore.rules.rule_set import rules
from treecore.tables.predict_table import predict_table


def small(**settings):
    return TAOClassifier(split="univariate", init="cart", max_depth=3, random_state=0, **settings)


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    colours = np.array(["red", "green", "blue"])[rng.integers(0, 3, 200)]
    return pandas.DataFrame(
        {"a": rng.normal(size=200), "k": rng.integers(0, 5, 200), "colour": colours, "flag": rng.random(200) > 0.5}
    )


@pytest.fixture(scope="module")
def labels(table):
    return np.where((table.colour == "red") & (table.a > 0), "yes", "no")


@pytest.fixture(scope="module")
def of_polars(table):
    return polars.DataFrame({name: table[name].to_list() for name in table})


@pytest.mark.parametrize("columns", [["a", "k"], ["a", "k", "flag"], ["a", "k", "colour", "flag"]])
def test_polars_is_as_pandas(table, of_polars, labels, columns):
    theirs, ours = of_polars.select(columns), table[columns]
    model = small().fit(theirs, polars.Series(labels))
    assert model.tree_.to_json() == small().fit(ours, labels).tree_.to_json()
    assert model.feature_names_in_.tolist() == columns
    assert model.predict(theirs).tolist() == model.predict(ours).tolist()
    assert repr(viz.show(model, theirs, labels)) == repr(viz.show(model, ours, labels))


def test_missing_values_and_kinds_of_polars(of_polars, labels):
    is_blue = polars.col("colour") == "blue"
    holes = of_polars.with_columns(
        polars.when(is_blue).then(None).otherwise(polars.col(name)).alias(name) for name in ("k", "colour", "flag")
    )
    assert small(missing="learn").fit(holes, labels).score(holes, labels) == 1.0
    with refused(DataError, "Column 'colour' has … missing values"):
        small().fit(holes, labels)
    for kind in (polars.Categorical, polars.Enum(["red", "green", "blue"])):
        assert (
            small().fit(of_polars.with_columns(polars.col("colour").cast(kind)), labels).score(of_polars, labels) == 1
        )
    with refused(DataError, "Column 'day' contains dates or times, which are not supported"):
        small().fit(of_polars.with_columns(day=polars.lit(datetime.date(2020, 1, 1))), labels)


@pytest.mark.parametrize("kind", ["date", "timestamp", "period"])
def test_dates_of_any_kind_are_refused(table, labels, kind):
    days = pandas.Series(pandas.date_range("2020-01-01", periods=len(labels)))
    values = {"date": days.dt.date, "timestamp": days.dt.tz_localize("UTC"), "period": days.dt.to_period("D")}[kind]
    for days in (values, values.mask(values.index == 0)):
        with refused(DataError, "Column 'day' contains dates or times, which are not supported"):
            small().fit(table[["a"]].assign(day=days.to_numpy()), labels)


@pytest.mark.parametrize("dtype", ["int64", "uint64", "Int64"])
def test_whole_numbers_that_are_rounded_are_named(table, labels, dtype):
    exact = table[["a"]].assign(k=pandas.Series(np.arange(len(labels)) * 2 + 2**53).astype(dtype).to_numpy())
    small().fit(exact, labels)  # without a warning
    rounded = table[["a"]].assign(k=pandas.array(np.arange(len(labels)) + 2**60, dtype=dtype))
    with warned(
        DataWarning, "The columns 'k' contain whole numbers beyond 2**53, which are rounded to floating-point numbers"
    ):
        small().fit(rounded, labels)
    if dtype != "Int64":
        with warned(
            DataWarning, "The columns 1 contain whole numbers beyond 2**53, which are rounded to floating-point numbers"
        ):
            small().fit(np.c_[np.arange(len(labels)), np.arange(len(labels)) + 2**60].astype(dtype), labels)


def test_values_whose_squares_are_zero_are_refused(labels):
    X = np.c_[np.arange(len(labels)) * 1e-300, np.arange(len(labels))]
    for scale in ("standard", "minmax"):
        with refused(
            DataError,
            (
                "X contains values that differ by less than 1e-150, which is too little for their squares. "
                "Multiply feature 0 by a constant"
            ),
        ):
            TAOClassifier("oblique", scale=scale).fit(X, labels)
    with refused(
        DataError,
        (
            "y contains values that differ by less than 1e-75, which is too little for their squares. Multiply the "
            "target by a constant"
        ),
    ):
        TAORegressor("univariate").fit(X[:, 1:], X[:, 1] * 1e-100)
    assert TAORegressor("univariate", lam=0).fit(X[:, 1:], X[:, 1] * 1e-70).tree_.n_leaves > 1


def test_nullable_dtypes_are_numbers(table, labels):
    plain = table[["a", "k", "flag"]]
    nullable = plain.astype({"a": "Float64", "k": "Int64", "flag": "boolean"})
    assert small().fit(nullable, labels).tree_.to_json() == small().fit(plain, labels).tree_.to_json()
    nullable.loc[3, "k"] = pandas.NA
    assert 0 < small(missing="learn").fit(nullable, labels).score(nullable, labels) <= 1
    with refused(
        DataError,
        (
            "contains NaN. Fill or remove these values, or use TAOClassifier or TAORegressor with missing='learn' "
            "and split='univariate' or 'bivariate'"
        ),
    ):
        small().fit(nullable, labels)


def few():
    return TAOForestClassifier(n_estimators=2, random_state=0)


@pytest.mark.parametrize("make", [small, CARTClassifier, lambda: C50Classifier(rules=True), few])
@pytest.mark.parametrize("kind", [str, object, "category", "int8", bool])
def test_predictions_have_the_dtype_of_the_classes(table, labels, make, kind):
    y = pandas.Series(labels if kind in (str, object, "category") else (labels == "yes")).astype(kind)
    model = make().fit(table, y)
    assert model.predict(table).dtype == model.classes_.dtype


def test_scikit_learn_routes_weights_and_names_what_is_selected(table):
    X, y = table[["a", "k"]], np.where(table.a > 0, "p", "q")
    assert SelectFromModel(small()).set_output(transform="pandas").fit_transform(X, y).columns.tolist() == ["a"]
    first = np.arange(200) % 2 == 0
    other = np.where(first, y, np.where(y == "p", "q", "p"))  # the opposite label for rows of weight 0
    weights = first + 1e-9
    with sklearn.config_context(enable_metadata_routing=True):
        asking = small().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        found = cross_validate(asking, X, other, params={"sample_weight": weights}, cv=3)
        assert found["test_score"] == pytest.approx(1.0, abs=0.1)
        with pytest.raises(ValueError, match="not explicitly set as requested"):
            cross_validate(small(), X, other, params={"sample_weight": weights}, cv=3)


@pytest.mark.parametrize("kind", ["pandas", "polars"])
@pytest.mark.parametrize("missing", ["error", "learn"])
def test_ordered_categories_are_one_feature(kind, missing):
    levels = ["small", "medium", "large", "huge"]
    places = np.random.default_rng(0).integers(0, 4, 200)
    texts, numbers = [levels[place] for place in places], np.arange(200.0)
    X = pandas.DataFrame({"size": pandas.Categorical(texts, levels, ordered=True), "number": numbers})
    given = X
    if kind == "polars":
        given = polars.DataFrame({"size": polars.Series(texts, dtype=polars.Enum(levels)), "number": numbers})
    model = TAOClassifier(split="univariate", init="cart", missing=missing).fit(given, places >= 2)
    assert model.tree_.feature_names == ("size (ordered: small < medium < large < huge)", "number")
    if missing == "error":
        assert [str(rule.conditions[0]) for rule in rules(model.tree_).rules] == ["size <= medium", "size >= large"]
    assert (model.predict(X) == (places >= 2)).all()
    strange = X.assign(size="giant")
    if missing == "error":
        with refused(DataError, "Column … contains 'giant', which is not one of its levels"):
            model.predict(strange)
    else:
        np.testing.assert_array_equal(model.predict(strange), model.predict(X.assign(size=None)))
    found = predict_table(Model(model.tree_), X.assign(size=["giant", *texts[1:]], number=numbers))
    assert is_said(found.notes[0], "'size'", example="giant")
