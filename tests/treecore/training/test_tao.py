"""Test Tree Alternating Optimization: reduced problems, objective, freezing, determinism, early stop."""

from functools import partial

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import naive
from tests.refusals import refused, warned
from tests.strategies import datasets
from treecore import CARTClassifier, ParameterError, PenaltyWarning, TAOClassifier, TAOClassifierCV, TAOForestClassifier
from treecore.data.training_data import TrainingData
from treecore.initial import initial_tree
from treecore.node_solvers import make_solver
from treecore.training.tao import AlternatingOptimization
from treecore.tree.metrics import error_rate, training_error

BUNDLED = ["iris", "wine", "breast_cancer", "digits"]
CASES = [("oblique", "random"), ("oblique", "cart"), ("univariate", "cart"), ("univariate", "random")]
SURROGATE_CASES = [
    *((split, init, "logistic") for split, init in CASES),
    *((split, init, "squared_hinge") for split, init in CASES if split == "oblique"),
]


def optimization(X, y, split="oblique", init="random", lam=0.3, depth=3, weights=None, **options):
    data = TrainingData(X, y, int(max(y)) + 1, weights)
    tree = initial_tree(init, data, depth, np.random.RandomState(0), max_features=1 if split == "univariate" else 30)
    solver = make_solver(data, split)
    return AlternatingOptimization(data, tree, solver, lam, keep_initial=solver.monotone, **options)


def state(run):
    """Return the current (routing, labels) of the tree."""
    return run.tree.routing(), run.tree.labels.copy()


def check_steps(X, y, weights, split, init, lam):
    """Run TAO and compare every step with a computation from scratch. Return the number of reduced problems."""
    run = optimization(X, y, split, init, lam, weights=weights, max_iter=3, n_jobs=1)
    scale = np.divide(1, run.data.inverse_scale, out=np.zeros(X.shape[1]), where=run.data.inverse_scale > 0)
    penalty = naive.count_penalty if split == "univariate" else naive.l1_penalty(scale)
    problems, previous = 0, None
    for step in run.steps():
        routing, labels = state(run)
        rows = naive.visits(routing, X)
        assert step.origins.tolist() == run.tree.origin[step.nodes].tolist()
        assert step.nodes.tolist() == [n for n in np.flatnonzero(run.tree.depth == step.depth) if rows[n]]
        for node in step.nodes:
            if routing.left[node] >= 0 and np.unique(y[rows[node]]).size > 1:
                assert sorted(step.reduced_set(node)) == rows[node]
                found = dict(zip(step.care_points(node).tolist(), step.pseudolabels(node).tolist(), strict=True))
                assert found == naive.reduced_problem(routing, labels, X, y, node, rows[node])
                problems += 1
        loss = naive.objective(routing, labels, X, y, weights, 0.0, penalty)
        assert step.error == pytest.approx(loss / weights.sum())
        after = naive.objective(routing, labels, X, y, weights, lam, penalty)
        assert step.objective_after == pytest.approx(after, rel=1e-5, abs=1e-5)
        if previous is not None:
            assert step.objective_before == pytest.approx(previous)
        previous = step.objective_after
        if step.depth == 0:
            end_of_pass = step.iteration, after
    iteration, after = end_of_pass
    assert run.trace[-1].iteration == iteration
    assert run.trace[-1].objective == pytest.approx(after, rel=1e-5, abs=1e-5)
    return problems


@pytest.mark.parametrize(("split", "init"), CASES)
@settings(max_examples=25)
@given(dataset=datasets(), lam=st.sampled_from([0.0, 0.3, 2.0]))
def test_every_step_equals_a_slow_reference(split, init, dataset, lam):
    X, y, weights = dataset
    check_steps(X, y, weights, split, init, lam)


@pytest.mark.parametrize(("split", "init"), CASES)
def test_every_step_equals_a_slow_reference_on_iris(bundled, split, init):
    X, y = bundled("iris")
    assert check_steps(X, y, np.ones(150), split, init, 0.3) >= 5


@pytest.mark.parametrize("name", BUNDLED)
@pytest.mark.parametrize("init", ["random", "cart"])
@pytest.mark.parametrize("lam", [0.0, 0.5, 3.0])
def test_univariate_objective_never_rises(bundled, name, init, lam):
    X, y = bundled(name)
    steps = []
    model = TAOClassifier(
        split="univariate", init=init, max_depth=5, lam=lam, max_iter=6, random_state=0, callback=steps.append
    ).fit(X, y)
    slack = 1e-9 * len(y)
    for step in steps:
        assert step.objective_after <= step.objective_before + slack
    for one, two in zip(steps[:-1], steps[1:], strict=True):
        assert two.objective_before <= one.objective_after + slack
    objectives = [model.initial_.objective] + [record.objective for record in model.trace_]
    assert (np.diff(objectives) <= slack).all()
    if init == "cart":  # starting from CART, every split is univariate, and the objective counts the splits
        loss = training_error(model.tree_) * len(y)
        assert loss + lam * model.tree_.n_decision <= objectives[-1] + slack


@pytest.mark.parametrize("init", ["random", "cart"])
@pytest.mark.parametrize("lam", [0.0, 0.5])
def test_univariate_trees_hold_univariate_nodes_only(bundled, init, lam):
    for name in ("iris", "wine"):
        for seed in range(3):
            model = TAOClassifier(split="univariate", init=init, max_depth=4, lam=lam, random_state=seed)
            assert np.diff(model.fit(*bundled(name)).tree_.indptr).max() <= 1


@pytest.mark.parametrize(("split", "init"), CASES)
def test_the_result_is_the_best_iterate(bundled, split, init):
    X, y = bundled("wine")
    model = TAOClassifier(split=split, init=init, lam=0.2, max_depth=4, random_state=0).fit(X, y)
    best = min(model.trace_, key=lambda record: record.objective)
    assert training_error(model.tree_) == pytest.approx(best.error)
    assert error_rate(model.tree_, X, y) == pytest.approx(best.error)
    assert model.n_iter_ == len(model.trace_) == model.trace_[-1].iteration


@pytest.mark.parametrize(("split", "init", "surrogate"), SURROGATE_CASES)
def test_same_seed_same_tree_whatever_the_threads(bundled, split, init, surrogate):
    X, y = bundled("digits")
    X = np.tile(X, (3, 1))  # enough rows for several ranges
    trees = [
        TAOClassifier(
            split=split, init=init, surrogate=surrogate, max_depth=4, max_iter=2, random_state=3, n_jobs=n_jobs
        )
        .fit(X, np.tile(y, 3))
        .tree_
        for n_jobs in (1, 2, 3)
    ]
    assert trees[0] == trees[1] == trees[2]
    assert trees[0].to_json() == trees[1].to_json()


def test_another_seed_gives_another_random_start(bundled):
    X, y = bundled("digits")
    one, two = (
        TAOClassifier(init="random", max_depth=3, max_iter=1, random_state=seed).fit(X, y).tree_ for seed in (0, 1)
    )
    assert one != two


@pytest.mark.parametrize(("split", "init"), CASES)
@pytest.mark.parametrize("name", BUNDLED)
def test_a_huge_lambda_gives_one_leaf_of_the_majority(bundled, split, init, name):
    X, y = bundled(name)
    model = TAOClassifier(split=split, init=init, lam=1e9, max_depth=4, random_state=0)
    with warned(PenaltyWarning, "lam=1e+09 is so large that the tree is a single leaf"):
        model.fit(X, y)
    assert model.tree_.n_nodes == 1
    assert model.tree_.n_samples.tolist() == [len(y)]
    counts = np.bincount(y)
    assert model.tree_.values.tolist() == [counts.tolist()]
    assert counts[model.predict(X[:1])[0]] == counts.max()


class TestWarmStart:
    @pytest.fixture
    def grown(self, bundled):
        X, y = bundled("iris")
        return X, y, TAOClassifier(lam=0.05, max_depth=3, random_state=0).fit(X, y).tree_

    def test_no_pass_leaves_the_tree_as_it_is(self, grown):
        X, y, tree = grown
        assert TAOClassifier(init=tree, max_iter=0).fit(X, y).tree_ == tree

    @pytest.mark.parametrize("split", ["oblique", "univariate"])
    @pytest.mark.parametrize("lam", [0.01, 0.05, 1.0])
    def test_the_objective_is_never_worse_than_that_of_the_start(self, grown, split, lam):
        X, y, tree = grown
        if split == "univariate":
            tree = TAOClassifier(split=split, init="cart", lam=0.1, random_state=0).fit(X, y).tree_
        before = tree.to_json()
        model = TAOClassifier(split=split, init=tree, lam=lam).fit(X, y)
        scale = X.std(axis=0)
        penalty = naive.count_penalty if split == "univariate" else naive.l1_penalty(scale)
        ones = np.ones(len(y))
        start = naive.objective(tree, tree.labels, X, y, ones, lam, penalty)
        assert model.initial_.objective == pytest.approx(start)
        assert naive.objective(model.tree_, model.tree_.labels, X, y, ones, lam, penalty) <= start * (1 + 1e-6)
        assert set(model.tree_.origin.tolist()) <= set(tree.origin.tolist())
        assert tree.to_json() == before

    def test_frozen_nodes_stay_bit_for_bit(self, grown):
        X, y, tree = grown
        rng = np.random.default_rng(1)
        y = rng.permutation(y)  # the old tree fits nothing, so every free node moves
        for origin in tree.origin.tolist():
            after = TAOClassifier(init=tree, lam=0.02, frozen=(origin,)).fit(X, y).tree_
            old, new = tree.origin.tolist().index(origin), after.origin.tolist().index(origin)
            assert after.is_leaf(new) == tree.is_leaf(old)
            assert [a.tobytes() for a in after.split(new)[:2]] == [a.tobytes() for a in tree.split(old)[:2]]
            assert after.bias[new] == tree.bias[old]
            if tree.is_leaf(old):
                assert after.labels[new] == tree.labels[old]
        free = TAOClassifier(init=tree, lam=0.02).fit(X, y).tree_
        kept = {int(o): tree.split(i)[1].tobytes() for i, o in enumerate(tree.origin)}
        assert all(kept[int(o)] != free.split(i)[1].tobytes() for i, o in enumerate(free.origin) if not free.is_leaf(i))

    @pytest.mark.parametrize("frozen", [list, set, np.array])
    def test_a_wholly_frozen_tree_does_not_change(self, grown, frozen):
        X, y, tree = grown
        after = TAOClassifier(init=tree, lam=5.0, frozen=frozen(tree.origin.tolist())).fit(X, y).tree_
        assert after == tree

    def test_an_unchanged_frozen_huge_lambda_keeps_the_frozen_node_only(self, grown):
        X, y, tree = grown
        after = TAOClassifier(init=tree, lam=1e9, frozen=(int(tree.origin[0]),)).fit(X, y).tree_
        assert after.n_decision == 1
        assert after.bias[0] == tree.bias[0]

    def test_frozen_without_a_tree_and_unknown_ids_are_refused(self, grown):
        X, y, tree = grown
        with refused(ParameterError, "frozen=(0,) needs init=Tree"):
            TAOClassifier(frozen=(0,)).fit(X, y)
        with refused(ParameterError, "frozen contains the nodes [10001, 10002], which the initial tree does not have"):
            TAOClassifier(init=tree, frozen=(10002, int(tree.origin[0]), 10001)).fit(X, y)

    def test_a_tree_over_other_data_is_refused(self, grown):
        X, y, tree = grown
        with refused(ParameterError, "init is a tree with 4 features, but X has 3"):
            TAOClassifier(init=tree).fit(X[:, :3], y)
        with refused(ParameterError, "init is a tree for the classes …, but y has"):
            TAOClassifier(init=tree).fit(X, y + 1)


class TestEarlyStop:
    def test_a_true_callback_stops_after_its_step(self, bundled):
        X, y = bundled("iris")
        steps = []

        def stop(step):
            steps.append(step)
            return len(steps) == 6

        model = TAOClassifier(max_depth=3, lam=0.01, random_state=0, callback=stop).fit(X, y)
        assert len(steps) == 6  # depth 3 has four levels: one whole pass and two levels
        assert model.n_iter_ == 1
        best = TAOClassifier(max_depth=3, lam=0.01, random_state=0, max_iter=1).fit(X, y)
        assert model.tree_ == best.tree_

    def test_steps_come_bottom_up(self, bundled):
        X, y = bundled("iris")
        order = []
        TAOClassifier(max_depth=3, max_iter=2, random_state=0, lam=0.01,
                      callback=lambda step: order.append((step.iteration, step.depth))).fit(X, y)  # fmt: skip
        assert order == [(i, depth) for i in (1, 2) for depth in (3, 2, 1, 0)]

    @pytest.mark.parametrize("count", [1, 4, 5, 9, 11])
    def test_a_closed_generator_leaves_the_best_iterate(self, bundled, count):
        X, y = bundled("wine")
        run = optimization(X, y, "univariate", "cart", lam=0.4)
        steps = run.steps()
        for _ in range(count):
            if next(steps, None) is None:
                break
        steps.close()
        run.finish()
        routing, labels = state(run)
        value = naive.objective(routing, labels, X, y, np.ones(len(y)), 0.4, naive.count_penalty)
        assert value == pytest.approx(run.best_objective)
        assert value == pytest.approx(min(record.objective for record in run.trace))

    def test_no_pass_and_a_large_tolerance(self, bundled):
        X, y = bundled("wine")
        assert TAOClassifier(max_iter=0, random_state=0).fit(X, y).n_iter_ == 0
        assert (
            TAOClassifier(max_iter=9, tol=10.0, init="cart", split="univariate", random_state=0).fit(X, y).n_iter_ == 1
        )

    def test_an_error_in_the_callback_reaches_the_caller(self, bundled):
        def fail(step):
            raise KeyError("mine")

        with pytest.raises(KeyError, match="mine"):
            TAOClassifier(random_state=0, callback=fail).fit(*bundled("iris"))


@pytest.mark.parametrize(("split", "init"), CASES)
def test_pruning_keeps_the_predictions_of_training_rows(bundled, split, init):
    X, y = bundled("breast_cancer")
    run = optimization(X, y, split, init, lam=1.0, depth=5)
    for _ in run.steps():
        pass
    routing, labels = state(run)
    unpruned = run.tree.to_tree(run.data.loss, *run.leaf_statistics(), np.unique(y), X.shape[1])
    model = TAOClassifier(split=split, init=init, lam=1.0, max_depth=5, random_state=0).fit(X, y)
    assert model.tree_.n_nodes < unpruned.n_nodes
    assert np.array_equal(model.predict(X), unpruned.predict(X))
    assert np.array_equal(unpruned.predict(X), unpruned.classes[unpruned.labels[naive.leaves(routing, X)]])
    assert set(model.tree_.origin.tolist()) <= set(unpruned.origin.tolist())


@pytest.mark.parametrize(("split", "init", "surrogate"), SURROGATE_CASES)
def test_the_dtype_of_integer_data_does_not_matter(bundled, split, init, surrogate):
    X, y = bundled("digits")
    settings = {"split": split, "init": init, "surrogate": surrogate, "max_depth": 4, "max_iter": 2}
    trees = [
        TAOClassifier(random_state=0, **settings).fit(X.astype(dtype), y).tree_
        for dtype in (np.uint8, np.int64, np.float32, np.float64)
    ]
    assert all(tree == trees[0] for tree in trees)


@pytest.mark.parametrize("surrogate", ["logistic", "squared_hinge"])
@pytest.mark.parametrize("name", ["digits", "wine"])
def test_sparse_and_dense_data_train_alike(bundled, name, surrogate):
    X, y = bundled(name)
    rows = scipy.sparse.csr_matrix(X)
    model = TAOClassifier(lam=0.5, init="random", max_depth=4, random_state=0, surrogate=surrogate, max_iter=10)
    dense = model.fit(X, y).tree_
    sparse = model.fit(rows, y).tree_
    assert abs(training_error(dense) - training_error(sparse)) <= 0.03
    assert np.array_equal(sparse.apply(rows), sparse.apply(X))
    assert np.array_equal(dense.apply(rows), dense.apply(X))
    assert np.array_equal(model.predict_proba(rows), model.predict_proba(X))
    assert training_error(sparse) == pytest.approx(error_rate(sparse, rows, y))


@pytest.mark.parametrize(
    ("split", "init"), [case for case in CASES if case[0] != "oblique"] + [("oblique", "bivariate_cart")]
)
def test_sparse_rows_give_the_tree_of_dense_rows(bundled, split, init):
    X, y = bundled("iris")
    for rows in (np.where(X > 3, X, 0), np.where(X > 3, X, 0).round(1).astype(np.float32), (X > 3).astype(np.uint8)):
        for kind in (scipy.sparse.csr_matrix, scipy.sparse.csc_array, scipy.sparse.coo_matrix):
            given = kind(rows)
            model = TAOClassifier(split=split, init=init, max_depth=4, lam=0.5, random_state=0).fit(given, y)
            assert model.tree_ == TAOClassifier(**model.get_params()).fit(rows, y).tree_
            assert np.array_equal(model.predict(given), model.predict(rows))
            assert (given != kind(rows)).nnz == 0


def test_stored_zeros_and_duplicates_of_sparse_rows_are_their_sums():
    rows = scipy.sparse.csr_matrix(([200, 200, 0, 1], [0, 0, 1, 1], [0, 2, 3, 4]), (3, 2))
    y, model = [0, 1, 1], TAOClassifier("univariate", 0.1, init="cart", random_state=0)
    assert model.fit(rows, y).tree_ == TAOClassifier(**model.get_params()).fit(rows.toarray(), y).tree_
    assert rows.nnz == 4


@pytest.mark.parametrize(
    "kind", [partial(TAOClassifier, init="random"), TAOClassifierCV, CARTClassifier, TAOForestClassifier]
)
def test_a_generator_is_a_source_of_random_numbers(bundled, kind):
    X, y = bundled("iris")

    def trained(random_state):
        model = kind(random_state=random_state).fit(X, y)
        return model.estimators_ if hasattr(model, "estimators_") else model.tree_

    generator = np.random.default_rng(7)
    assert trained(generator) == trained(np.random.default_rng(7))
    assert generator.bit_generator.state != np.random.default_rng(7).bit_generator.state
    with refused(ParameterError, "cannot be used to seed"):
        trained("odd")


@pytest.mark.parametrize(("split", "init"), CASES)
def test_the_callers_data_are_never_modified(bundled, split, init):
    X, y = bundled("iris")
    for form in (X.copy(), np.asfortranarray(X), X.astype(np.float32), (10 * X).astype(np.uint8)):
        labels, weights = y.copy(), np.linspace(0.5, 2, 150)
        kept = form.copy(), labels.copy(), weights.copy()
        TAOClassifier(split=split, init=init, max_depth=3, random_state=0).fit(form, labels, weights).predict(form)
        assert all(np.array_equal(a, b) for a, b in zip(kept, (form, labels, weights), strict=True))


def test_the_callers_sparse_matrix_is_never_modified(bundled):
    X, y = bundled("digits")
    rows = scipy.sparse.csr_matrix(X)
    kept = rows.data.copy(), rows.indices.copy(), rows.indptr.copy()
    TAOClassifier(max_depth=3, max_iter=2, random_state=0).fit(rows, y).predict(rows)
    assert all(np.array_equal(a, b) for a, b in zip(kept, (rows.data, rows.indices, rows.indptr), strict=True))


class TestWeights:
    @pytest.mark.parametrize(("split", "init"), CASES)
    def test_rows_of_weight_zero_are_left_out(self, bundled, split, init):
        X, y = bundled("wine")
        weights = (np.arange(len(y)) % 3 > 0).astype(float)
        model = TAOClassifier(split=split, init=init, max_depth=4, lam=0.2, random_state=0)
        weighted = model.fit(X, y, weights).tree_
        assert model.fit(X[weights > 0], y[weights > 0]).tree_ == weighted

    @pytest.mark.parametrize(("split", "init"), CASES)
    @pytest.mark.parametrize("name", ["iris", "wine"])
    def test_whole_weights_equal_repeated_rows(self, bundled, split, init, name):
        X, y = bundled(name)
        times = np.random.default_rng(2).integers(1, 4, len(y))
        model = TAOClassifier(split=split, init=init, max_depth=3, lam=0.5, random_state=0)
        weighted = model.fit(X, y, times)
        objective, predicted = weighted.trace_[-1].objective, weighted.predict(X)
        repeated = model.fit(np.repeat(X, times, axis=0), np.repeat(y, times))
        if split == "univariate":
            assert np.array_equal(repeated.predict(X), predicted)
            assert repeated.trace_[-1].objective == pytest.approx(objective)
        else:
            assert repeated.trace_[0].objective == pytest.approx(model.trace_[0].objective, rel=0.05)
            assert np.mean(repeated.predict(X) == predicted) >= 0.97

    def test_class_weight_is_a_weight_of_every_row(self, bundled):
        X, y = bundled("wine")
        by_class = {0: 2.0, 1: 0.5, 2: 3.0}
        rows = np.linspace(0.5, 1.5, len(y))
        model = TAOClassifier(lam=0.2, max_depth=3, random_state=0)
        wanted = model.fit(X, y, np.array([by_class[label] for label in y]) * rows).tree_
        assert (
            TAOClassifier(lam=0.2, max_depth=3, random_state=0, class_weight=by_class).fit(X, y, rows).tree_ == wanted
        )
        balanced = len(y) / (3 * np.bincount(y))
        wanted = model.fit(X, y, balanced[y]).tree_
        assert TAOClassifier(lam=0.2, max_depth=3, random_state=0, class_weight="balanced").fit(X, y).tree_ == wanted

    def test_weights_decide_the_majority(self):
        X, y = np.zeros((3, 1)), np.array(["a", "a", "b"])
        assert TAOClassifier().fit(X, y).predict(X[:1]).tolist() == ["a"]
        assert TAOClassifier().fit(X, y, [1, 1, 2.5]).predict(X[:1]).tolist() == ["b"]
        assert TAOClassifier(class_weight={"a": 1, "b": 3}).fit(X, y).predict(X[:1]).tolist() == ["b"]
        digits = np.array(["0", "0", "1"])  # text, not numbers
        assert TAOClassifier(class_weight={"0": 1, "1": 3}).fit(X, digits).predict(X[:1]).tolist() == ["1"]
        with pytest.raises(ParameterError, match="'1'"):
            TAOClassifier(class_weight={"0": 1, "2": 3}).fit(X, digits)


@pytest.mark.parametrize("split", ["oblique", "univariate"])
@pytest.mark.parametrize("scale", ["standard", "minmax", None])
def test_the_tree_is_in_raw_units(bundled, split, scale):
    X, y = bundled("wine")
    shifted = X * np.logspace(-2, 3, X.shape[1]) + 7
    model = TAOClassifier(split=split, init="cart", scale=scale, lam=0.5, max_depth=3, random_state=0)
    assert error_rate(model.fit(shifted, y).tree_, shifted, y) == pytest.approx(training_error(model.tree_))
    if scale is not None:
        error = model.score(shifted, y)
        assert error == pytest.approx(model.fit(X, y).score(X, y), abs=0.03)
