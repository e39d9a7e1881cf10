"""Options of a tree to be trained, its estimator, and what a trained tree is reported and saved as."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator

from treecore.errors import ParameterError
from treecore.initial import INITIAL_TREES
from treecore.model.model import Model
from treecore.node_solvers import SPLITS
from treecore.training.estimators import TAOClassifier, TAORegressor
from treecore.tree.metrics import error_of, tree_metrics
from treecore.tree.tree import Tree
from viz.command_line.files import tell
from viz.command_line.training_data import TrainingData

PARAMETERS = ("split", "lam", "bivariate_cost", "init", "max_depth", "scale", "missing", "node_solver", "surrogate")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the tree."""
    parser.add_argument(
        "--split", choices=list(SPLITS), default="oblique", help="what a decision asks (default oblique)"
    )
    parser.add_argument("--bivariate-cost", metavar="C", type=float, default=1.25, help="cost of a decision on two "
                        "features, where one on a single feature costs 1 (default 1.25)")  # fmt: skip
    parser.add_argument("--init", choices=list(INITIAL_TREES), help="(default random for oblique, else cart)")
    parser.add_argument(
        "--max-depth", metavar="N", type=int, help="of the initial tree (default 8 for random, else fully grown)"
    )
    parser.add_argument("--max-iter", metavar="N", type=int, default=20, help="passes over the tree (default 20)")
    parser.add_argument("--no-rows", action="store_true", help="save no row of the data with the model")


def estimator(options: argparse.Namespace, found: TrainingData, lam: float = 1.0) -> TAOClassifier | TAORegressor:
    """Unfitted estimator for `TrainingData`. Raises ParameterError where the split cannot have its missing values."""
    X = found.data.X
    can_miss = X.dtype.kind == "f" and not hasattr(X, "tocsr")
    missing = np.isnan(X).any(axis=0) if can_miss else np.zeros(X.shape[1], np.bool_)
    if missing.any() and not SPLITS[options.split].takes_missing:
        names = [found.data.feature_names[feature] for feature in np.flatnonzero(missing)[:6]]
        raise ParameterError(
            f"Values are missing, in {', '.join(map(repr, names))}{' ...' if missing.sum() > 6 else ''}: oblique trees "
            "cannot have that. Use --split univariate or bivariate, which learn where such rows go, or --ignore."
        )
    kind = TAOClassifier if found.data.class_names else TAORegressor
    return kind(
        split=options.split, lam=lam, bivariate_cost=options.bivariate_cost, max_iter=options.max_iter,
        init=options.init or SPLITS[options.split].usual_init, max_depth=options.max_depth,
        random_state=options.seed, scale="minmax" if found.data.image_shape else "standard",
        missing="learn" if missing.any() else "error",
    )  # fmt: skip


def figures(tree: Tree, found: TrainingData) -> dict:
    """Errors of the three parts, and sizes."""
    errors = {
        f"{part}_error": error_of(tree, found.data.X[rows], found.labels[rows]) if rows.size else None
        for part, rows in (("train", found.rows["train"]), *list(found.rows.items())[1:])
    }
    return errors | {f"n_{part}": int(rows.size) for part, rows in found.rows.items()} | tree_metrics(tree)._asdict()


def report(tree: Tree, figures: dict) -> None:
    """Tell errors and sizes."""
    target = tree.target
    for part in ("train", "validation", "test"):
        value = figures[f"{part}_error"]
        shown = "no rows" if value is None else target.error_text(value, 2)
        tell(f"{part} {target.error_name}: {shown} ({figures[f'n_{part}']:,} rows)")
    tell(
        f"size: {figures['n_leaves']} leaves, {figures['n_decision']} decisions, depth {figures['depth']}, "
        f"{figures['n_features_used']} of {tree.n_features} features, {figures['n_nonzero']} weights"
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
    """`Model` of a tree that an estimator of these options has trained."""
    known = trained.get_params(deep=False)
    parameters = {name: known[name] for name in PARAMETERS if name in known} | {
        "lam": lam, "seed": options.seed, "rows": "standard", "validation": options.validation, "test": options.test,
        "source": "standard input" if options.data == "-" else Path(options.data).name,
    }  # fmt: skip
    is_sparse = hasattr(found.data.X, "tocsr")
    rows = None if options.no_rows or is_sparse else found.rows["train"]
    return Model.of(tree, found.data, parameters, trace, figures, rows, found.target)
