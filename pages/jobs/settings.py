"""What a job is asked for, one frozen value for each kind, and what its fields may be, with the words for people."""

from dataclasses import dataclass, fields
from typing import ClassVar

from treecore import initial, node_solvers
from treecore.comparison.method_titles import DEFAULT_METHODS
from treecore.comparison.one_parameter import PARAMETERS
from treecore.training.phase import COSTS as PHASE_COSTS

SPLITS = {name: kind.words for name, kind in node_solvers.SPLITS.items()}
COSTS = {cost: f"C = {cost:g}" for cost in PHASE_COSTS}
ALL_COSTS = PHASE_COSTS  # what is trained for a slider of C
# offered for the C of a slider
MORE_COSTS = (1.0, 1.05, 1.1, 1.15, 1.2, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 5.0, 7.0, 10.0)
ROWS = {"standard": "published split, or 60 / 20 / 20 %", "pooled": "75 / 10 / 15 % of all rows"}
CLASS_WEIGHTS = {"equal": "every row counts the same", "balanced": "every class counts the same, however rare"}
LAMBDAS = {"grid": "a geometric grid", "critical": "every λ at which the tree changes"}
INITIAL_TREES = {name: kind.words for name, kind in initial.INITIAL_TREES.items()}
SOLVERS = {"cd": "coordinate descent (fast)", "liblinear": "LIBLINEAR (the papers')"}
LEAVES = {"constant": "one answer for all its rows", "linear": "a sparse linear model"}
LINEAR_DEPTH = 2  # of the initial tree, usually: a leaf that is a model says as much as many that are not
SWEEPS = 4  # of growing subtrees anew: what makes a tree smaller in them is most of what more of them would
SURROGATES = {"logistic": "logistic", "squared_hinge": "squared hinge (SVM)"}
DEPTHS = (1, 12)
FULLY_GROWN = 0  # depth of an initial tree
N_LAMBDAS = (2, 60)
SEEDS = (0, 10**6)
COST_RANGE = (1.0, 5.0)
LARGEST_LAMBDA = 1e24  # squared errors of large numbers need large ones
PROTOCOLS = {
    "folds": "cross-validation: every row tests once",
    "splits": "repeated random splits, 20 % to test",
    "published": "the published split, once",
}
RULES = {"min": "smallest validation error", "one_se": "smallest tree within one standard error of it"}
OVER = {"": "none: every method at its best"} | {name: one.title for name, one in PARAMETERS.items()}
REPEATS, INNER, LIMITS = (2, 20), (2, 10), (1, 600)


@dataclass(frozen=True)
class Settings:
    """Everything that decides which path is trained."""

    kind: ClassVar[str] = "path"

    data_set: str = "mnist-5k"
    split: str = "oblique"
    init: str = "random"
    max_depth: int = 8  # FULLY_GROWN: as far as it goes (8 for a random one)
    n_lambdas: int = 30
    node_solver: str = "cd"
    surrogate: str = "logistic"
    bivariate_cost: float = 1.25
    seed: int = 0
    rows: str = "standard"
    class_weight: str = "equal"  # one of `CLASS_WEIGHTS`, or a number for each class, see `class_weights`
    lambdas: str = "grid"  # one of `LAMBDAS`; with "critical" n_lambdas is the largest number of trees
    leaf: str = "constant"  # one of `LEAVES`


@dataclass(frozen=True)
class PathSettings(Settings):
    """A path, and what more the visitor asked for: one lambda, whose tree has `refine` sweeps of growing subtrees anew,
    or other C for each lambda (`costs`, rising). OF_DATA : what another data set begins with."""

    OF_DATA: ClassVar[dict] = {"lam": None, "refine": 0, "costs": (), "class_weight": "equal"}

    lam: float | None = None
    refine: int = 0
    costs: tuple[float, ...] = ()

    def path(self):
        """`Settings` of the path alone."""
        return Settings(**{field.name: getattr(self, field.name) for field in fields(Settings)})

    @property
    def sweeps(self):
        """How many sweeps of growing subtrees anew the tree of `lam` can have."""
        return self.refine if node_solvers.SPLITS[self.split].is_exact and self.leaf == "constant" else 0

    def grid(self):
        """`PhaseSettings` of the trees of every C, None where one C is enough."""
        if not self.costs or "bivariate_cost" not in node_solvers.SPLITS[self.split].parameters:
            return None
        return PhaseSettings(**{field.name: getattr(self, field.name) for field in fields(PhaseSettings)})


def initial_trees(split):
    """{name: words} of the initial trees that trees of such a `split` can start from."""
    most = node_solvers.SPLITS[split].most_features
    kinds = initial.INITIAL_TREES
    return {name: words for name, words in INITIAL_TREES.items() if most is None or kinds[name].n_features <= most}


def following_split(split):
    """Dict of the settings that change when the kind of split becomes `split`, with the split itself."""
    kind = node_solvers.SPLITS[split]
    return {"split": split, "init": kind.usual_init} | ({} if kind.is_exact else {"lambdas": "grid"})


def bivariate(**values):
    """`PathSettings` of trees with lines, from CART as deep as it gets; values : what else differs."""
    usual = {"data_set": "breast-cancer", "split": "bivariate", "init": "cart", "max_depth": FULLY_GROWN}
    return PathSettings(**usual | values)


FIRST = bivariate(data_set="wine")  # of a visitor who comes without a link
# kinds of data (`Entry.kind`) with another split at first than `FIRST`: one pixel tells little
SPLIT_OF_KIND = {"images": "oblique"}


@dataclass(frozen=True)
class PhaseSettings:
    """Everything that decides which phase diagram is trained."""

    kind: ClassVar[str] = "phase"

    data_set: str = "breast-cancer"
    init: str = "cart"
    max_depth: int = FULLY_GROWN
    n_lambdas: int = 20
    costs: tuple[float, ...] = PHASE_COSTS
    seed: int = 0
    rows: str = "standard"
    class_weight: str = "equal"
    leaf: str = "constant"


@dataclass(frozen=True)
class ComparisonSettings:
    """Everything that decides which comparison is made."""

    kind: ClassVar[str] = "comparison"

    data_set: str = "breast-cancer"
    methods: tuple[str, ...] = DEFAULT_METHODS
    protocol: str = "folds"
    repeats: int = 5  # folds, or random splits
    inner: int = 3  # folds of the training rows, to choose settings by
    rule: str = "min"
    limit: int = 60  # seconds for a method on a fold
    seed: int = 0
    over: str = ""  # one of `PARAMETERS`, every method at each of its values; "" for none


@dataclass(frozen=True)
class OneTree:
    """The tree of exactly this lambda, trained from a tree of the path (its JSON) or from the initial tree (None).

    refine : sweeps in which subtrees are grown anew; first_origin : smallest id of their nodes
    """

    kind: ClassVar[str] = "tree"

    path: Settings
    lam: float
    start: str | None
    refine: int = 0
    first_origin: int = 0


@dataclass(frozen=True)
class CrossValidation:
    """Errors of the trees of a path on rows that are left out in turn; lams : its λ, rising."""

    kind: ClassVar[str] = "folds"

    path: Settings
    lams: tuple[float, ...]
    folds: int = 5


@dataclass(frozen=True)
class Improvement:
    """A better tree than the one given (its JSON), of which `path` says the data, rows and kind of decisions."""

    kind: ClassVar[str] = "improvement"

    path: Settings
    start: str
