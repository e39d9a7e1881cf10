"""Options for training a tree, and the estimator, report and model that follow from them."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from treecore.constraints.named_features import of_named_features
from treecore.declarations import Choice, Number, Whole
from treecore.errors import ParameterError
from treecore.messages import literals
from treecore.model.model import Model
from treecore.node_solvers import SPLITS
from treecore.training.estimators import TAOClassifier, TAORegressor
from treecore.training.parameter_kinds import WholeOrShare
from treecore.training.parameters import PARAMETERS, parameters_of
from treecore.tree.metrics import error_of, tree_metrics
from treecore.tree.tree import Tree
from viz.command_line.files import tell
from viz.command_line.training_data import TrainingData
from viz.nodes.category_columns import grouped_columns

# Always kept in the model. Other parameters are kept only if they differ from the default.
KEPT = ("split", "lam", "bivariate_cost", "init", "max_depth", "scale", "missing", "node_solver", "surrogate")
OPTIONS = {name: one for name, one in PARAMETERS.items() if one.is_option and name != "lam"}
METAVARS = {Whole: "N", WholeOrShare: "N", Number: "X"}
DEFAULTS = {
    "init": "random for oblique, else cart",
    "max_depth": "8 for random, else no limit",
    "scale": "standard; minmax for images",
    "missing": "learn if values are missing",
    "n_jobs": "all cores",
}


def add_arguments(parser: argparse.ArgumentParser, of_path: bool = False) -> None:
    """Add the options of the tree.

    of_path : whether to add only options that also exist for a regularisation path
    """
    for name, one in OPTIONS.items():
        if of_path and not one.of_path:
            continue
        words = f"{one.help} (default {DEFAULTS.get(name, one.none or one.default)})".replace("%", "%%").replace(
            "*", ""
        )
        is_choice = isinstance(one.kind, Choice)
        parser.add_argument(
            f"--{_option_name(name)}", help=words, type=str if is_choice else _reader(one),
            choices=list(one.kind.words) if is_choice else None,
            metavar=None if is_choice else METAVARS.get(type(one.kind), "VALUE"),
        )  # fmt: skip
    parser.add_argument("--no-rows", action="store_true", help="save the model without sample rows")


def _option_name(name):
    return name.replace("_", "-")


def _reader(parameter):
    def read(text):
        value = parameter.kind.read(text)
        if value is None:
            raise argparse.ArgumentTypeError(f"{text!r}: expected {parameter.kind.allowed}")
        return value

    return read


def estimator(
    options: argparse.Namespace, found: TrainingData, lam: float | None = None
) -> TAOClassifier | TAORegressor:
    """Return an unfitted estimator for `TrainingData`. lam : lambda, or None for "auto".

    Raise ParameterError if the split type does not support missing values.
    """
    X = found.data.X
    chosen = {name: getattr(options, name, None) for name in OPTIONS}
    chosen = {name: value for name, value in chosen.items() if value is not None}
    split = chosen.setdefault("split", PARAMETERS["split"].default)
    can_miss = X.dtype.kind == "f" and not hasattr(X, "tocsr")
    missing = np.isnan(X).any(axis=0) if can_miss else np.zeros(X.shape[1], np.bool_)
    if missing.any() and not SPLITS[split].takes_missing:
        names = [found.data.feature_names[feature] for feature in np.flatnonzero(missing)]
        raise ParameterError(
            f"Missing values in {literals(names, 6)}: oblique splits do not support them. Use --split univariate "
            "or bivariate, which learn where to send rows with missing values, or remove the columns with "
            "--ignore."
        )
    kind = TAOClassifier if found.data.class_names else TAORegressor
    if foreign := [name for name in chosen if name not in parameters_of(kind)]:
        target = "classes" if found.data.class_names else "numbers"
        raise ParameterError(f"A tree that predicts {target} has no {foreign[0]}. Remove --{_option_name(foreign[0])}.")
    usual: dict[str, Any] = {
        "init": SPLITS[split].usual_init,
        "scale": "minmax" if found.data.image_shape else "standard",
        "missing": "learn" if missing.any() else "error",
        "n_jobs": -1,
    }
    if chosen.get("categories") == "groups":
        chosen["categories"] = grouped_columns(found.data)
    return kind(
        lam="auto" if lam is None else lam,
        random_state=options.seed,
        **usual | of_named_features(chosen, found.data.feature_names),
    )


def figures(tree: Tree, found: TrainingData) -> dict:
    """Return the errors on the three sets, and the sizes of the tree."""
    errors = {
        f"{part}_error": error_of(tree, found.data.X[rows], found.labels[rows]) if rows.size else None
        for part, rows in (("train", found.rows["train"]), *list(found.rows.items())[1:])
    }
    return errors | {f"n_{part}": int(rows.size) for part, rows in found.rows.items()} | tree_metrics(tree)._asdict()


def report(tree: Tree, figures: dict) -> None:
    """Print errors and sizes."""
    target = tree.target
    for part in ("train", "validation", "test"):
        value = figures[f"{part}_error"]
        shown = "no rows" if value is None else target.error_text(value)
        tell(f"{part} {target.error_name}: {shown} ({figures[f'n_{part}']:,} rows)")
    tell(
        f"size: {figures['n_leaves']} leaves, {figures['n_decision']} splits, depth {figures['depth']}, "
        f"{figures['n_features_used']} of {tree.n_features:,} features, {figures['n_nonzero']} weights"
    )


def model(
    tree: Tree,
    trained: BaseEstimator,
    options: argparse.Namespace,
    found: TrainingData,
    lam: float,
    trace: Sequence,
    figures: dict,
) -> Model:
    """Return the `Model` of a tree that an estimator with these options has trained."""
    values = trained.get_params(deep=False)
    known = {name: one for name, one in parameters_of(type(trained)).items() if one.is_option and name != "n_jobs"}
    parameters = {name: values[name] for name, one in known.items() if name in KEPT or values[name] != one.default}
    if isinstance(weights := parameters.get("class_weight"), dict):  # in the form that the app writes
        parameters["class_weight"] = "-".join(f"{weights.get(name, 1.0):g}" for name in found.data.class_names)
    if not isinstance(parameters.get("categories", ""), str):
        parameters["categories"] = "groups"
    parameters |= {
        "lam": lam, "seed": options.seed, "rows": "standard", "validation": options.validation, "test": options.test,
        "source": "standard input" if options.data == "-" else Path(options.data).name,
    }  # fmt: skip
    is_sparse = hasattr(found.data.X, "tocsr")
    rows = None if options.no_rows or is_sparse else found.rows["train"]
    return Model.of(tree, found.data, parameters, trace, figures, rows, found.target)
