"""Export as one SELECT statement with nested CASE expressions, in ANSI SQL.

Comparisons send a NaN margin to the correct side, whether NaN becomes NULL (SQLite) or is larger than all numbers
(DuckDB, PostgreSQL).
"""

import json
from collections import Counter

import numpy as np

from treecore.artifact import artifact
from treecore.errors import ParameterError
from treecore.export.checks import check_columns, class_labels, columns_of, node_labels, plain_number
from treecore.export.readable import sends_missing_right
from treecore.export.sql_columns import sql_columns
from treecore.export.sql_literals import identifier, label_literal, number_literal
from treecore.export.thresholds import threshold
from treecore.foreign.fitted_tree import as_tree
from treecore.messages import literal
from treecore.tables.table_columns import TableColumns
from treecore.tree.tree import Tree

MOST_COLUMNS = 20_000  # more columns than any database supports
MOST_PRODUCTS = 20_000  # maximum number of products in linear leaves
MOST_TERMS = 900  # databases do not support expressions of depth 1000
MOST_NESTED = 14  # the parser of SQLite supports about 18
MOST_NESTED_OF_TABLE = 11  # lower, because expressions of table columns are nested deeper
_LARGEST = 2**63 - 1


@artifact(
    "Code", "SQL", "sql", "application/sql", takes=("columns", "table", "target_name"),
    about="a query that selects all columns of `table=` and the prediction, for SQLite, DuckDB and other ANSI SQL",
)  # fmt: skip
def sql(tree: Tree, table: str = "data", columns: TableColumns | None = None, target_name: str = "") -> str:
    """Return a query that selects all columns of a table and the prediction of the tree.

    The prediction is the last column, `prediction`. It is NULL for infinity, and for NULL or NaN unless the tree was
    trained with missing values. Names and strings are quoted as in the SQL standard, so MySQL needs sql_mode
    ANSI_QUOTES and NO_BACKSLASH_ESCAPES. The database limits the number of columns: 2,000 with the prediction in
    SQLite, 1,600 in PostgreSQL, more than 10,000 in DuckDB.

    Parameters
    ----------
    tree : Tree or fitted model
        Tree, or a fitted estimator or pipeline.
    table : str or sequence of str, default='data'
        Name of the table, or its parts such as ("schema", "table"). The table must have a numeric column with the name
        of each feature (``x3`` if the features have no names).
    columns : TableColumns or None, default=None
        Columns of the user's table. None uses the columns of a fitted estimator that encoded text columns, if any. With
        columns, the query reads the original table: it compares text with the categories, and NULL, NaN, infinity and
        '' are missing. Dates are DATE, TIMESTAMP, numbers such as 20200131 in the years 1900 to 2100, or text such as
        2020-01-31 or 2020-01-31 18:30:00. All other values, and times with a time zone, are treated as missing.
    target_name : str, default=''
        Name of the predicted column, which a comment names.

    Returns
    -------
    str
        The query.

    Raises
    ------
    ParameterError
        If `tree` is not a tree or `columns` does not match it. If a name is empty, contains NUL, is not a string, or
        differs from another only in case. If there are more than 20,000 features, or 900 in a node. If branches are
        nested more than 14 deep (11 with `columns`), which is possible only with more than 16,384 (2,048) leaves. If a
        label is infinite, a whole number above 2**63 - 1, or of another type.

    See Also
    --------
    python : Python export.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier, export
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> export.sql(CARTClassifier(random_state=0).fit(X, y).tree_, table="flowers").split()[0]
    'SELECT'
    """
    columns = columns_of(tree) if columns is None else columns
    tree = as_tree(tree)
    columns = check_columns(tree, columns)
    if columns is None:
        features = _features(tree)
        refused = [(_REFUSED if tree.missing_right is None else _INFINITE).format(feature) for feature in features]
    else:
        _check_different(columns.names(), "column")
        features, missing = sql_columns(tree, columns)
        refused = missing if tree.missing_right is None else []
        if tree.n_nodes == 1:
            refused = refused or ["1 = 0"]  # CASE needs at least one WHEN
    nested = _nesting(tree)
    has_dates = columns is not None and _has_dates(tree, columns)
    _check_size(tree, nested, MOST_NESTED if columns is None else MOST_NESTED_OF_TABLE)
    if has_dates:
        features, refused, once = _written_once(features, refused)
    outputs = _constant(tree) if tree.leaf_model.is_constant else _linear(tree, features)
    parts = [table] if isinstance(table, str) or not isinstance(table, list | tuple) else table
    if not parts:
        raise ParameterError(f"table={literal(table)}: expected the name of a table.")
    source = ".".join(identifier(part, "table") for part in parts)
    lines = [f"-- prediction of {json.dumps(target_name)}"] if target_name else []
    lines += ["SELECT t.*,", "  (SELECT CASE" if has_dates else "  CASE"]
    lines += [f"    WHEN {condition} THEN NULL" for condition in refused]
    lines += _cases(tree, nested, features, outputs)
    lines += ["  END FROM (SELECT", *once, "    LIMIT 1) AS x) AS prediction"] if has_dates else ["  END AS prediction"]
    return "\n".join([*lines, f"FROM {source} AS t"]) + "\n"


_REFUSED = "COALESCE({0} - {0}, 1) <> 0"  # infinity minus infinity is NaN or NULL
_INFINITE = _REFUSED + " AND ({0} < 0 OR -{0} < 0)"  # NaN is on neither side of zero, or above zero with both signs


def _features(tree):
    if tree.n_features > MOST_COLUMNS:
        raise ParameterError(
            f"SQL export supports at most {MOST_COLUMNS:,} features (columns of a table); the tree has "
            f"{tree.n_features:,}. Choose another format, or train on fewer features."
        )
    names = [tree.feature_name(feature) for feature in range(tree.n_features)]
    _check_different(names, "feature")
    return [f"CAST(t.{identifier(name, 'feature name')} AS DOUBLE PRECISION)" for name in names]


def _check_different(names, what):
    twice = [name for name, count in Counter(name.casefold() for name in names).items() if count > 1]
    if twice:
        raise ParameterError(
            (f"Two {what} names are {twice[0]!r:.60} in SQL, which ignores case. Rename one with tree.with_names.")
            if what == "feature"
            else f"Two {what} names are {twice[0]!r:.60} in SQL, which ignores case. Rename one."
        )


def _nesting(tree):
    """Return the nesting depth of CASE below each node, int[m], if the deeper side continues in the same CASE."""
    nested = np.zeros(tree.n_nodes, np.int64)
    for node in np.flatnonzero(tree.left >= 0)[::-1]:
        low, high = sorted((nested[tree.left[node]], nested[tree.right[node]]))
        nested[node] = max(high, low + 1)
    return nested


def _has_dates(tree, columns):
    return any(
        any(part.kind == "date" for part in (column, *column.of)) and np.isin(tree.features, group).any()
        for column, group in zip(columns.columns, columns.groups(), strict=True)
    )


def _written_once(features, refused):
    """Return features and conditions with short names for the feature expressions, and the definitions of the names.

    The expression of a date has 3,000 characters. If every node repeated it, databases would need minutes to parse the
    query. LIMIT prevents PostgreSQL from inlining the definitions.
    """
    names = {expression: f"x.f{feature}" for feature, expression in enumerate(features) if expression is not None}
    ends = (condition.removesuffix(" IS NULL") for condition in refused)
    refused = [f"{names[end]} IS NULL" if end in names else whole for end, whole in zip(ends, refused, strict=True)]
    lines = [f"    {expression} AS {name.removeprefix('x.')}" for expression, name in names.items()]
    lines[:-1] = [f"{line}," for line in lines[:-1]]
    return [names.get(expression) for expression in features], refused, lines


def _check_size(tree, nested, most_nested):
    terms = int((np.diff(tree.indptr) + tree.leaf_model.sizes(tree)).max())
    if terms > MOST_TERMS:
        raise ParameterError(
            f"SQL export supports at most {MOST_TERMS} features per node; a node uses {terms}. Train with a "
            "larger lam, or choose another format."
        )
    if nested[0] > most_nested:
        raise ParameterError(
            f"SQL export supports at most {most_nested} nested CASE expressions; the tree needs {nested[0]} "
            f"({tree.n_leaves} leaves). Use a smaller tree, or choose another format."
        )


def _constant(tree):
    return list(map(label_literal, node_labels(tree, _LARGEST)))


def _linear(tree, expressions):
    """Return the expression of each linear leaf: a sum, or the first class whose score is not below any later score."""
    labels = list(map(label_literal, class_labels(tree, _LARGEST)))
    terms = int(tree.leaf_model.n_weights(tree).sum()) * max(len(labels) - 1, 1)
    if terms > MOST_PRODUCTS:
        raise ParameterError(
            f"SQL export supports at most {MOST_PRODUCTS} products for linear leaves; this tree needs {terms}, "
            "because every class is compared with every other. Use a smaller tree, a larger lam or another "
            "format."
        )

    def texts(leaf):
        model = tree.leaf_model.model(leaf)
        for bias, weights in zip(model.bias.tolist(), model.weights.T.tolist(), strict=True):
            products = [
                f"{number_literal(w)} * {expressions[j]}"
                for w, j in zip(weights, model.features.tolist(), strict=True)
                if w
            ]
            yield " + ".join([number_literal(plain_number(bias)), *products])

    found = {}
    for leaf in np.flatnonzero(tree.left < 0).tolist():
        scores = list(texts(leaf))
        whens = [
            f"WHEN {' AND '.join(f'({score}) >= ({other})' for other in scores[place + 1 :])} THEN {label}"
            for place, (score, label) in enumerate(zip(scores[:-1], labels, strict=False))
        ]
        found[leaf] = f"CASE {' '.join(whens)} ELSE {labels[-1]} END" if whens else f"({scores[0]})"
    return found


def _cases(tree, nested, expressions, outputs):
    """Return the lines between CASE and END. The side with less nesting is a WHEN, and the other side follows it."""
    lines, stack = [], [("go", 0, 2)]
    while stack:
        kind, node, depth = stack.pop()
        space = "  " * depth
        if kind == "end":
            lines.append(f"{space}END")
            continue
        if tree.is_leaf(node):
            lines.append(f"{space}ELSE {outputs[node]}")
            continue
        left, right = int(tree.left[node]), int(tree.right[node])
        goes_right = nested[right] <= nested[left]
        aside, below = (right, left) if goes_right else (left, right)
        condition = _condition(tree, node, expressions, goes_right)
        stack.append(("go", below, depth))
        if tree.is_leaf(aside):
            lines.append(f"{space}WHEN {condition} THEN {outputs[aside]}")
        else:
            lines += [f"{space}WHEN {condition} THEN", f"{space}  CASE"]
            stack += [("end", aside, depth + 1), ("go", aside, depth + 2)]
    return lines


def _condition(tree, node, expressions, goes_right):
    """Return a condition that is true if and only if a row goes right (or left)."""
    features, weights, bias = tree.split(node)
    single = threshold(tree, node) if tree.missing_right is None else None
    if single:
        return f"{expressions[single.feature]} {single.operator(goes_right)} {number_literal(single.value)}"
    terms = [
        f"{number_literal(w)} * {expressions[j]}" for w, j in zip(weights.tolist(), features.tolist(), strict=True)
    ]
    margin = " + ".join([number_literal(plain_number(bias)), *terms])
    if tree.missing_right is None and len(terms) <= 1:  # finite values cannot give NaN
        return f"{margin} {'>=' if goes_right else '<'} 0"
    if sends_missing_right(tree, node):
        return f"COALESCE({margin}, 0) >= 0" if goes_right else f"{margin} < 0"
    return f"-({margin}) <= 0" if goes_right else f"COALESCE(-({margin}), 1) > 0"
