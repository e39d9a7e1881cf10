"""Sentences of errors of `treecore.explain`."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "explain",
    {
        "none": (
            "No input is predicted {wanted} with {n_frozen} of {n_features} features frozen and no bounds; free more "
            "features or widen the bounds, if any."
        ),
        "none_within_bounds": (
            "No input is predicted {wanted} with {n_frozen} of {n_features} features frozen and these bounds; free "
            "more features or widen the bounds, if any."
        ),
        "wanted.between": "above {above!r} and below {below!r}",
        "wanted.above": "above {above!r}",
        "wanted.below": "below {below!r}",
        "wanted.other": "as another {noun}",
        "wanted.target": "as {target!r}",
        "norm": "norm={norm!r}: use 'l1' or 'l2'.",
        "several_inputs": "x has {n_inputs} rows; give one input.",
        "missing_values": (
            "x lacks values of {n} features that are not frozen, such as {feature!r}; fill them, or name them in "
            "frozen."
        ),
        "scale": "scale[{feature}]={scale}: use finite numbers > 0 (1 for a constant feature).",
        "bounds": "bounds={bounds!r}: use a pair (low, high).",
        "bounds_of_feature": "bounds of feature {feature}: low={low}, high={high}; use low <= high.",
        "not_whole": (
            "x has {value} in {feature!r}, which is said to have whole numbers; mend x, or leave it out of whole."
        ),
        "vector": "{name}: use a number, or one for each of the {n_features} features.",
        "unknown_name": "{parameter} names {feature!r}, which is no feature of the tree, such as {names}.",
        "unknown_feature": "{parameter} has {feature!r}: use names, or whole numbers in [0, {n_features}).",
        "open_groups": "open_groups={open_groups!r:.60}: use numbers in [0, {n_groups}), of the groups.",
        "group": "groups has {group!r}: use ranges of different feature numbers in [0, {n_features}).",
        "two_groups": "groups: {feature!r} is in two groups.",
        "not_one_hot": (
            "x has {values} in a group of {n_features} features of which at most one may be 1 and all others must be "
            "0, such as {feature!r}; mend x, or leave the group out."
        ),
        "too_large_weights": (
            "The weights of node {node} are too large for x: its margin is {margin}; rescale the features."
        ),
        "other_scale": "The weights of the tree are too large or too small for this scale; use another scale.",
        "quadratic_program": "The quadratic program of a leaf is too badly scaled ({error}); use norm='l1'.",
        "linear_program": "The linear program of a leaf cannot be solved ({error}); use another scale.",
        "values_of_features": "values have the shape {shape}; it must be (any number, {n_features}).",
        "labels_of_rows": "y has shape {shape} for {n_rows} rows; give one value for each row, at least one.",
        "groups_of_features": "groups must hold different features in [0, {n_features}); they hold {groups}.",
    },
)
