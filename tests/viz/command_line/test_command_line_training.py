"""Test that every declared parameter that a text can represent is an option of the command line."""

import json

import numpy as np
import pytest

import sample_data
from treecore import Model
from treecore.training.parameters import PARAMETERS
from viz.command_line import command_parser, main

# A text for each option, and the value that it means.
TEXTS = {
    "split": ("bivariate", "bivariate"), "bivariate_cost": ("1.5", 1.5), "init": ("random", "random"),
    "max_depth": ("3", 3), "max_iter": ("2", 2), "tol": ("0.1", 0.1), "node_solver": ("cd", "cd"),
    "surrogate": ("squared_hinge", "squared_hinge"), "n_orientations": ("20", 20), "scale": ("minmax", "minmax"),
    "n_jobs": ("1", 1), "missing": ("learn", "learn"), "exactness": ("screened", "screened"), "refine": ("1", 1),
    "block": ("2", 2), "n_init": ("2", 2), "categories": ("groups", "groups"),
    "leaf": ("constant", "constant"), "node_tol": ("0.01", 0.01), "max_inner": ("9", 9),
    "min_samples_leaf": ("15", 15), "max_leaf_nodes": ("4", 4),
    "feature_costs": ("petal width (cm)=2", {"petal width (cm)": 2.0}), "interaction_cst": ("pairwise", "pairwise"),
    "class_weight": ("setosa=1,versicolor=5,virginica=2", "1-5-2"),
}  # fmt: skip
OF_BIVARIATE = {
    "bivariate_cost", "n_orientations", "exactness", "refine", "block", "categories", "missing", "interaction_cst",
}  # fmt: skip
OF_OBLIQUE = {"node_solver", "surrogate", "node_tol", "max_inner"}
OF_NUMBERS = {"shrinkage"}
OF_TWO_CLASSES = {"monotonic_cst"}


def options(*names, texts=TEXTS):
    return [part for name in names for part in (f"--{name.replace('_', '-')}", texts[name][0])]


def test_every_parameter_has_an_option_or_needs_python():
    wanted = {name for name, one in PARAMETERS.items() if one.is_option and name != "lam"}
    assert TEXTS.keys() | OF_NUMBERS | OF_TWO_CLASSES == wanted
    assert PARAMETERS.keys() - wanted == {"lam", "frozen", "random_state", "callback", "cost_matrix", "loss"}
    fit = command_parser(["fit"]).parse_args(["fit", "iris", *options(*TEXTS)])
    assert all(getattr(fit, name) == value for name, (_, value) in TEXTS.items() if name != "class_weight")
    path = command_parser(["path"]).parse_args(["path", "iris", *options("min_samples_leaf")])
    assert path.min_samples_leaf == 15
    assert not hasattr(path, "refine")


@pytest.mark.parametrize(
    ("split", "others"), [("bivariate", OF_OBLIQUE), ("oblique", OF_BIVARIATE)], ids=["bivariate", "oblique"]
)
def test_the_tree_is_trained_with_them_and_the_model_keeps_them(tmp_path, split, others):
    out = tmp_path / "tree.json"
    texts = {name: value for name, value in TEXTS.items() if name not in others} | {"split": (split, split)}
    assert main(["fit", "iris", *options(*texts, texts=texts), "--lam", "0.1", "--out", str(out)]) == 0
    model = Model.from_json(out.read_text(encoding="utf-8"))
    changed = ("leaf", "n_jobs", "feature_costs", "categories")
    assert {name: model.parameters[name] for name in texts if name not in changed} == {
        name: value for name, (_, value) in texts.items() if name not in changed
    }
    assert model.parameters["feature_costs"] == [1, 1, 1, 2]
    data = sample_data.load("iris")
    leaves = model.tree.n_samples[model.tree.left < 0]
    assert leaves.min() >= 15
    assert leaves.sum() <= data.n_rows


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["iris", "--min-samples-leaf", "0"], "--min-samples-leaf: '0': expected a whole number of at least 1"),
        (["iris", "--class-weight", "heavy"], "expected balanced, or a weight for each class"),
        (["iris", "--shrinkage", "3"], "Remove --shrinkage"),
        (["diabetes", "--class-weight", "balanced"], "Remove --class-weight"),
        (["iris", "--node-solver", "simplex"], "invalid choice"),
    ],
)
def test_impossible_settings_are_reported(capsys, arguments, words):
    try:
        code = main(["fit", *arguments])
    except SystemExit as end:
        code = end.code
    assert code == 2
    assert words in capsys.readouterr().err


def test_numbers_are_shrunk(tmp_path, capsys):
    out = tmp_path / "tree.json"
    command = ["fit", "diabetes", "--split", "univariate", "--max-depth", "3", "--json", "--out", str(out)]
    assert main([*command, "--shrinkage", "10"]) == 0
    assert json.loads(capsys.readouterr().out)["n_leaves"] > 1
    model = Model.from_json(out.read_text(encoding="utf-8"))
    assert model.parameters["shrinkage"] == 10.0
    assert np.isfinite(model.tree.outputs).all()
