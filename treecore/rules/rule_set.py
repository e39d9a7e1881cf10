"""Rules of a tree: one IF-THEN rule per leaf, in raw units and with the user's feature names.

In a lopsided tree, every decision node has a leaf as a child. Its rules also have the form IF, ELSE IF, ..., ELSE
(Kairgeldin and Carreira-Perpiñán 2024, section 3.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from treecore.errors import DataError, ParameterError
from treecore.foreign.fitted_tree import fitted_tree
from treecore.messages import counted, literal
from treecore.parameter_checks import check_whole, wrong_labels
from treecore.rules import rule_text
from treecore.rules.linear_answer import LinearAnswer, linear_figures
from treecore.rules.rule import ROWS, Rule
from treecore.statistics.declared import STATISTICS
from treecore.statistics.node_statistic import NodeStatistic, in_face
from treecore.tree.category_columns import CategoryColumns, joined, one_hot_groups
from treecore.tree.classes import Classes
from treecore.tree.conditions import ENOUGH, Columns, side
from treecore.tree.decision_digits import decision_digits
from treecore.tree.routing import check_rows
from treecore.tree.target import Target
from treecore.tree.text_tree import DIGITS, node_names

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class RuleSet:
    """Rules of a tree. Exactly one rule applies to each row.

    Iterate over the rule set, or use ``rules[i]``.

    Parameters
    ----------
    rules : tuple of Rule
        One rule per leaf, from left to right.
    classes : tuple
        Class labels whose rows are counted. Classes that were not in the training data are last. Empty for regression.
    chain : tuple or None
        (conditions, Rule) pairs of the IF, ELSE IF form, where empty conditions always hold. None unless the tree is
        lopsided.
    precision : int, str or None, default=None
        Significant digits in the texts, as in `rules`.
    n_rows : int, default=0
        Number of counted rows of X, 0 without X.
    n_changed : int or None, default=None
        Number of rows of X whose prediction changes if the rounded numbers in the texts are used, None without X.
    warning : str or None, default=None
        Warning if rounding changes the rules.
    target : type, default=Classes
        Kind of `Target` of the tree.
    rows_name : str, default="rows"
        Name of the counted rows.

    See Also
    --------
    treecore.rules : Contains `rules`, which returns a rule set.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier
    >>> from treecore.rules import rules
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> print(rules(CARTClassifier(random_state=0).fit(X, y), precision=3).to_text())
    if petal width (cm) < 0.8 then 0 (50 rows, 33.3 %, confidence 1.000)
    if 0.8 <= petal width (cm) < 1.75 then 1 (54 rows, 36.0 %, confidence 0.907)
    if petal width (cm) >= 1.75 then 2 (46 rows, 30.7 %, confidence 0.978)
    """

    rules: tuple
    classes: tuple
    chain: tuple | None
    precision: int | str | None = None
    n_rows: int = 0
    n_changed: int | None = None
    warning: str | None = None
    target: type[Target] = Classes
    rows_name: str = ROWS

    def __len__(self):
        return len(self.rules)

    def __iter__(self):
        return iter(self.rules)

    def __getitem__(self, place):
        return self.rules[place]

    def statistics_in(self, face: str) -> list[NodeStatistic]:
        """Return the statistics of these rules that a place shows.

        Parameters
        ----------
        face : str
            The place, such as "text".

        Returns
        -------
        list of NodeStatistic
            The statistics.
        """
        values = {name: [rule.statistics[name] for rule in self.rules] for name in self.rules[0].statistics}
        return in_face(STATISTICS.values(), face, self.target, values)

    @property
    def is_lopsided(self) -> bool:
        """Whether every decision node has a leaf as a child, as `to_else_if` requires."""
        return self.chain is not None

    def to_text(self) -> str:
        """Return the rules as text.

        Returns
        -------
        str
            One line per rule. The last line is the warning, if any.
        """
        return rule_text.to_text(self)

    def to_markdown(self) -> str:
        """Return the rules as a GitHub Markdown table.

        Returns
        -------
        str
            The table.
        """
        return rule_text.to_markdown(self)

    def to_latex(self) -> str:
        """Return the rules as a LaTeX table.

        Returns
        -------
        str
            A ``tabular`` environment for the package booktabs.
        """
        return rule_text.to_latex(self)

    def to_csv(self) -> str:
        """Return the rules as CSV.

        Returns
        -------
        str
            The table, with the count of every class.
        """
        return rule_text.to_csv(self)

    def to_frame(self) -> pandas.DataFrame:
        """Return the rules as a table.

        Returns
        -------
        pandas.DataFrame
            One row for each rule, with the number of the leaf as index: conditions, prediction, statistics as numbers,
            and for classification the count of every class.
        """
        import pandas  # slow import

        shown = self.statistics_in("files")
        columns: dict = {
            "name": [rule.name for rule in self.rules],
            "rule": [rule.condition_text for rule in self.rules],
            "value": [str(rule.label) if isinstance(rule.label, LinearAnswer) else rule.label for rule in self.rules],
        }
        for one in shown:
            column = np.array([rule.statistics[one.name] for rule in self.rules])
            is_whole = one.form == "count" and np.isfinite(column).all()
            columns[one.name] = column.astype(np.int64) if is_whole else column
        counts = [rule.class_counts for rule in self.rules if rule.class_counts is not None]
        if counts:
            table = np.array(counts)
            columns |= {f"count of {label}": table[:, place] for place, label in enumerate(self.classes)}
        index = pandas.Index([rule.leaf for rule in self.rules], name="leaf")
        return pandas.DataFrame(columns, index=index)

    def to_else_if(self) -> str:
        """Return the rules as IF, ELSE IF, ..., ELSE.

        Returns
        -------
        str
            One condition per line. It applies if no earlier condition holds.

        Raises
        ------
        DataError
            If the tree is not `is_lopsided`.
        """
        if self.chain is None:
            raise DataError(
                f"These {len(self.rules)} rules have no IF, ELSE IF form, because a decision node of the tree "
                "has no leaf as a child. Use to_text."
            )
        return rule_text.to_else_if(self)


def rules(
    tree: Any,
    X: ArrayLike | None = None,
    y: ArrayLike | None = None,
    precision: int | str | None = DIGITS,
    groups: Sequence | CategoryColumns | None = None,
    counted: np.ndarray | None = None,
    rows_name: str = ROWS,
    target_name: str = "",
) -> RuleSet:
    """Return the rules of a tree.

    Parameters
    ----------
    tree : Tree or fitted model
        Tree, or a fitted estimator or pipeline (`fitted_tree`).
    X : array-like or None, default=None
        Rows in the form that the estimator accepts. They are counted instead of the training rows and used to check the
        rounding.
    y : array-like or None, default=None
        Class labels or numbers of `X`. None uses the counts, confidences and deviations of the training rows.
    precision : int, 'enough' or None, default=6
        Significant digits of the numbers in the texts; 6 as in ``print(tree)``. 'enough' uses the fewest digits for
        each split that send every row of X to the same side (3 without X). None keeps all digits, so that the texts
        represent the exact float64 splits.
    groups : sequence of range, CategoryColumns or None, default=None
        Ranges of the 0/1 features of categorical columns (`FeatureEncoder.groups`). None detects adjacent features with
        names such as ``colour = red`` and ``colour = blue`` whose values in X are one-hot. An empty sequence turns
        grouping off.
    counted : int array or None, default=None
        Rows of X to count, None for all.
    rows_name : str, default="rows"
        Name of the counted rows.
    target_name : str, default=""
        Name of the predicted column, which the texts then contain.

    Returns
    -------
    RuleSet
        One rule per leaf.

    Raises
    ------
    DataError
        If `X` or `y` does not match the tree.
    ParameterError
        If a parameter is outside its range.

    See Also
    --------
    treecore.explain.explain : Explains one prediction.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier
    >>> from treecore.rules import rules
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> found = rules(CARTClassifier(random_state=0).fit(X, y), precision=3)
    >>> print(found[0])
    if petal width (cm) < 0.8 then 0 (50 rows, 33.3 %, confidence 1.000)
    """
    if isinstance(precision, str) and precision != ENOUGH:
        raise ParameterError(f"precision={literal(precision)}: expected a whole number >= 1, {ENOUGH!r} or None.")
    if precision not in (None, ENOUGH):
        check_whole(precision, "precision", 1)
    if y is not None and X is None:
        raise DataError("y was passed without X. Pass the rows that have these labels as X.")
    tree, features = fitted_tree(tree)
    if X is not None:
        X = check_rows(features(X), tree.n_features, tree.missing_right is not None)
    columns = groups
    if not isinstance(groups, CategoryColumns):
        columns = CategoryColumns.of(tree.feature_names, _groups(tree, X, groups), X)
    decisions = np.flatnonzero(tree.left >= 0).tolist()
    known = np.empty((0, tree.n_features)) if X is None or precision != ENOUGH else X
    digits = decision_digits(tree, known, None, columns).tolist()
    sides = {(node, right): side(tree, node, right, digits[node]) for node in decisions for right in (False, True)}
    paths, names = _paths(tree, sides), node_names(tree)
    reached = None if X is None else tree.apply(X)
    if y is not None and np.shape(y) != reached.shape:
        raise DataError(wrong_labels(np.shape(y), reached.size))
    if counted is not None and reached is not None:
        reached, y = reached[counted], None if y is None else np.asarray(y)[counted]
    y = None if y is None else np.asarray(y)
    if tree.leaf_model.is_constant:
        figures = tree.target.leaf_figures(tree, reached, y)
    else:
        figures = linear_figures(tree, X if counted is None or X is None else X[counted], reached, y, precision)
    n_rows = tree.n_samples if X is None else np.bincount(reached, minlength=tree.n_nodes)
    total = int(tree.n_samples[0]) if X is None else reached.size
    found = _with_statistics(
        tree,
        [
            replace(
                _rule(tree, leaf, joined(path, columns), int(n_rows[leaf]), total, figures[leaf], precision),
                rows_name=rows_name,
                name=names[leaf],
                target_name=target_name,
            )
            for leaf, path in paths.items()
        ],
        total,
    )
    of_leaf = {rule.leaf: rule for rule in found}
    n_changed = None
    if X is not None:
        n_changed = 0 if precision is None else _n_changed(tree, X, sides, columns, precision, figures)
    return RuleSet(
        found, tree.target.counted_labels(tree, y), _chain(tree, sides, columns, of_leaf), precision,
        0 if X is None else reached.size, n_changed, _warning(found, precision, n_changed, X),
        type(tree.target), rows_name,
    )  # fmt: skip


def _groups(tree, X, groups):
    if groups is None:
        return one_hot_groups(tree.feature_names, None if X is None else Columns(X))
    groups = [range(group.start, group.stop) for group in groups]
    for group in groups:
        if group.start < 0 or group.stop > tree.n_features or tree.feature_names is None:
            raise DataError(
                f"groups contains {group}, but the tree has {tree.n_features} features. Use ranges of its "
                "features, and name the features."
            )
    return [group for group in groups if len(group) > 1 or " = " in tree.feature_names[group.start]]


def _paths(tree, sides):
    """Return the conditions from the root to each leaf, {leaf: conditions}, leaves from left to right."""
    paths, stack = {}, [(0, ())]
    while stack:
        node, path = stack.pop()
        if tree.left[node] < 0:
            paths[node] = path
        else:
            stack += [(int(tree.right[node]), (*path, sides[node, True]))]
            stack += [(int(tree.left[node]), (*path, sides[node, False]))]
    return paths


def _rule(tree, leaf, conditions, n_rows, total, figures, precision):
    return Rule(
        leaf, conditions, n_rows=n_rows, share=n_rows / total if total else 0.0, **figures, precision=precision,
        n_features=tree.n_features, feature_names=tree.feature_names, learns_missing=tree.missing_right is not None,
        origin=int(tree.origin[leaf]), target=type(tree.target),
    )  # fmt: skip


def _with_statistics(tree, found, total):
    """Return the tuple of rules with the statistics of their leaves. total : number of counted rows."""
    rows = np.array([rule.n_rows for rule in found])
    is_share = tree.target.certainty == "confidence"
    told = np.array([rule.confidence if is_share else rule.deviation for rule in found], np.float64)
    error = 1 - told if is_share else told
    loss = np.rint(error * rows) if is_share else error**2 * rows
    quantities = {
        "rows": rows,
        "all_rows": max(total, 1),
        "loss": np.nan_to_num(loss),
        "error": error,
        "training_rows": tree.n_samples[[rule.leaf for rule in found]],
        "all_training_rows": tree.n_samples[0],
        "conditions": [len(rule.conditions) for rule in found],
    }
    names = [name for name, one in STATISTICS.items() if quantities.keys() >= one.quantities]
    values = np.transpose([STATISTICS[name].values(quantities) for name in names]).tolist()
    return tuple(
        replace(rule, statistics=dict(zip(names, of_rule, strict=True)))
        for rule, of_rule in zip(found, values, strict=True)
    )


def _chain(tree, sides, columns, of_leaf):
    """Return ((conditions, Rule), ...), the last without conditions, or None if a split has no leaf as a child."""
    chain, node = [], 0
    while tree.left[node] >= 0:
        left, right = int(tree.left[node]), int(tree.right[node])
        leaf, other = (left, right) if tree.left[left] < 0 else (right, left)
        if tree.left[leaf] >= 0:
            return None
        chain.append((joined([sides[node, leaf == right]], columns), of_leaf[leaf]))
        node = other
    return (*chain, ((), of_leaf[node]))


def _n_changed(tree, X, sides, columns, precision, figures):
    """Return the number of rows whose prediction changes if every split uses rounded numbers.

    The number includes rows whose class changes because the sums of linear leaves are rounded. For regression with
    linear leaves, it includes rows that reach another leaf.
    """
    reached = np.zeros(X.shape[0], np.int64)
    for node in np.flatnonzero(tree.left >= 0).tolist():
        here = np.flatnonzero(reached == node)
        if not here.size:
            continue
        found = joined([sides[node, True]], columns)
        part = Columns(X[here])
        right = found[0].rounded(precision).covers(part) if found else np.ones(here.size, np.bool_)
        reached[here] = np.where(right, tree.right[node], tree.left[node])
    if tree.leaf_model.is_constant:
        return int(np.count_nonzero(tree.outputs[reached] != tree.outputs[tree.apply(X)]))
    if not tree.target.values_are_groups:
        return int(np.count_nonzero(reached != tree.apply(X)))
    told = tree.predict(X)
    changed = 0
    for leaf in np.unique(reached).tolist():
        here, answer = np.flatnonzero(reached == leaf), figures[leaf]["label"]
        again = answer.predict(X[here]) if isinstance(answer, LinearAnswer) else answer
        changed += int(np.count_nonzero(told[here] != again))
    return changed


def _warning(found, precision, n_changed, X):
    parts = []
    digits = "few digits" if precision in (ENOUGH, None) else f"{counted(precision, 'significant digit')}"
    if n_changed:
        parts.append(
            f"With {digits}, the rules and the tree predict {n_changed} of {X.shape[0]} rows differently. Use "
            "more digits."
        )
    if precision is not None:
        emptied = [
            rule.name for rule in found if any(_is_emptied(condition, precision) for condition in rule.conditions)
        ]
        if emptied:
            parts.append(
                f"With {digits}, the two limits of {emptied[0]} are equal."
                if len(emptied) == 1
                else f"With {digits}, the two limits of {emptied[0]} (and of {len(emptied) - 1} others) are equal."
            )
    if len(parts) == 2:
        return f"{parts[0]} {parts[1]}"
    return parts[0] if parts else None


def _is_emptied(condition, precision):
    is_empty = getattr(condition, "is_empty", None)
    return is_empty is False and condition.rounded(precision).is_empty
