"""Test that trees in ONNX files predict like onnxruntime, read without the package onnx."""

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingRegressor, RandomForestClassifier
from sklearn.multioutput import MultiOutputRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.each import each
from tests.refusals import refused
from tests.treecore.foreign.boundary_rows import boundary_rows
from treecore import ParameterError, TreeFormatError, from_onnx
from treecore.foreign import onnx_file
from treecore.foreign.from_onnx import onnx_model
from treecore.foreign.sources import foreign_model

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")
helper = onnx.helper


def table(seed=0, n=400):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, 4)), 3)
    return X, (X[:, 0] > 0.1).astype(int) + (X[:, 1] * X[:, 2] > 0)


def written(model, dtype=np.float32, **more):
    import skl2onnx  # takes a second, so only the worker that needs it imports it

    versions = {"": 17, "ai.onnx.ml": 1 if dtype == np.float32 else 3}
    written = skl2onnx.to_onnx(model, np.zeros((1, 4), dtype), target_opset=versions, **more)
    for output in written.graph.output:  # the runtime returns float32 for every input type
        if output.type.tensor_type.elem_type == onnx.TensorProto.DOUBLE:
            output.type.tensor_type.elem_type = onnx.TensorProto.FLOAT
    return written.SerializeToString()


def answers(content, X):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 3
    session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    return [np.asarray(one) for one in session.run(None, {session.get_inputs()[0].name: X})]


def near(tree, n=10_000):
    used = tree.left >= 0
    return boundary_rows(-tree.bias[used], tree.features, 4, n)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "model", [DecisionTreeClassifier(max_depth=6), DecisionTreeRegressor(max_depth=8), "two classes", "texts"]
)
def test_every_row_is_answered_alike(model, dtype):
    X, y = table()
    if isinstance(model, str):
        y = np.array(["a", "b"])[y.clip(max=1)] if model == "two classes" else np.array(["é", "b", "c"])[y]
        model = DecisionTreeClassifier(max_depth=6)
    else:
        y = y if hasattr(model, "predict_proba") else np.random.default_rng(0).permutation(len(y))  # identifies a leaf
    content = written(
        model.fit(X.astype(np.float32), y),
        dtype,
        options={"zipmap": False} if hasattr(model, "predict_proba") else None,
    )
    tree = from_onnx(content)
    rows = near(tree)
    given = rows.astype(dtype)
    found = answers(content, given)
    if tree.is_regression:
        assert np.array_equal(tree.predict(rows).astype(np.float32), found[0].ravel())
    else:
        assert np.array_equal(tree.predict(rows), found[0])
        assert np.allclose(tree.predict_proba(rows), found[1], atol=1e-6)
    assert np.array_equal(tree.predict(given), tree.predict(rows))


def ensemble(modes, values, tracks, dtype="float", **attributes):
    """Return a regressor with a complete tree of these three splits and the leaves 10, 20, 30, 40."""
    leaves = {"target_treeids": [0] * 4, "target_nodeids": [1, 2, 3, 4], "target_ids": [0] * 4}
    nodes = {
        "nodes_treeids": [0] * 7, "nodes_nodeids": [5, 6, 0, 1, 2, 3, 4], "nodes_featureids": [0, 1, 1, 0, 0, 0, 0],
        "nodes_modes": [*modes, *["LEAF"] * 4], "nodes_values": [*values, 0.0, 0.0, 0.0, 0.0],
        "nodes_truenodeids": [6, 1, 3, 0, 0, 0, 0], "nodes_falsenodeids": [0, 2, 4, 0, 0, 0, 0],
        "nodes_missing_value_tracks_true": [*tracks, 0, 0, 0, 0],
    }  # fmt: skip
    facts = nodes | leaves | {"n_targets": 1, "target_weights": [10.0, 20.0, 30.0, 40.0]} | attributes
    node = helper.make_node("TreeEnsembleRegressor", ["X"], ["Y"], domain="ai.onnx.ml", **facts)
    kind = onnx.TensorProto.DOUBLE if dtype == "double" else onnx.TensorProto.FLOAT
    graph = helper.make_graph(
        [node],
        "trees",
        [helper.make_tensor_value_info("X", kind, [None, 2])],
        [helper.make_tensor_value_info("Y", onnx.TensorProto.FLOAT, [None, 1])],
    )
    versions = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)]
    return helper.make_model(graph, opset_imports=versions, ir_version=8)


@pytest.mark.parametrize("dtype", ["float", "double"])
@pytest.mark.parametrize("mode", ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT"])
@pytest.mark.parametrize("tracks", [(0, 0, 0), (1, 0, 1)])
def test_all_comparisons_and_missing_values(mode, tracks, dtype):
    values = [0.1, -0.0, 3.5]
    model = ensemble([mode, "BRANCH_LEQ", mode], values, tracks, dtype)
    tree = from_onnx(model)
    rows = boundary_rows([*values, 1e-39, 0.5], [0, 1, 1, 1, 0], 2, 2000)
    given = rows.astype(np.float64 if dtype == "double" else np.float32)
    assert np.array_equal(tree.predict(rows), answers(model.SerializeToString(), given)[0].ravel())
    assert sorted(tree.origin.tolist()) == [0, 1, 2, 3, 4, 5, 6]
    assert tree.origin[0] == 5


def test_forests_and_boosted_models():
    X, y = table()
    forest = RandomForestClassifier(3, max_depth=4, random_state=0).fit(X.astype(np.float32), y)
    found = onnx_model(written(forest))
    assert found.n_trees == 3
    rows = X.astype(np.float32)
    for number in range(3):
        assert np.array_equal(found.tree(number).predict(rows), forest.estimators_[number].predict(rows))
    with refused(ParameterError, "Use … for a single tree, or viz.forest_strip(model) for all trees"):
        found.only_tree()
    boosted = GradientBoostingRegressor(n_estimators=3, max_depth=2).fit(X, y)
    content = written(boosted)
    sums = sum(from_onnx(content, tree=number).predict(rows) for number in range(3))
    assert np.allclose(np.diff(sums), np.diff(answers(content, rows)[0].ravel()), atol=1e-5)


def test_files(tmp_path):
    X, y = table()
    content = written(DecisionTreeClassifier(max_depth=3).fit(X, y))
    tree = from_onnx(content)
    file = tmp_path / "model.onnx"
    file.write_bytes(content)
    for source in (file, str(file), onnx.load_from_string(content)):
        assert from_onnx(source) == tree
    assert foreign_model(content).program == "ONNX"
    assert foreign_model(b"nothing of the kind") is None


def test_unsupported_models_are_refused(tmp_path, monkeypatch):
    X, y = table()
    with refused(TreeFormatError, "The graph transforms the features before the trees (…), which is not supported"):
        from_onnx(written(make_pipeline(StandardScaler(), DecisionTreeClassifier(max_depth=2)).fit(X, y)))
    with refused(TreeFormatError, "The trees predict 2 outputs, but only one is supported"):
        from_onnx(written(DecisionTreeRegressor(max_depth=2).fit(X, X[:, :2])))
    with refused(TreeFormatError, "The ONNX graph has 2 tree ensembles"):
        from_onnx(written(MultiOutputRegressor(DecisionTreeRegressor(max_depth=2)).fit(X, X[:, :2])))
    with refused(TreeFormatError, "Unsupported splits BRANCH_EQ in the tree"):
        from_onnx(ensemble(["BRANCH_EQ", "BRANCH_LEQ", "BRANCH_LEQ"], [0.0, 0.0, 0.0], (0, 0, 0)))
    model = onnx.load_from_string(written(DecisionTreeClassifier(max_depth=2).fit(X, y)))
    outside = model.graph.initializer.add(name="far", data_type=1, dims=[3])
    outside.data_location = onnx.TensorProto.EXTERNAL
    outside.external_data.add(key="location", value="/etc/passwd")
    with refused(TreeFormatError, "ONNX external data is not supported"):
        from_onnx(model)
    monkeypatch.setattr(onnx_file, "MOST_BYTES", 100)
    with refused(TreeFormatError, "The ONNX file has … bytes (maximum 100)"):
        from_onnx(written(DecisionTreeClassifier(max_depth=2).fit(X, y)))
    for other in (None, 3, X):
        with refused(ParameterError, "model=…: expected an ONNX model, or a path, the bytes or the text of its file"):
            from_onnx(other)


@each(
    "changes, code",
    [
        ({"post_transform": "PROBIT"}, "post_transform=… of a single tree is not supported"),
        ({"post_transform": "LOGISTIC"}, "post_transform=… of a single tree is not supported"),
        ({"post_transform": "SOFTMAX"}, "post_transform=… of a single tree is not supported"),
        ({"base_values": [1.0, 2.0]}, "The ONNX tree has … base values"),
        ({"aggregate_function": "MEDIAN"}, "The file is damaged"),
        ({"target_nodeids": [1, 1, 3, 4]}, "A leaf has two numbers for the same output, which runtimes add or replace"),
        (
            {
                "target_treeids": [0] * 3,
                "target_nodeids": [1, 2, 3],
                "target_ids": [0] * 3,
                "target_weights": [1.0] * 3,
            },
            "A leaf has no number, for which runtimes predict different numbers",
        ),
    ],
)
def test_a_number_that_is_transformed_after_the_leaf_is_refused(changes, code):
    with refused(TreeFormatError, code):
        from_onnx(ensemble(["BRANCH_LEQ"] * 3, [0.0] * 3, (0, 0, 0), **changes))


@each("name", ["SUM", "AVERAGE", "MIN", "MAX"])
def test_base_values_are_added_for_every_way_to_combine_trees(name):
    model = ensemble(["BRANCH_LEQ"] * 3, [0.0] * 3, (0, 0, 0), base_values=[0.1], aggregate_function=name)
    rows = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
    found = answers(model.SerializeToString(), rows.astype(np.float32))[0].ravel()
    assert np.array_equal(from_onnx(model).predict(rows).astype(np.float32), found)


def classifier(ids, weights, k=2, post="NONE", **more):
    """Return a classifier with one split. ids, weights : of the entries of the left and the right leaf."""
    entries = {"class_treeids": [], "class_nodeids": [], "class_ids": [], "class_weights": []}
    for leaf in range(2):
        for i, weight in zip(ids[leaf], weights[leaf], strict=True):
            for name, value in zip(entries, (0, leaf + 1, i, weight), strict=True):
                entries[name].append(value)
    nodes = {
        "nodes_treeids": [0] * 3, "nodes_nodeids": [0, 1, 2], "nodes_featureids": [0] * 3,
        "nodes_modes": ["BRANCH_LEQ", "LEAF", "LEAF"], "nodes_values": [0.5, 0.0, 0.0],
        "nodes_truenodeids": [1, 0, 0], "nodes_falsenodeids": [2, 0, 0],
    }  # fmt: skip
    facts = nodes | entries | {"classlabels_int64s": list(range(k)), "post_transform": post} | more
    node = helper.make_node("TreeEnsembleClassifier", ["X"], ["L", "Y"], domain="ai.onnx.ml", **facts)
    value, types = helper.make_tensor_value_info, onnx.TensorProto
    outputs = [value("L", types.INT64, [None]), value("Y", types.FLOAT, [None, k])]
    graph = helper.make_graph([node], "trees", [value("X", types.FLOAT, [None, 1])], outputs)
    versions = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)]
    return helper.make_model(graph, opset_imports=versions, ir_version=8)


ONE = ((0,), (0,))


@each(
    "given, code",
    [
        (
            (((1,), (1,)), ((0.2,), (0.7,))),
            "The tree of two classes has class ids …, for which runtimes predict different classes",
        ),
        (
            (((0, 1), (0, 1)), ((0.2, 0.8), (0.6, 0.4))),
            "The tree of two classes has class ids …, for which runtimes predict different classes",
        ),
        ((ONE, ((0.2,), (0.7,)), 2, "SOFTMAX"), "post_transform=… of a single tree is not supported"),
        ((ONE, ((0.2,), (0.7,)), 2, "PROBIT"), "post_transform=… of a single tree is not supported"),
        ((ONE, ((-0.2,), (1.7,))), "The scores of a leaf are not probabilities"),
        (
            (((0, 1, 2), (2,)), ((0.2, -0.3, 0.5), (-0.7,)), 3),
            "A leaf has negative scores and lacks classes, for which runtimes predict different classes",
        ),
        (
            (((0, 1, 2), (2,)), ((0.2, 0.3, 0.5), (0.7,)), 3, "SOFTMAX_ZERO"),
            "post_transform=… of a single tree is not supported",
        ),
    ],
)
def test_classes_that_runtimes_read_differently_are_refused(given, code):
    with refused(TreeFormatError, code):
        from_onnx(classifier(*given))


@each(
    "given",
    [
        (ONE, ((0.2,), (0.7,))),
        (ONE, ((-0.2,), (0.7,)), 2, "LOGISTIC"),
        (ONE, ((0.2,), (0.7,)), 2, "LOGISTIC"),
        (((0, 1, 2), (2,)), ((0.2, 0.3, 0.5), (0.7,)), 3),
        (((0, 1, 2), (2,)), ((2.0, 0.3, 0.5), (0.7,)), 3, "SOFTMAX"),
    ],
)
@each("base", [False, True])
def test_classes_with_base_values_are_read_as_by_the_runtime(given, base):
    k = given[2] if len(given) > 2 else 2
    if base and (k == 2 and len(given) < 4):
        return  # base values of probabilities
    model = classifier(*given, **({"base_values": [0.125, 0.25, 0.5][:k] if k > 2 else [-0.25]} if base else {}))
    tree, rows = from_onnx(model), np.array([[0.0], [1.0]])
    found = answers(model.SerializeToString(), rows.astype(np.float32))
    assert tree.predict(rows).tolist() == found[0].tolist()
    shares = found[1] / found[1].sum(axis=1, keepdims=True)
    assert np.allclose(tree.predict_proba(rows), shares, atol=1e-6)


@each(
    "operator, to, given, found",
    [
        ("Cast", "DOUBLE", "INT64", np.float64),
        ("Cast", "FLOAT", "INT64", np.float32),
        ("Cast", "DOUBLE", "FLOAT", np.float32),
        ("Cast", "INT64", "FLOAT", None),
        ("Neg", None, "FLOAT", None),
        ("Cast", "FLOAT", "FLOAT16", None),
    ],
)
def test_what_happens_before_the_trees(operator, to, given, found):
    model = ensemble(["BRANCH_LEQ"] * 3, [float(2**24), 0.0, 0.0], (0, 0, 0))
    types = onnx.TensorProto
    model.graph.node[0].input[0] = "inner"
    model.graph.node.insert(
        0, helper.make_node(operator, ["X"], ["inner"], **({} if to is None else {"to": getattr(types, to)}))
    )
    model.graph.input[0].type.tensor_type.elem_type = getattr(types, given)
    if found is None:
        code = (
            "Unsupported type … of the input in the ONNX file"
            if given == "FLOAT16"
            else "The graph transforms the features before the trees (…), which is not supported"
        )
        with refused(TreeFormatError, code):
            from_onnx(model)
        return
    tree, x = from_onnx(model), 2.0**24 + 1
    assert (tree.apply([[x, -1.0]]) == tree.apply([[x + 4, -1.0]]))[0] == (found(x) > 2**24)


@each(
    "operator, to, is_alone",
    [("Identity", None, True), ("Cast", "DOUBLE", True), ("Cast", "INT64", False), ("Exp", None, False)],
)
def test_what_happens_after_the_trees(operator, to, is_alone):
    model = ensemble(["BRANCH_LEQ"] * 3, [0.0] * 3, (0, 0, 0))
    to = {} if to is None else {"to": getattr(onnx.TensorProto, to)}
    model.graph.node.append(helper.make_node(operator, ["Y"], ["Z"], **to))
    model.graph.output[0].name = "Z"
    assert (onnx_model(model).alone is None) == is_alone


@pytest.mark.parametrize(
    "changes",
    [
        {"nodes_truenodeids": [6, 6, 3, 0, 0, 0, 0]},
        {"nodes_truenodeids": [99, 1, 3, 0, 0, 0, 0]},
        {"nodes_truenodeids": [5, 1, 3, 0, 0, 0, 0]},
        {"nodes_nodeids": [5] * 7},
        {"nodes_featureids": [0, 1]},
        {"nodes_featureids": [0, -1, 1, 0, 0, 0, 0]},
        {"nodes_featureids": [0, 5, 1, 0, 0, 0, 0]},
        {"target_ids": [0, 0, 0, 7]},
        {"target_nodeids": [1, 2, 3, 44]},
        {"target_weights": [float("nan")] * 4},
        {"nodes_values": [float("nan")] * 7},
        {"nodes_values": [1.0]},
        {"n_targets": -1},
    ],
)
def test_damaged_trees_are_refused(changes):
    with pytest.raises(TreeFormatError):
        from_onnx(ensemble(["BRANCH_LEQ"] * 3, [0.0] * 3, (0, 0, 0), **changes))


def test_damaged_bytes_never_do_worse_than_to_be_refused():
    X, y = table()
    content = written(DecisionTreeClassifier(max_depth=2).fit(X, y))
    rng = np.random.default_rng(0)
    damaged = [content[:length] for length in range(0, len(content), 7)]
    for _ in range(300):
        changed = bytearray(content)
        for place in rng.integers(0, len(content), 3):
            changed[place] = rng.integers(256)
        damaged.append(bytes(changed))
    refused = 0
    for one in damaged:
        try:
            from_onnx(one)
        except (TreeFormatError, ParameterError):
            refused += 1
    assert refused > len(damaged) / 2
