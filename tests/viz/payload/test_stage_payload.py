"""Test that the bytes that the browser's stage receives are complete, correct, and few."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import sample_data
from benchmarks.grown_trees import grown_path, grown_tree, noisy_table
from sample_data.data_set import DataSet
from tests.browser.stage_examples import MissingAware, with_holes
from tests.decoded_payload import decoded
from tests.strategies import small_tree
from treecore import TAOClassifier, TAORegressor, phase_diagram, regularization_path
from treecore.tree.condition_text import visible
from viz.charts.phase_maps import phase_maps
from viz.page.stage_html import linked_stages_html, stage_html
from viz.payload.stage_payload import MAX_SAMPLE_BYTES, MAX_SAMPLE_ROWS, shared_sample, stage_payload, stage_values

HOSTILE = (
    '</script><script>alert("x")</script>', "<img src=x onerror=alert(1)>", "\"'`&amp;\\u0041\\", "🌲🌳 emoji",
    "שלום עולם", "a\u202eb\u2066c", "line\nbreak\ttab\x00\x1f", "\u2028\u2029", "x" * 300, "${name} {0} %s",
)  # fmt: skip


def trained(name, n_lams=6, labels="names", **settings):
    """Return (path, data, rows) of a bundled data set."""
    data = sample_data.load(name)
    rows = sample_data.split_rows(data, seed=0)
    y = data.labels() if labels == "names" else data.y
    scale = "minmax" if data.image_shape else "standard"
    estimator = TAOClassifier(
        **({"init": "random", "max_depth": 4, "scale": scale, "max_iter": 4, "random_state": 0} | settings)
    )
    train, validation, _ = rows
    return (
        regularization_path(estimator, data.X[train], y[train], n_lams, data.X[validation], y[validation]),
        data,
        rows,
    )


@pytest.fixture(scope="module")
def examples():
    """Return a function from the name of an example to its (path, data, rows). Each example is trained once."""
    makers = {
        "images": lambda: trained("digits"),
        "table": lambda: trained("breast-cancer"),
        "codes": lambda: trained("wine", labels="codes"),
        "univariate": lambda: trained("iris", split="univariate", init="cart", max_depth=None),
        "plane": lambda: trained("moons"),
        "one lambda": lambda: trained("wine", n_lams=[0.5]),
    }
    done = {}

    def get(name):
        if name not in done:
            done[name] = makers[name]()
        return done[name]

    return get


NAMES = ["images", "table", "codes", "univariate", "plane", "one lambda"]


@pytest.mark.parametrize("name", NAMES)
def test_trees_come_back_bit_for_bit(examples, name):
    path, data, rows = examples(name)
    payload = decoded(stage_payload(path, data, rows))
    assert payload.n_trees == len(path)
    np.testing.assert_array_equal(payload["lam"], path.lams)
    for index, tree in enumerate(path.trees):
        found = payload.tree(index)
        for field in ("left", "right", "origin", "indptr", "features"):
            np.testing.assert_array_equal(found[field], getattr(tree, field), err_msg=field)
        for field in ("weights", "bias"):
            assert found[field].tobytes() == getattr(tree, field).tobytes(), field
        labels = [data.class_names[code] for code in found["label"]]
        expected = tree.classes[tree.labels]
        assert labels == [data.class_names[c] if expected.dtype.kind == "i" else str(c) for c in expected]


@pytest.mark.parametrize("name", NAMES)
def test_leaf_counts_are_those_of_every_set(examples, name):
    path, data, rows = examples(name)
    payload = decoded(stage_payload(path, data, rows))
    assert payload.header["sets"] == [
        {"name": word, "n": len(part)} for word, part in zip(("train", "validation", "test"), rows, strict=True)
    ]
    for index, tree in enumerate(path.trees):
        leaves = np.flatnonzero(tree.left < 0)
        for part_index, part in enumerate(rows):
            reached = tree.apply(data.X[part])
            for leaf, counts in zip(leaves, payload.leaf_counts(index, part_index), strict=True):
                expected = np.bincount(data.y[part][reached == leaf], minlength=data.n_classes)
                np.testing.assert_array_equal(counts, expected)


@pytest.mark.parametrize("name", NAMES)
def test_the_sample_is_a_part_of_the_rows_with_every_class_of_every_set(examples, name):
    path, data, rows = examples(name)
    payload = decoded(stage_payload(path, data, rows))
    sampled, set_of = payload["sample_rows"], payload["sample_set"]
    assert np.unique(sampled).size == sampled.size <= MAX_SAMPLE_ROWS + len(rows) * data.n_classes
    np.testing.assert_array_equal(payload["sample_y"], data.y[sampled])
    np.testing.assert_array_equal(payload.sample(), data.X[np.ix_(sampled, payload["columns"])])
    for index, part in enumerate(rows):
        chosen = sampled[set_of == index]
        assert np.isin(chosen, part).all()
        assert set(data.y[chosen]) == set(data.y[part])
    used = np.unique(np.concatenate([tree.features for tree in path.trees]))
    assert np.isin(used, payload["columns"]).all()
    if data.image_shape or data.n_features <= 2:
        np.testing.assert_array_equal(payload["columns"], np.arange(data.n_features))
    assert payload.header["features"] == [data.feature_names[j] for j in payload["columns"]]
    np.testing.assert_allclose(payload["deviation"], data.X[:, payload["columns"]].std(axis=0, dtype=np.float64))


@pytest.mark.parametrize("name", NAMES)
def test_every_node_of_every_tree_has_a_place(examples, name):
    path, data, rows = examples(name)
    payload = decoded(stage_payload(path, data, rows))
    origins, parents = payload["place_origin"], payload["place_parent"]
    assert (np.diff(origins.astype(np.int64)) > 0).all()
    assert payload["place_x"].min() == 0.5
    assert payload["place_x"].max() + 0.5 == pytest.approx(payload.header["n_slots"])
    for tree in path.trees:
        assert np.isin(tree.origin, origins).all()
    inner = parents >= 0
    np.testing.assert_array_equal(payload["place_depth"][inner], payload["place_depth"][parents[inner]] + 1)


def test_the_recommended_trees_are_those_of_the_path(examples):
    path, data, rows = examples("table")
    expected = {rule: path.best_index(rule) for rule in ("one_se", "min")}
    assert decoded(stage_payload(path, data, rows)).header["recommended"] == expected
    assert decoded(stage_payload(path.points, data, rows)).header["recommended"] == {"min": expected["min"]}
    assert decoded(stage_payload(path.points, data, rows, {"min": 1})).header["recommended"] == {"min": 1}


def test_data_without_parts_are_one_set(examples):
    path, data, _ = examples("table")
    payload = decoded(stage_payload(path, data))
    assert payload.header["sets"] == [{"name": "all rows", "n": data.n_rows}]
    assert "counts_1" not in payload.arrays
    assert set(payload["sample_set"]) == {0}
    assert payload.leaf_counts(0, 0).sum() == data.n_rows


def test_an_empty_part_is_left_out(examples):
    path, data, (train, validation, _) = examples("table")
    payload = decoded(stage_payload(path, data, (train, validation, [])))
    assert [part["name"] for part in payload.header["sets"]] == ["train", "validation"]
    assert "counts_2" not in payload.arrays


def test_a_single_tree(examples):
    path, data, rows = examples("images")
    payload = decoded(stage_payload(path.trees[0], data, rows))
    assert payload.n_trees == 1
    assert payload["lam"].tolist() == [0.0]
    assert payload.header["recommended"] == {}
    np.testing.assert_array_equal(payload.tree(0)["origin"], path.trees[0].origin)


def test_a_tree_of_one_leaf():
    data = sample_data.load("wine")
    tree = grown_tree(data, 1, 3)
    assert tree.n_nodes == 1
    payload = decoded(stage_payload(tree, data))
    assert payload["weight"].size == payload["feature"].size == 0
    assert payload["columns"].size >= 1
    np.testing.assert_array_equal(payload.leaf_counts(0, 0), [np.bincount(data.y)])


def test_a_node_without_weights():
    data = sample_data.load("wine")
    tree = grown_tree(data, 5, 2)
    start = int(tree.indptr[1])
    constant = replace(
        tree, indptr=np.maximum(tree.indptr - start, 0), features=tree.features[start:], weights=tree.weights[start:]
    )
    payload = decoded(stage_payload(constant, data))
    np.testing.assert_array_equal(payload.tree(0)["indptr"], constant.indptr)
    counts = np.bincount(constant.apply(data.X), minlength=5)[constant.left < 0]
    np.testing.assert_array_equal(payload.leaf_counts(0, 0).sum(axis=1), counts)


def test_names_survive_whatever_they_hold():
    data = noisy_table(300, len(HOSTILE), len(HOSTILE))
    data = replace(data, title=HOSTILE[0], name=HOSTILE[1], feature_names=HOSTILE, class_names=HOSTILE)
    header = decoded(stage_payload(grown_path(data, 41, len(HOSTILE)), data)).header
    assert header["target"]["groups"] == list(HOSTILE)
    assert header["features"] == [visible(name) for name in HOSTILE]
    assert (header["title"], header["name"]) == (HOSTILE[0], HOSTILE[1])


def test_names_that_no_text_can_hold_do_not_stop_it():
    data = replace(sample_data.load("wine"), class_names=("a\ud800b", "c", "d"))
    assert decoded(stage_payload(grown_tree(data, 3, 2), data)).header["target"]["groups"] == ["a?b", "c", "d"]


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([0, 255], "u8"), ([-1, 3], "i16"), ([0, 70000], "i32"), ([0.5, 2.25], "f32"), ([0.1, 0.2], "f64"),
        ([0, 2**40], "f32"), ([0, 2**40 + 1], "f64"), ([0.0, 1e300], "f64"), ([-0.0, 1.0], "u8"),
    ],
)  # fmt: skip
def test_values_travel_in_the_smallest_type_that_keeps_them(values, dtype):
    X = np.resize(np.array(values, np.float64), (6, 1))
    data = DataSet("values", "Values", X, np.arange(6) % 2, ("value",), ("a", "b"))
    tree = small_tree(
        left=[-1], right=[-1], indptr=[0, 0], features=[], weights=[], bias=[0.0], labels=[0], values=[[3, 3]],
        n_samples=[6], origin=[0], classes=["a", "b"], n_features=1,
    )  # fmt: skip
    payload = decoded(stage_payload(tree, data))
    assert payload.header["arrays"]["sample_X"][0] == dtype
    np.testing.assert_array_equal(np.sort(payload.sample().ravel()), np.sort(X.ravel()))


def test_wide_data_ship_only_the_features_in_use():
    data = noisy_table(300, 2000, 3)
    tree = grown_tree(data, 9, 4)
    payload = decoded(stage_payload(tree, data))
    np.testing.assert_array_equal(payload["columns"], np.unique(tree.features))
    assert payload.header["n_features"] == 2000


def test_the_sample_of_many_values_is_bounded():
    data = noisy_table(6000, 400, 3)
    payload = decoded(stage_payload(grown_tree(data, 101, 100), data))
    assert payload["sample_X"].nbytes <= 1.05 * MAX_SAMPLE_BYTES


@pytest.mark.parametrize("n_features", [6, 400])
def test_a_shared_sample_is_the_same_whatever_the_trees(n_features):
    data = noisy_table(3000, n_features, 3)
    rows = sample_data.split_rows(data, 0)
    trees = [grown_tree(data, 901, 5), grown_tree(data, 3, min(n_features, 60)), grown_tree(data, 1, 1)]
    alone = [decoded(stage_payload(tree, data, rows))["sample_rows"].tolist() for tree in trees]
    assert alone[0] != alone[1]  # without a shared sample, the stages draw different rows
    covering = shared_sample(data, rows, trees)
    for sample in (shared_sample(data, rows), covering):
        assert np.unique(sample).size == sample.size <= MAX_SAMPLE_ROWS + 451
        for tree in trees:
            payload = decoded(stage_payload(tree, data, rows, sample=sample[::-1]))
            np.testing.assert_array_equal(payload["sample_rows"], sample)
            np.testing.assert_array_equal(payload["sample_y"], data.y[sample])
            for part, of_set in enumerate(rows):
                assert set(payload["sample_rows"][payload["sample_set"] == part]) <= set(of_set.tolist())
    first = covering[np.isin(covering, rows[0])]
    for tree in trees:
        assert set(tree.apply(data.X[first])) == set(tree.apply(data.X[rows[0]]))


def test_a_stage_of_all_paths_shares_what_a_stage_of_one_would_draw(examples):
    path, data, rows = examples("images")
    np.testing.assert_array_equal(
        shared_sample(data, rows, [path]), decoded(stage_payload(path, data, rows))["sample_rows"]
    )


@pytest.mark.parametrize("change", ["features", "classes", "no tree", "rows", "sample", "match"])
def test_parts_that_do_not_belong_together_are_refused(examples, change):
    path, data, rows = examples("table")
    other = sample_data.load("wine")
    cases = {
        "features": lambda: stage_payload(path, other),
        "classes": lambda: stage_payload(replace(path.trees[0], classes=["neither", "nor"]), data),
        "no tree": lambda: stage_payload([], data),
        "rows": lambda: stage_payload(path, data, rows[:2]),
        "sample": lambda: stage_payload(path, data, rows, sample=[0, data.n_rows]),
        "match": lambda: linked_stages_html([("one", path), ("two", path)], data, rows, match="colour"),
    }
    with pytest.raises(ValueError, match=r"\w"):
        cases[change]()


def test_equal_input_gives_equal_bytes(examples):
    path, data, rows = examples("images")
    assert stage_payload(path, data, rows) == stage_payload(path, data, rows)
    same = [SimpleNamespace(**vars(point), n_validation=path.n_validation) for point in path.points]
    assert stage_payload(same, data, rows, decoded(stage_payload(path, data, rows)).header["recommended"]) == (
        stage_payload(path, data, rows)
    )


@pytest.mark.parametrize(("name", "limit"), [("mnist-5k", 3_000_000), ("breast-cancer", 1_000_000)])
def test_payload_and_page_are_small(name, limit):
    path, data, rows = trained(name, n_lams=30, max_depth=8, max_iter=2)
    assert len(path) == 30
    payload = stage_payload(path, data, rows)
    assert len(payload) <= limit
    assert len(stage_html(path, data, rows=rows).encode()) <= 1.25 * len(payload) + 270_000  # base 85, code


def test_sides_of_missing_values_are_sent_only_if_a_tree_has_them():
    data = noisy_table(300, 4, 3)
    tree = grown_tree(data, 9, 2)
    assert "missing_right" not in decoded(stage_payload(tree, data)).arrays
    knowing = MissingAware(tree)
    path = [SimpleNamespace(lam=0.1, tree=tree), SimpleNamespace(lam=0.2, tree=knowing)]
    found = decoded(stage_payload(path, data))
    assert found["missing_right"].dtype == np.uint8
    np.testing.assert_array_equal(found["missing_right"], [*np.zeros(tree.n_nodes), *knowing.missing_right])


def test_missing_values_are_sent_as_they_are_and_do_not_spread():
    data = noisy_table(300, 4, 3)
    holed = with_holes(data)
    X = holed.X.copy()
    X[:, 3] = np.nan
    object.__setattr__(holed, "X", X)
    found = decoded(stage_payload(MissingAware(grown_tree(data, 21, 4)), holed))
    np.testing.assert_array_equal(found.sample(), X[found["sample_rows"]][:, found["columns"]])
    known = [np.std(column[~np.isnan(column)]) if not np.isnan(column).all() else 0.0 for column in X.T]
    np.testing.assert_allclose(found["deviation"], np.array(known)[found["columns"]], rtol=1e-12)


def test_a_grid_has_its_trees_row_after_row_and_its_maps():
    data = sample_data.load("iris")
    rows = train, validation, _ = sample_data.split_rows(data, 0)
    labels = data.labels()
    diagram = phase_diagram(
        TAOClassifier(split="bivariate", init="cart", random_state=0),
        data.X[train],
        labels[train],
        lams=4,
        costs=(1.0, 2.0, 5.0),
        X_val=data.X[validation],
        y_val=labels[validation],
    )
    payload = decoded(stage_payload(diagram, data, rows))
    assert payload.n_trees == 12
    np.testing.assert_array_equal(payload["lam"], [point.lam for point in diagram])
    for index, point in enumerate(diagram):
        np.testing.assert_array_equal(payload.tree(index)["bias"], point.tree.bias)
    grid = payload.header["grid"]
    assert (grid["costs"], grid["nLams"], grid["best"]) == ([1.0, 2.0, 5.0], 4, diagram.best("min").index)
    maps = phase_maps([vars(point) for point in diagram], diagram.lams, diagram.costs).maps[::-1]
    assert [one.name for one in maps] == ["error", "size", "share"]
    assert [one["title"] for one in grid["maps"]] == [one.title for one in maps]
    for one in grid["maps"]:
        leaves = [point.tree.n_leaves == 1 for point in diagram]
        assert [share is None for share in one["shares"]] == leaves
    assert payload.header["recommended"]["one_se"] == diagram.best("one_se").index
    opened = payload.header["opens"]
    assert 2 < diagram[opened].tree.n_leaves <= 10
    early = replace(diagram, points=diagram.points[:6])
    assert decoded(stage_payload(early, data, rows)).n_trees == 6
    assert "grid" not in decoded(stage_payload(diagram.points[:4], data, rows)).header


@pytest.mark.parametrize("numbers", [False, True])
def test_trees_of_more_rows_than_the_data_keep_their_counts(numbers):
    data = sample_data.load("iris")
    X, y = data.X.astype(float), data.X[:, 2].astype(float) if numbers else data.labels()
    if numbers:
        data = replace(data, y=y, class_names=(), name="lengths", target_name="length")
    kind = TAORegressor if numbers else TAOClassifier
    many = kind(split="univariate", init="cart", lam=2.0).fit(np.repeat(X, 4, axis=0), np.repeat(y, 4)).tree_
    rows = np.arange(0, 150, 2), np.arange(1, 150, 4), np.arange(3, 150, 4)
    whole, usual = (stage_values(many, data, rows, whole=value) for value in (True, False))
    assert [one["n"] for one in whole["sets"]] == [600, rows[1].size, rows[2].size]
    assert [counts.sum() for counts in whole["counts"]] == [600, rows[1].size, rows[2].size]
    assert usual["counts"][0].sum() == 75
    for name in ("counts", "loss"):
        if whole[name] is not None:
            assert np.array_equal(whole[name][1], usual[name][1])
    if numbers:
        assert whole["sets"][0]["spread"] == pytest.approx(4 * ((y - y.mean()) ** 2).sum())
        assert whole["loss"][0].sum() < whole["sets"][0]["spread"]
