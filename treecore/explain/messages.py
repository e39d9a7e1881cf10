"""Error messages of `treecore.explain`."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "explain",
    {
        "none": (
            "No input is predicted {wanted} without bounds ({n_frozen} of {n_features} features are "
            "frozen). Unfreeze features."
        ),
        "none_within_bounds": (
            "No input within the given bounds is predicted {wanted} ({n_frozen} of {n_features} features "
            "are frozen). Unfreeze features or widen the bounds."
        ),
        "wanted.between": "above {above!r} and below {below!r}",
        "wanted.above": "above {above!r}",
        "wanted.below": "below {below!r}",
        "wanted.other": "as another {noun}",
        "wanted.target": "as {target!r}",
        "norm": "norm={norm!r}: expected 'l1' or 'l2'.",
        "several_inputs": "x has {n_inputs} rows: expected one. Pass a single row.",
        "missing_values": (
            "x has missing values in {n} features that are not frozen, such as {feature!r}. Fill them, or"
            " add these features to frozen."
        ),
        "scale": "scale[{feature}]={scale}: expected finite numbers > 0 (1 for a constant feature).",
        "bounds": "bounds={bounds!r}: expected a pair (low, high).",
        "bounds_of_feature": "bounds of feature {feature}: low={low}, high={high}: expected low <= high.",
        "not_whole": (
            "x has {value} in {feature!r}, a feature with whole numbers only. Correct x, or remove the "
            "feature from whole."
        ),
        "vector": "{name}: expected a number, or one for each of the {n_features} features.",
        "unknown_name": (
            "{parameter} contains {feature!r}, which is not a feature of the tree. Use names such as {names}."
        ),
        "unknown_feature": "{parameter} contains {feature!r}: expected names, or whole numbers in [0, {n_features}).",
        "open_groups": "open_groups={open_groups!r:.60}: expected numbers of groups in [0, {n_groups}).",
        "group": "groups contains {group!r}: expected ranges of different feature numbers in [0, {n_features}).",
        "two_groups": "groups: {feature!r} is in two groups. Remove it from one.",
        "not_one_hot": (
            "x has {values} in a group of {n_features} features such as {feature!r}. At most one of these can be 1, "
            "and all others must be 0. Correct x, or remove the group."
        ),
        "too_large_weights": "The weights of node {node} are too large for x (margin {margin}). Rescale the features.",
        "other_scale": "The weights of the tree are too large or too small for this scale. Use another scale.",
        "quadratic_program": "The quadratic program of a leaf is badly scaled ({error}). Use norm='l1'.",
        "linear_program": "The linear program of a leaf cannot be solved ({error}). Use another scale.",
        "values_of_features": "values has shape {shape}: expected (any number, {n_features}).",
        "labels_of_rows": (
            "y has shape {shape}, but there are {n_rows} rows. Pass one value for each row, and at least one row."
        ),
        "groups_of_features": "groups contains {groups}: expected different features in [0, {n_features}).",
    },
)
