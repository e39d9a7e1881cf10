"""Parameters of the TAO estimators, each declared once.

The classes `TAOParameters`, `ClassifierParameters` and `RegressorParameters` define the parameters of the estimators,
their docstrings, command-line options, page settings and tables in the documentation.
"""

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from functools import cache
from types import SimpleNamespace
from typing import Any, TypeVar

import numpy as np

from treecore.constraints.column_values import COSTS, LARGEST_COST, LEAST_COST, SETS, SIGNS
from treecore.data.costs import check_cost_matrix
from treecore.data.regression import LOSSES
from treecore.data.training_data import LARGEST
from treecore.declarations import Choice, Declared, Kind, Number, Special, Whole, check_declarations
from treecore.docstrings import filled
from treecore.errors import ParameterError
from treecore.initial import INITIAL_TREES
from treecore.messages import literal, literals
from treecore.node_solvers import OBLIQUE_SOLVERS, SMALLEST_TOLERANCE, SPLITS
from treecore.node_solvers.bivariate import EXACTNESS, KEPT_FEATURES, MOST_FEATURES
from treecore.node_solvers.surrogates import SURROGATES
from treecore.training.parameter_kinds import (
    AUTO,
    CategoriesChoice,
    InitialTreeChoice,
    LambdaNumber,
    WholeOrShare,
    Words,
    check_class_weight,
    check_frozen,
    read_class_weight,
)
from treecore.tree.leaf_kinds import LEAF_KINDS
from treecore.tree.tree import Tree

EXACT = tuple(name for name in reversed(SPLITS) if SPLITS[name].is_exact)
CONSTANT = ("constant",)
INDENT = "    "  # indentation of a description in a docstring
Kinds = TypeVar("Kinds", bound=type)


@dataclass(frozen=True)
class Parameter(Declared):
    """Declaration of a parameter of an estimator.

    Parameters
    ----------
    doc : str
        Description for the docstring and the documentation.
    is_option : bool, default=True
        Whether the command line has an option for it, because a text can represent its value.
    is_repeated : bool, default=False
        Whether re-optimising an edited tree uses the value.
    of_path : bool, default=True
        Whether it applies to a regularisation path.
    """

    doc: str = ""
    is_option: bool = True
    is_repeated: bool = False
    of_path: bool = True

    @property
    def source(self) -> str:
        """Possible values for the docstring."""
        return self.kind.source + (" or None" if self.none or self.default is None else "")


def parameter(default: Any, kind: Kind, **others: Any) -> Any:
    """Return a dataclass field with a `Parameter`."""
    return field(default=default, metadata={"parameter": Parameter("", default, kind, **others)})


@dataclass(eq=False, repr=False)
class TAOParameters:
    """Parameters of both estimators."""

    split: str = parameter(
        "oblique",
        Choice(Words(SPLITS)),
        words="Split type",
        help="*Oblique*: weighted sum of several features. *Bivariate*: line through two features. *Univariate*: one "
        f"feature and a threshold. For more than {MOST_FEATURES:,} features, lines use only the {KEPT_FEATURES} "
        "features with the best thresholds in the node.",
        doc="Form of the decision nodes: a weighted sum of features with an l1 penalty, a line through two features, "
        "or one feature and a threshold. Univariate and bivariate splits minimise the true 0/1 loss.",
        is_repeated=True,
    )
    lam: float | str = parameter(
        AUTO,
        LambdaNumber(0.0, LARGEST),
        words="Regularisation strength λ",
        help="Weight of the penalty on the size of the tree. Larger λ gives smaller trees.",
        doc="Regularisation strength λ of the objective ``loss + lam * penalty``. The loss is the number of "
        "misclassified rows, their cost, or the sum of the squared or absolute errors. For oblique nodes this is 1/C "
        "of LIBLINEAR. 'auto' is suitable for most data: it follows the noise that CART leaves in the target, the "
        "numbers of rows, features and classes, and the mean weight of a row. The value is `lam_`.",
    )
    bivariate_cost: float = parameter(
        1.25,
        Number(1.0, LARGEST),
        words="Bivariate cost C",
        help=(
            "Penalty for a split on two features, relative to 1 for one feature. Larger C gives fewer bivariate splits."
        ),
        doc="Penalty C of a bivariate split, relative to 1 for a univariate split.",
        is_repeated=True,
    )
    init: str | Tree = parameter(
        AUTO,
        InitialTreeChoice(Words(INITIAL_TREES)),
        words="Initial tree",
        help="Tree that TAO starts from. TAO relearns every split and can prune nodes, but adds none. OC1 takes 30 s "
        "with many features, such as images. CART on bins is faster with many rows.",
        doc="Initial tree: 'auto' (CART, from histograms if there are many values, so that `random_state` has no "
        "effect; a random tree for large sparse X), a complete random tree, CART, CART with lines, OC1 (for "
        "split='oblique' and dense data), the optimal univariate tree, CART from histograms, or a `Tree` as a warm "
        "start. CART from histograms grows "
        "at most 1024 leaves, or `max_leaf_nodes`, and is much faster with many rows. The optimal tree has at most "
        "depth 4, uses quantiles of each feature and the thresholds of CART, and has the smallest objective for `lam` "
        "if the search ends within 10 s. It requires classification, dense data without missing values and the package "
        "pystreed.",
    )
    _: KW_ONLY
    max_depth: int | None = parameter(
        None,
        Whole(1),
        none="no limit",
        words="Maximum depth",
        help="Maximum depth of the initial tree. *No limit*: CART grows until its leaves are pure; a random tree has "
        "depth 8.",
        doc='Maximum depth of the initial tree. None means 8 for "random" and no limit for CART. If `init` is a '
        "`Tree`, only `block` and `refine` respect this limit.",
    )
    max_iter: int = parameter(
        20,
        Whole(0),
        words="Maximum passes",
        help="Maximum number of TAO passes. A pass optimises every node once.",
        doc="Maximum number of TAO passes over the tree.",
    )
    tol: float = parameter(
        0.0,
        Number(0.0),
        words="Tolerance",
        help="Training stops when a pass lowers the objective by less than this fraction.",
        doc="Training stops when a pass lowers the best objective by less than this fraction.",
    )
    node_solver: str = parameter(
        "auto",
        Choice(
            words={name: name for name in OBLIQUE_SOLVERS}
            | {"cd": "coordinate descent (fast)", "liblinear": "LIBLINEAR (as in the papers)"}
        ),
        words="Node solver",
        help="Solver for the reduced problem at each node.",
        doc='Solver of oblique nodes. "auto" and "cd" use the coordinate descent of treecore. "liblinear" uses the '
        "package liblinear-official if it is installed, else the copy in scikit-learn. That copy also solves all "
        "nodes whose rows have unequal weights. `trace_` records the solver (`node_programs`).",
        is_repeated=True,
    )
    surrogate: str = parameter(
        "logistic",
        Choice(
            words={name: name for name in SURROGATES} | {"logistic": "logistic", "squared_hinge": "squared hinge (SVM)"}
        ),
        words="Surrogate loss",
        help="Convex loss that replaces the 0/1 loss at each oblique node.",
        doc="Convex surrogate of the weighted 0/1 loss in oblique nodes.",
        is_repeated=True,
    )
    n_orientations: int = parameter(
        60,
        Whole(1),
        words="Line directions",
        help="Number of directions that the search for a line tries. More directions take longer.",
        doc="Number of directions of a line that the bivariate searches try (H in the paper).",
        is_repeated=True,
    )
    scale: str | None = parameter(
        "standard",
        Choice(words={"standard": "standard (mean 0, sd 1)", "minmax": "minmax (0 to 1)"}),
        none="unscaled",
        words="Feature scaling",
        help="Scaling of the features during training: *standard*, *minmax* or unscaled. It affects only the "
        "penalty. The tree is in original units.",
        doc="Scaling of the features to which the penalty applies. `tree_` is in raw units.",
    )
    frozen: Sequence[int] = parameter(
        (),
        Special("list of int", checker=check_frozen),
        doc="Origin ids of nodes that TAO leaves unchanged (with a `Tree` as `init`).",
        is_option=False,
    )
    n_jobs: int | None = parameter(
        None,
        Special("int", "a whole number", Whole(1).read),
        words="Threads",
        help="Number of threads.",
        doc="Number of threads. None means 1, and -1 uses all cores.",
    )
    random_state: int | np.random.RandomState | np.random.Generator | None = parameter(
        None,
        Special("int, RandomState, Generator"),
        words="Random seed",
        help="Random seed for the initial tree and for dividing the rows into training, validation and test rows.",
        doc="Random seed for the initial tree.",
        is_option=False,
    )
    callback: Callable | None = parameter(
        None,
        Special("callable"),
        doc="Function that is called with a `treecore.training.tao.TrainingStep` after each depth level. Training "
        "stops if it returns a true value.",
        is_option=False,
    )
    missing: str = parameter(
        "error",
        Choice(words={"error": "error", "learn": "learn a direction"}),
        words="Missing values",
        help="*Error*: reject missing values. *Learn*: each split sends them to the child with the lower loss.",
        doc='Treatment of missing values (NaN). "error" raises an error. "learn" lets univariate and bivariate nodes '
        "send them to the side with the smaller loss. If no training row of a node misses the value, they go to the "
        "side with more training weight.",
        applies={"split": tuple(name for name in reversed(SPLITS) if SPLITS[name].takes_missing), "leaf": CONSTANT},
    )
    exactness: str = parameter(
        "auto",
        Choice(
            words={name: name for name in EXACTNESS}
            | {"auto": "exact in small nodes", "screened": "screened pairs only", "exact": "exact in all nodes (slow)"}
        ),
        words="Line search",
        help="Search for bivariate splits. *Exact in small nodes*: exact for the best pairs of features. *Screened*: "
        "never exact. *Exact in all nodes*: all pairs, slow.",
        doc='Search for the line of a bivariate node. "exact": exact for all pairs of features. "auto": exact only in '
        'small nodes, for the most promising pairs. "screened": never exact. The time of "exact" grows with the '
        f"square of the rows. If more than {MOST_FEATURES:,} features vary, only pairs of the {KEPT_FEATURES} "
        "features with the best thresholds in the node are searched.",
        is_repeated=True,
    )
    categories: str | Sequence[Sequence[int]] = parameter(
        "features",
        CategoriesChoice(words={"features": "each on its own", "groups": "as groups"}),
        words="Categories",
        help="Splits on text columns. *Each on its own*: one category against all others. *As groups*: any group of "
        "categories against the others, with the penalty of one feature.",
        doc='Splits on columns of categories. "features": each category is a 0/1 feature of its own. "groups": a split '
        "sends each category of a column to its better child and counts as one feature. Categories without training "
        "rows in a node, and unknown ones, go to the side with more training weight. The columns are those that "
        "`FeatureEncoder` encodes, or 0/1 features of a DataFrame with names such as ``colour = red``. For an array, "
        "pass a list with the features of each column.",
        applies={"split": EXACT},
        is_repeated=True,
    )
    refine: int = parameter(
        0,
        Whole(0),
        words="Simplification sweeps",
        help="Number of sweeps after training that regrow subtrees and keep those that lower the objective.",
        doc="Number of sweeps of `treecore.training.regrow` after TAO. A sweep regrows subtrees on their rows, "
        "optimises them and keeps those that lower the objective. Trees become smaller, but training takes several "
        "times as long. Paths refuse this parameter.",
        applies={"split": EXACT, "leaf": CONSTANT},
        of_path=False,
    )
    block: int = parameter(
        1,
        Whole(1, 2),
        words="Levels per step",
        help="*2*: after the passes, TAO also optimises a decision node and its two children at once. Trees have a "
        "lower objective, but training takes several times as long.",
        doc="Number of levels that TAO optimises at once. With 2, steps after the passes optimise a decision node and "
        "its two children together and may split leaves again, up to `max_depth` or the depth of the tree "
        "(`treecore.training.two_levels`). Passes and steps alternate until neither lowers the objective, which is "
        "never larger than with 1. Thresholds lie between at most 64 groups of values. If the tree has many features "
        "and rows, the features with the best thresholds are used.",
        applies={"split": EXACT, "leaf": CONSTANT},
        is_repeated=True,
    )
    n_init: int = parameter(
        1,
        Whole(1),
        words="Number of starts",
        help="Number of initial trees. All but the first are random. The tree with the lowest objective is kept.",
        doc="Number of starts. The first start is `init`, the others are random trees. The tree with the smallest "
        "objective is kept, and `starts_` has the objectives. Training ends early when five starts agree on the "
        "smallest. Paths use all starts for their first lambda.",
    )
    leaf: str = parameter(
        "constant",
        Choice(words={name: kind.words for name, kind in LEAF_KINDS.items()}),
        words="Leaves",
        help=" ".join(f"*{kind.words.capitalize()}*: {kind.help}" for kind in LEAF_KINDS.values()),
        doc="Prediction of a leaf: its majority class or mean, or a sparse linear model (l1-regularised softmax "
        "regression or least squares). Linear leaves are trained in the same passes, on ``log loss (or squared "
        "error) + lam * penalty``. The penalty is that of the decision nodes plus l1 norms of the differences "
        "between the weights of each leaf and the weights that it shares with other leaves, on scaled features "
        "(`LinearLeafStep`). A small `max_depth` is then sufficient.",
    )
    node_tol: float | None = parameter(
        None,
        Number(SMALLEST_TOLERANCE, 1.0),
        none="automatic",
        words="Node tolerance",
        help="The node solver stops when a step lowers the objective of the node by less than this fraction.",
        doc="A solver of oblique nodes stops when a step lowers the objective of the node (surrogate loss plus "
        "penalty) by less than this fraction. None uses 1e-6 for up to 200,000 numbers (rows × features) and 3e-4 "
        "for more. With LIBLINEAR, None uses its default, 0.01.",
        is_repeated=True,
    )
    max_inner: int | None = parameter(
        None,
        Whole(1),
        none="automatic",
        words="Node steps",
        help="Maximum number of Newton steps per node (coordinate descent only).",
        doc="Maximum number of Newton steps of the coordinate descent for an oblique node. None uses 1,000 for up to "
        "200,000 numbers (rows × features) and 60 for more. `trace_` counts the nodes that did not converge "
        "(`n_unconverged`).",
        is_repeated=True,
    )
    min_samples_leaf: float = parameter(
        1,
        WholeOrShare(1),
        words="Minimum leaf size",
        help="Minimum number of training rows in a leaf. Larger values resist noise and give smaller trees.",
        doc="Smallest number of training rows in a leaf, or their share of all rows (a float), regardless of their "
        "weights. The initial tree is pruned until every leaf has at least this number. In a pass, a node adopts a new "
        "split only if every leaf below it then has at least this number of rows, or none (an empty leaf is removed). "
        "Otherwise, the node keeps its split or sends all rows to one side, whichever is better, so the objective does "
        "not increase. A tree with a single leaf, and the children of `frozen` nodes, may have fewer rows. Values "
        'above 1 cannot be combined with ``lams="critical"``.',
        is_repeated=True,
    )
    max_leaf_nodes: int | None = parameter(
        None,
        Whole(2),
        none="no limit",
        words="Maximum leaves",
        help="Maximum number of leaves. CART grows its purest nodes first. Training never exceeds the limit.",
        doc="Maximum number of leaves. CART then grows best-first, as in scikit-learn, and other initial trees are "
        "pruned to this number. No pass, step of two levels or `refine` sweep exceeds it.",
    )
    feature_costs: Any = parameter(
        None,
        COSTS,
        none="none",
        words="Feature costs",
        help="Cost of each feature in the penalty, for example of its measurement. Write age=2,price=0.5. Other "
        "columns have the cost 1.",
        doc="Cost of each column of X, for example of its measurement: a list, or a dict by column name in which other "
        f"columns cost 1. Costs are from {LEAST_COST:g} to {LARGEST_COST:g}. The penalty of a univariate split is the "
        "cost of its feature. A bivariate split has the larger cost plus ``bivariate_cost - 1`` times the smaller one, "
        "and the l1 norm of an oblique split is weighted by the costs. The 0/1 features of a column have its cost. A "
        "feature is paid for at each split that uses it.",
        applies={"leaf": CONSTANT},
        is_repeated=True,
    )
    monotonic_cst: Any = parameter(
        None,
        SIGNS,
        none="none",
        words="Monotone features",
        help="Features along which predictions only rise (1) or only fall (-1). Write age=1,price=-1. It needs "
        "regression, or two classes, of which the second in alphabetical order counts as the larger.",
        doc="Direction of each column of X: 1 if predictions must not fall with larger values, -1 if they must not "
        "rise, 0 without a constraint. A list, or a dict by column name. For two classes, this applies to the "
        "predicted class (the second of `classes_` is the larger), not to class probabilities. Columns of "
        "categories do not support it. Initial trees are changed until they satisfy the constraints, and training "
        "keeps them.",
        applies={"split": EXACT, "leaf": CONSTANT},
        is_repeated=True,
    )
    interaction_cst: Any = parameter(
        None,
        SETS,
        none="none",
        words="Interactions",
        help="Columns that one decision path may use together: *pairwise* (two), *no_interactions* (one), or sets such "
        "as age+price,height+weight.",
        doc="Sets of columns, of which one must contain all columns on the path from the root to a leaf, as in "
        "scikit-learn's ``HistGradientBoostingClassifier``: a list of sets of column numbers or names, 'pairwise' (all "
        "sets of two columns) or 'no_interactions' (all single columns). Columns in no set form a further set.",
        applies={"split": EXACT, "leaf": CONSTANT},
        is_repeated=True,
    )


@dataclass(eq=False, repr=False, kw_only=True)
class ClassifierParameters(TAOParameters):
    """Parameters of `TAOClassifier`."""

    class_weight: dict | str | None = parameter(
        None,
        Special(
            "'balanced', dict of class label to weight",
            "balanced, or a weight for each class such as no=1,yes=50",
            read_class_weight,
            check_class_weight,
        ),
        none="none",
        words="Class weights",
        help="*Balanced*: equal total weight for all classes. To set one weight per class, write no=1,yes=50.",
        doc='Weight of each class label. "balanced" gives all classes the same total weight.',
    )
    cost_matrix: Any = parameter(
        None,
        Special("array-like of shape (n_classes, n_classes), dict of dicts", checker=check_cost_matrix),
        none="none",
        words="Costs of mistakes",
        help="Cost of each mistake, by true and predicted class.",
        doc="Cost of each mistake, at least 0: ``cost_matrix[i][j]`` is the cost of a row of class i if class j is "
        "predicted. An array in the order of `classes_` with zeros on the diagonal, or a dict of dicts by class label. "
        "Each leaf then predicts its cheapest class, and the loss is the sum over the rows of their cost times sample "
        "weight times class weight. `predict_proba` still returns class shares, and `score` the accuracy; `mean_cost` "
        "returns the mean cost. None, and cost 1 for every mistake, count misclassified rows. For two classes, costs "
        "have the effect of class weights.",
        applies={"leaf": CONSTANT},
        is_option=False,
    )


@dataclass(eq=False, repr=False, kw_only=True)
class RegressorParameters(TAOParameters):
    """Parameters of `TAORegressor`."""

    shrinkage: float = parameter(
        0.0,
        Number(0.0, LARGEST),
        words="Leaf shrinkage",
        help="Pulls predictions of small leaves towards the means of their ancestors. Values from 1 to 30 lower the "
        "error of large trees.",
        doc="Hierarchical shrinkage after training (`shrunk`): the means of leaves with few rows are shrunk towards "
        "those of their ancestors. Values from 1 to 30 lower the error of large trees, and 0 has no effect.",
        applies={"leaf": CONSTANT},
    )
    loss: str = parameter(
        "squared_error",
        Choice(words={name: name.replace("_", " ") for name in LOSSES}),
        words="Loss",
        help="*Squared error*: leaves predict means. *Absolute error*: leaves predict medians, which outliers change "
        "less.",
        doc='Loss that training minimises: the sum of squared errors, or of absolute errors. With "absolute_error", '
        "leaves predict medians, which outliers change less, and paths and folds select by the mean absolute error. "
        "Initial trees are grown by the squared error. `lam` has the unit of the loss.",
        applies={"leaf": CONSTANT, "block": (1,), "shrinkage": (0.0,)},
        is_option=False,
    )


@cache
def parameters_of(kind: Any) -> dict[str, Parameter]:
    """Return the parameters of such a dataclass, {name: Parameter}, in order."""
    found = {}
    for one in fields(kind):
        declared: Parameter = one.metadata["parameter"]
        splits = tuple(name for name, split in SPLITS.items() if one.name in split.parameters)
        applies = {"split": splits} | dict(declared.applies) if splits else declared.applies
        found[one.name] = replace(declared, name=one.name, applies=applies)
    return found


CLASSIFIER, REGRESSOR = parameters_of(ClassifierParameters), parameters_of(RegressorParameters)
PARAMETERS = CLASSIFIER | REGRESSOR
BY_LOSS = {"unequal": CLASSIFIER, "squared": REGRESSOR}  # for each loss of a target
MISSING = tuple(PARAMETERS["missing"].kind.words)
check_declarations(CLASSIFIER)
check_declarations(REGRESSOR)


def described(*sources: type) -> Callable[[Kinds], Kinds]:
    """Return a decorator that adds entries for declared parameters to a docstring. sources : as in `filled`."""

    def describe(kind):
        entries = [
            f"{one.name} : {one.source}\n"
            + textwrap.fill(one.doc, 112, initial_indent=INDENT, subsequent_indent=INDENT)
            for one in parameters_of(kind).values()
        ]
        return filled(*sources, "\n".join(entries))(kind)

    return describe


def check_parameters(estimator: Any) -> None:
    """Raise ParameterError for values that are out of range, or that have no effect with the other values."""
    declared = parameters_of(type(estimator))
    for one in declared.values():
        one.check(getattr(estimator, one.name))
    for one, other, options in _without_effect(estimator, declared):
        given, value = getattr(estimator, other), getattr(estimator, one.name)
        raise ParameterError(
            f"{one.name}={literal(value)} has no effect with {other}={literal(given)}. Use "
            f"{other}={literals(options, between=' or ')}, or {one.name}={literal(one.default)}."
        )


def effective_parameters(kind: type, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of parameters without those that have no effect with the others, which estimators refuse.

    kind : class of an estimator. For settings that also contain values for other split types.
    """
    declared = parameters_of(kind)
    chosen = SimpleNamespace(**{name: one.default for name, one in declared.items()} | dict(values))
    unused = {one.name for one, _, _ in _without_effect(chosen, declared)}
    return {name: value for name, value in values.items() if name not in unused}


def _without_effect(values, declared):
    """Yield (parameter, name of another parameter, its values with which the first has an effect)."""
    start = INITIAL_TREES.get(values.init) if isinstance(values.init, str) else None
    for one in declared.values():
        if one.is_default(getattr(values, one.name)) or (start is not None and one.name in start.parameters):
            continue
        for other, options in one.applies.items():
            if getattr(values, other) not in options:
                yield one, other, options


def check_path_parameters(estimator: Any) -> None:
    """Raise ParameterError for values that have no effect on a path."""
    for one in parameters_of(type(estimator)).values():
        if not one.of_path and not one.is_default(value := getattr(estimator, one.name)):
            raise ParameterError(unused_on_path(one.name, value, one.default))


def unused_on_path(name: object, value: Any, default: Any) -> str:
    """Return the message about a parameter without an effect on a path."""
    return (
        f"{name}={literal(value)} has no effect on a path. Use {name}={literal(default)}, and fit an estimator with "
        f"{name}={literal(value)} for one lambda of the path."
    )
