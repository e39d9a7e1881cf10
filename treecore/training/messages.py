"""Error messages of `treecore.training`."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "training",
    {
        "class_weight": "{name}={value!r}: expected None, 'balanced' or a dict of class label to weight.",
        "frozen.not_ids": "{name}={value!r}: expected a list of origin ids (whole numbers).",
        "categories": "{name}={value!r}: expected 'features', 'groups' or a list of lists of features.",
        "class_weight_lacks": (
            "class_weight has no entry for the classes {unknown}; it has {known}. Add a weight for every class in y."
        ),
        "weights": "A sample or class weight is {weight:g} (maximum {most:g}). Use smaller weights.",
        "no_effect": (
            "{name}={value!r} has no effect with {other}={given!r}. Use {other}={options:or}, or {name}={default!r}."
        ),
        "n_init.frozen": (
            "n_init={n_init} with frozen={frozen!r}: other starts have other nodes. Use n_init=1, or freeze no node."
        ),
        "frozen.without_tree": "frozen={frozen!r} needs init=Tree. Pass the tree whose nodes are frozen as init.",
        "frozen.unknown": "frozen contains the nodes {nodes}, which the initial tree does not have. Remove them.",
        "init.too_many_features": (
            "init has splits on more than {most:count feature}, which split={split!r} does not support. "
            "Use split='oblique', or freeze these nodes."
        ),
        "init.constant_features": (
            "The initial tree splits on the features {features}, which are constant in X. Freeze these "
            "nodes, or use another initial tree or the data that the tree was trained on."
        ),
        "init.names": (
            "init is a tree whose feature {at} is {name!r}, but X has {expected!r} there. Pass the columns in the "
            "order of the tree, or rename its features with tree.with_names(names)."
        ),
        "init.n_features": (
            "init is a tree with {n_features} features, but X has {expected}. Use a tree that was trained on the "
            "same features."
        ),
        "init.target": "init is a tree that predicts {predicted}, but y contains {held}. Use a tree for the same task.",
        "init.classes": (
            "init is a tree for the classes {classes}, but y has {expected}. Use a tree that was trained "
            "on the same classes."
        ),
        "warning.small_lambda": (
            "lam={lam:g} is small compared with the variance {variance:.4g} of the target: the tree has "
            "{n_leaves} leaves for {n_rows} rows. Use regularization_path, or a larger lam."
        ),
        "warning.large_lambda": (
            "lam={lam:g} is so large that the tree is a single leaf. Use lam={allowed:.2g} or less for a larger tree. "
            "The sample weights of the {n_rows} rows sum to {total:.4g}, and lam does not depend on this sum."
        ),
        "sizes.kind": "sizes={sizes!r}: expected different whole numbers of leaves, such as range(2, 33).",
        "sizes.twice": "sizes contains {size} twice. Pass each size once.",
        "sizes.most": (
            "sizes contains {size}, but max_leaf_nodes={most}. Remove the larger sizes, or use max_leaf_nodes=None."
        ),
        "sizes.frozen": (
            "frozen={nodes!r} has no effect in size_path, because CART has none of these nodes. Use frozen=()."
        ),
        "sizes.parts": "size_path needs all rows in memory. Pass an array or a table, or use regularization_path.",
        "path.unused": (
            "{name}={value!r} has no effect on a path. Use {name}={default!r}, and fit an estimator with "
            "{name}={value!r} for one lambda of the path."
        ),
        "path.estimator": "estimator is a {kind}: a path needs a TAOClassifier or TAORegressor.",
        "half_validation": "X_val and y_val: expected both or neither.",
        "lams.count": "lams={lams}: expected a number of values >= 1, or a sequence of values.",
        "lams.not_numbers": "lams={lams!r}: expected an int (number of values) or a sequence of numbers >= 0.",
        "lams.empty": "lams is empty: expected an int (number of values) or a non-empty sequence of numbers >= 0.",
        "lams.range": "lams={lams!r}: expected finite numbers from 0 to 1e30.",
        "lams.critical_split": (
            "lams='critical' does not support split='{split}'. Use split={exact:or}, or a number of values."
        ),
        "lams.critical_leaf": (
            "lams='critical' with min_samples_leaf={min_samples_leaf}: expected min_samples_leaf=1. Use a"
            " number of values instead."
        ),
        "lams.critical_block": (
            "lams='critical' with block={block}: expected block=1. Use a number of values instead."
        ),
        "validation_shape": "y_val has shape {shape}, but X_val has {n_rows} rows. Pass one label for each row.",
        "path.rule": "rule={rule!r}: expected 'min' or 'one_se'.",
        "path.no_validation": "The path has no validation errors to select lambda. Pass X_val and y_val.",
        "path.empty": "The path was stopped before its first tree. Train again.",
        "phase.estimator": "estimator is a {kind}: a phase diagram needs a TAO estimator with split='bivariate'.",
        "costs.not_numbers": "costs={costs!r}: expected a list of numbers >= 1.",
        "costs.empty": "costs is empty: expected at least one value of C.",
        "costs.range": "costs={costs!r}: expected finite numbers from 1 to 1e30.",
        "phase.no_validation": "The diagram has no validation errors to select a tree. Pass X_val and y_val.",
        "phase.empty": "The diagram was stopped before its first tree. Train again.",
        "reoptimise.estimator": "estimator is a {kind}: expected a TAOClassifier or TAORegressor.",
        "reoptimise.locked": "locked contains the nodes {nodes}, which the tree does not have. Remove them.",
        "reoptimise.no_row": "No row has the class {label!r} of the tree. Pass rows of every class.",
        "reoptimise.too_wide": "it uses {n_features} features, but split={split!r} allows at most {most}",
        "improve.no_validation": "Validation rows are needed to select the better tree. Pass X_val and y_val.",
        "cross_validated.estimator": "estimator is a {kind}: expected a {expected}, or None for the default.",
        "cross_validated.costs": (
            "costs={costs!r}: split={split!r} has no bivariate cost. Remove costs, or use split='bivariate'."
        ),
        "cross_validated.values": "{name}={values!r}: expected a list with at least one value, or None.",
        "cross_validated.lams_and_sizes": (
            "lams={lams!r} has no effect with sizes. Use lams={default}, or sizes=None to select lambda."
        ),
        "cross_validated.critical": (
            "lams='critical' is not supported, because critical values differ between folds. Use a number"
            " of values, or a list."
        ),
        "cross_validated.few_rows": (
            "n_samples={n_rows} is too small for cv={n_folds} folds. Use fewer folds, or more rows."
        ),
        "cross_validated.rare_class": (
            "Class {label} has {n:count row}, but cv={n_folds} folds need {n_folds} rows of each class. "
            "Use fewer folds, or remove the class."
        ),
        "cross_validated.no_folds": (
            "cv: no fold has training rows and held-out rows with a weight above 0. Pass folds with both."
        ),
        "cross_validated.stopped": "The callback stopped training before the first tree was finished. Train again.",
        "distil.no_predict": "model: {kind} has no method predict. Pass a fitted model such as a forest.",
        "distil.no_probabilities": (
            "weighting='margin' needs class probabilities, but {kind} does not have the method predict_proba. Use "
            "weighting='equal'."
        ),
        "distil.estimator": "estimator: expected a TAOClassifier, a TAORegressor or None, not {kind}.",
        "distil.kind": "estimator: {kind} does not suit a model that predicts {are_classes}. Use the other estimator.",
        "distil.rows": "X has shape {shape}: expected a table with at least {least} rows.",
        "distil.labels": "y has shape {shape}: expected one label for each of the {n_rows} rows.",
        "distil.shape": (
            "The model returns predictions of shape {shape} for {n_rows} rows: expected one class or number per row."
        ),
        "distil.probabilities": (
            "The model returns probabilities of shape {shape} for {n_rows} rows: expected finite numbers, one row each."
        ),
        "distil.not_finite": "The model predicts NaN or infinity. Remove the rows with such predictions.",
    },
)
