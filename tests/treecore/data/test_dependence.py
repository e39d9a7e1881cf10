"""Test dependent rows: groups stay together, and training rows are earlier than test rows, everywhere."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.model_selection import GroupKFold, TimeSeriesSplit, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import treecore.training.cross_validated as cross_validated
from tests.refusals import refused
from treecore import TAOClassifier, TAOClassifierCV, TAORegressorCV
from treecore.comparison.comparison import compare
from treecore.comparison.folds import inner_folds, outer_folds
from treecore.data.dependence import Dependence, TimeFolds, dependence_of
from treecore.errors import DataError, ParameterError
from treecore.tree.quantity import Quantity

N = 120
GROUPS = np.repeat(np.arange(24), 5)
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N, 3))
Y = np.where(X[:, 0] + 0.3 * RNG.normal(size=N) > 0, "yes", "no")


def apart(folds, groups=GROUPS):
    return all(not np.intersect1d(groups[train], groups[held]).size for train, held in folds)


def forward(folds, times):
    return all(times[train].max() < times[held].min() for train, held in folds)


@pytest.mark.parametrize("share", [0.2, 0.25])
@pytest.mark.parametrize("seed", range(4))
def test_a_part_is_of_whole_groups_with_even_shares(seed, share):
    strata = (Y == "yes").astype(int)
    held = Dependence(GROUPS).held_out(strata, Y, share, seed)
    assert apart([(np.setdiff1d(np.arange(N), held), held)])
    assert abs(held.size - share * N) <= 5
    assert abs(strata[held].mean() - strata.mean()) < 0.1


def test_a_group_with_all_rows_of_a_class_trains():
    y = np.where(GROUPS < 3, "rare", Y)
    y[GROUPS == 5] = "alone"
    for seed in range(20):
        held = Dependence(GROUPS).held_out(np.unique(y, return_inverse=True)[1], y, 0.3, seed)
        assert 5 not in GROUPS[held]
        assert set(y) == set(np.delete(y, held))
    own = Dependence(GROUPS).held_out(GROUPS, GROUPS, 0.3, 0)  # each group is a class
    assert own.size == 0


def test_the_newest_rows_are_held_out_and_equal_times_stay_together():
    times = np.repeat([5.0, 1.0, 3.0, np.nan], 30)
    held = Dependence(times=times).held_out(np.zeros(N, int), Y, 0.3, 0)
    assert set(times[held]) == {5.0}
    folds = list(TimeFolds(2, times).split(X))
    assert [sorted(set(times[held])) for _, held in folds] == [[3.0], [5.0]]
    assert np.isnan(times[folds[0][0]]).sum() == 30
    with refused(DataError, "5 folds by time need 6 different times, but there are 4"):
        list(TimeFolds(5, times).split(X))


def test_folds_by_time_are_those_of_scikit_learn_if_rows_are_sorted():
    for ours, theirs in zip(TimeFolds(4, np.arange(N)).split(X), TimeSeriesSplit(4).split(X), strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(ours, theirs, strict=True))


def test_outer_and_inner_folds_keep_groups_and_times():
    by_group, by_time = Dependence(GROUPS), Dependence(times=RNG.permutation(N).astype(float))
    quantity = Quantity.of(X[:, 0])
    for y, target in ((Y, None), (X[:, 0], quantity)):
        more = {} if target is None else {"target": target}
        for inner in (3, 0.3):
            for dependence, holds in ((by_group, apart), (by_time, lambda f: forward(f, by_time.times))):
                folds = outer_folds(X, y, 4, 0, dependence=dependence, **more)
                assert holds(folds)
                assert len(folds) == 4
                train = folds[-1].train
                found = inner_folds(y[train], inner, 0, dependence=dependence.of(train), **more)
                assert holds([(train[fit], train[held]) for fit, held in found])
    with refused(DataError, "30 folds by group need 30 groups, but there are 24"):
        outer_folds(X, Y, 30, 0, dependence=by_group)
    with refused(DataError, "The training rows have too few groups or times, so no validation rows are left"):
        inner_folds(Y[:5], 3, 0, dependence=by_group.of(np.arange(5)))


def test_a_comparison_keeps_groups_together():
    subjects = GROUPS.astype(str)
    found = compare(X, Y, ["cart", "tao_univariate"], cv=3, inner=2, n_jobs=1, groups=subjects)
    assert not [cell.failure for cell in found.cells if cell.failure]
    expected = outer_folds(X, Y, 3, 0, dependence=dependence_of(N, subjects, None))
    assert [len(truth) for truth in found.truth] == [fold.test.size for fold in expected]
    assert all(cell.n_test % 5 == 0 for cell in found.cells)
    with refused(ParameterError, "groups and times: expected only one of them"):
        compare(X, Y, ["cart"], groups=subjects, times=np.arange(N))
    with refused(DataError, "has shape …: expected one value for each of the 120 rows"):
        compare(X, Y, ["cart"], groups=subjects[:5])
    with refused(DataError, "times has dtype …: expected numbers or numpy datetime64"):
        compare(X, Y, ["cart"], times=subjects)


def test_dates_are_times():
    days = np.datetime64("2024-01-01") + RNG.permutation(N)
    days[3] = np.datetime64("NaT")
    found = compare(X, Y, ["cart"], cv=3, n_jobs=1, times=days)
    assert [cell.n_train for cell in found.cells] == [30, 60, 90]


@pytest.fixture
def seen(monkeypatch):
    """Return the folds that the estimator makes."""
    found, parts = [], cross_validated._TAOEstimatorCV._parts

    def noted(self, *given):
        folds = parts(self, *given)
        found.extend(folds)
        return folds

    monkeypatch.setattr(cross_validated._TAOEstimatorCV, "_parts", noted)
    return found


@pytest.mark.parametrize("cv", [4, GroupKFold(4)])
def test_the_estimator_chooses_by_group(seen, cv):
    small = TAOClassifier("univariate", max_iter=2)
    TAOClassifierCV(small, lams=3, cv=cv).fit(X, Y, groups=GROUPS.astype(str))
    assert len(seen) == 4
    assert apart(seen)
    seen.clear()
    if cv == 4:
        TAOClassifierCV(small, lams=3, cv=cv).fit(X, Y)
        assert not apart(seen)
        TAORegressorCV(lams=3, cv=4).fit(X, X[:, 0], groups=GROUPS)
        assert apart(seen[4:])


def test_the_estimator_chooses_by_time(seen):
    TAOClassifierCV(TAOClassifier("univariate", max_iter=2), lams=3, cv=TimeSeriesSplit(3)).fit(X, Y)
    assert forward(seen, np.arange(N))


def test_groups_are_routed_as_metadata(seen):
    with config_context(enable_metadata_routing=True):
        chosen = TAOClassifierCV(TAOClassifier("univariate", max_iter=2), lams=2, cv=2).set_fit_request(groups=True)
        pipe = make_pipeline(StandardScaler(), chosen)
        cross_val_score(pipe, X, Y, cv=GroupKFold(3), params={"groups": GROUPS})
    assert len(seen) == 6
