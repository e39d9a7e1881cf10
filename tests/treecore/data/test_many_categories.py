"""Test text columns with more categories than features: the rare ones are one feature, also in exports and parts."""

import sqlite3
from contextlib import closing

import numpy as np
import pandas
import pytest

from tests.refusals import refused, warned
from treecore import CARTClassifier, TAOClassifier, export
from treecore.data.feature_encoder import MOST_CATEGORIES, FeatureEncoder
from treecore.errors import DataError, DataWarning
from treecore.export.checks import columns_of
from treecore.model.model import Model
from treecore.rules.rule_set import rules


def cities(n_cities, n_rows, kind="str"):
    """Return (frame, labels); the labels depend on the city, and frequent cities come first."""
    rng = np.random.default_rng(0)
    shares = 1 / np.arange(1, n_cities + 1)
    codes = np.append(np.arange(n_cities), rng.choice(n_cities, n_rows - n_cities, p=shares / shares.sum()))
    frame = pandas.DataFrame({"x": rng.normal(size=n_rows), "city": [f"c{code:04}" for code in codes]})
    effect = rng.normal(size=n_cities)
    return frame.astype({"city": kind}), np.where(effect[codes] + frame.x > 0, "yes", "no")


def fitted(frame, y, **settings):
    model = TAOClassifier("univariate", max_depth=4, lam=2, random_state=0, **settings)
    with warned(DataWarning, "Column 'city' has … categories"):
        return model.fit(frame, y)


@pytest.mark.parametrize("kind", ["str", "object", "category"])
@pytest.mark.parametrize(("n_cities", "n_rows"), [(60, 600), (300, 2000), (3000, 12_000)])
def test_rare_categories_are_one_feature(n_cities, n_rows, kind):
    frame, y = cities(n_cities, n_rows, kind)
    model = fitted(frame, y)
    *kept, group = model.encoder_.columns[1]
    counts = frame.city.value_counts()
    assert len(kept) <= MOST_CATEGORIES - 1
    assert counts[kept].min() >= counts.drop(kept).max()
    assert group == f"others ({n_cities - len(kept):,} categories)"
    assert model.encoder_.feature_names[-1] == f"city = {group}"
    X = model.encoder_.transform(model, frame)
    assert np.array_equal(X[:, 1:].sum(1), np.ones(n_rows))
    assert np.array_equal(X[:, -1] == 1, ~frame.city.isin(kept))


def test_fifty_categories_need_no_group():
    frame, y = cities(50, 500)
    model = TAOClassifier("univariate", max_depth=2).fit(frame, y)
    assert not model.encoder_.grouped
    assert model.encoder_.transform(model, frame.assign(city="new"))[:, 1:].sum() == 0


def test_a_column_of_ids_is_refused():
    frame = pandas.DataFrame({"city": [f"row {i}" for i in range(100)] + ["again"] * 90})
    with refused(DataError, "Column … has 101 different strings, such as …, with fewer than two rows each on average"):
        CARTClassifier().fit(frame, np.arange(190) % 2)


def test_the_name_of_the_group_is_no_category():
    names = [f"c{i}" for i in range(59)] + ["others (11 categories)"]
    frame, y = pandas.DataFrame({"city": names * 4}), np.arange(240) % 2
    encoder = FeatureEncoder()
    with pytest.warns(DataWarning):
        encoder.fit(TAOClassifier(), frame, y)
    assert encoder.columns[0][-1] == "others (11 categories)_"


@pytest.mark.parametrize("categories", ["features", "groups"])
def test_exports_rules_and_models_put_unknown_categories_with_the_others(categories, tmp_path):
    frame, y = cities(300, 2000)
    y = np.where(frame.city.isin(frame.city.value_counts().index[:40]), y, "rare")
    model = fitted(frame, y, categories=categories)
    assert categories == "groups" or "others (" in rules(model).to_text()
    rows = pandas.concat([frame.iloc[:500], pandas.DataFrame({"x": [0.3, -0.2], "city": ["Atlantis", "Eldorado"]})])
    expected = model.predict(rows).tolist()
    assert expected[-1] == "rare"
    module = {}
    exec(export.python(model, columns=columns_of(model)), module)
    assert [module["predict_row"](row) for row in rows.to_dict("records")] == expected
    with closing(sqlite3.connect(":memory:")) as base:
        rows.reset_index(drop=True).to_sql("t", base)
        found = base.execute(export.sql(model, table="t")).fetchall()
    assert [row[-1] for row in found] == expected
    saved = Model(model.tree_, columns=columns_of(model))
    assert saved.columns.encode(rows).X.tolist() == model.encoder_.transform(model, rows).tolist()


def test_rows_in_parts_have_the_same_features(tmp_path):
    frame, y = cities(300, 2000)
    for i, rows in enumerate(np.array_split(np.arange(2000), 3)):
        frame.iloc[rows].assign(y=y[rows]).to_parquet(tmp_path / f"p{i}.parquet")
    whole = fitted(frame, y, init="cart")
    with pytest.warns(DataWarning):
        parts = TAOClassifier("univariate", max_depth=4, lam=2, random_state=0, init="cart").fit(tmp_path, "y")
    assert parts.encoder_.columns == whole.encoder_.columns
    assert (parts.predict(frame) == whole.predict(frame)).mean() > 0.95
