"""Sentences of errors of `treecore.export`."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "export",
    {
        "columns": "columns={columns!r:.60}: give TableColumns, such as model.columns, or None.",
        "other_columns": (
            "the columns become {n_given} features, which are not the {n_features} of the tree: give the columns that "
            "the tree was trained on."
        ),
        "empty_category": (
            "column {column!r:.60} has the category '', which a table cannot tell from a missing value: name it and "
            "train again, or export model.tree_, which reads features."
        ),
        "label": "class label {label!r:.60}: use strings, booleans or finite numbers.",
        "whole_label": "class label {label}: this target holds whole numbers up to {largest}.",
        "linear_leaves": (
            "the tree is {depth} decisions deep and has up to {n_terms} features in a linear leaf: code holds up to "
            "{most_depth} and {most_terms}; take a smaller tree, or the target 'json'."
        ),
        "mermaid.too_many_nodes": (
            "The tree has {n_nodes:,} nodes: Mermaid draws up to {most:,}. Use a smaller tree, or DOT."
        ),
        "mermaid.too_long": (
            "The chart has {size:,} characters: Mermaid reads up to {most:,}. Use a smaller tree, shorter names, or "
            "DOT."
        ),
        "onnx.not_installed": "ONNX models are written by the package onnx: pip install onnx",
        "onnx.too_many_features": (
            "the tree has {n_features} features: an ONNX file names up to {most}; take another target."
        ),
        "onnx.too_large": (
            "the tree has {n_nodes} {nodes} of up to {n_terms} features: an ONNX file holds {most} weights; take a "
            "smaller tree or another target."
        ),
        "onnx.half_a_character": "class label {label!r:.60}: ONNX cannot hold half of a surrogate pair.",
        "sql.table": "table={table!r}: give the name of a table.",
        "sql.name": "{what}={name!r:.60}: a name in SQL is a string of at least one character.",
        "sql.half_a_character": "{what} {text!r:.60}: SQL text cannot hold NUL or half of a surrogate pair.",
        "sql.name_twice": (
            "{what} name {name!r:.60} appears twice (capitals do not count): a table needs different names; rename one."
        ),
        "sql.feature_twice": (
            "{what} name {name!r:.60} appears twice (capitals do not count): a table needs different names; rename "
            "one with tree.with_names."
        ),
        "sql.too_many_features": (
            "the tree has {n_features} features: a table of a database holds up to {most} columns; take another "
            "target, or train on fewer features."
        ),
        "sql.too_many_terms": "a node uses {n_terms} features: SQL holds up to {most} in one expression.",
        "sql.nested": (
            "the tree needs {n_nested} nested CASE (it has {n_leaves} leaves): databases hold up to {most}; take a "
            "smaller tree or another target."
        ),
        "sql.products": (
            "the linear leaves are {n_products} products in SQL, where every class is compared with every other: at "
            "most {most} are written; take a smaller tree, fewer weights (a larger lam) or another target."
        ),
    },
)
