"""Test that skops files give the same trees as the estimators that they contain, or are refused."""

import io
import json
import zipfile

import numpy as np
import pandas as pd
import pytest
from sklearn.base import is_classifier
from sklearn.decomposition import PCA
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier

from tests.refusals import refused
from tests.skops_content import skops_content
from treecore import ParameterError, TreeFormatError, from_sklearn
from treecore.foreign import skops_file
from treecore.foreign.sources import SOURCES, foreign_model


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(200, 3)), columns=list("abc"))
    return X.mask(rng.random(X.shape) < 0.1), np.where(X.a > 0.3, "yes", "no").astype(object)


@pytest.mark.parametrize("model", [
    DecisionTreeClassifier(max_depth=4, class_weight={"no": 1, "yes": 3}), ExtraTreeClassifier(max_depth=4),
    make_pipeline(StandardScaler(), MinMaxScaler(), DecisionTreeClassifier(max_depth=4)),
    DecisionTreeRegressor(max_depth=4), RandomForestClassifier(3, max_depth=3, random_state=np.random.RandomState(0)),
    HistGradientBoostingClassifier(max_iter=2), HistGradientBoostingRegressor(max_iter=2),
    AdaBoostClassifier(n_estimators=2), BaggingClassifier(n_estimators=2),
    make_pipeline(StandardScaler(), GradientBoostingClassifier(n_estimators=2)),
])  # fmt: skip
def test_a_file_gives_the_same_trees(model, rows, tmp_path):
    X, y = rows
    X = X.fillna(0) if isinstance(model, Pipeline | AdaBoostClassifier) else X
    model.fit(X, y if is_classifier(model) else X.b.fillna(0))
    content = skops_content(model)
    (tmp_path / "model.skops").write_bytes(content)
    assert [name for name, source in SOURCES.items() if source.is_file(content)] == ["sklearn"]
    for number in range(foreign_model(content).n_trees):
        tree = from_sklearn(model, tree=number)
        assert from_sklearn(content, tree=number) == from_sklearn(tmp_path / "model.skops", tree=number) == tree


def test_other_classes_and_large_files_are_refused(rows, monkeypatch):
    X, y = rows
    with refused(ParameterError, "model=LogisticRegression"):
        from_sklearn(skops_content(LogisticRegression().fit(X.fillna(0), y)))
    with refused(TreeFormatError, "The pipeline step PCA cannot be folded into the thresholds of the tree"):
        from_sklearn(skops_content(make_pipeline(PCA(), DecisionTreeClassifier()).fit(X.fillna(0), y)))
    with refused(
        ParameterError,
        (
            "model=…: expected a fitted scikit-learn DecisionTree, ExtraTree, forest or boosted trees, or a "
            "pipeline that ends with one"
        ),
    ):
        from_sklearn(skops_content({"a": 1}))
    with refused(TreeFormatError, "The skops file is damaged"):
        from_sklearn(b"\x80\x04\x95")  # a pickle
    monkeypatch.setattr(skops_file, "MOST_BYTES", 1000)
    with refused(TreeFormatError, "The skops file unpacks to more than … bytes, the maximum"):
        from_sklearn(skops_content(DecisionTreeClassifier().fit(X, y)))


@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::RuntimeWarning", "ignore::UserWarning")
def test_damage_is_refused(rows):
    content = skops_content(DecisionTreeClassifier(max_depth=3).fit(*rows))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    rng, refused = np.random.default_rng(0), 0
    for name in rng.choice(list(parts), 300):
        damaged = bytearray(parts[name])
        for place in rng.integers(0, len(damaged), 2):
            damaged[place] = rng.integers(256)
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:  # keeps the checksums of the zip file correct
            for other, part in parts.items():
                archive.writestr(other, bytes(damaged) if other == name else part)
        try:
            from_sklearn(file.getvalue())
        except (TreeFormatError, ParameterError):
            refused += 1
    assert refused > 150


def test_an_unknown_protocol_is_refused(rows):
    content = skops_content(DecisionTreeClassifier(max_depth=2).fit(*rows))
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(file, "w") as new:
        for name in old.namelist():
            part = old.read(name)
            new.writestr(name, json.dumps(json.loads(part) | {"protocol": 99}) if name == "schema.json" else part)
    with refused(TreeFormatError, "Unsupported skops protocol 99 (latest supported"):
        from_sklearn(file.getvalue())
