"""Test the table of programs: files are recognised by their content, and chains of 2,000 levels are read."""

import json

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from tests.refusals import refused
from tests.strategies import small_tree
from treecore import ParameterError, TreeFormatError
from treecore.foreign.fitted_tree import fitted_tree
from treecore.foreign.sources import SOURCES, foreign_model

LEVELS = 2000


def lightgbm_chain():
    n = LEVELS
    lines = [
        "tree", "version=v4", "num_class=1", "num_tree_per_iteration=1", "label_index=0", "max_feature_idx=0",
        "objective=regression", "feature_names=x", "feature_infos=[0:2000]", "", "Tree=0", f"num_leaves={n + 1}",
        "num_cat=0", f"split_feature={'0 ' * n}", f"threshold={' '.join(map(str, range(n)))}",
        f"decision_type={'2 ' * n}", f"left_child={' '.join(str(~leaf) for leaf in range(n))}",
        f"right_child={' '.join(map(str, range(1, n)))} {~n}", f"leaf_value={' '.join(map(str, range(n + 1)))}",
        "", "end of trees", "",
    ]  # fmt: skip
    return "\n".join(lines).encode()


def xgboost_chain():
    m = 2 * LEVELS + 1
    decides = [node % 2 == 0 and node < m - 1 for node in range(m)]
    tree = {
        "left_children": [node + 1 if go_on else -1 for node, go_on in enumerate(decides)],
        "right_children": [node + 2 if go_on else -1 for node, go_on in enumerate(decides)],
        "split_conditions": [node // 2 + 0.5 if go_on else (node // 2) for node, go_on in enumerate(decides)],
        "split_indices": [0] * m,
        "default_left": [0] * m,
        "sum_hessian": [1.0] * m,
        "tree_param": {"size_leaf_vector": "1"},
    }
    model = {"trees": [tree]}
    learner = {
        "feature_names": [],
        "gradient_booster": {"name": "gbtree", "model": model},
        "learner_model_param": {"num_feature": "1", "base_score": "0"},
        "objective": {"name": "reg:squarederror"},
    }
    return json.dumps({"learner": learner}).encode()


@pytest.mark.parametrize(("name", "chain"), [("lightgbm", lightgbm_chain), ("xgboost", xgboost_chain)])
def test_chains_of_two_thousand_levels(name, chain):
    content = chain()
    assert [key for key, source in SOURCES.items() if source.is_file(content)] == [name]
    found = foreign_model(content)
    tree = found.only_tree()
    assert tree.depth == LEVELS
    rows = np.arange(-1.0, LEVELS + 3)[:, None]
    assert tree.predict(rows).tolist() == [0, *range(LEVELS + 1), LEVELS, LEVELS]


def test_files_of_unknown_programs():
    for other in (b"", b"tree", b"{}", small_tree().to_json().encode(), b"\x00" * 100, None, 3):
        assert foreign_model(other) is None
    with pytest.raises(TreeFormatError):
        foreign_model(b"tree\nversion=v4\n")
    with refused(ParameterError, "tree=…: expected a Tree or a fitted model with one tree"):
        fitted_tree(b"{}")


def test_a_model_of_a_file_goes_wherever_a_tree_goes():
    found = foreign_model(lightgbm_chain())
    assert fitted_tree(found).tree == found.tree()
    assert fitted_tree(DecisionTreeClassifier(max_depth=1).fit([[0], [1]], ["a", "b"])).tree.classes.tolist() == [
        "a",
        "b",
    ]
