"""What a job is asked for, one frozen value for each kind, and what its fields may be, with the words for people."""

from dataclasses import dataclass, fields
from typing import ClassVar

from pages.jobs import class_weights
from pages.jobs.class_weights import CLASS_WEIGHTS
from pages.jobs.setting import checked, declared, of, setting
from treecore import initial, node_solvers
from treecore.comparison.method_titles import DEFAULT_METHODS, METHOD_TITLES
from treecore.comparison.one_parameter import PARAMETERS as COMPARED
from treecore.declarations import Choice, Number, Special, Whole
from treecore.training.parameters import CONSTANT, EXACT, PARAMETERS
from treecore.training.phase import COSTS as PHASE_COSTS

SPLITS, LEAVES = PARAMETERS["split"].kind.words, PARAMETERS["leaf"].kind.words
INITIAL_TREES = PARAMETERS["init"].kind.words
COSTS = {cost: f"C = {cost:g}" for cost in PHASE_COSTS}
ALL_COSTS = PHASE_COSTS  # what is trained for a slider of C
# offered for the C of a slider
MORE_COSTS = (1.0, 1.05, 1.1, 1.15, 1.2, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 5.0, 7.0, 10.0)
ROWS = {"standard": "published split, or 60 / 20 / 20 %", "pooled": "75 / 10 / 15 % of all rows"}
LAMBDAS = {"grid": "a geometric grid", "critical": "every λ at which the tree changes"}
LINEAR_DEPTH = 2  # of the initial tree, usually: a leaf that is a model says as much as many that are not
SWEEPS = 4  # of growing subtrees anew: what makes a tree smaller in them is most of what more of them would
FULLY_GROWN = 0  # depth of an initial tree
LARGEST_LAMBDA = 1e24  # squared errors of large numbers need large ones
LAMBDA = Number(0.0, LARGEST_LAMBDA)
PROTOCOLS = {
    "folds": "cross-validation: every row tests once",
    "splits": "repeated random splits, 20 % to test",
    "published": "the published split, once",
}
RULES = {"min": "smallest validation error", "one_se": "smallest tree within one standard error of it"}
OVER = {"": "none: every method at its best"} | {name: one.title for name, one in COMPARED.items()}


def initial_trees(split):
    """{name: words} of the initial trees that trees of such a `split` can start from."""
    most = node_solvers.SPLITS[split].most_features
    kinds = initial.INITIAL_TREES
    return {name: words for name, words in INITIAL_TREES.items() if most is None or kinds[name].n_features <= most}


def _costs(text):
    values = [Number().read(part) for part in text.split("-")]
    known = {value for value in values if value in MORE_COSTS}
    return tuple(sorted(known)) if known and len(known) == len(values) else None


def _methods(text):
    names = tuple(dict.fromkeys(name for name in text.split("-") if name in METHOD_TITLES))
    return names or None


def depths(most):
    """{depth of an initial tree: words} up to the largest."""
    return {FULLY_GROWN: "as deep as it gets"} | {depth: str(depth) for depth in range(1, most + 1)}


def of_depth(default, most, **others):
    """Field of the depth of the initial tree, `FULLY_GROWN` in place of None."""
    return of(
        "max_depth", default=default, kind=Whole(FULLY_GROWN, most), none="", parameter="", options=depths(most),
        **others,
    )  # fmt: skip


def of_data_set(default):
    """Field of the name of a data set."""
    return setting(default, Special(reader=lambda text: text[:100]), words="Data set")


def of_seed():
    """Field of the random seed."""
    return of("random_state", default=0, kind=Whole(0, 10**6), parameter="")


def of_bivariate_cost(**others):
    """Field of the C of a slider."""
    return of("bivariate_cost", kind=Number(1.0, 5.0), **{"is_slider": True, "step": 0.05, **others})


def of_costs(default=()):
    """Field of the C that trees are trained for."""
    return setting(
        default,
        Special(reader=_costs),
        words="Prices C of a second feature",
        help=f"{PARAMETERS['bivariate_cost'].help} The slider of C below the tree has these.",
        options={cost: f"{cost:g}" for cost in MORE_COSTS},
        is_of_data=True,
    )


@dataclass(frozen=True)
class TreeSettings:
    """Settings of every tree."""

    data_set: str = of_data_set("mnist-5k")
    init: str = of("init", options=lambda now: INITIAL_TREES if now is None else initial_trees(now.split))
    max_depth: int = of_depth(8, 12)
    n_lambdas: int = setting(30, Whole(2, 60), words="Number of λ values", help="Trees on the path.", is_slider=True)
    seed: int = of_seed()
    rows: str = setting(
        "standard",
        Choice(ROWS),
        words="Rows (training / validation / test)",
        help="Training rows make the trees, validation rows choose among them, test rows judge the choice.",
    )
    # one of `CLASS_WEIGHTS`, or a number for each class, see `class_weights`
    class_weight: str = setting(
        "equal",
        Special(allowed="equal, balanced, or a number for each class such as 1-50", reader=class_weights.known),
        words=PARAMETERS["class_weight"].words,
        help="With a rare class, such as 1 % fraud, a tree that never says it is 99 % right. Balanced, every class "
        "counts the same, in training and in the errors of the curves; with a number for each class, a row counts as "
        "so many.",
        options=CLASS_WEIGHTS,
        is_of_data=True,
    )
    leaf: str = of(
        "leaf",
        follows={"linear": {"max_depth": LINEAR_DEPTH, "lambdas": "grid"}, "constant": {"max_depth": FULLY_GROWN}},
    )
    min_samples_leaf: int = of("min_samples_leaf", kind=Whole(1, 100_000), is_rare=True)
    shrinkage: float = of("shrinkage", kind=Number(0.0, 1e6), is_rare=True)
    n_orientations: int = of("n_orientations", kind=Whole(1, 360), is_rare=True)
    exactness: str = of("exactness", is_rare=True)
    scale: str | None = of("scale", default=None, none="as suits the data", is_rare=True)
    max_iter: int = of("max_iter", kind=Whole(1, 1000), is_rare=True)
    tol: float | None = of("tol", default=None, kind=Number(0.0, 1.0), none="as suits the data", is_rare=True)


@checked
@dataclass(frozen=True)
class Settings(TreeSettings):
    """Everything that decides which path is trained."""

    kind: ClassVar[str] = "path"

    split: str = of(
        "split",
        follows={
            name: {"init": kind.usual_init} | ({} if kind.is_exact else {"lambdas": "grid"})
            for name, kind in node_solvers.SPLITS.items()
        },
    )
    node_solver: str = of(
        "node_solver",
        default="cd",
        kind=Choice({name: PARAMETERS["node_solver"].kind.words[name] for name in ("cd", "liblinear")}),
    )
    surrogate: str = of("surrogate")
    bivariate_cost: float = of_bivariate_cost()
    # with "critical" n_lambdas is the largest number of trees
    lambdas: str = setting(
        "grid",
        Choice(LAMBDAS),
        words="Values of λ",
        help="A tree with thresholds and lines changes at certain λ only, which can be worked out (Kairgeldin and "
        "Carreira-Perpiñán 2024, section 2.1.2): between two it stays as it is.",
        applies={"split": EXACT, "leaf": CONSTANT, "min_samples_leaf": (1,)},
    )
    node_tol: float | None = of("node_tol", is_rare=True)
    max_inner: int | None = of("max_inner", kind=Whole(1, 100_000), is_rare=True)


@checked
@dataclass(frozen=True)
class PathSettings(Settings):
    """A path, and what more the visitor asked for: one lambda, whose tree has `refine` sweeps of growing subtrees anew,
    or other C for each lambda (`costs`, rising)."""

    lam: float | None = of(
        "lam",
        default=None,
        kind=LAMBDA,
        none="the grid",
        words="Train at exactly this λ",
        help="The slider below the tree has the λ of a grid. Type another one: its tree is trained at once and joins "
        "the path.",
        placeholder="e.g. 4.2",
        follows={...: {"refine": 0}},
        is_of_data=True,
    )
    refine: int = of("refine", kind=Whole(0, SWEEPS), is_of_data=True)
    costs: tuple[float, ...] = of_costs()

    def path(self):
        """`Settings` of the path alone."""
        return Settings(**{field.name: getattr(self, field.name) for field in fields(Settings)})

    @property
    def sweeps(self):
        """How many sweeps of growing subtrees anew the tree of `lam` can have."""
        return self.refine if declared(PathSettings)["refine"].is_effective(self) else 0

    def grid(self):
        """`PhaseSettings` of the trees of every C, None where one C is enough."""
        if not self.costs or "bivariate_cost" not in node_solvers.SPLITS[self.split].parameters:
            return None
        return PhaseSettings(**{field.name: getattr(self, field.name) for field in fields(PhaseSettings)})


def following_split(split):
    """Dict of the settings that change when the kind of split becomes `split`, with the split itself."""
    return {"split": split} | declared(Settings)["split"].following(split)


def of_data(settings):
    """Dict of the settings that another data set begins with."""
    return {name: one.default for name, one in declared(type(settings)).items() if one.is_of_data}


def bivariate(**values):
    """`PathSettings` of trees with lines, from CART as deep as it gets; values : what else differs."""
    usual = {"data_set": "breast-cancer", "split": "bivariate", "init": "cart", "max_depth": FULLY_GROWN}
    return PathSettings(**usual | values)


FIRST = bivariate(data_set="wine")  # of a visitor who comes without a link
# kinds of data (`Entry.kind`) with another split at first than `FIRST`: one pixel tells little
SPLIT_OF_KIND = {"images": "oblique"}


@dataclass(frozen=True)
class PhaseSettings(TreeSettings):
    """Everything that decides which phase diagram is trained."""

    kind: ClassVar[str] = "phase"

    data_set: str = of_data_set("breast-cancer")
    init: str = of("init", default="cart")
    max_depth: int = of_depth(FULLY_GROWN, 12)
    n_lambdas: int = setting(20, Whole(2, 60))
    costs: tuple[float, ...] = of_costs(PHASE_COSTS)


@checked
@dataclass(frozen=True)
class ComparisonSettings:
    """Everything that decides which comparison is made."""

    kind: ClassVar[str] = "comparison"

    data_set: str = of_data_set("breast-cancer")
    methods: tuple[str, ...] = setting(
        DEFAULT_METHODS,
        Special(reader=_methods),
        words="Methods",
        help="Each on the same rows. What is trained already is not trained again.",
    )
    # one of `PARAMETERS` of the comparison, every method at each of its values; "" for none
    over: str = setting(
        "",
        Choice(OVER),
        words="Over one parameter",
        help="Every method at each of some values of it, in place of the best one: error, size and seconds as curves.",
    )
    protocol: str = setting(
        "folds",
        Choice(PROTOCOLS),
        words="Protocol",
        help="Settings (λ, depth, CF, ...) are chosen on the training rows alone; the test rows judge the one model "
        "that was chosen.",
    )
    repeats: int = setting(
        5,
        Whole(2, 20),
        words="Folds, or random splits",
        help="Every method is trained and tested so often.",
        is_slider=True,
    )
    inner: int = setting(
        3, Whole(2, 10), words="Inner folds", help="Of the training rows, to choose settings by.", is_slider=True
    )
    rule: str = setting(
        "min",
        Choice(RULES),
        words="Choose the setting with the",
        help="By the errors of the inner folds. CART prunes by its own cross-validation and the 1-SE rule, as rpart "
        "does.",
    )
    limit: int = setting(
        60,
        Whole(1, 600),
        words="Time limit in seconds",
        help="For one method on one fold. A method that runs out of time says so, the others go on.",
        is_slider=True,
    )
    seed: int = of_seed()


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
