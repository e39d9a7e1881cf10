"""Test that trees read from LightGBM's text send every row to the same leaf as LightGBM."""

import itertools

import numpy as np
import pandas as pd
import pytest

from tests.refusals import is_said, refused
from tests.treecore.foreign.boundary_rows import boundary_rows
from treecore import DataError, ParameterError, TreeFormatError, from_lightgbm
from treecore.errors import ForeignWarning
from treecore.foreign.from_lightgbm import lightgbm_model, list_places

lightgbm = pytest.importorskip("lightgbm")
FAST = {"verbose": -1, "num_threads": 1, "min_data_in_leaf": 3, "num_leaves": 15, "min_data_in_bin": 1}


def table(seed=0, n=500, d=4, missing=0.1):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, d)), int(rng.integers(1, 9)))
    y = (X[:, 0] > 0.1).astype(int) + (X[:, 1] * X[:, 2] > 0)
    X[rng.random(X.shape) < 0.2] = 0.0
    X[rng.random(X.shape) < missing] = np.nan
    return X, y


def booster(params, X, y, rounds=1, **more):
    return lightgbm.train({**FAST, **params}, lightgbm.Dataset(X, y, params={**FAST, **params}, **more), rounds)


def leaves_of(model, X, number=0):
    return model.predict(X, pred_leaf=True).reshape(len(X), -1)[:, number]


def limits_of(tree):
    return -tree.bias[tree.left >= 0], tree.features


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("params", [
    {}, {"objective": "binary"}, {"use_missing": False}, {"objective": "multiclass", "num_class": 3},
    {"boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.5}, {"boosting": "dart"}, {"num_leaves": 63},
])  # fmt: skip
def test_every_row_reaches_the_same_leaf(params, missing):
    X, y = table(missing=missing)
    X[:, 3] *= 1e-34
    model = booster(params, X, y.clip(max=1) if params.get("objective") == "binary" else y, rounds=3)
    n_trees = 9 if "num_class" in params else 3
    assert lightgbm_model(model).n_trees == n_trees
    for number in (0, n_trees - 1):
        tree = from_lightgbm(model, tree=number)
        limits, features = limits_of(tree)
        rows = boundary_rows(limits, features, 4)
        rows[-3000:, 3] *= 1e-34
        assert np.array_equal(tree.origin[tree.apply(rows)] - tree.n_decision, leaves_of(model, rows, number))
        values = [model.get_leaf_output(number, leaf) for leaf in range(tree.n_leaves)]
        assert np.array_equal(tree.predict(rows), np.array(values)[tree.origin[tree.apply(rows)] - tree.n_decision])


def test_zeros_that_count_as_missing():
    X, y = table(missing=0.1)
    X = np.abs(X) + np.where(np.arange(4) < 2, 0.0, 1.0)
    told = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        y = (X[:, seed % 4] > 0.3) * 1.0 + 0.5 * (X[:, seed % 4] == 0) * (seed % 3) + 0.1 * rng.random(len(X))
        model = booster({"zero_as_missing": True, "num_leaves": 4}, X, y)
        try:
            tree = from_lightgbm(model)
        except TreeFormatError:
            told += 1
            with refused(
                TreeFormatError,
                (
                    "Node … sends zeros to a different child than its threshold … does (zero_as_missing=True), "
                    "which cannot be represented"
                ),
            ):
                from_lightgbm(model)
            continue
        rows = boundary_rows(*limits_of(tree), 4, n=1000)
        assert np.array_equal(tree.origin[tree.apply(rows)] - tree.n_decision, leaves_of(model, rows))
    assert 0 < told < 12


@pytest.mark.parametrize("objective", ["regression", "binary", "poisson", "regression_l1", "cross_entropy"])
def test_the_only_tree_predicts_what_the_model_does(objective):
    X, y = table()
    y = y if objective in ("poisson", "regression", "regression_l1") else y.clip(max=1)
    model = booster({"objective": objective}, X, y)
    tree, predicted = from_lightgbm(model), model.predict(X)
    if objective == "cross_entropy":
        with refused(ParameterError, "Use … for a single tree, or viz.forest_strip(model) for all trees"):
            lightgbm_model(model).only_tree()
        predicted = model.predict(X, raw_score=True)
    if objective == "binary":
        assert np.allclose(tree.predict_proba(X)[:, 1], predicted, atol=1e-12)
        assert np.array_equal(tree.predict(X), predicted > 0.5)
    else:
        assert np.allclose(tree.predict(X), predicted, rtol=1e-12)


def test_classes_of_an_estimator():
    X, y = table()
    labels = np.array(["no", "yes"])[y.clip(max=1)]
    model = lightgbm.LGBMClassifier(n_estimators=1, num_leaves=5, verbose=-1, n_jobs=1)
    model.fit(pd.DataFrame(X, columns=["a b", "c", "d", "e"]), labels)
    found = lightgbm_model(model)
    frame = pd.DataFrame(X, columns=["a b", "c", "d", "e"])
    assert found.tree().feature_names == ("a_b", "c", "d", "e")
    assert np.array_equal(found.tree().predict(found.features(frame)), model.predict(frame))


def test_files_and_texts(tmp_path):
    X, y = table()
    model = booster({}, X, y)
    tree = from_lightgbm(model)
    file = tmp_path / "model.txt"
    model.save_model(file)
    for source in (file, str(file), file.read_bytes(), file.read_text(), file.read_text().replace("\n", "\r\n")):
        assert from_lightgbm(source) == tree


@pytest.mark.parametrize("to_onehot", [1, 100])
@pytest.mark.parametrize("called", ["texts", "numbers", "codes"])
def test_categories_become_features(to_onehot, called):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 40, 900)
    names = {"texts": [f"town {code}" for code in range(40)], "numbers": [10 * code for code in range(40)]}.get(called)
    number = rng.normal(size=900)
    y = np.isin(codes, [1, 4, 35]) * 2.0 + (number > 0.3) * (codes % 3 == 2)
    X = pd.DataFrame({"number": number, "town": codes if names is None else pd.Categorical.from_codes(codes, names)})
    if names:
        X.loc[::11, "town"] = np.nan
    given = X if names else X.to_numpy()
    more = {} if names else {"categorical_feature": [1]}
    model = booster({"max_cat_to_onehot": to_onehot, "min_data_per_group": 2, "cat_smooth": 1}, given, y, **more)
    found = lightgbm_model(model)
    tree = found.tree()
    assert tree.n_features == (41 if names else 1 + len(found.columns.codes[1]))
    rows = found.features(given)
    assert np.array_equal(tree.origin[tree.apply(rows)] - tree.n_decision, leaves_of(model, given))
    if names:
        assert f"town = {names[2]}" in tree.feature_names
    else:
        odd = np.array([[0.1, 170.0], [0.1, 2.7], [0.1, np.nan], [0.1, -3.0]])
        reached = tree.origin[tree.apply(found.features(odd))] - tree.n_decision
        assert np.array_equal(reached, leaves_of(model, odd))


ONE_TREE = {"learning_rate": 1.0, "min_data_per_group": 1, "cat_smooth": 1.0, "num_leaves": 6}


def goods(n=600, seed=0):
    """Return a DataFrame with ordered and unordered categories, whole numbers and numbers, and a target."""
    rng = np.random.default_rng(seed)
    grade, kind = rng.choice([10, 20, 30], n), rng.integers(0, 3, n)
    frame = pd.DataFrame({
        "grade": pd.Categorical(grade, ordered=True), "z": rng.normal(size=n), "flag": rng.integers(0, 2, n),
        "kind": pd.Categorical.from_codes(kind, ["p", "q", "r"]), "many": rng.integers(0, 9, n),
    })  # fmt: skip
    return frame, (grade == 10) * 2.0 + (grade == 30) + (kind == 1) + 0.5 * frame.flag + (frame.many % 3 == 1) * 0.3


def equal(model, found, frame):
    leaves = found.tree().origin[found.tree().apply(found.features(frame))] - found.tree().n_decision
    return np.array_equal(leaves, leaves_of(model, frame))


def test_ordered_categories_are_sets_of_categories(tmp_path):
    frame, y = goods()
    frame = frame[["grade", "z"]]
    model = booster(ONE_TREE, frame, y)
    model.save_model(tmp_path / "model.txt")
    text = (tmp_path / "model.txt").read_text()
    for source in (model, text):
        found = lightgbm_model(source)
        assert found.doubt is None
        assert found.tree().feature_names == ("grade = 10", "grade = 20", "grade = 30", "z")
        assert equal(model, found, frame)
        assert np.allclose(found.tree().predict(found.features(frame.astype(float))), model.predict(frame))
        assert np.allclose(found.tree().predict(found.features(frame.astype({"grade": str}))), model.predict(frame))
        codes = np.c_[frame.grade.cat.codes, frame.z].astype(float)
        assert np.allclose(found.tree().predict(found.features(codes)), model.predict(codes))
        with refused(DataError, "Column 'grade' contains 7.0, which is not the code of one of its categories"):
            found.features(np.array([[7.0, 0.0]]))


def test_unknown_categories_and_another_order_of_them():
    frame, y = goods()
    frame = frame[["grade", "z", "kind"]]
    model = booster(ONE_TREE, frame, y)
    found = lightgbm_model(model)
    odd = frame.assign(
        grade=pd.Categorical(frame.grade.astype(int).replace(20, 15), [30, 15, 10], ordered=True),
        kind=pd.Categorical(frame.kind.astype(str).replace("p", "new"), ["r", "new", "q"]),
    )
    odd.loc[::7, ["grade", "kind"]] = np.nan
    assert equal(model, found, odd)


@pytest.mark.parametrize("source", ["booster", "text", "estimator"])
def test_categorical_feature_with_other_columns(source):
    frame, y = goods()
    chosen = ["kind", "many"]  # grade has the dtype category too
    frame = frame[["grade", "z", "kind", "many"]]
    estimator = lightgbm.LGBMRegressor(**FAST | ONE_TREE | {"n_estimators": 1}).fit(
        frame, y, categorical_feature=chosen
    )
    model = estimator.booster_
    given = {"booster": model, "text": model.model_to_string(), "estimator": estimator}[source]
    found = lightgbm_model(given)  # codes up to 8 cannot be those of three categories
    assert found.doubt is None
    assert "kind = q" in found.tree().feature_names
    assert "many = 1" in found.tree().feature_names
    assert equal(model, found, frame)


def test_categories_whose_columns_the_file_leaves_open_are_refused_or_doubted():
    frame, y = goods()
    both = frame[["grade", "flag", "kind"]]
    with refused(
        TreeFormatError,
        ("The model was trained on 2 columns of dtype category, and the file does not contain which of … they are"),
    ):
        from_lightgbm(booster(ONE_TREE, both, y, categorical_feature=["flag"]))
    some = frame[["flag", "kind"]].assign(flag=lambda table: table.flag + (np.arange(len(table)) % 3 == 0))
    model = booster(ONE_TREE, some, y)
    found = lightgbm_model(model)
    assert is_said(
        found.doubt,
        (
            "The file contains categories, but not their columns. They are assumed to belong to the columns kind, "
            "which is right unless the model was trained with categorical_feature"
        ),
    )
    with pytest.warns(ForeignWarning, match="assumed to belong to the columns kind"):
        tree = found.tree()
    texts = some.astype({"kind": str})
    for rows in (some, texts, texts.iloc[0], texts.iloc[0].to_dict()):
        n = len(rows) if hasattr(rows, "iloc") and rows.ndim == 2 else 1
        assert np.allclose(tree.predict(found.features(rows)), model.predict(some.iloc[:n]))
    with refused(
        DataError, "The file does not contain which columns have categories, and column 'kind' contains numbers"
    ):
        found.features(some.assign(kind=1))
    # the same file, but with categorical_feature: the categories belong to flag
    other = frame[["flag", "kind"]].assign(flag=pd.Categorical(frame.flag + 5), kind=frame.kind.cat.codes.astype(int))
    other["flag"] = other.flag.cat.add_categories([7])
    found = lightgbm_model(booster(ONE_TREE, other, y, categorical_feature=["kind"]))
    assert found.doubt is not None
    with refused(DataError, "The columns flag of X have the dtype category"):
        found.features(other)


def test_the_columns_of_lists_are_found_as_by_trying_all():
    rng = np.random.default_rng(0)
    for _ in range(300):
        n_lists, n_columns = int(rng.integers(1, 4)), int(rng.integers(1, 6))
        fits = rng.random((n_lists, n_columns)) < 0.6
        needed = set(np.flatnonzero(rng.random(n_columns) < 0.3).tolist())
        all_ways = [
            columns
            for columns in itertools.combinations(range(n_columns), n_lists)
            if needed <= {*columns} and all(fits[i, column] for i, column in enumerate(columns))
        ]
        found = list_places(fits, needed)
        assert len(found) == min(2, len(all_ways))
        assert set(found) <= set(all_ways)


def test_a_table_with_other_dtypes_is_refused():
    frame, y = goods()
    codes = frame[["z", "flag"]].to_numpy()
    found = lightgbm_model(booster(ONE_TREE, codes, y, categorical_feature=[1]))
    with refused(
        DataError,
        ("The columns Column_1 of X have the dtype category, but the model was trained on these columns of that dtype"),
    ):
        found.features(frame[["z", "kind"]])
    with refused(
        DataError,
        "The columns … of X have the dtype category, but the model was trained on these columns of that dtype",
    ):
        lightgbm_model(booster(ONE_TREE, frame[["z", "flag"]], y)).features(
            frame.assign(flag=frame.kind)[["z", "flag"]]
        )


def test_a_column_that_becomes_categorical_in_later_rounds_is_refused():
    frame, y = goods()
    X = frame[["z", "many"]].to_numpy()
    first = booster(ONE_TREE, X, y)
    data = lightgbm.Dataset(X, y, categorical_feature=[1], params=FAST | ONE_TREE)
    model = lightgbm.train(FAST | ONE_TREE, data, 1, init_model=first)
    with refused(
        TreeFormatError, "Column 'Column_1' is compared with thresholds on category codes, which is not supported"
    ):
        lightgbm_model(model)


def test_whole_numbers_in_arrays_are_rounded_as_by_lightgbm():
    rng = np.random.default_rng(0)
    X = 1_700_000_000 + rng.integers(0, 3000, (900, 1))
    model = booster({"num_leaves": 40}, X, rng.normal(size=900))
    found = lightgbm_model(model)
    rows = 1_700_000_000 + np.arange(3000)[:, None]
    for given in (rows, rows.tolist()):
        assert np.array_equal(found.tree().predict(found.features(given)), model.predict(rows))
    assert np.array_equal(found.tree().predict(found.features(rows.astype(float))), model.predict(rows.astype(float)))
    assert (model.predict(rows) != model.predict(rows.astype(float))).any()


@pytest.mark.parametrize("objective", ["binary", "regression", "poisson"])
def test_an_estimator_of_another_kind_than_its_objective(objective):
    X, y = table()
    y = y.clip(max=1)
    made = {"n_estimators": 1, "num_leaves": 5, "verbose": -1, "n_jobs": 1, "objective": objective}
    model = lightgbm.LGBMRegressor(**made).fit(X, y)
    assert np.allclose(lightgbm_model(model).only_tree().predict(X), model.predict(X))
    if objective != "binary":
        model = lightgbm.LGBMClassifier(**made).fit(X, y)
        assert is_said(
            lightgbm_model(model).alone, f"The objective {objective!r} transforms the margin that the tree predicts"
        )


def test_unsupported_models_are_refused():
    X, y = table(missing=0.0)
    with refused(TreeFormatError, "LightGBM trees with linear leaves (linear_tree=true) are not supported"):
        from_lightgbm(booster({"linear_tree": True}, X, y))
    model = booster({}, X, y)
    with refused(TreeFormatError, "Not a LightGBM text model (its first line must be 'tree')"):
        from_lightgbm('{"name": "tree"}')
    with refused(TreeFormatError, "The file is not UTF-8 text, the format of LightGBM models"):
        from_lightgbm(b"\xff\xfe\n")
    for other in (None, 3, X, [model]):
        with refused(ParameterError, "model=…: expected …, or a path, the bytes or the text of its file"):
            from_lightgbm(other)
    assert from_lightgbm(booster({}, X, np.ones(len(X)))).n_nodes == 1


@pytest.mark.parametrize(("line", "new"), [
    ("left_child=", "left_child=0 0 0"), ("split_feature=", "split_feature=99"), ("threshold=", "threshold=nan"),
    ("leaf_value=", "leaf_value="), ("num_leaves=", "num_leaves=-4"), ("num_leaves=", "num_leaves=1e9"),
    ("max_feature_idx=", "max_feature_idx=7"), ("decision_type=", "decision_type=x"), ("right_child=", "right_child="),
    ("Tree=0", "Leaf=0"), ("left_child=", None), ("left_child=", "left_child=9999"), ("version=", "version=v99"),
])  # fmt: skip
def test_damaged_files_are_refused(line, new):
    X, y = table()
    text = booster({"num_leaves": 4}, X, y).model_to_string()
    old = next(one for one in text.split("\n") if one.startswith(line))
    if new is not None and "child=9999" in new:
        new = old.replace("=", "=9999 ").rsplit(" ", 1)[0]
    with pytest.raises(TreeFormatError):
        from_lightgbm(text.replace(old + "\n", "" if new is None else new + "\n"))


def test_a_decision_between_missing_values_and_all_others():
    X, _ = table(missing=0.3)
    tree = from_lightgbm(model := booster({"num_leaves": 4}, X, np.isnan(X[:, 0]) * 2.0 + np.isnan(X[:, 1])))
    assert (tree.weights == 0).any()
    rows = boundary_rows([0.0], [0], 4, 1000)
    assert np.array_equal(tree.origin[tree.apply(rows)] - tree.n_decision, leaves_of(model, rows))


def test_trees_after_the_best_iteration_are_left_out(tmp_path):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 3)), rng.normal(size=300)
    stop = lightgbm.early_stopping(4, verbose=False)
    model = lightgbm.LGBMRegressor(n_estimators=30, learning_rate=1, n_jobs=1, verbose=-1)
    model.fit(X, y, eval_X=X, eval_y=y[::-1], callbacks=[stop])
    model.booster_.save_model(tmp_path / "model.txt")
    for source in (model, model.booster_, tmp_path / "model.txt"):
        found = lightgbm_model(source)
        assert found.n_trees == model.best_iteration_
        sums = sum(found.tree(number).predict(X) for number in range(found.n_trees))
        assert np.allclose(sums, model.predict(X))
