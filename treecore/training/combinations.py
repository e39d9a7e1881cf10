"""Options of training that cannot be combined. Every other pair works, and each pair of this table raises an error.

The documentation is generated from this table, and the tests train every pair.
"""

from typing import NamedTuple


class Option(NamedTuple):
    """Option of training.

    written : how it is written in code; needs : names of split types, of which it needs one.
    """

    written: str
    needs: tuple[str, ...] = ()


OPTIONS = {
    "univariate": Option("split='univariate'", ("univariate",)),
    "bivariate": Option("split='bivariate'", ("bivariate",)),
    "oblique": Option("split='oblique'", ("oblique",)),
    "cart": Option("init='cart'"),
    "bivariate_cart": Option("init='bivariate_cart'", ("bivariate", "oblique")),
    "oblique_cart": Option("init='oblique_cart'", ("oblique",)),
    "histogram_cart": Option("init='histogram_cart'"),
    "optimal": Option("init='optimal'"),
    "tree": Option("init=Tree"),
    "frozen": Option("frozen"),
    "missing": Option("missing='learn'", ("univariate", "bivariate")),
    "groups": Option("categories='groups'", ("univariate", "bivariate")),
    "feature_costs": Option("feature_costs"),
    "monotonic_cst": Option("monotonic_cst", ("univariate", "bivariate")),
    "interaction_cst": Option("interaction_cst", ("univariate", "bivariate")),
    "min_samples_leaf": Option("min_samples_leaf"),
    "max_leaf_nodes": Option("max_leaf_nodes"),
    "block": Option("block=2", ("univariate", "bivariate")),
    "refine": Option("refine", ("univariate", "bivariate")),
    "n_init": Option("n_init"),
    "linear": Option("leaf='linear'"),
    "shrinkage": Option("shrinkage"),
    "absolute_error": Option("loss='absolute_error'"),
    "squared_hinge": Option("surrogate='squared_hinge'", ("oblique",)),
    "liblinear": Option("node_solver='liblinear'", ("oblique",)),
    "node_tol": Option("node_tol", ("oblique",)),
    "max_inner": Option("max_inner", ("oblique",)),
    "bivariate_cost": Option("bivariate_cost", ("bivariate",)),
    "exactness": Option("exactness", ("bivariate",)),
    "class_weight": Option("class_weight"),
    "cost_matrix": Option("cost_matrix"),
    "sample_weight": Option("sample_weight"),
    "sparse": Option("sparse X"),
    "parts": Option("rows in parts"),
    "regression": Option("regression"),
    "classes": Option("three or more classes"),
    "path": Option("regularization_path"),
    "critical": Option("lams='critical'", ("univariate", "bivariate")),
    "folds": Option("TAOClassifierCV, TAORegressorCV"),
    "phase": Option("phase_diagram", ("bivariate",)),
}

REFUSED = {
    "linear": (
        "missing", "feature_costs", "monotonic_cst", "interaction_cst", "block", "refine", "shrinkage", "critical",
    ),
    "bivariate_cart": ("missing", "monotonic_cst", "interaction_cst"),
    "missing": ("sparse",),
    "optimal": ("missing", "regression", "shrinkage"),
    "frozen": ("n_init",),
    "absolute_error": ("linear", "optimal", "block", "shrinkage", "monotonic_cst", "parts", "phase"),
    "cost_matrix": ("linear", "optimal", "parts", "phase"),
    "monotonic_cst": ("shrinkage", "classes"),
    "parts": (
        "frozen", "feature_costs", "monotonic_cst", "interaction_cst", "min_samples_leaf", "block", "refine", "n_init",
        "linear", "liblinear", "critical", "folds", "phase",
    ),
    "refine": ("path", "critical", "folds", "phase"),
    "critical": ("min_samples_leaf", "block"),
    "liblinear": ("max_inner",),
}  # fmt: skip


def is_refused(one: str, other: str) -> bool:
    """Return whether two options of `OPTIONS` cannot be combined."""
    if other in refused_with(one):
        return True
    needs = [OPTIONS[name].needs for name in (one, other) if OPTIONS[name].needs]
    return len(needs) == 2 and not set(needs[0]) & set(needs[1])


def refused_with(name: str) -> list[str]:
    """Return the options that one of `OPTIONS` cannot be combined with, whatever the split type."""
    return [other for other in OPTIONS if other in REFUSED.get(name, ()) or name in REFUSED.get(other, ())]
