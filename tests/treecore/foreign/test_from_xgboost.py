"""Test that trees read from XGBoost's JSON send every row to the same leaf as XGBoost."""

import json

import numpy as np
import pandas as pd
import pytest

from tests.refusals import is_said, refused
from tests.treecore.foreign.boundary_rows import boundary_rows
from treecore import DataError, ParameterError, TreeFormatError, from_xgboost
from treecore.foreign.from_xgboost import xgboost_model
from treecore.messages import literal

xgboost = pytest.importorskip("xgboost")


def table(seed=0, n=500, d=4, missing=0.1):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, d)), int(rng.integers(1, 9)))
    y = (X[:, 0] > 0.1).astype(int) + (X[:, 1] * X[:, 2] > 0)
    X[rng.random(X.shape) < missing] = np.nan
    return X, y


def booster(params, X, y, rounds=1, **more):
    data = xgboost.DMatrix(X, y, **more)
    return xgboost.train({"nthread": 1, "base_score": 0.3, **params}, data, rounds)


def leaves_of(model, X, number=0, **more):
    return model.predict(xgboost.DMatrix(X, **more), pred_leaf=True, iteration_range=(0, 0)).reshape(len(X), -1)[
        :, number
    ]


def limits_of(tree):
    first = -tree.bias[tree.left >= 0]
    return first[np.abs(first) < 1e37], tree.features[np.abs(first) < 1e37]


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("params", [
    {}, {"objective": "binary:logistic"}, {"tree_method": "exact"}, {"grow_policy": "lossguide", "max_leaves": 9},
    {"objective": "multi:softprob", "num_class": 3}, {"booster": "dart", "rate_drop": 0.5},
    {"tree_method": "exact", "gamma": 3.0},
])  # fmt: skip
def test_every_row_reaches_the_same_leaf(params, missing):
    X, y = table(missing=missing)
    X[:, 3] *= 1e-30
    model = booster(params, X, y.clip(max=1) if params.get("objective") == "binary:logistic" else y, rounds=3)
    n_trees = 9 if "num_class" in params else 3
    assert xgboost_model(model).n_trees == n_trees
    for number in (0, n_trees - 1):
        tree = from_xgboost(model, tree=number)
        rows = boundary_rows(*limits_of(tree), 4)
        assert np.array_equal(tree.origin[tree.apply(rows)], leaves_of(model, rows, number))


@pytest.mark.parametrize("objective", ["reg:squarederror", "binary:logistic", "count:poisson", "reg:absoluteerror"])
def test_the_only_tree_predicts_what_the_model_does(objective):
    X, y = table()
    y = y.clip(max=1) if objective.startswith("binary") else y
    model = booster({"objective": objective}, X, y)
    tree, predicted = from_xgboost(model), model.predict(xgboost.DMatrix(X))
    if objective.startswith("binary"):
        assert np.allclose(tree.predict_proba(X)[:, 1], predicted, atol=1e-6)
        assert np.array_equal(tree.predict(X), predicted > 0.5)
        assert tree.classes.tolist() == [0, 1]
    else:
        assert np.allclose(tree.predict(X), predicted, rtol=1e-6)
    assert xgboost_model(model).alone is None


@pytest.mark.parametrize("objective", [
    "binary:logitraw", "binary:hinge", "reg:logistic", "rank:pairwise", "survival:cox", "survival:aft",
])  # fmt: skip
def test_an_objective_that_changes_the_sum_has_no_single_tree(objective):
    X, y = table()
    data = xgboost.DMatrix(X, y.clip(max=1) + objective.startswith("survival"))
    if objective == "survival:aft":
        data.set_float_info("label_lower_bound", data.get_label())
        data.set_float_info("label_upper_bound", data.get_label())
    if objective.startswith("rank"):
        data.set_group([len(X)])
    found = xgboost_model(xgboost.train({"objective": objective, "nthread": 1, "max_depth": 3}, data, 1))
    assert is_said(found.alone, f"The objective {objective!r} transforms the margin that the tree predicts")
    with refused(ParameterError, "Use … for a single tree, or viz.forest_strip(model) for all trees"):
        found.only_tree()


def test_an_estimator_of_another_kind_than_its_objective():
    X, y = table()
    y = y.clip(max=1)
    model = xgboost.XGBRegressor(n_estimators=1, n_jobs=1, objective="binary:logistic").fit(X, y)
    assert np.allclose(xgboost_model(model).only_tree().predict(X), model.predict(X), rtol=1e-6)
    model = xgboost.XGBClassifier(n_estimators=1, n_jobs=1, objective="reg:squarederror").fit(X, y)
    assert is_said(
        xgboost_model(model).alone, "The objective 'reg:squarederror' transforms the margin that the tree predicts"
    )


@pytest.mark.parametrize("normalize", ["tree", "forest"])
@pytest.mark.parametrize("objective", ["reg:squarederror", "multi:softprob"])
def test_trees_of_dart_have_the_weights_of_the_program(objective, normalize):
    X, y = table()
    params = {"booster": "dart", "rate_drop": 0.7, "normalize_type": normalize, "objective": objective, "max_depth": 3}
    k = 3 if objective.startswith("multi") else 1
    model = booster({**params, **({"num_class": 3} if k == 3 else {})}, X, y, rounds=6)
    record = json.loads(bytes(model.save_raw("json")))["learner"]["gradient_booster"]
    assert len(set(record["weight_drop"])) > 1
    found = xgboost_model(model)
    margins = model.predict(xgboost.DMatrix(X), output_margin=True).reshape(len(X), k)
    for number in range(found.n_trees):
        margins[:, number % k] -= found.tree(number).predict(X)
    assert np.allclose(margins, margins[0], atol=1e-5)
    record["weight_drop"] = record["weight_drop"][:-1]
    text = json.dumps({"learner": json.loads(bytes(model.save_raw("json")))["learner"] | {"gradient_booster": record}})
    with refused(TreeFormatError, "The file is damaged"):
        from_xgboost(text)


def test_a_booster_uses_all_trees_after_early_stopping():
    X, y = table(n=300)
    noisy = np.random.default_rng(0).normal(size=len(X))
    model = xgboost.XGBRegressor(n_estimators=9, learning_rate=1, early_stopping_rounds=1, n_jobs=1, random_state=0)
    model.fit(X, noisy, eval_set=[(X[::-1], noisy)], verbose=False)
    assert model.best_iteration == 0
    assert np.allclose(xgboost_model(model).only_tree().predict(X), model.predict(X), rtol=1e-5)
    for source in (model.get_booster(), bytes(model.get_booster().save_raw("json"))):
        found = xgboost_model(source)
        assert found.n_trees == 1
        assert is_said(
            found.alone,
            (
                f"Early stopping kept 1 of {model.get_booster().num_boosted_rounds():,} trees. An XGBModel uses "
                "this tree, but a Booster uses all trees"
            ),
        )


@pytest.mark.parametrize("called", [("u", "v", "w", "new"), (10, 20, 30, 99)])
def test_unknown_categories(called):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"number": rng.normal(size=200), "colour": pd.Categorical(rng.choice(called[:3], 200))})
    model = xgboost.XGBRegressor(n_estimators=1, enable_categorical=True, n_jobs=1).fit(X, X.colour == called[1])
    found = xgboost_model(model)
    odd = X.assign(colour=pd.Categorical([called[3] if one == called[1] else one for one in X.colour]))
    # XGBoost refuses some unknown categories, and reads others as their neighbour
    with refused(
        DataError,
        (
            f"Column 'colour' contains {literal(called[3], 60)}, which is not one of the categories of the model, "
            "so it makes no prediction"
        ),
    ):
        found.features(odd)
    turned = X.assign(colour=pd.Categorical(X.colour, called[2::-1]))
    assert np.allclose(found.tree().predict(found.features(turned)), model.predict(X))
    with refused(
        DataError,
        (
            "The columns number of X have the dtype category, but the model was trained on these columns of that "
            "dtype: colour"
        ),
    ):
        found.features(X.assign(number=pd.Categorical(X.colour)))


def test_one_tree_of_several_predicts_margins():
    X, y = table()
    model = xgboost.XGBClassifier(n_estimators=4, max_depth=3, n_jobs=1).fit(X, y.clip(max=1))
    found = xgboost_model(model)
    assert is_said(found.alone, "The … sums the leaf values of its 4 trees, so a single tree predicts a margin")
    with refused(ParameterError, "Use … for a single tree, or viz.forest_strip(model) for all trees"):
        found.only_tree()
    sums = sum(found.tree(number).predict(X) for number in range(4))
    margins = model.get_booster().predict(xgboost.DMatrix(X), output_margin=True)
    assert np.allclose(np.diff(sums), np.diff(margins), atol=1e-5)
    with refused(ParameterError, "tree=4: expected 0 to 3, because the model has 4 trees"):
        from_xgboost(model, tree=4)


def test_files_and_texts(tmp_path):
    X, y = table()
    model = xgboost.XGBRegressor(n_estimators=1, max_depth=3, n_jobs=1).fit(pd.DataFrame(X, columns=list("abcd")), y)
    tree = from_xgboost(model)
    assert tree.feature_names == tuple("abcd")
    file = tmp_path / "model.json"
    model.save_model(file)
    for source in (file, str(file), file.read_bytes(), file.read_text(), model.get_booster()):
        assert from_xgboost(source) == tree


@pytest.mark.parametrize("to_onehot", [1, 100])
@pytest.mark.parametrize("called", ["texts", "numbers", "codes"])
def test_categories_become_features(to_onehot, called):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 6, 600)
    names = {"texts": list("uvwxyz"), "numbers": [5, 10, 15, 20, 25, 30]}.get(called)
    number = rng.normal(size=600)
    y = np.isin(codes, [1, 4]) * 2.0 + (number > 0.3) * (codes == 2)
    column = codes.astype(float) if names is None else pd.Categorical.from_codes(codes, names)
    X = pd.DataFrame({"number": number, "colour": column})
    X.loc[::11, "colour"] = np.nan
    kinds = None if names else ["q", "c"]
    more = {"enable_categorical": True, "feature_types": kinds}
    given = X if names else X.to_numpy()
    model = booster({"max_cat_to_onehot": to_onehot, "max_depth": 3}, given, y, **more)
    found = xgboost_model(model)
    tree = found.tree()
    assert tree.n_features == (7 if names else 1 + len(found.columns.codes[1]))
    rows = found.features(given)
    assert np.array_equal(tree.origin[tree.apply(rows)], leaves_of(model, given, **more))
    if names:
        assert f"colour = {names[2]}" in tree.feature_names
        one = found.features(X.iloc[1])
        assert np.array_equal(one, rows[1:2])
    else:
        odd = np.array([[0.1, 17.0], [0.1, 2.7], [0.1, np.nan], [0.1, -0.5], [0.1, -3.0], [0.1, 1e10]])
        assert np.array_equal(tree.origin[tree.apply(found.features(odd))], leaves_of(model, odd, **more))


def test_unsupported_models_are_refused():
    X, y = table(missing=0.0)
    several = {"multi_strategy": "multi_output_tree", "tree_method": "hist"}
    with refused(TreeFormatError, "Vector leaves (multi_strategy='multi_output_tree') are not supported"):
        from_xgboost(booster(several, X, X[:, :2]))
    with refused(TreeFormatError, "The booster 'gblinear' has no trees"):
        from_xgboost(booster({"booster": "gblinear"}, X, y))
    model = booster({}, X, y)
    with refused(TreeFormatError, "Not an XGBoost JSON model"):
        from_xgboost(bytes(model.save_raw("ubj")))
    with refused(TreeFormatError, "Not an XGBoost JSON model"):
        from_xgboost("[" + ",".join(model.get_dump(dump_format="json")) + "]")
    with refused(TreeFormatError, "The file … cannot be read"):
        from_xgboost("no such file.json")
    for other in (None, 3, X, [model]):
        with refused(ParameterError, "model=…: expected …, or a path, the bytes or the text of its file"):
            from_xgboost(other)


def damaged(record, path, value):
    place = record
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    return json.dumps(record)


TREE = ("learner", "gradient_booster", "model", "trees", 0)


@pytest.mark.parametrize(("path", "value"), [
    ((*TREE, "left_children"), [0, -1, -1]), ((*TREE, "split_indices"), [99] * 99), ((*TREE, "default_left"), "no"),
    ((*TREE, "left_children", 0), 10**6), ((*TREE, "right_children", 0), 0), ((*TREE, "split_conditions", 0), None),
    ((*TREE, "split_indices", 0), -3), (("learner", "feature_names"), ["a"]), (("learner",), []),
    (("learner", "gradient_booster", "model", "trees"), []), ((*TREE, "split_indices", 0), 10**30),
    (("learner", "learner_model_param", "num_feature"), "many"), ((*TREE,), None), (("version",), [99, 0, 0]),
])  # fmt: skip
def test_damaged_files_are_refused(path, value):
    X, y = table()
    record = json.loads(bytes(booster({"max_depth": 3}, X, y).save_raw("json")))
    with pytest.raises(TreeFormatError):
        from_xgboost(damaged(record, path, value))


@pytest.mark.parametrize("tree_method", ["exact", "hist", "approx"])
def test_a_decision_between_missing_values_and_all_others(tree_method):
    X, _ = table(missing=0.3)
    y = np.isnan(X[:, 0]) * 2.0 + np.isnan(X[:, 1])
    model = booster({"tree_method": tree_method, "max_depth": 2}, X, y)
    tree = from_xgboost(model)
    rows = boundary_rows(*limits_of(tree), 4, 1000)
    assert np.array_equal(tree.origin[tree.apply(rows)], leaves_of(model, rows))


def test_a_model_of_one_class_is_refused_in_words():
    X, y = table()
    model = xgboost.XGBClassifier(n_estimators=1, n_jobs=1).fit(X, np.zeros(len(X), int))
    with refused(TreeFormatError, "The model was trained on a single class (…)"):
        from_xgboost(model)


@pytest.mark.parametrize(("n_classes", "more"), [
    (0, {}), (2, {"num_parallel_tree": 3, "subsample": 0.5}), (3, {"num_parallel_tree": 2, "subsample": 0.5}),
])  # fmt: skip
def test_trees_after_the_best_iteration_are_left_out(n_classes, more):
    X, y = table(n=300)
    rng = np.random.default_rng(0)
    noisy = rng.integers(0, max(n_classes, 2), len(X)) if n_classes else rng.normal(size=len(X))
    kind = xgboost.XGBClassifier if n_classes else xgboost.XGBRegressor
    model = kind(
        n_estimators=30, learning_rate=1, max_depth=3, early_stopping_rounds=4, n_jobs=1, random_state=0, **more
    )
    model.fit(X, noisy, eval_set=[(X[::-1], noisy)], verbose=False)
    rounds, best = model.get_booster().num_boosted_rounds(), model.best_iteration
    assert best + 1 < rounds
    per_round = max(n_classes if n_classes > 2 else 1, 1) * more.get("num_parallel_tree", 1)
    for source in (model, bytes(model.get_booster().save_raw("json"))):
        found = xgboost_model(source)
        assert found.n_trees == (best + 1) * per_round
        with pytest.raises(ParameterError):
            found.tree(found.n_trees)
    margins = model.predict(X, output_margin=True).reshape(len(X), -1)
    n_outputs, sums = margins.shape[1], np.zeros_like(margins, np.float64)
    for number in range(found.n_trees):
        sums[:, number // more.get("num_parallel_tree", 1) % n_outputs] += found.tree(number).predict(X)
    gaps = margins - sums
    assert np.allclose(gaps, gaps[0], atol=1e-4)  # only the base margin differs
