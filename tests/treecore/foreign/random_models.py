"""Make random models of other programs, with rows on and next to their thresholds.

A `Case` is a model with everything that a test needs to compare an import with the program.
"""

import contextlib
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from sklearn import (
    calibration,
    ensemble,
    frozen,
    model_selection,
    multiclass,
    multioutput,
    pipeline,
    preprocessing,
    tree,
)
from sklearn.compose import TransformedTargetRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.semi_supervised import SelfTrainingClassifier

ODD = (0.0, -0.0, 1e-35, -1e-35, float(np.float32(1e-35)), 1e-40, 5e-324, 1e30, -1e30)


@dataclass
class Case:
    """Random model. kind : for the report; sources : the model and its files, {name: source}; data : Data of training;

    predict : function of rows, the prediction of the model; shares : the same for class probabilities, or None;
    of_tree : function (rows, number), the leaf value of a tree, or None; sums : function of rows, float64[n, k], what
    the trees sum up to except for a constant, or None; per_round : number of trees of a round for each of k outputs.
    """

    kind: str
    sources: dict[str, Any]
    data: Any
    predict: Callable
    shares: Callable | None = None
    of_tree: Callable | None = None
    sums: Callable | None = None
    n_parallel: int = 1
    exact: bool = True
    more: dict = field(default_factory=dict)


@dataclass
class Data:
    """Rows of training. X : DataFrame or array; categories : {column: categories}; y : target."""

    X: Any
    y: np.ndarray
    categories: dict[int, list] = field(default_factory=dict)

    @property
    def n_columns(self):
        return self.X.shape[1]

    def take(self, rows):
        return self.X.iloc[rows].reset_index(drop=True) if hasattr(self.X, "iloc") else self.X[rows]


def pick(rng, *choices, p=None):
    return choices[rng.choice(len(choices), p=p)]


def numbers(rng, n, missing):
    """Return a random column: rounded, whole, tiny, huge, with zeros or missing values."""
    x = rng.normal(size=n) * 10.0 ** pick(rng, 0, 0, 0, 3, 8, -8, -34, -36)
    kind = rng.integers(5)
    if kind == 0:
        x = np.round(rng.normal(size=n), int(rng.integers(0, 3)))
    elif kind == 1:
        x = rng.integers(-3, 9, n).astype(float)
    elif kind == 2:
        x = x.astype(np.float32).astype(float)
    if rng.random() < 0.3:
        x[rng.random(n) < 0.3] = 0.0
    if missing and rng.random() < 0.7:
        x[rng.random(n) < 0.2] = np.nan
    return x


def categories(rng):
    k = int(rng.integers(2, 7))
    return pick(
        rng,
        [f"{letter}" for letter in "uvwxyz"[:k]],
        [int(one) for one in rng.choice(30, k, replace=False)],
        list(range(k)),
        list(range(1, k + 1)),
        [f"{one}" for one in range(k)],
    )


def category_column(rng, n, missing, ordered=False):
    called = categories(rng)
    codes = rng.integers(0, len(called), n)
    if missing:
        codes[rng.random(n) < 0.1] = -1
    return pd.Categorical.from_codes(codes, called, ordered=ordered)


def target(rng, X, kind):
    """Return labels or numbers that depend on some columns. kind : number of classes, "numbers" or "positive"."""
    total = np.zeros(len(X))
    for column in range(min(X.shape[1], 3)):
        values = X.iloc[:, column] if hasattr(X, "iloc") else X[:, column]
        codes = values.cat.codes if str(getattr(values, "dtype", "")) == "category" else pd.Series(values)
        total += rng.permutation(8)[pd.factorize(pd.qcut(codes.astype(float).rank(), 4, duplicates="drop"))[0] % 8]
    total += rng.normal(size=len(X))
    if kind == "numbers":
        return total * 10.0 ** pick(rng, 0, 0, 3, -3)
    if kind == "positive":
        return np.abs(total) + 0.1
    codes = np.clip(pd.qcut(pd.Series(total).rank(method="first"), kind, labels=False), 0, kind - 1).to_numpy(copy=True)
    codes[:kind] = np.arange(kind)
    return codes


def labels(rng, codes):
    """Return labels of any type for codes of classes."""
    k = int(codes.max()) + 1
    return pick(
        rng, codes, np.array([f"class {i}" for i in range(k)])[codes], codes * 3 - 1, codes == 1 if k == 2 else codes,
        np.array(["b", "a", "é"][:k] if k <= 3 else [str(i) for i in range(k)], object)[codes],
    )  # fmt: skip


def number_table(rng, missing, n=None, d=None):
    n, d = n or int(rng.integers(40, 150)), d or int(rng.integers(1, 5))
    X = np.column_stack([numbers(rng, n, missing) for _ in range(d)])
    return pick(rng, X, X, X.astype(np.float32) if np.nanmax(np.abs(X), initial=0) < 1e37 else X)


def near_rows(rng, data, limits, n=60):
    """Return rows with values on and next to limits, (column, limit) each, in both precisions, and unusual values."""
    rows = data.take(rng.integers(0, len(data.X), n + 9 * len(limits)))
    frame = hasattr(rows, "iloc")
    if frame:
        rows = rows.astype({name: float for name in rows if rows[name].dtype == np.float32})
    else:
        rows = rows.astype(float) if rows.dtype.kind == "f" else rows.copy()
    place = n
    for column, limit in limits:
        single = np.float32(limit)
        steps = [
            limit, np.nextafter(limit, np.inf), np.nextafter(limit, -np.inf), float(single),
            float(np.nextafter(single, np.float32(np.inf))), float(np.nextafter(single, np.float32(-np.inf))),
            (float(single) + float(np.nextafter(single, np.float32(np.inf)))) / 2, -limit, limit * 2,
        ]  # fmt: skip
        for value in steps:
            value = value if np.isfinite(value) and abs(value) < 3e38 else 0.0
            _put(rows, place, column, value, frame)
            place += 1
    for row in range(n // 3):
        column = int(rng.integers(data.n_columns))
        if column not in data.categories:
            _put(rows, row, column, pick(rng, *ODD), frame)
    return rows


def _put(rows, row, column, value, frame):
    if not frame:
        rows[row, column] = value if rows.dtype.kind == "f" else int(np.clip(value, -1e15, 1e15))
    elif rows.iloc[:, column].dtype.kind == "f":
        rows.iat[row, column] = value


def with_missing(rng, rows):
    """Return rows in which a quarter of the values is missing."""
    if not hasattr(rows, "iloc"):
        return np.where(rng.random(rows.shape) < 0.25, np.nan, rows.astype(np.promote_types(rows.dtype, np.float32)))
    rows = rows.copy()
    for column in range(rows.shape[1]):
        if rows.iloc[:, column].dtype.kind in ("f", "O") or str(rows.iloc[:, column].dtype) == "category":
            values = rows.iloc[:, column].where(rng.random(len(rows)) > 0.25)
            rows = rows.assign(**{rows.columns[column]: values})
    return rows


def with_infinity(rng, rows, data):
    if not hasattr(rows, "iloc"):
        return np.where(rng.random(rows.shape) < 0.2, pick(rng, np.inf, -np.inf), rows)
    rows = rows.copy()
    for column in range(rows.shape[1]):
        if rows.iloc[:, column].dtype.kind == "f":
            rows.iat[0, column] = pick(rng, np.inf, -np.inf)
    return rows


def with_unknown(rng, rows, data):
    """Return rows of a DataFrame with unknown categories, in another order of the categories."""
    if not hasattr(rows, "iloc") or not data.categories:
        return None
    rows = rows.copy()
    for column, known in data.categories.items():
        name, values = rows.columns[column], rows.iloc[:, column]
        if str(values.dtype) != "category":
            continue
        new = "new" if isinstance(known[0], str) else 999
        texts = values.astype(object).where(rng.random(len(rows)) > 0.2, new)
        order = [new, *[known[i] for i in rng.permutation(len(known))]]
        rows = rows.assign(**{name: pd.Categorical(texts, order, ordered=values.cat.ordered)})
    return rows


# scikit-learn


def sklearn_tree(rng, is_classifier, missing):
    criterion = ("gini", "entropy") if is_classifier else ("squared_error", "friedman_mse", "absolute_error", "poisson")
    kinds = (
        (tree.DecisionTreeClassifier, tree.ExtraTreeClassifier)
        if is_classifier
        else (tree.DecisionTreeRegressor, tree.ExtraTreeRegressor)
    )
    options = {"max_depth": pick(rng, 1, 2, 3, None), "random_state": int(rng.integers(1000))}
    options["criterion"] = pick(rng, *criterion) if not missing else criterion[0]
    if rng.random() < 0.3:
        options |= {"max_leaf_nodes": int(rng.integers(2, 9)), "max_features": 1}
    if rng.random() < 0.2 and is_classifier:
        options["class_weight"] = "balanced"
    if rng.random() < 0.2:
        options["ccp_alpha"] = 0.01
    return pick(rng, *kinds)(**options)


def sklearn_case(rng):
    """Return a case of any tree, forest, boosting or other ensemble of scikit-learn."""
    is_classifier, missing = bool(rng.random() < 0.6), bool(rng.random() < 0.3)
    name = pick(rng, *(SKLEARN_CLASSIFIERS if is_classifier else SKLEARN_REGRESSORS))
    if name.startswith("hist"):
        return _hist_case(rng, name, is_classifier, missing)
    missing = missing and name in ("tree", "forest", "search")
    X = number_table(rng, missing)
    k = int(rng.integers(2, 5))
    y = labels(rng, target(rng, X, k)) if is_classifier else target(rng, X, "positive")
    if name in MANY_OUTPUTS:
        y = np.column_stack([y, y[::-1]])
    if rng.random() < 0.2 and not missing and name == "tree":
        X = np.round(np.clip(X, -1e6, 1e6)).astype(int)
    weights = (
        rng.integers(1, 4, len(X)) * 0.5 if rng.random() < 0.3 and name in ("tree", "forest", "boosting") else None
    )
    member = sklearn_tree(rng, is_classifier, missing)
    if name == "monotonic":
        if k > 2 or member.criterion not in ("gini", "entropy", "squared_error"):
            name = "tree"
        else:
            member.set_params(monotonic_cst=rng.integers(-1, 2, X.shape[1]))
    model = _sklearn_model(rng, name, member, is_classifier)
    frame = rng.random() < 0.3
    given = pd.DataFrame(X, columns=[f"column {i}" for i in range(X.shape[1])]) if frame else X
    model.fit(given, y, **({} if weights is None else {"sample_weight": weights}))
    return _sklearn_result(f"sklearn {name}", model, Data(given, y))


SKLEARN_CLASSIFIERS = (
    "tree", "tree", "tree", "forest", "bagging", "adaboost", "boosting", "hist", "hist categories", "scaled", "voting",
    "stacking", "rest", "one", "code", "calibrated", "threshold", "search", "frozen", "self", "many", "chain",
    "monotonic",
)  # fmt: skip
SKLEARN_REGRESSORS = (
    "tree", "tree", "forest", "bagging", "adaboost", "boosting", "hist", "hist categories", "scaled", "voting",
    "stacking", "target", "many", "chain", "search", "monotonic",
)  # fmt: skip
MANY_OUTPUTS = ("many", "chain")


def _sklearn_model(rng, name, member, is_classifier):
    seed, n = int(rng.integers(1000)), int(rng.integers(1, 4))
    scaler = pick(
        rng, preprocessing.StandardScaler(), preprocessing.MinMaxScaler(clip=True), preprocessing.RobustScaler(),
        preprocessing.MaxAbsScaler(),
    )  # fmt: skip
    if is_classifier:
        made = {
            "forest": lambda: pick(rng, ensemble.RandomForestClassifier, ensemble.ExtraTreesClassifier)(
                n, max_depth=3, random_state=seed, bootstrap=bool(n > 1)
            ),
            "bagging": lambda: ensemble.BaggingClassifier(member, n, random_state=seed),
            "adaboost": lambda: ensemble.AdaBoostClassifier(member, n_estimators=n, random_state=seed),
            "boosting": lambda: ensemble.GradientBoostingClassifier(
                n_estimators=n, max_depth=2, random_state=seed, init=pick(rng, None, "zero")
            ),
            "voting": lambda: ensemble.VotingClassifier([("a", member)], voting=pick(rng, "hard", "soft")),
            "stacking": lambda: ensemble.StackingClassifier([("a", member)], LogisticRegression(), cv=2),
            "rest": lambda: multiclass.OneVsRestClassifier(member),
            "one": lambda: multiclass.OneVsOneClassifier(member),
            "code": lambda: multiclass.OutputCodeClassifier(member, random_state=seed),
            "calibrated": lambda: calibration.CalibratedClassifierCV(member, cv=2, ensemble=False),
            "threshold": lambda: model_selection.FixedThresholdClassifier(
                member, threshold=0.3, response_method="auto"
            ),
            "search": lambda: model_selection.GridSearchCV(member, {"max_depth": [1, 2]}, cv=2),
            "frozen": lambda: _Frozen(member),
            "self": lambda: SelfTrainingClassifier(member, criterion="k_best", k_best=2, max_iter=1),
            "many": lambda: multioutput.MultiOutputClassifier(member),
            "chain": lambda: multioutput.ClassifierChain(member),
        }
    else:
        made = {
            "forest": lambda: pick(rng, ensemble.RandomForestRegressor, ensemble.ExtraTreesRegressor)(
                n, max_depth=3, random_state=seed, bootstrap=bool(n > 1)
            ),
            "bagging": lambda: ensemble.BaggingRegressor(member, n, random_state=seed),
            "adaboost": lambda: ensemble.AdaBoostRegressor(member, n_estimators=n, random_state=seed),
            "boosting": lambda: ensemble.GradientBoostingRegressor(
                n_estimators=n, max_depth=2, random_state=seed, init=pick(rng, None, "zero"),
                loss=pick(rng, "squared_error", "absolute_error", "huber", "quantile"),
            ),
            "voting": lambda: ensemble.VotingRegressor([("a", member)]),
            "stacking": lambda: ensemble.StackingRegressor([("a", member)], LinearRegression(), cv=2),
            "target": lambda: TransformedTargetRegressor(member, func=np.log, inverse_func=np.exp),
            "search": lambda: model_selection.GridSearchCV(member, {"max_depth": [1, 2]}, cv=2),
            "many": lambda: multioutput.MultiOutputRegressor(member),
            "chain": lambda: multioutput.RegressorChain(member),
        }  # fmt: skip
    if name == "scaled":
        return pipeline.make_pipeline(scaler, member)
    return made[name]() if name in made else member


class _Frozen:
    """Make a frozen estimator on fit."""

    def __init__(self, member):
        self.member = member

    def fit(self, X, y):
        self.made = frozen.FrozenEstimator(self.member.fit(X, y))


def _sklearn_result(kind, model, data):
    model = getattr(model, "made", model)
    members = getattr(model, "estimators_", None)
    members = [] if members is None else np.ravel(np.array(members, object)).tolist()
    rate = float(model.learning_rate) if "boosting" in kind else 1.0

    def of_tree(rows, number):
        if len(members) > number and kind.split()[1] in ("forest", "bagging", "adaboost", "boosting"):
            found = members[number].predict(np.asarray(rows))
            classes = getattr(model, "classes_", None)
            if kind.split()[1] in ("forest", "bagging") and classes is not None:
                return classes[found.astype(int)]
            return rate * found if "boosting" in kind else found
        return None

    sources = {"model": model}
    return Case(kind, sources, data, model.predict, getattr(model, "predict_proba", None), of_tree)


def _hist_case(rng, name, is_classifier, missing):
    n = int(rng.integers(80, 200))
    X = number_table(rng, missing, n)
    more: dict[str, Any] = {}
    given, known = X, {}
    if name == "hist categories":
        given = pd.DataFrame(X, columns=[f"x{i}" for i in range(X.shape[1])]).astype(float)
        for i in range(int(rng.integers(1, 3))):
            values = category_column(rng, n, missing)
            known[given.shape[1]] = list(values.categories)
            given[f"c{i}"] = values
        given = given[list(given)[::-1]] if rng.random() < 0.5 else given
        known = {list(given).index(f"c{i}"): list(given[f"c{i}"].cat.categories) for i in range(len(known))}
        more["categorical_features"] = "from_dtype"
    kinds = ensemble.HistGradientBoostingClassifier, ensemble.HistGradientBoostingRegressor
    model = kinds[not is_classifier](
        max_iter=int(rng.integers(1, 4)), max_leaf_nodes=int(rng.integers(2, 9)), min_samples_leaf=3,
        random_state=0, **more,
    )  # fmt: skip
    y = labels(rng, target(rng, given, int(rng.integers(2, 4)))) if is_classifier else target(rng, given, "numbers")
    model.fit(given, y)

    def sums(rows):
        return model._raw_predict(rows)

    return Case(f"sklearn {name}", {"model": model}, Data(given, y, known), model.predict, sums=sums)


# LightGBM

LIGHTGBM_OBJECTIVES = (
    "regression", "regression_l1", "huber", "fair", "quantile", "mape", "poisson", "gamma", "tweedie", "binary",
    "binary", "cross_entropy", "cross_entropy_lambda", "multiclass", "multiclassova", "lambdarank",
)  # fmt: skip
POSITIVE = ("poisson", "gamma", "tweedie", "mape")
OF_CLASSES = ("binary", "multiclass", "multiclassova", "lambdarank", "cross_entropy", "cross_entropy_lambda")


def mixed_table(rng, missing):
    """Return a DataFrame with numbers, flags, and ordered and unordered categories, and the categories of columns."""
    n = int(rng.integers(80, 200))
    columns = {}
    for i in range(int(rng.integers(1, 3))):
        columns[f"x{i}"] = numbers(rng, n, missing)
    for i in range(int(rng.integers(0, 3))):
        columns[f"flag{i}"] = rng.integers(0, int(rng.integers(2, 5)), n)
    for i in range(int(rng.integers(1, 3))):
        columns[f"c{i}"] = category_column(rng, n, missing)
    if rng.random() < 0.5:
        columns["o"] = category_column(rng, n, missing, ordered=True)
    names = [list(columns)[i] for i in rng.permutation(len(columns))]
    frame = pd.DataFrame({name: columns[name] for name in names})
    return frame, {
        place: list(frame[name].cat.categories) for place, name in enumerate(frame) if frame[name].dtype == "category"
    }


def lightgbm_case(rng):
    """Return a case of a LightGBM model: any objective, booster, categories, missing values and interface."""
    import lightgbm

    objective = pick(rng, *LIGHTGBM_OBJECTIVES)
    kind, X, known, given = _lightgbm_table(rng)
    k = 3 if objective.startswith("multi") else 2
    y = target(rng, X, k if objective in OF_CLASSES else "positive" if objective in POSITIVE else "numbers")
    params = _lightgbm_params(rng, objective, kind, X.shape[1])
    weights = rng.integers(1, 5, len(X)) / 2 if rng.random() < 0.3 else None
    rounds = 1 if rng.random() < 0.4 else int(rng.integers(2, 5))
    if rng.random() < 0.4 and objective != "lambdarank" and "cross" not in objective:
        is_classifier = k == 3 or (objective == "binary" and rng.random() < 0.8)
        classes = lightgbm.LGBMClassifier if is_classifier else lightgbm.LGBMRegressor
        stops = rng.random() < 0.2 and params["boosting"] != "dart"
        model = classes(
            n_estimators=12 if stops else rounds, **{one: params[one] for one in params if one != "num_class"}
        )
        y = labels(rng, y) if is_classifier else y
        more = {"eval_X": X, "eval_y": np.roll(y, 5), "callbacks": [lightgbm.early_stopping(1, verbose=False)]}
        model.fit(X, y, sample_weight=weights, **given, **(more if stops else {}))
        booster = model.booster_
    else:
        data = lightgbm.Dataset(X, y, weight=weights, params=params, **given)
        if objective == "lambdarank":
            data.set_group([len(X) // 2, len(X) - len(X) // 2])
        model = booster = lightgbm.train(params, data, rounds)

    def of_tree(rows, number):
        leaves = booster.predict(rows, pred_leaf=True).reshape(len(rows), -1)[:, number]
        return np.array([booster.get_leaf_output(number, leaf) for leaf in leaves.tolist()])

    return Case(
        f"lightgbm {kind}", {"model": model, "text": booster.model_to_string().encode()}, Data(X, y, known),
        model.predict, getattr(model, "predict_proba", None), of_tree, more={"file": booster.predict},
    )  # fmt: skip


def _lightgbm_table(rng):
    """Return the kind of a table, the table, the categories of its columns, and the parameters that declare them."""
    missing = bool(rng.random() < 0.5)
    if rng.random() < 0.5:
        X = number_table(rng, missing)
        if rng.random() < 0.15 and not missing:
            X = (np.round(np.clip(X, -50, 50)) * 1e7 + rng.integers(0, 9, X.shape)).astype(np.int64)
        return "numbers", X, {}, {}
    X, known = mixed_table(rng, missing)
    kind = pick(rng, "auto", "auto", "explicit", "codes")
    if kind == "auto":
        return kind, X, known, {}
    if kind == "explicit":
        chosen = [name for name in X if X[name].dtype.kind in "iu" or X[name].dtype == "category"]
        return kind, X, known, {"categorical_feature": [one for one in chosen if rng.random() < 0.6] or chosen[:1]}
    for name in list(X):
        if X[name].dtype == "category":
            codes = X[name].cat.codes
            X[name] = codes.where(codes >= 0).astype(float) if rng.random() < 0.5 else codes.clip(lower=0)
    return kind, X if rng.random() < 0.5 else X.to_numpy(float), {}, {"categorical_feature": list(known)}


def _lightgbm_params(rng, objective, kind, n_columns):
    params = {
        "objective": objective, "verbose": -1, "num_threads": 1, "num_leaves": int(rng.integers(2, 9)),
        "min_data_in_leaf": 3, "min_data_in_bin": 1, "learning_rate": pick(rng, 0.1, 1.0), "seed": 0,
        "min_data_per_group": 1, "cat_smooth": 1.0, "max_cat_to_onehot": pick(rng, 1, 4, 100),
        "deterministic": True, "force_row_wise": True, "boosting": pick(rng, "gbdt", "gbdt", "gbdt", "dart", "rf"),
    }  # fmt: skip
    params |= {"num_class": 3} if objective.startswith("multi") else {}
    params |= {"bagging_freq": 1, "bagging_fraction": 0.7} if params["boosting"] == "rf" else {}
    for name, value in (
        ("zero_as_missing", True), ("use_missing", False), ("extra_trees", True), ("path_smooth", 2.0),
        ("reg_sqrt", True), ("max_bin", 7),
    ):  # fmt: skip
        params |= {name: value} if rng.random() < 0.1 else {}
    if (
        kind == "numbers"
        and rng.random() < 0.2
        and objective not in ("lambdarank", "mape", "regression_l1", "quantile")
    ):
        params["monotone_constraints"] = rng.integers(-1, 2, n_columns).tolist()
    if kind == "numbers" and rng.random() < 0.1 and objective != "regression_l1" and params["boosting"] != "rf":
        params["linear_tree"] = True
    return params


# XGBoost

XGBOOST_OBJECTIVES = (
    "reg:squarederror", "reg:squarederror", "reg:squaredlogerror", "reg:logistic", "reg:pseudohubererror",
    "reg:absoluteerror", "reg:quantileerror", "binary:logistic", "binary:logistic", "binary:logitraw", "binary:hinge",
    "count:poisson", "survival:cox", "survival:aft", "multi:softmax", "multi:softprob", "rank:ndcg", "reg:gamma",
    "reg:tweedie",
)  # fmt: skip


def xgboost_case(rng):
    """Return a case of an XGBoost model: any objective, booster, categories, missing values and interface."""
    import xgboost

    objective = pick(rng, *XGBOOST_OBJECTIVES)
    kind, X, known, given = _xgboost_table(rng)
    is_class = objective.startswith(("binary", "multi", "rank", "reg:logistic"))
    y = target(rng, X, 3 if objective.startswith("multi") else 2 if is_class else "positive")
    params = _xgboost_params(rng, objective, kind, X.shape[1])
    if objective == "reg:squarederror" and rng.random() < 0.2:  # two outputs
        y = np.column_stack([y, y[::-1]])
        params["multi_strategy"] = pick(rng, "one_output_per_tree", "multi_output_tree")
    weights = rng.integers(1, 5, len(X)) / 2 if rng.random() < 0.3 and "rank" not in objective else None
    rounds = 1 if rng.random() < 0.5 else int(rng.integers(2, 5))

    def matrix(rows):
        return xgboost.DMatrix(rows, **given)

    best, n_parallel = None, params.get("num_parallel_tree", 1)
    if rng.random() < 0.4 and objective.startswith(("reg", "binary", "multi")) and kind != "codes":
        model, best = _xgboost_estimator(rng, params, rounds, X, y, weights)
        booster, predict = model.get_booster(), model.predict
        n_parallel = rounds if "XGBRF" in type(model).__name__ else n_parallel
    else:
        data = matrix(X)
        if objective.startswith("survival:aft"):
            data.set_float_info("label_lower_bound", y)
            data.set_float_info("label_upper_bound", y + 0.5)
        else:
            data.set_label(y)
        if weights is not None:
            data.set_weight(weights)
        if objective.startswith("rank"):
            data.set_group([len(X) // 2, len(X) - len(X) // 2])
        model = booster = xgboost.train(params, data, rounds)

    def predict_file(rows):
        return booster.predict(matrix(rows))

    def leaves(rows, number):
        return booster.predict(matrix(rows), pred_leaf=True, strict_shape=True).reshape(len(rows), -1)

    def sums(rows):
        limit = (0, 0) if best is None else (0, best + 1)
        return booster.predict(matrix(rows), output_margin=True, iteration_range=limit).reshape(len(rows), -1)

    return Case(
        f"xgboost {kind}", {"model": model, "file": bytes(booster.save_raw("json"))}, Data(X, y, known),
        predict_file if model is booster else predict, getattr(model, "predict_proba", None), sums=sums,
        n_parallel=n_parallel, exact=False, more={"file": predict_file, "leaves": leaves},
    )  # fmt: skip


def _xgboost_table(rng):
    """Return the kind of a table, the table, the categories of its columns, and the parameters of a DMatrix."""
    missing = bool(rng.random() < 0.5)
    given: dict[str, Any] = {"enable_categorical": True}
    if rng.random() < 0.6:
        X = number_table(rng, missing)
        return "numbers", X if np.nanmax(np.abs(X), initial=0) < 1e30 else np.minimum(X, 1e30), {}, given
    X, known = mixed_table(rng, missing)
    if rng.random() < 0.7:
        return "frame", X, known, given
    codes = {name: X[name].cat.codes.where(X[name].cat.codes >= 0) for name in X if X[name].dtype == "category"}
    kinds = {"feature_types": ["c" if i in known else "q" for i in range(X.shape[1])]}
    return "codes", X.assign(**codes).to_numpy(float), {}, given | kinds


def _xgboost_params(rng, objective, kind, n_columns):
    params = {
        "objective": objective, "max_depth": int(rng.integers(1, 4)), "eta": pick(rng, 0.3, 1.0), "nthread": 1,
        "tree_method": pick(rng, "hist", "approx", *(["exact"] if kind == "numbers" else [])), "seed": 0,
        "max_cat_to_onehot": pick(rng, 1, 100), "booster": pick(rng, "gbtree", "gbtree", "dart"),
    }  # fmt: skip
    params |= {"rate_drop": 0.5, "normalize_type": pick(rng, "tree", "forest")} if params["booster"] == "dart" else {}
    params |= {"quantile_alpha": 0.3} if objective == "reg:quantileerror" else {}
    params |= {"num_class": 3} if objective.startswith("multi") else {}
    params |= {"base_score": 0.25} if rng.random() < 0.2 and objective != "survival:cox" else {}
    params |= {"num_parallel_tree": 2, "subsample": 0.7} if rng.random() < 0.15 else {}
    if rng.random() < 0.15 and kind == "numbers":
        params["monotone_constraints"] = tuple(rng.integers(-1, 2, n_columns).tolist())
    return params


def _xgboost_estimator(rng, params, rounds, X, y, weights):
    """Return a fitted estimator, and its best iteration if training stopped early."""
    import xgboost

    is_classifier = params["objective"].startswith(("binary", "multi")) and rng.random() < 0.9
    name = pick(rng, *(("XGBClassifier", "XGBRFClassifier") if is_classifier else ("XGBRegressor", "XGBRFRegressor")))
    options = {one: value for one, value in params.items() if one not in ("num_class", "eta", "seed", "nthread")}
    options |= {"learning_rate": params["eta"], "random_state": 0, "enable_categorical": True, "n_jobs": 1}
    if "RF" in name or rng.random() > 0.3:
        return getattr(xgboost, name)(n_estimators=rounds, **options).fit(X, y, sample_weight=weights), None
    model = getattr(xgboost, name)(n_estimators=10, early_stopping_rounds=1, **options)
    model.fit(X, y, sample_weight=weights, verbose=False, eval_set=[(X, np.roll(y, 3, axis=0))])
    return model, model.best_iteration


# ONNX


def onnx_session(content):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])


def onnx_case(rng):
    """Return a case of a tree or forest of scikit-learn in ONNX, or of any ONNX trees."""
    return _any_onnx(rng) if rng.random() < 0.5 else _converted_case(rng, sklearn_case)


def onnxmltools_case(rng):
    """Return a case of a model of LightGBM or XGBoost in ONNX."""
    return _converted_case(rng, pick(rng, lightgbm_case, xgboost_case))


def _converted_case(rng, make):
    for _ in range(20):
        case = make(rng)
        if case.kind not in ONNX_KINDS:
            continue
        with warnings.catch_warnings(action="ignore"), contextlib.suppress(Exception):  # the converter has limits
            content = _converted(rng, case)
            return _onnx_result(f"onnx {case.kind}", content, np.asarray(case.data.X), case.data.y)
    return None


ONNX_KINDS = (
    "sklearn tree", "sklearn forest", "sklearn boosting", "sklearn bagging", "sklearn adaboost", "sklearn hist",
    "sklearn voting", "sklearn scaled", "lightgbm numbers", "xgboost numbers",
)  # fmt: skip


def _converted(rng, case):
    model, d = case.sources["model"], case.data.n_columns
    if case.kind.startswith("sklearn"):
        import skl2onnx

        options = {"zipmap": False} if hasattr(model, "predict_proba") else None
        versions = {"": 17, "ai.onnx.ml": pick(rng, 1, 3)}
        made = skl2onnx.to_onnx(model, np.zeros((1, d), np.float32), options=options, target_opset=versions)
    else:
        import onnxmltools
        from onnxmltools.convert.common.data_types import FloatTensorType

        convert = onnxmltools.convert_lightgbm if case.kind.startswith("lightgbm") else onnxmltools.convert_xgboost
        made = convert(model, initial_types=[("X", FloatTensorType([None, d]))], target_opset=15)
    for output in made.graph.output:  # the runtime returns float32 for every input type
        if output.type.tensor_type.elem_type == 11:
            output.type.tensor_type.elem_type = 1
    return made.SerializeToString()


def _any_onnx(rng):
    """Return a case of random attributes of a tree ensemble, also of those that no program writes."""
    import onnx
    from onnx import helper

    d, is_classifier = int(rng.integers(1, 4)), bool(rng.random() < 0.5)
    k = int(rng.integers(2, 5)) if is_classifier else 1
    nodes: dict[str, list] = {
        name: []
        for name in (
            "treeids",
            "nodeids",
            "featureids",
            "modes",
            "values",
            "truenodeids",
            "falsenodeids",
            "missing_value_tracks_true",
        )
    }
    leaves: dict[str, list] = {name: [] for name in ("treeids", "nodeids", "ids", "weights")}
    modes = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT"] + ["BRANCH_EQ"] * (rng.random() < 0.1)
    single = pick(rng, None, 0, 1)
    negative = rng.random() < 0.4
    for number in range(1 if rng.random() < 0.7 else 2):
        depth = int(rng.integers(1, 4))
        for node in range(2 ** (depth + 1) - 1):
            is_leaf = node >= 2**depth - 1
            row = (
                number, node, int(rng.integers(d)), "LEAF" if is_leaf else pick(rng, *modes),
                float(np.float32(pick(rng, 0.0, 0.1, 0.5, -1.5, 2.0, 1e-30))), 0 if is_leaf else 2 * node + 1,
                0 if is_leaf else 2 * node + 2, int(rng.random() < 0.3),
            )  # fmt: skip
            for name, value in zip(nodes, row, strict=True):
                nodes[name].append(value)
            if not is_leaf:
                continue
            ids = [single] if k == 2 and single is not None else [i for i in range(k) if rng.random() < 0.8]
            ids = ids + ids[:1] * (rng.random() < 0.01)
            for i in ids:
                weight = float(
                    np.float32(rng.random() * pick(rng, 1, 1, 3) * (-1 if negative and rng.random() < 0.5 else 1))
                )
                for name, value in zip(leaves, (number, node, i, weight), strict=True):
                    leaves[name].append(value)
    if not leaves["ids"]:
        return None
    facts = {f"nodes_{name}": values for name, values in nodes.items()}
    facts |= {f"{'class' if is_classifier else 'target'}_{name}": values for name, values in leaves.items()}
    facts["post_transform"] = pick(rng, "NONE", "NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO", "PROBIT")
    if rng.random() < 0.3:
        facts["base_values"] = [float(np.float32(x)) for x in rng.normal(size=pick(rng, 1, k))]
    if is_classifier:
        facts["classlabels_int64s"] = list(range(k)) if rng.random() < 0.5 else [3 * i + 2 for i in range(k)]
        if rng.random() < 0.3:
            facts["classlabels_strings"] = [f"c{i}" for i in range(k)]
            del facts["classlabels_int64s"]
    else:
        facts["n_targets"] = 1
        if rng.random() < 0.3:
            facts["aggregate_function"] = pick(rng, "SUM", "AVERAGE", "MIN", "MAX")
    outputs = ["label", "scores"] if is_classifier else ["scores"]
    kind = pick(rng, onnx.TensorProto.FLOAT, onnx.TensorProto.FLOAT, onnx.TensorProto.DOUBLE)
    operators = [
        helper.make_node(
            "TreeEnsembleClassifier" if is_classifier else "TreeEnsembleRegressor",
            ["inner"],
            outputs,
            domain="ai.onnx.ml",
            **facts,
        )
    ]
    before = pick(rng, "Identity", "Identity", "Cast", "Neg")
    kinds = (
        {"to": pick(rng, onnx.TensorProto.FLOAT, onnx.TensorProto.DOUBLE, onnx.TensorProto.INT64)}
        if before == "Cast"
        else {}
    )
    operators.insert(0, helper.make_node(before, ["X"], ["inner"], **kinds))
    label = onnx.TensorProto.STRING if "classlabels_strings" in facts else onnx.TensorProto.INT64
    types = [label, onnx.TensorProto.FLOAT] if is_classifier else [onnx.TensorProto.FLOAT]
    if rng.random() < 0.2:
        after = pick(rng, "Identity", "Neg", "Abs", "Cast")
        to = {"to": pick(rng, onnx.TensorProto.FLOAT, onnx.TensorProto.INT64)} if after == "Cast" else {}
        operators.append(helper.make_node(after, ["scores"], ["more"], **to))
        outputs, types[-1] = [*outputs[:-1], "more"], to.get("to", onnx.TensorProto.FLOAT)
    graph = helper.make_graph(
        operators, "trees", [helper.make_tensor_value_info("X", kind, [None, d])],
        [helper.make_tensor_value_info(name, one, None) for name, one in zip(outputs, types, strict=True)],
    )  # fmt: skip
    versions = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)]
    content = helper.make_model(graph, opset_imports=versions, ir_version=8).SerializeToString()
    X = rng.normal(size=(60, d)).round(int(rng.integers(0, 4)))
    return _onnx_result("onnx any", content, X, None)


def _onnx_result(kind, content, X, y):
    try:
        session = onnx_session(content)
    except Exception:  # the runtime refuses the model
        return None
    given = session.get_inputs()[0]
    dtype = {"tensor(float)": np.float32, "tensor(double)": np.float64}.get(given.type)
    names = [one.name for one in session.get_outputs()]
    is_classifier = len(names) == 2
    if dtype is None:
        return None

    def run(rows):
        with np.errstate(over="ignore"):
            return session.run(None, {given.name: np.asarray(rows, float).astype(dtype)})

    def scores(rows):
        found = run(rows)[1]
        return pd.DataFrame(found).to_numpy(float) if isinstance(found, list) else np.asarray(found)

    return Case(
        kind, {"file": content}, Data(np.asarray(X, float), y), lambda rows: np.ravel(run(rows)[0]),
        shares=scores if is_classifier else None, exact=False, more={"float32": True, "is_onnx": True},
    )  # fmt: skip


MAKERS = {
    "sklearn": sklearn_case, "lightgbm": lightgbm_case, "xgboost": xgboost_case, "onnx": onnx_case,
    "onnxmltools": onnxmltools_case,
}  # fmt: skip
