"""Run scikit-learn's tests of trees on ours: ``python -m benchmarks.scikit_learn_tests [--kind tao]``.

The tests are those of ``sklearn/tree/tests/test_tree.py`` in the installed scikit-learn, on dense and sparse rows.
`CARTClassifier` and `CARTRegressor` without pruning, or univariate TAO from CART with λ = 0, replace its trees.
Tests of ExtraTree classes are left out. A test is skipped if it sets an option that treecore does not have. The tests
read the nodes from `Tree.to_sklearn`.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import sklearn.tree

from benchmarks.common import heading, table
from treecore import CARTClassifier, CARTRegressor, TAOClassifier, TAORegressor

ROOT = Path(__file__).parents[1]
KINDS = {"cart": (CARTClassifier, CARTRegressor), "tao": (TAOClassifier, TAORegressor)}
# Options of scikit-learn's trees, with the values that mean the same as their absence.
ABSENT = {
    "criterion": ("gini", "squared_error"),
    "splitter": ("best",),
    "max_features": (None,),
    "min_weight_fraction_leaf": (0.0,),
    "min_impurity_decrease": (0.0,),
    "ccp_alpha": (0.0,),
    "monotonic_cst": (None,),
}
BEGIN = f"""
from {__name__ if __name__ != "__main__" else "benchmarks.scikit_learn_tests"} import substitutes
DecisionTreeClassifier, DecisionTreeRegressor = substitutes()
ExtraTreeClassifier, ExtraTreeRegressor = DecisionTreeClassifier, DecisionTreeRegressor
CLF_CRITERIONS = ("""


def substitutes():
    """Return (classifier, regressor) with the parameters of scikit-learn's trees."""
    return tuple(map(_substitute, KINDS[os.environ["KIND"]]))


def _substitute(base):
    is_tao, is_classifier = base in KINDS["tao"], hasattr(base, "predict_proba")
    own = {"max_leaf_nodes"} if is_tao else {"min_samples_split"}
    own |= {"max_depth", "min_samples_leaf", "random_state", *(["class_weight"] if is_classifier else [])}
    absent = ABSENT | ({"min_samples_split": (2,)} if is_tao else {"max_leaf_nodes": (None,)})
    fixed = {"split": "univariate", "lam": 0.0, "init": "cart", "max_iter": 5} if is_tao else {"cv": None}
    defaults = dict.fromkeys(("max_depth", "random_state", "max_leaf_nodes", "class_weight"))
    defaults |= {name: values[0] for name, values in absent.items()} | {"min_samples_split": 2, "min_samples_leaf": 1}
    if not is_classifier:
        defaults["criterion"] = "squared_error"

    class Substitute(base):
        def __init__(self, **given):
            unknown = given.keys() - defaults.keys()
            if unknown:
                raise TypeError(f"unknown: {unknown}")
            values = defaults | given
            super().__init__(**fixed, missing="learn", **{name: values[name] for name in own})
            for name, value in values.items():
                setattr(self, name, value)

        @classmethod
        def _get_param_names(cls):
            return sorted(defaults)

        def fit(self, X, y, sample_weight=None, check_input=True):
            for name, values in absent.items():
                given = getattr(self, name)
                if isinstance(given, np.ndarray | list) or given not in values:
                    pytest.skip(f"option {name}")
            return super().fit(X, y, sample_weight)

        n_outputs_ = 1

        @property
        def their_tree_(self):
            return self.tree_.to_sklearn().tree_

    name = "DecisionTree" + ("Classifier" if is_classifier else "Regressor")
    Substitute.__name__ = Substitute.__qualname__ = name
    globals()[name] = Substitute  # so that it can be pickled
    return Substitute


def substituted():
    """Return the source of scikit-learn's tests with the substitutes."""
    text = (Path(sklearn.tree.__file__).parent / "tests" / "test_tree.py").read_text(encoding="utf-8")
    head, rest = text.split("CLF_CRITERIONS = (", 1)
    rest = re.sub(r'    "ExtraTree\w+"(: ExtraTree\w+)?,\n', "", rest)
    rest = re.sub(r"\[DecisionTree(\w+), ExtraTree\w+\]", r"[DecisionTree\1]", rest)
    return head + BEGIN + re.sub(r"\btree\.DecisionTree", "DecisionTree", rest.replace(".tree_", ".their_tree_"))


def main():
    """Print the number of tests that pass, and those that fail or are skipped with their reasons."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kind", choices=list(KINDS), default="cart")
    kind = parser.parse_args().kind
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "conftest.py").write_text("from sklearn.conftest import *\n")
        (Path(folder) / "test_substituted.py").write_text(substituted(), encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=line", "-rfs", folder]
        environment = os.environ | {"KIND": kind, "PYTHONPATH": str(ROOT), "COLUMNS": "200"}
        ended = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment)
    lines = ended.stdout.splitlines()
    print(heading(f"scikit-learn's tests of trees, with {kind}"))
    print(lines[-1])
    failed = Counter(
        re.sub(r"\[.*", "", line.partition("::")[2].partition(" - ")[0]) + " | " + line.partition(" - ")[2][:90]
        for line in lines
        if line.startswith("FAILED")
    )
    rows = [(count, *text.split(" | ", 1)) for text, count in failed.most_common()]
    print(table(("failed", "test", "reason"), rows))
    skipped = Counter()
    for line in lines:
        if found := re.match(r"SKIPPED \[(\d+)\] .*?: (.*)", line):
            skipped[found[2]] += int(found[1])
    print(table(("skipped", "reason"), [(count, text) for text, count in skipped.most_common()]))


if __name__ == "__main__":
    main()
