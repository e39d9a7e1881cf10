"""Error messages of `treecore.export`."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "export",
    {
        "columns": "columns={columns!r:.60}: expected TableColumns, such as model.columns, or None.",
        "other_columns": (
            "columns has {n_given} features, which do not match the {n_features} features of the tree. "
            "Pass the columns that the tree was trained on."
        ),
        "empty_category": (
            "Column {column!r:.60} has the category '', which a table cannot distinguish from a missing value. "
            "Rename the category and retrain, or export model.tree_, which reads features."
        ),
        "label": "Unsupported class label {label!r:.60}. Use strings, booleans or finite numbers.",
        "whole_label": "Unsupported class label {label}. This export format supports whole numbers up to {largest}.",
        "linear_leaves": (
            "Code export supports at most depth {most_depth} and {most_terms} features per linear leaf; "
            "the tree has depth {depth} and up to {n_terms} features. Use a smaller tree, or the export "
            "format 'json'."
        ),
        "mermaid.too_many_nodes": (
            "Mermaid supports at most {most:,} nodes; the tree has {n_nodes:,}. Use a smaller tree, or DOT."
        ),
        "mermaid.too_long": (
            "Mermaid supports at most {most:,} characters; the chart has {size:,}. Use a smaller tree, "
            "shorter names or DOT."
        ),
        "onnx.not_installed": "ONNX export needs the package onnx, which is not installed. Run pip install onnx.",
        "onnx.too_many_features": (
            "ONNX export supports at most {most} features; the tree has {n_features}. Choose another format."
        ),
        "onnx.too_large": (
            "ONNX export supports at most {most} weights; the tree has {n_nodes} {nodes} of up to "
            "{n_terms} features. Use a smaller tree, or choose another format."
        ),
        "onnx.half_a_character": (
            "ONNX does not support the class label {label!r:.60}, which contains an incomplete character "
            "(a lone surrogate). Rename the class."
        ),
        "pmml.linear_leaves": (
            "PMML export does not support leaves with linear models. Train with leaf='constant', or choose another "
            "format."
        ),
        "pmml.depth": "PMML export supports at most {most} levels; the tree has {depth}. Choose another format.",
        "pmml.name_twice": "Two features have the name {name!r:.60}. Rename one with tree.with_names.",
        "pmml.text": (
            "PMML does not support the {what} {text!r:.60}, which is empty or contains a control character or an "
            "incomplete character (a lone surrogate). Rename it."
        ),
        "sql.table": "table={table!r}: expected the name of a table.",
        "sql.name": "{what}={name!r:.60}: expected a string of at least one character.",
        "sql.half_a_character": (
            "SQL does not support the {what} {text!r:.60}, which contains NUL or an incomplete character "
            "(a lone surrogate). Rename it."
        ),
        "sql.name_twice": "Two {what} names are {name!r:.60} in SQL, which ignores case. Rename one.",
        "sql.feature_twice": (
            "Two {what} names are {name!r:.60} in SQL, which ignores case. Rename one with tree.with_names."
        ),
        "sql.too_many_features": (
            "SQL export supports at most {most} features (columns of a table); the tree has {n_features}."
            " Choose another format, or train on fewer features."
        ),
        "sql.too_many_terms": (
            "SQL export supports at most {most} features per node; a node uses {n_terms}. Train with a "
            "larger lam, or choose another format."
        ),
        "sql.nested": (
            "SQL export supports at most {most} nested CASE expressions; the tree needs {n_nested} "
            "({n_leaves} leaves). Use a smaller tree, or choose another format."
        ),
        "sql.products": (
            "SQL export supports at most {most} products for linear leaves; this tree needs {n_products},"
            " because every class is compared with every other. Use a smaller tree, a larger lam or "
            "another format."
        ),
    },
)
