"""Test that random models of other programs are imported with the same predictions, or refused with a typed error.

``python -m tests.treecore.foreign.test_random_models 2000`` prints how often each kind was equal and why others were
refused.
"""

import contextlib
import sys
import warnings
from collections import Counter

import numpy as np
import pandas as pd
import pytest

from tests.budget import budget
from tests.skops_content import skops_content
from tests.treecore.foreign import random_models
from treecore import TreecoreError, export, from_onnx
from treecore.foreign.fitted_tree import fitted_tree
from treecore.foreign.sources import foreign_model

pytest.importorskip("lightgbm")
pytest.importorskip("xgboost")
pytest.importorskip("onnxruntime")
EQUAL = "equal"
MOST = 6  # trees of a model that are compared


def limits_of(found, trees):
    """Return (column, threshold) of the splits on numbers, at most 12."""
    column_of = {first: column for column, first in enumerate(found.columns.first[:-1])}
    limits = []
    for tree in trees:
        for node in np.flatnonzero(tree.left >= 0).tolist():
            features, weights, bias = tree.split(node)
            column = column_of.get(int(features[0])) if features.size == 1 and weights[0] != 0 else None
            if column is not None and column not in found.columns.codes:
                limits.append((column, -float(bias) / float(weights[0])))
    return limits[:12]


def same(got, wanted, exact):
    """Return whether two arrays of labels or numbers are equal, numbers up to rounding unless `exact`."""
    got, wanted = np.asarray(got), np.asarray(wanted)
    if got.shape != wanted.shape:
        return False
    if got.dtype.kind == "f" and wanted.dtype.kind == "f":
        tolerance = {"rtol": 1e-12, "atol": 0} if exact else {"rtol": 2e-6, "atol": 1e-9}
        if wanted.dtype == np.float32:
            tolerance["rtol"] = 2e-6
        return np.allclose(got, wanted, equal_nan=True, **tolerance)
    return [str(one) for one in got.tolist()] == [str(one) for one in wanted.tolist()]


class Comparison:
    """Comparison of a random model with its import. told : Counter of outcomes; raise AssertionError if it differs."""

    def __init__(self, case, rng):
        self.case, self.rng, self.told = case, rng, Counter()

    def run(self):
        for name, source in self.case.sources.items():
            with self._refusals():
                found = foreign_model(source)
                if found is None:
                    self._whole(source, name, self.case.data.take(np.arange(20)))
                    continue
                trees = [found.tree(number) for number in range(min(found.n_trees, MOST))]
                self._files(source, trees)
                rows = random_models.near_rows(self.rng, self.case.data, limits_of(found, trees))
                missing = random_models.with_missing(self.rng, rows)
                infinite = random_models.with_infinity(self.rng, rows[:20], self.case.data)
                unknown = random_models.with_unknown(self.rng, rows, self.case.data)
                single = rows.astype(np.float32) if getattr(rows, "dtype", "") == np.float64 else None
                for some in (rows, missing, infinite, unknown, single):
                    if some is not None:
                        self._compare(found, trees, source, name, some)
        return self.told

    @contextlib.contextmanager
    def _refusals(self):
        try:
            yield
        except TreecoreError as error:
            self.told[_kind(str(error))] += 1

    def _compare(self, found, trees, source, name, rows):
        case = self.case
        if not self._program_answers(rows):
            with self._refusals():
                found.tree(0).predict(found.features(rows))
                raise AssertionError("answers rows that the program refuses")
            return
        with self._refusals():
            X = found.features(rows)
            for number, tree in enumerate(trees):
                self._tree(found, tree, number, X, rows)
            if case.sums is not None and found.alone is not None and found.n_trees <= MOST:
                self._sums(trees, X, case.sums(rows))
            self._whole(source, name, rows)

    def _program_answers(self, rows):
        try:
            self.case.predict(rows)
        except Exception:
            return False
        return True

    def _tree(self, found, tree, number, X, rows):
        case = self.case
        got = tree.predict(X)
        if "leaves" in case.more:
            assert np.array_equal(tree.origin[tree.apply(X)], case.more["leaves"](rows, number)[:, number]), "leaf"
        if found.alone is not None and case.of_tree is not None:
            wanted = case.of_tree(rows, number)
            assert wanted is None or same(got, wanted, case.exact), "tree"
        with contextlib.suppress(TreecoreError):  # a split on categories
            again, single = tree.to_sklearn(), np.asarray(X, np.float32)
            if np.isfinite(single[~np.isnan(single)]).all() and (
                tree.missing_right is not None or not np.isnan(single).any()
            ):
                assert np.array_equal(again.apply(single), tree.apply(single)), "to_sklearn"
                assert same(again.predict(single), tree.predict(single), True), "to_sklearn"
                back = fitted_tree(again).tree
                assert same(back.predict(single), tree.predict(single), True), "to_sklearn and back"

    def _sums(self, trees, X, wanted):
        totals = np.zeros(wanted.shape)
        for number, tree in enumerate(trees):
            totals[:, number // self.case.n_parallel % wanted.shape[1]] += tree.predict(X)
        gaps = wanted - totals  # the initial prediction
        scale = max(1.0, *(np.abs(tree.outputs).max() for tree in trees), np.abs(gaps[0]).max())
        assert np.allclose(gaps, gaps[0], rtol=0, atol=(1e-9 if self.case.exact else 2e-6) * scale), "sum"

    def _whole(self, source, name, rows):
        """Compare the only tree with the model, unless it is refused."""
        case = self.case
        whole = fitted_tree(foreign_model(source) if isinstance(source, bytes) else source)
        X = whole.features(rows)
        got, predict = whole.tree.predict(X), case.predict if name == "model" else case.more.get("file", case.predict)
        wanted = predict(rows)
        if whole.tree.is_regression:
            wanted = np.asarray(wanted, np.float32) if "float32" in case.more else wanted
            assert same(got.astype(np.float32) if "float32" in case.more else got, wanted, case.exact), "model"
        elif "file" in case.more and (name != "model" or case.shares is None):
            # a booster predicts the probability of class 1
            assert same(whole.tree.predict_proba(X)[:, 1], np.asarray(wanted, float), False), "booster"
            assert np.array_equal(got, np.asarray(wanted) > 0.5), "booster"
        else:
            assert same(got, wanted, True), "labels"
            if case.shares is not None:
                shares = case.shares(rows)
                if "is_onnx" in case.more and whole.tree.classes.size > 2:  # scores are normalised
                    shares = shares / shares.sum(axis=1, keepdims=True)
                assert np.allclose(whole.tree.predict_proba(X), shares, rtol=0, atol=1e-6), "probabilities"
        self.told[EQUAL] += 1

    def _files(self, source, trees):
        """Compare the trees with those of a file of scikit-learn, and with their own exports."""
        if self.case.kind.startswith("sklearn"):
            with contextlib.suppress(TreecoreError, TypeError):
                found = foreign_model(skops_content(source))
                assert found is None or [found.tree(number) for number in range(len(trees))] == trees, "skops"
        tree = trees[0]
        assert from_onnx(export.onnx(tree)) == tree, "onnx export"
        used = [tree.feature_name(feature) for feature in range(tree.n_features)]
        X = np.abs(self.rng.normal(size=(20, tree.n_features))).round(1)
        with contextlib.suppress(TreecoreError):
            found = foreign_model(export.pmml(tree).encode())
            assert same(found.tree().predict(found.features(pd.DataFrame(X, columns=used))), tree.predict(X), True), (
                "pmml export"
            )


def outcome(maker, seed):
    """Return the kind of a random model and the Counter of outcomes. Raise AssertionError if it differs silently."""
    rng = np.random.default_rng([seed, *maker.encode()])
    with warnings.catch_warnings(action="ignore"):
        case = None
        with contextlib.suppress(Exception):  # the program refuses the parameters or the data
            case = random_models.MAKERS[maker](rng)
        if case is None:
            return NOT_MADE, Counter()
        try:
            return case.kind, Comparison(case, rng).run()
        except AssertionError as error:
            raise AssertionError(f"{maker} {seed} ({case.kind}): {error}") from error


def _kind(text):
    """Return the beginning of a refusal of rows, or the whole text of another refusal."""
    return next((start for start in sorted(ROWS) if text.startswith(start)), text)


NOT_MADE = "not made"
PLAIN = {"sklearn tree", "sklearn monotonic", "onnx sklearn tree"}  # kinds of models that are never refused
ROWS = {"X contains infinite values", "X contains NaN or infinite values"}  # beginnings of refusals of rows
# parts of refusals that blame the file, which no program has damaged
DAMAGE = ("is damaged", "has two parents", "the arrays of a tree", "the arrays of the trees")


@pytest.mark.nightly
@pytest.mark.parametrize("maker", random_models.MAKERS)
def test_random_models_are_equal_or_refused(maker):
    if maker == "onnxmltools":
        pytest.importorskip("onnxmltools")
    told, kinds = Counter(), Counter()
    for seed in range(budget(12, 500)):
        kind, found = outcome(maker, seed)
        assert kind not in PLAIN or found.keys() <= {EQUAL, *ROWS}, (seed, found)
        kinds[kind] += 1
        told += found
    assert told[EQUAL] > 5, told
    assert kinds[NOT_MADE] < kinds.total() / 4, kinds
    assert not any(part in text for text in told for part in DAMAGE), told


def main(n):
    """Write the outcomes of n models: how many are equal, the codes of refusals, and those that differ."""
    told, kinds, silent, makers = {}, Counter(), [], list(random_models.MAKERS)
    for k in range(n):
        try:
            kind, found = outcome(makers[k % len(makers)], k)
        except Exception as error:  # errors without a type count too
            silent.append(f"{makers[k % len(makers)]} {k} {type(error).__name__}: {error}".split("\n")[0])
            continue
        kinds[kind] += 1
        told.setdefault(kind, Counter()).update(found)
    lines = [f"{kind} {kinds[kind]} {dict(told[kind].most_common())}" for kind in sorted(told)]
    sys.stdout.write("\n".join([*lines, f"{len(silent)} of {n} differ silently:", *silent[:40], ""]))


if __name__ == "__main__":
    main(int(sys.argv[1]))
