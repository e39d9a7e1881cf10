"""The rules of a tree: one IF-THEN rule for each leaf, in raw units and with the user's feature names.

Lopsided trees, whose every decision has a leaf below it, also have a tail-recursive form: IF, ELSE IF, ..., ELSE
(Kairgeldin and Carreira-Perpiñán 2024, section 3.1).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from treecore.errors import DataError
from treecore.foreign.fitted_tree import fitted_tree
from treecore.messages import MESSAGES as PARAMETERS
from treecore.messages import Sentence
from treecore.parameter_checks import check_whole
from treecore.rules import rule_text
from treecore.rules.linear_answer import LinearAnswer, linear_figures
from treecore.rules.messages import MESSAGES
from treecore.statistics.declared import STATISTICS
from treecore.statistics.node_statistic import NodeStatistic, in_face
from treecore.tree.category_columns import CategoryColumns, joined, one_hot_groups
from treecore.tree.classes import Classes
from treecore.tree.conditions import ENOUGH, Columns, conjunction, features_used, side, texts
from treecore.tree.decision_digits import decision_digits
from treecore.tree.number_text import count
from treecore.tree.routing import check_rows
from treecore.tree.target import Target
from treecore.tree.text_tree import node_names

ROWS = "rows"


@dataclass(frozen=True)
class Rule:
    """If every one of the `conditions` holds, predict `label`; exact: it covers the rows that reach its leaf.

    leaf : int, node of the tree; origin : int, its id; name : what people call it, "leaf 5 of 17"; conditions : tuple
    of Interval, Category, Linear, Never (`treecore.tree.conditions`), with full precision; label : class label, or
    number for regression, or what a linear leaf says in place of one, a `LinearAnswer` of that precision; n_rows : int;
    share : float in [0, 1], of all rows; confidence : float in [0, 1], share of the covered rows (by weight, where the
    tree stores weights) with that label, None for regression and where no row is covered; class_counts : tuple of
    float, rows (or weight) of each class of `RuleSet.classes`, None for regression; deviation : float, root of the mean
    squared difference of the rows from the number, None for classes and where no row is covered; precision :
    significant digits of its text, "enough" as of `rules`, None for all; target : kind of `Target` of the tree;
    rows_name : what the rows are called that are counted, such as "test rows"; statistics : {name: float} of its leaf,
    of all in `treecore.statistics.declared` that rules have, NaN where there is none; n_features : of a row;
    learns_missing : whether it may have missing values.
    """

    leaf: int
    conditions: tuple
    label: object
    n_rows: int
    share: float
    confidence: float | None = None
    class_counts: tuple | None = None
    deviation: float | None = None
    precision: int | str | None = None
    n_features: int = field(default=0, repr=False)
    learns_missing: bool = field(default=False, repr=False)
    origin: int = field(default=-1, repr=False)
    name: str = field(default="", repr=False)
    target: type[Target] = field(default=Classes, repr=False)
    rows_name: str = field(default=ROWS, repr=False)
    statistics: Mapping[str, float] = field(default_factory=dict, repr=False, compare=False)

    def covers(self, X: ArrayLike) -> np.ndarray:
        """bool[n]: the rows of `X` (array or CSR, [n, n_features]) that meet every condition, by the exact numbers.

        Raises DataError for an X that the tree would refuse.
        """
        columns = Columns(check_rows(X, self.n_features, self.learns_missing))
        out = np.ones(columns.n, np.bool_)
        for condition in self.conditions:
            out &= condition.covers(columns)
        return out

    @property
    def condition_text(self) -> str:
        """str: the conditions joined by "and", as they are typed; "always" when there are none."""
        return conjunction(self.conditions, self.precision)

    def texts(
        self, most_terms: int | None = None, deviation: np.ndarray | None = None, missed: np.ndarray | None = None
    ) -> list[str]:
        """List of each condition as it is read; of a weighted sum only the `most_terms` (None: all) largest terms.

        deviation : float[d], standard deviation of each feature, so that terms are compared whatever their units;
        missed : bool[d], features of which it says what a missing value does, None for all.
        """
        return texts(self.conditions, self.precision, most_terms, deviation, missed)

    @property
    def features_used(self) -> dict:
        """dict: name of each feature, or column of categories, that the conditions ask for -> its feature numbers."""
        return features_used(self.conditions)

    @property
    def n_errors(self) -> int | None:
        """int: covered rows that have another class, by the confidence; None for regression."""
        if self.class_counts is None:
            return None
        return 0 if self.confidence is None else round((1.0 - self.confidence) * self.n_rows)

    @property
    def label_text(self) -> str:
        """str: what is predicted."""
        if isinstance(self.label, LinearAnswer):
            return str(self.label)
        return self.target.label_text(self.label, self.precision)

    @property
    def label_name(self) -> str:
        """str: what is predicted, a linear model by its name."""
        return self.label.name if isinstance(self.label, LinearAnswer) else str(self.label)

    @property
    def of_rows(self) -> str:
        """str: what so many rows are called, such as "test row"."""
        return self.rows_name[: -1 if self.n_rows == 1 else None]

    def phrases(self, face: str, statistics: Sequence[NodeStatistic], target: Any, **words: str) -> list[str]:
        """List of each of the `statistics` that the rule has, in the words of a face, see `NodeStatistic.phrase`."""
        values = [(one, self.statistics[one.name]) for one in statistics]
        told = {"n_rows": count(self.n_rows), "of_rows": self.of_rows} | words
        return [one.phrase(face, value, target, **told) for one, value in values if np.isfinite(value)]

    def to_text(self, statistics: Sequence[NodeStatistic]) -> str:
        """str: the rule and some of its statistics."""
        told = ", ".join(self.phrases("text", statistics, self.target))
        return f"if {self.condition_text} then {self.label_text} ({told})"

    def __str__(self):
        return self.to_text(in_face(STATISTICS.values(), "text", self.target, self.statistics))


@dataclass(frozen=True)
class RuleSet:
    """The rules of a tree; every row fires exactly one. Iterate over it, or take ``rules[i]``.

    rules : tuple of Rule, leaves from left to right; classes : tuple of class labels whose rows are counted, those that
    training did not have last, empty for regression; chain : tuple of (conditions, Rule), the tail-recursive form,
    where () holds always; None for trees that have a decision without a leaf below it; precision : of the texts, as of
    `rules`; n_rows : int, rows of X that are counted (0 without); n_changed : int, rows of X that the texts with
    rounded numbers give another prediction, None without X; warning : Sentence or None, what the rounding breaks;
    target : kind of `Target` of the tree; rows_name : what the rows are called that the rules count.
    """

    rules: tuple
    classes: tuple
    chain: tuple | None
    precision: int | str | None = None
    n_rows: int = 0
    n_changed: int | None = None
    warning: Sentence | None = None
    target: type[Target] = Classes
    rows_name: str = ROWS

    def __len__(self):
        return len(self.rules)

    def __iter__(self):
        return iter(self.rules)

    def __getitem__(self, place):
        return self.rules[place]

    def statistics_in(self, face: str) -> list[NodeStatistic]:
        """List of the `NodeStatistic` that a face shows of these rules."""
        values = {name: [rule.statistics[name] for rule in self.rules] for name in self.rules[0].statistics}
        return in_face(STATISTICS.values(), face, self.target, values)

    @property
    def is_lopsided(self) -> bool:
        """Whether every decision has a leaf below it, so that `to_else_if` can write the tree."""
        return self.chain is not None

    def to_text(self) -> str:
        """str: a rule a line; the warning, if there is one, in the last."""
        return rule_text.to_text(self)

    def to_markdown(self) -> str:
        """str: table of GitHub's Markdown."""
        return rule_text.to_markdown(self)

    def to_latex(self) -> str:
        """str: ``tabular`` with the rules of the package booktabs."""
        return rule_text.to_latex(self)

    def to_csv(self) -> str:
        """str: CSV, with the counts of every class."""
        return rule_text.to_csv(self)

    def to_else_if(self) -> str:
        """str: IF, ELSE IF, ..., ELSE: each line is tried where none before it held. DataError unless `is_lopsided`."""
        if self.chain is None:
            raise DataError(MESSAGES("no_else_if", n_rules=len(self.rules)))
        return rule_text.to_else_if(self)


def rules(
    tree: Any,
    X: ArrayLike | None = None,
    y: ArrayLike | None = None,
    precision: int | None = None,
    groups: Sequence | CategoryColumns | None = None,
    counted: np.ndarray | None = None,
    rows_name: str = ROWS,
) -> RuleSet:
    """`RuleSet` of a tree.

    tree : Tree, or a fitted estimator or pipeline (`fitted_tree`); X : [n, n_features], or as the estimator takes them,
    rows to count instead of the training rows, and to check the rounding on; y : [n],
    their labels (numbers for regression); without y the counts, confidences and deviations stay those of training.
    precision : int >= 1, significant digits of the numbers in the texts; "enough": for each decision as few as send
    every row of X where the tree does (3 without X), or None for all (then a text in float64 is the tree's own
    decision).
    groups : ranges of features that are the 0/1 features of a column of categories (`FeatureEncoder.groups`); None
    takes the neighbours named ``colour = red``, ``colour = blue`` whose values in X, if given, are one-hot; () none; or
    the `CategoryColumns` of the data.
    counted : int[k], numbers of the rows of X that are counted, None for all; rows_name : what these are called.
    Raises DataError, ParameterError.
    """
    if precision not in (None, ENOUGH):
        check_whole(precision, "precision", 1)
    if y is not None and X is None:
        raise DataError(MESSAGES("labels_without_rows"))
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
        raise DataError(PARAMETERS("labels_of_rows", shape=np.shape(y), n_rows=reached.size))
    if counted is not None and reached is not None:
        reached, y = reached[counted], None if y is None else np.asarray(y)[counted]
    y = None if y is None else np.asarray(y)
    if tree.linear is None:
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
            raise DataError(MESSAGES("groups", group=group, n_features=tree.n_features))
    return [group for group in groups if len(group) > 1 or " = " in tree.feature_names[group.start]]


def _paths(tree, sides):
    """{leaf: conditions from the root}, leaves from left to right."""
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
        n_features=tree.n_features, learns_missing=tree.missing_right is not None, origin=int(tree.origin[leaf]),
        target=type(tree.target),
    )  # fmt: skip


def _with_statistics(tree, found, total):
    """tuple of the rules with the statistics of their leaves. total : rows that are counted."""
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
    """((conditions, Rule), ...), the last without conditions; None unless every decision has a leaf below it."""
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
    """Rows that go to a leaf with another prediction when every decision is made with rounded numbers, or get another
    class by the rounded sums of linear leaves (or go to another leaf, whose sums predict other numbers)."""
    reached = np.zeros(X.shape[0], np.int64)
    for node in np.flatnonzero(tree.left >= 0).tolist():
        here = np.flatnonzero(reached == node)
        if not here.size:
            continue
        found = joined([sides[node, True]], columns)
        part = Columns(X[here])
        right = found[0].rounded(precision).covers(part) if found else np.ones(here.size, np.bool_)
        reached[here] = np.where(right, tree.right[node], tree.left[node])
    if tree.linear is None:
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
    digits = MESSAGES("digits.few" if precision in (ENOUGH, None) else "digits.number", n=precision)
    if n_changed:
        parts.append(MESSAGES("digits.changed", digits=digits, n_changed=n_changed, n_rows=X.shape[0]))
    if precision is not None:
        emptied = [
            rule.name for rule in found if any(_is_emptied(condition, precision) for condition in rule.conditions)
        ]
        if emptied:
            name = "digits.empty" if len(emptied) == 1 else "digits.empty_and_others"
            parts.append(MESSAGES(name, digits=digits, rule=emptied[0], n_others=len(emptied) - 1))
    if len(parts) == 2:
        return MESSAGES("digits.both", changed=parts[0], emptied=parts[1])
    return parts[0] if parts else None


def _is_emptied(condition, precision):
    is_empty = getattr(condition, "is_empty", None)
    return is_empty is False and condition.rounded(precision).is_empty
