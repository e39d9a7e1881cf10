"""Sentences of errors of `treecore.training`."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "training",
    {
        "class_weight": "{name}={value!r}: use None, 'balanced' or a dict of class label to weight.",
        "frozen.not_ids": "{name}={value!r}: give a list of origin ids (whole numbers).",
        "class_weight_lacks": "The classes {unknown} are not in class_weight, which has {known}.",
        "weights": "A sample or class weight is {weight:g}; use weights up to {most:g}.",
        "refine": (
            "refine={refine!r} needs decisions on the true loss: use split={exact:or}, or refine=0 with "
            "split={split!r}."
        ),
        "frozen.without_tree": "frozen={frozen!r} needs init=Tree: only nodes of a given tree can be kept.",
        "frozen.unknown": "frozen names the nodes {nodes}, which the initial tree does not have.",
        "init.too_many_features": (
            "init has decisions on more than {most:count feature}, which split={split!r} cannot improve: use "
            "split='oblique', or freeze those nodes."
        ),
        "init.constant_features": (
            "The initial tree uses the features {features}, which are constant in X; freeze the nodes that do, start "
            "from another tree or use the data that it was trained on."
        ),
        "init.n_features": (
            "init is a tree over {n_features} features, but X has {expected}; start from a tree of the same data."
        ),
        "init.target": "init is a tree that predicts {predicted}, but y holds {held}.",
        "init.classes": "init is a tree over the classes {classes}, but y has {expected}.",
        "warning.small_lambda": (
            "lam={lam:g} is small next to the variance {variance:.4g} of the target: the tree has {n_leaves} leaves "
            "for {n_rows} rows. Use regularization_path, or a larger lam."
        ),
        "warning.large_lambda": (
            "The sum of the weights is {total:.4g} for {n_rows} rows: next to it lam={lam:g} is so strong that the "
            "tree is one leaf. Multiply the weights by {factor:.4g}, or divide lam by that."
        ),
        "path.estimator": "estimator is a {kind}; a path needs a TAOClassifier or a TAORegressor.",
        "half_validation": "Give both X_val and y_val, or neither.",
        "lams.count": "lams={lams}: use a number of values >= 1, or the values themselves.",
        "lams.not_numbers": "lams={lams!r}: use a number of values, or a list of numbers >= 0.",
        "lams.empty": "lams is empty: give at least one value of lambda.",
        "lams.range": "lams={lams!r}: every lambda must be a finite number >= 0 (at most 1e30).",
        "lams.critical_split": "lams='critical' needs split={exact:or}; {split} nodes have no such values.",
        "lams.critical_leaf": (
            "lams='critical' with min_samples_leaf={min_samples_leaf}: expected min_samples_leaf=1. Use a number of "
            "values instead."
        ),
        "validation_shape": "y_val has shape {shape}, but X_val has {n_rows} rows.",
        "path.rule": "rule={rule!r}: use 'min' or 'one_se'.",
        "path.no_validation": "The path has no validation errors: give X_val and y_val to choose a lambda by them.",
        "path.empty": "The path was stopped before its first tree, so there is nothing to choose from.",
        "phase.estimator": "estimator: a phase diagram needs a TAO estimator with split='bivariate', not {kind}.",
        "costs.not_numbers": "costs={costs!r}: use a list of numbers >= 1.",
        "costs.empty": "costs is empty: give at least one value of C.",
        "costs.range": "costs={costs!r}: every C must be a finite number >= 1 (at most 1e30).",
        "phase.no_validation": "The diagram has no validation errors: give X_val and y_val to choose by them.",
        "phase.empty": "The diagram was stopped before its first tree, so there is nothing to choose from.",
        "reoptimise.estimator": "estimator is a {kind}; give a TAOClassifier or a TAORegressor.",
        "reoptimise.locked": "locked names the nodes {nodes}, which the tree does not have.",
        "reoptimise.no_row": "No row has the class {label!r} of the tree; re-optimising needs rows of every class.",
        "reoptimise.too_wide": "it uses {n_features} features, more than the {most} of split={split!r}",
        "improve.no_validation": "There are no validation rows: give some to choose the better tree by.",
        "cross_validated.estimator": "estimator is a {kind}; use a {expected}, or None for its defaults.",
        "cross_validated.costs": "costs={costs!r}: nodes of split={split!r} have no such cost; leave it out.",
        "cross_validated.values": "{name}={values!r}: give a list with at least one value, or None.",
        "cross_validated.critical": (
            "lams='critical' gives other values on other rows: use a number of values, or a list."
        ),
        "cross_validated.few_rows": (
            "n_samples={n_rows} is less than cv={n_folds} folds need: use fewer folds, or more rows."
        ),
        "cross_validated.rare_class": (
            "Of class {label} there are {n:count row}, and cv={n_folds} folds need {n_folds} of each: use fewer "
            "folds, or leave the class out."
        ),
        "cross_validated.stopped": "The callback has stopped the path before its first tree.",
    },
)
