"""Run one learner on one split in a separate process: ``python -m benchmarks.peer_fit LEARNER SPLIT.npz``.

`benchmarks.peers` runs this script in the project's environment or in that of the other packages, so the script imports
packages only when needed. It prints one line of JSON: version, test error in %, leaves, CPU seconds of a fit and of a
CART fit.
"""

import argparse
import json
import statistics
import sys
import time
import warnings
from importlib.metadata import version
from typing import NamedTuple

import numpy as np
from sklearn.tree import DecisionTreeClassifier

WARM_UP_ROWS = 500
ENOUGH = 1.0  # maximum total seconds of fits before another repetition starts
MOST_REPEATS = 5
N_LAMBDAS = 20


class Fitted(NamedTuple):
    """A function that predicts labels for X, and the number of leaves."""

    predict: object
    leaves: int


def treeple():
    """Fit treeple's oblique tree with defaults."""
    from treeple.tree import ObliqueDecisionTreeClassifier

    def fit(X, y):
        model = ObliqueDecisionTreeClassifier(random_state=0).fit(X, y)
        return Fitted(model.predict, model.get_n_leaves())

    return fit


def ydf(**options):
    """Fit ydf's CART.

    options : options of `ydf.CartLearner`.
    """
    import ydf as package

    package.verbose(0)

    def fit(X, y):
        learner = package.CartLearner(label="label", task=package.Task.CLASSIFICATION, **options)
        model = learner.train({"x": X.astype(np.float32), "label": y})
        labels = np.array(model.label_classes()).astype(int)

        def predict(X):
            shares = model.predict({"x": X.astype(np.float32)})
            return labels[(shares > 0.5).astype(int) if shares.ndim == 1 else shares.argmax(axis=1)]

        return Fitted(predict, ydf_leaves(model.get_tree(0).root))

    return fit


def ydf_leaves(node):
    """Return the number of leaves below a node of a ydf tree."""
    leaves, pending = 0, [node]
    while pending:
        node = pending.pop()
        if node.is_leaf:
            leaves += 1
        else:
            pending += [node.neg_child, node.pos_child]
    return leaves


def obliquetree():
    """Fit obliquetree's oblique tree with defaults."""
    from obliquetree import Classifier

    def fit(X, y):
        model = Classifier(use_oblique=True, random_state=0)
        model.fit(X, y)
        return Fitted(model.predict, np.unique(model.apply(X)).size)

    return fit


def stree():
    """Fit stree's tree of linear SVMs with defaults, on standardised features."""
    from sklearn.preprocessing import StandardScaler
    from stree import Stree

    def fit(X, y):
        scaler = StandardScaler().fit(X)
        model = Stree(random_state=0).fit(scaler.transform(X), y)
        return Fitted(lambda X: model.predict(scaler.transform(X)), model.nodes_leaves()[1])

    return fit


def cart():
    """Fit scikit-learn's CART with defaults."""

    def fit(X, y):
        model = DecisionTreeClassifier(random_state=0).fit(X, y)
        return Fitted(model.predict, int(model.get_n_leaves()))

    return fit


def ours(name):
    """Fit a classifier of treecore with defaults."""
    import treecore

    def fit(X, y):
        model = getattr(treecore, name)()
        if "random_state" in model.get_params():
            model.set_params(random_state=0)
        model.fit(X, y)
        return Fitted(model.predict, model.tree_.n_leaves)

    return fit


def tao(split):
    """Fit TAO on all rows, with initial tree and λ chosen by the error on 20 % of them."""
    from sklearn.model_selection import train_test_split

    from treecore import TAOClassifier, regularization_path

    starts = [{"init": "random", "max_depth": depth} for depth in (3, 6, 10)] + [{"init": "oblique_cart"}]
    if split == "bivariate":
        starts = [{"init": "cart"}, {"init": "bivariate_cart"}]

    def fit(X, y):
        X_fit, X_val, y_fit, y_val = train_test_split(X, y, test_size=0.2, stratify=y, random_state=0)
        found = []
        for start in starts:
            model = TAOClassifier(split=split, random_state=0, n_jobs=-1, **start)
            path = regularization_path(model, X_fit, y_fit, N_LAMBDAS, X_val, y_val)
            point = path.best()
            lams = path.lams[path.lams <= point.lam] * (len(y) / len(y_fit))
            found.append((round(point.validation_error, 9), point.n_leaves, len(found), model, lams))
        *_, model, lams = min(found, key=lambda one: one[:3])
        tree = regularization_path(model, X, y, lams)[-1].tree
        return Fitted(tree.predict, tree.n_leaves)

    return fit


class Learner(NamedTuple):
    """A function that imports the learner and returns its ``fit(X, y) -> Fitted``, its options, and its package."""

    make: object
    options: dict
    package: str | None  # None for this project


LEARNERS = {
    "TAO oblique": Learner(tao, {"split": "oblique"}, None),
    "TAO bivariate": Learner(tao, {"split": "bivariate"}, None),
    "C5.0": Learner(ours, {"name": "C50Classifier"}, None),
    "CART 1-SE": Learner(ours, {"name": "CARTClassifier"}, None),
    "scikit-learn CART": Learner(cart, {}, "scikit-learn"),
    "treeple": Learner(treeple, {}, "treeple"),
    "ydf": Learner(ydf, {}, "ydf"),
    "ydf oblique": Learner(ydf, {"split_axis": "SPARSE_OBLIQUE"}, "ydf"),
    "ydf mhld": Learner(ydf, {"split_axis": "MHLD_OBLIQUE"}, "ydf"),
    "obliquetree": Learner(obliquetree, {}, "obliquetree"),
    "stree": Learner(stree, {}, "stree"),
}


def seconds_of(fit, X, y):
    """Return (last Fitted, median CPU seconds of a fit)."""
    seconds = []
    while len(seconds) < MOST_REPEATS and sum(seconds) < ENOUGH:
        began = time.process_time()
        fitted = fit(X, y)
        seconds.append(time.process_time() - began)
    return fitted, statistics.median(seconds)


def figures(name, X, y, X_test, y_test):
    """Return a dict with the results to print."""
    learner = LEARNERS[name]
    fit = learner.make(**learner.options)
    few = slice(None, None, max(1, len(y) // WARM_UP_ROWS))
    fit(X[few], y[few]).predict(X_test[:1])
    _, cart_seconds = seconds_of(cart(), X, y)
    fitted, seconds = seconds_of(fit, X, y)
    return {
        "version": version(learner.package) if learner.package else "",
        "error": 100 * float(np.mean(np.asarray(fitted.predict(X_test)) != y_test)),
        "leaves": int(fitted.leaves),
        "seconds": seconds,
        "cart_seconds": cart_seconds,
    }


def main(arguments=None):
    """Measure and print the results."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peer_fit", description=__doc__.splitlines()[0])
    parser.add_argument("learner", choices=LEARNERS)
    parser.add_argument("split", help="path of an .npz file with X, y, X_test and y_test")
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    with np.load(options.split, allow_pickle=False) as arrays:
        rows = [arrays[name] for name in ("X", "y", "X_test", "y_test")]
    print(json.dumps(figures(options.learner, *rows)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
