"""Choose depth, scaling and λ on the training part only, and train the final tree (quality benchmark).

λ is a share of the number of training rows, so that one grid serves the folds and the whole training part.
"""

import itertools
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed
from sklearn.model_selection import StratifiedKFold, train_test_split

from treecore import TAOClassifier, regularization_path

RULES = ("min", "one_se", "size")
FIRST_RESTART = 1000  # first seed for the restarts of the final tree; the folds use other seeds


class Candidate(NamedTuple):
    """Settings that stay fixed along one path."""

    depth: int
    scale: str
    surrogate: str = "logistic"

    def estimator(self, seed, n_jobs=1, **others):
        """Return the unfitted tree."""
        return TAOClassifier(
            init="random",
            max_depth=self.depth,
            scale=self.scale,
            surrogate=self.surrogate,
            random_state=seed,
            n_jobs=n_jobs,
            **others,
        )


class Choice(NamedTuple):
    """A candidate with its λ / n, and its cross-validated error and leaves."""

    candidate: Candidate
    share: float
    error: float
    leaves: float


class Scores(NamedTuple):
    """Metrics [folds, candidates, λ] of the restart with the lowest training objective in every fold."""

    errors: np.ndarray
    leaves: np.ndarray


def candidates(depths, scales, surrogates=("logistic",)):
    """Return every combination of the settings."""
    return [Candidate(*values) for values in itertools.product(depths, scales, surrogates)]


def widths(X, scale):
    """Return the number of raw units in one scaled unit of each feature, float64[d]."""
    X = np.asarray(X, np.float64)
    return X.std(axis=0) if scale == "standard" else np.ptp(X, axis=0)


def objective(point, X, scale):
    """Return the training objective of a point on a path: errors + λ * l1 norm of the scaled weights."""
    tree = point.tree
    return point.train_error * len(X) + point.lam * float(np.abs(tree.weights * widths(X, scale)[tree.features]).sum())


def path_points(candidate, X, y, shares, seed, validation=(None, None)):
    """Return the points of a path. The λ values are `shares` times the number of rows in X."""
    lams = np.asarray(shares) * len(y)
    return regularization_path(candidate.estimator(seed), X, y, lams, *validation).points


def _fold(candidate, X, y, fit, held_out, shares, seed):
    """Return validation error, leaves and training objective, float64[3, λ values]."""
    points = path_points(candidate, X[fit], y[fit], shares, seed, (X[held_out], y[held_out]))
    return np.array([(p.validation_error, p.n_leaves, objective(p, X[fit], candidate.scale)) for p in points]).T


def cross_validate(options, X, y, shares, folds, restarts, seed, pool):
    """Return the `Scores` of every candidate along its paths.

    pool : joblib Parallel.
    """
    parts = list(StratifiedKFold(folds, shuffle=True, random_state=seed).split(X, y))
    jobs = [
        delayed(_fold)(candidate, X, y, *part, shares, 100 * k + r)
        for k, part in enumerate(parts)
        for candidate in options
        for r in range(restarts)
    ]
    found = np.array(pool(jobs)).reshape(folds, len(options), restarts, 3, len(shares))
    best = found[:, :, :, 2].argmin(axis=2)[:, :, None, None]
    figures = np.take_along_axis(found, best, axis=2)[:, :, 0]
    return Scores(figures[:, :, 0], figures[:, :, 1])


def choose(options, shares, scores, rule, leaves_allowed=np.inf):
    """Return the `Choice` that a rule makes from the `Scores`.

    rule : "min", the smallest mean error; "one_se", the fewest leaves within one standard error of it; "size", the
    smallest mean error among trees with at most `leaves_allowed` leaves on average.
    """
    error, leaves = scores.errors.mean(axis=0).round(9), scores.leaves.mean(axis=0)
    limited = np.where(leaves <= leaves_allowed, error, np.inf) if rule == "size" else error
    at = _first(limited, leaves)
    if rule == "one_se":
        spread = scores.errors[:, *at].std(ddof=1) / np.sqrt(len(scores.errors))
        at = _first(np.where(error <= error[at] + spread + 1e-12, leaves, np.inf), error)
    return Choice(options[at[0]], float(shares[at[1]]), float(error[at]), float(leaves[at]))


def _first(figure, tie):
    """Return the position of the smallest `figure`; the smallest `tie` wins a tie."""
    return np.unravel_index(np.lexsort((tie.ravel(), figure.ravel()))[0], figure.shape)


def _final(candidate, X, y, shares, seed):
    point = path_points(candidate, X, y, shares, seed)[-1]
    return objective(point, X, candidate.scale), point.tree


def final_tree(choice, X, y, shares, restarts, pool):
    """Return the tree of the restart with the lowest training objective at the chosen λ, at the end of its path."""
    shares = [share for share in shares if share <= choice.share]
    seeds = range(FIRST_RESTART, FIRST_RESTART + restarts)
    found = pool(delayed(_final)(choice.candidate, X, y, shares, seed) for seed in seeds)
    return min(found, key=lambda pair: pair[0])[1]


def hold_out(options, X, y, shares, passes):
    """Return the `Choice` by the error on 20 % of the rows, for large data sets.

    Each λ is trained from a random tree.
    """
    X_fit, X_val, y_fit, y_val = train_test_split(X, y, test_size=0.2, random_state=0, stratify=y)
    found = []
    for candidate in options:
        for share in shares:
            model = candidate.estimator(0, None, lam=share * len(y_fit), max_iter=passes).fit(X_fit, y_fit)
            error = float(np.mean(model.predict(X_val) != y_val))
            found.append(Choice(candidate, float(share), error, model.tree_.n_leaves))
    return min(found, key=lambda choice: (round(choice.error, 9), choice.leaves)), found


def workers(count):
    """Return a pool of processes that stays alive between calls."""
    return Parallel(n_jobs=count)
