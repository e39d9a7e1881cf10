"""Error messages of `treecore.constraints`."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "constraints",
    {
        "costs.kind": (
            "feature_costs={value!r}: expected None, one number for each column, or a dict of column name to number."
        ),
        "costs.category": (
            "feature_costs differ within a column of categories (features {column}). Use one cost for all its features."
        ),
        "costs.range": (
            "feature_costs has the cost {cost!r} for column {column}: expected numbers from {least:g} to {most:g}. Use "
            "a positive cost, or drop the column from X."
        ),
        "signs.kind": (
            "monotonic_cst={value!r}: expected None, one of -1, 0 and 1 for each column, or a dict of column name to "
            "one of them."
        ),
        "signs.range": "monotonic_cst has the value {sign!r} for column {column}: expected -1, 0 or 1.",
        "length": "{name} has {n} values, but X has {n_columns:count column}. Pass one value for each column.",
        "of_features": "The constraints have {n} values, but the tree has {n_features:count feature}.",
        "unknown": "{name} has the columns {unknown}, but X has {known}. Use the names of the columns of X.",
        "unnamed": (
            "{name} is a dict, but the columns of X have no names. Pass a list of numbers, or X as a DataFrame whose "
            "column names are text."
        ),
        "signs.category": (
            "monotonic_cst constrains the column {column}, which contains categories without an order. Remove it, or "
            "make the column an ordered categorical."
        ),
        "signs.classes": (
            "monotonic_cst with {n_classes} classes: expected two classes, or regression. Use two classes, or remove"
            " monotonic_cst."
        ),
        "with": "{name} cannot be combined with {other}={value!r}. Use {other}={default!r}, or {name}=None.",
        "interaction.kind": (
            "interaction_cst={value!r}: expected None, 'pairwise', 'no_interactions', or a list of sets of columns."
        ),
        "interaction.empty": (
            "interaction_cst contains an empty set: expected at least one column in each set. Remove the empty set."
        ),
        "interaction.range": (
            "interaction_cst contains the column {column!r}: expected whole numbers from 0 to {last}, or column names."
        ),
        "frozen": ("The frozen nodes {nodes} contradict {name}. Freeze other nodes, or remove {name}."),
        "leaves.frozen": (
            "max_leaf_nodes={most}, but frozen nodes need {least} leaves. Use at least {least}, or freeze fewer nodes."
        ),
    },
)
