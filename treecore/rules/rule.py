"""`Rule`: the path to one leaf as an IF-THEN rule, in raw units and with the user's feature names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from treecore.rules.linear_answer import LinearAnswer
from treecore.statistics.declared import STATISTICS
from treecore.statistics.node_statistic import NodeStatistic, in_face
from treecore.tree.classes import Classes
from treecore.tree.condition_text import quoted
from treecore.tree.conditions import Columns, conjunction, features_used, texts
from treecore.tree.number_text import count
from treecore.tree.routing import check_rows
from treecore.tree.target import Target

ROWS = "rows"


@dataclass(frozen=True)
class Rule:
    """Rule of one leaf: if all `conditions` hold, predict `label`.

    The rule is exact: it covers exactly the rows that reach the leaf.

    Parameters
    ----------
    leaf : int
        Node of the tree.
    conditions : tuple
        Interval, Category, Linear and Never from `treecore.tree.conditions`, with full precision.
    label : object
        Class label, number, or `LinearAnswer` for a linear leaf.
    n_rows : int
        Number of covered rows.
    share : float
        Covered rows as a share of all rows, in [0, 1].
    confidence : float or None, default=None
        Share of the covered rows that have the label, in [0, 1] (by weight, if the tree stores weights). None for
        regression, or if no row is covered.
    class_counts : tuple of float or None, default=None
        Number of rows (or weight) of each class in `RuleSet.classes`, None for regression.
    deviation : float or None, default=None
        Root mean squared difference between the rows and the predicted number. None for classification, or if no
        row is covered.
    precision : int, str or None, default=None
        Significant digits in the text, "enough" as in `rules`, None for all.
    n_features : int, default=0
        Number of features per row.
    feature_names : tuple of str or None, default=None
        Names of the features, to which the columns of a DataFrame are matched.
    learns_missing : bool, default=False
        Whether rows may have missing values.
    origin : int, default=-1
        Origin id of the leaf.
    name : str, default=""
        Name of the rule, such as "leaf 5 of 17".
    target : type, default=Classes
        Kind of `Target` of the tree.
    rows_name : str, default="rows"
        Name of the counted rows, such as "test rows".
    target_name : str, default=""
        Name of the predicted column.
    statistics : dict of str to float, default={}
        Values of the leaf for all statistics in `treecore.statistics.declared` that apply to rules, NaN if undefined.

    See Also
    --------
    RuleSet : All rules of a tree.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier
    >>> from treecore.rules import rules
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> rule = rules(CARTClassifier(random_state=0).fit(X, y), precision=3)[0]
    >>> rule.condition_text, rule.label_text, rule.n_rows
    ('petal width (cm) < 0.8', '0', 50)
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
    feature_names: tuple[str, ...] | None = field(default=None, repr=False, compare=False)
    learns_missing: bool = field(default=False, repr=False)
    origin: int = field(default=-1, repr=False)
    name: str = field(default="", repr=False)
    target: type[Target] = field(default=Classes, repr=False)
    rows_name: str = field(default=ROWS, repr=False)
    target_name: str = field(default="", repr=False)
    statistics: Mapping[str, float] = field(default_factory=dict, repr=False, compare=False)

    def covers(self, X: ArrayLike) -> np.ndarray:
        """Return whether each row satisfies all conditions, with exact numbers.

        Parameters
        ----------
        X : array-like, CSR matrix or DataFrame of shape (n, n_features)
            Rows. The columns of a DataFrame are matched by name.

        Returns
        -------
        bool array of shape (n,)
            True for covered rows.

        Raises
        ------
        DataError
            If the tree does not support `X`.
        """
        columns = Columns(check_rows(X, self.n_features, self.learns_missing, self.feature_names))
        out = np.ones(columns.n, np.bool_)
        for condition in self.conditions:
            out &= condition.covers(columns)
        return out

    @property
    def condition_text(self) -> str:
        """Conditions joined by "and", in the syntax of typed rules, or "always" without conditions."""
        return conjunction(self.conditions, self.precision)

    def texts(
        self, most_terms: int | None = None, deviation: np.ndarray | None = None, missed: np.ndarray | None = None
    ) -> list[str]:
        """Return the readable text of each condition.

        Parameters
        ----------
        most_terms : int or None, default=None
            Maximum number of terms in a weighted sum, largest first. None keeps all.
        deviation : float array of shape (d,) or None, default=None
            Standard deviation of each feature, which makes terms of different units comparable.
        missed : bool array of shape (d,) or None, default=None
            Features whose missing values the texts mention, None for all.

        Returns
        -------
        list of str
            One text per condition.
        """
        return texts(self.conditions, self.precision, most_terms, deviation, missed)

    @property
    def features_used(self) -> dict:
        """Feature numbers in the conditions, by the name of the feature or categorical column."""
        return features_used(self.conditions)

    @property
    def n_errors(self) -> int | None:
        """Number of covered rows of another class, from the confidence; None for regression."""
        if self.class_counts is None:
            return None
        return 0 if self.confidence is None else round((1.0 - self.confidence) * self.n_rows)

    @property
    def label_text(self) -> str:
        """Text of the prediction, ``survived = no`` if the name of the target is known."""
        if isinstance(self.label, LinearAnswer):
            return str(self.label)
        text = self.target.label_text(self.label, self.precision)
        return f"{quoted(self.target_name)} = {text}" if self.target_name else text

    @property
    def label_name(self) -> str:
        """Text of the prediction, or the short name of a linear model."""
        return self.label.name if isinstance(self.label, LinearAnswer) else str(self.label)

    @property
    def of_rows(self) -> str:
        """Name of the counted rows in singular or plural, such as "test row"."""
        return self.rows_name[: -1 if self.n_rows == 1 else None]

    def phrases(self, face: str, statistics: Sequence[NodeStatistic], target: Any, **words: str) -> list[str]:
        """Return the texts of the statistics that the rule has.

        Parameters
        ----------
        face : str
            Place that shows the texts, see `NodeStatistic.phrase`.
        statistics : sequence of NodeStatistic
            The statistics.
        target : Target
            Target of the tree.
        **words : str
            Additional words for the texts.

        Returns
        -------
        list of str
            One text per statistic.
        """
        values = [(one, self.statistics[one.name]) for one in statistics]
        told = {"n_rows": count(self.n_rows), "of_rows": self.of_rows} | words
        return [one.phrase(face, value, target, **told) for one, value in values if np.isfinite(value)]

    def to_text(self, statistics: Sequence[NodeStatistic]) -> str:
        """Return the rule as text, with some of its statistics.

        Parameters
        ----------
        statistics : sequence of NodeStatistic
            The statistics.

        Returns
        -------
        str
            A single line.
        """
        told = ", ".join(self.phrases("text", statistics, self.target))
        return f"if {self.condition_text} then {self.label_text} ({told})"

    def __str__(self):
        return self.to_text(in_face(STATISTICS.values(), "text", self.target, self.statistics))
