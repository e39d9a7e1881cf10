"""Declare the settings of each kind of job as a frozen dataclass. Every field has a range, a label and a help text."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from pages.jobs import class_weights
from pages.jobs.class_weights import CLASS_WEIGHTS
from pages.jobs.setting import check_settings, of, setting, settings_of
from treecore import initial, node_solvers
from treecore.comparison.method_titles import DEFAULT_METHODS, METHOD_TITLES
from treecore.comparison.one_parameter import PARAMETERS as COMPARED
from treecore.declarations import Choice, Number, Special, Whole
from treecore.training.parameters import CONSTANT, EXACT, PARAMETERS
from treecore.training.phase import COSTS as PHASE_COSTS
from treecore.training.size_path import EACH, OF_CLASS

SPLITS, LEAVES = PARAMETERS["split"].kind.words, PARAMETERS["leaf"].kind.words
INITIAL_TREES = PARAMETERS["init"].kind.words
COSTS = {cost: f"C = {cost:g}" for cost in PHASE_COSTS}
ALL_COSTS = PHASE_COSTS  # values of C for which trees are trained when C has a slider
# values of C that the control offers
MORE_COSTS = (1.0, 1.05, 1.1, 1.15, 1.2, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 5.0, 7.0, 10.0)
ROWS = {"standard": "published split, or 60 / 20 / 20 %", "pooled": "75 / 10 / 15 % of all rows"}
SWEPT = {"lambda": "λ", "size": "Size"}
LAMBDAS = {"grid": "geometric grid", "critical": "critical values"}
LINEAR_DEPTH = 2  # default depth of the initial tree, because one linear leaf replaces many constant ones
SWEEPS = 4  # with more sweeps of regrowing subtrees, a tree hardly becomes smaller
FULLY_GROWN = 0  # depth of an initial tree without a limit
LARGEST_LAMBDA = 1e24  # squared errors of large numbers need a large λ
LAMBDA = Number(0.0, LARGEST_LAMBDA)
PROTOCOLS = {
    "folds": "cross-validation",
    "splits": "repeated random splits (20 % test)",
    "published": "published split",
}
RULES = {"min": "smallest validation error", "one_se": "one-standard-error rule"}
OVER = {"": "none"} | {name: one.title for name, one in COMPARED.items()}


def initial_trees(split: str) -> dict[str, str]:
    """Return {name: words} for the initial trees that suit a `split`."""
    most = node_solvers.SPLITS[split].most_features
    kinds = initial.INITIAL_TREES
    return {name: words for name, words in INITIAL_TREES.items() if most is None or kinds[name].n_features <= most}


def _costs(text: str) -> tuple[float, ...] | None:
    values = [Number().read(part) for part in text.split("-")]
    known = {value for value in values if value is not None and value in MORE_COSTS}
    return tuple(sorted(known)) if known and len(known) == len(values) else None


def _columns(text: str) -> tuple[int, ...] | None:
    read = [Whole().read(part) for part in text.split("-")]
    found = {column for column in read if column is not None}
    return tuple(sorted(found)) if len(found) == len(read) else None


def _methods(text: str) -> tuple[str, ...] | None:
    names = tuple(dict.fromkeys(name for name in text.split("-") if name in METHOD_TITLES))
    return names or None


def depths(most: int) -> dict[int, str]:
    """Return {depth of an initial tree: words}, up to the depth `most`."""
    return {FULLY_GROWN: "no limit"} | {depth: str(depth) for depth in range(1, most + 1)}


def of_depth(default: int, most: int, **others: Any) -> Any:
    """Return the field for the depth of the initial tree. `FULLY_GROWN` means no limit."""
    return of(
        "max_depth", default=default, kind=Whole(FULLY_GROWN, most), none="", parameter="", options=depths(most),
        **others,
    )  # fmt: skip


def of_data_set(default: str) -> Any:
    """Return the field for the name of a data set."""
    return setting(
        default,
        Special(reader=lambda text: text[:100]),
        words="Data set",
        help="Data that the trees are trained on. The Data page describes each data set.",
    )


def of_seed() -> Any:
    """Return the field for the random seed."""
    return of("random_state", default=0, kind=Whole(0, 10**6), parameter="")


def of_bivariate_cost(**others: Any) -> Any:
    """Return the field for the C that a slider shows."""
    return of("bivariate_cost", kind=Number(1.0, 5.0), **{"is_slider": True, "step": 0.05, **others})


def of_costs(default: tuple[float, ...] = ()) -> Any:
    """Return the field for all C values of a path."""
    return setting(
        default,
        Special(reader=_costs),
        words="Bivariate costs C",
        help=f"{PARAMETERS['bivariate_cost'].help} The C slider below the tree has these values.",
        options={cost: f"{cost:g}" for cost in MORE_COSTS},
        is_of_data=True,
    )


def of_columns(name: str, example: str) -> Any:
    """Return the field for a parameter with values for columns, as the text that its declaration reads."""
    kind = PARAMETERS[name].kind
    return of(
        name,
        kind=Special(allowed=kind.allowed, reader=lambda text: text[:500] if kind.read(text[:500]) else None),
        placeholder=example,
        is_rare=True,
        is_of_data=True,
    )


@dataclass(frozen=True)
class TreeSettings:
    """Settings of every tree."""

    data_set: str = of_data_set("mnist-5k")
    init: str = of(
        "init", default="random", options=lambda now: INITIAL_TREES if now is None else initial_trees(now.split)
    )
    max_depth: int = of_depth(8, 12)
    n_lambdas: int = setting(
        30,
        Whole(2, 60),
        words="Number of λ",
        help="Number of trees on the path. More trees take longer.",
        is_slider=True,
    )
    seed: int = of_seed()
    rows: str = setting(
        "standard",
        Choice(ROWS),
        words="Data split",
        help="Shares of training, validation and test rows. Training rows fit the trees, validation rows select a "
        "tree, and test rows estimate the error of that tree.",
    )
    # one of `CLASS_WEIGHTS`, or one number per class; see `class_weights`
    class_weight: str = setting(
        "equal",
        Special(allowed="equal, balanced, or one number per class such as 1-50", reader=class_weights.valid_text),
        words=PARAMETERS["class_weight"].words,
        help="Weights of the classes in training and in the error curves. *Balanced*: equal total weight for every "
        "class, so that a tree cannot ignore a rare one. *Custom*: one weight per class.",
        options=CLASS_WEIGHTS,
        is_of_data=True,
    )
    leaf: str = of(
        "leaf",
        follows={"linear": {"max_depth": LINEAR_DEPTH, "lambdas": "grid"}, "constant": {"max_depth": FULLY_GROWN}},
    )
    categories: str = of("categories", is_of_data=True)
    min_samples_leaf: int = of("min_samples_leaf", kind=Whole(1, 100_000), is_rare=True)
    max_leaf_nodes: int | None = of("max_leaf_nodes", kind=Whole(2, 100_000), is_rare=True)
    feature_costs: str | None = of_columns("feature_costs", "age=2,price=0.5")
    monotonic_cst: str | None = of_columns("monotonic_cst", "age=1,price=-1")
    interaction_cst: str | None = of_columns("interaction_cst", "pairwise")
    block: int = of("block", is_rare=True)
    n_init: int = of("n_init", kind=Whole(1, 100), is_rare=True)
    shrinkage: float = of("shrinkage", kind=Number(0.0, 1e6), is_rare=True)
    n_orientations: int = of("n_orientations", kind=Whole(1, 360), is_rare=True)
    exactness: str = of("exactness", is_rare=True)
    scale: str | None = of("scale", default=None, none="automatic", is_rare=True)
    max_iter: int = of("max_iter", kind=Whole(1, 1000), is_rare=True)
    tol: float | None = of("tol", default=None, kind=Number(0.0, 1.0), none="automatic", is_rare=True)
    start: int = setting(
        0,
        Whole(0, 1000),
        words="Random start",
        help="Number of the random initial tree. The data split stays the same.",
        applies={"init": ("random",)},
        is_rare=True,
    )
    # columns of the data whose values are hidden in training
    left_out: tuple[int, ...] = setting(
        (),
        Special(allowed="column numbers such as 0-3", reader=_columns),
        link="without",
        words="Features left out",
        help="Features that no split may use.",
        is_of_data=True,
    )


@check_settings
@dataclass(frozen=True)
class Settings(TreeSettings):
    """Settings of a regularisation path."""

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
    sweep: str = setting(
        "lambda",
        Choice(SWEPT),
        words="Slider",
        help=f"*Size*: the best trees found with at most 1, 2, … {EACH} leaves, or {OF_CLASS} leaves for each "
        "class if there are many. *λ*: the trees of a regularisation path.",
        applies={"leaf": CONSTANT},
    )
    # for "critical", n_lambdas is the maximum number of trees
    lambdas: str = setting(
        "grid",
        Choice(LAMBDAS),
        words="Values of λ",
        help="*Critical values*: compute every λ at which the tree changes (Kairgeldin and "
        "Carreira-Perpiñán 2024, section "
        "2.1.2). *Geometric grid*: evenly spaced on a log scale.",
        applies={
            "split": EXACT, "leaf": CONSTANT, "min_samples_leaf": (1,), "block": (1,), "sweep": ("lambda",)
        },
    )  # fmt: skip
    node_tol: float | None = of("node_tol", is_rare=True)
    max_inner: int | None = of("max_inner", kind=Whole(1, 100_000), is_rare=True)

    @property
    def has_sizes(self) -> bool:
        """Whether the trees belong to sizes instead of values of λ."""
        return self.sweep == "size" and settings_of(Settings)["sweep"].is_effective(self)


@check_settings
@dataclass(frozen=True)
class PathSettings(Settings):
    """Settings of a path, with an optional custom λ and several values of C.

    In `refine` sweeps, TAO regrows subtrees of the tree for `lam`. `costs` (ascending) lists the C values to train for
    each λ.
    """

    lam: float | None = of(
        "lam",
        default=None,
        kind=LAMBDA,
        none="the grid",
        words="Custom λ",
        help="Value of λ between the grid values. The app trains a tree for this λ immediately and adds the tree to "
        "the path.",
        placeholder="e.g. 4.2",
        applies={"sweep": ("lambda",)},
        follows={...: {"refine": 0}},
        is_of_data=True,
    )
    refine: int = of("refine", kind=Whole(0, SWEEPS), is_of_data=True)
    costs: tuple[float, ...] = of_costs()

    def path(self) -> Settings:
        """Return only the `Settings` of the path."""
        return Settings(**{field.name: getattr(self, field.name) for field in fields(Settings)})

    @property
    def sweeps(self) -> int:
        """Return the number of sweeps that regrow subtrees of the tree for `lam`."""
        return self.refine if settings_of(PathSettings)["refine"].is_effective(self) and not self.has_sizes else 0

    def grid(self) -> PhaseSettings | None:
        """Return the `PhaseSettings` that train the trees of every C, or None if one C is enough."""
        has_costs = "bivariate_cost" in node_solvers.SPLITS[self.split].parameters
        if not self.costs or not has_costs or self.has_sizes:
            return None
        return PhaseSettings(**{field.name: getattr(self, field.name) for field in fields(PhaseSettings)})


def following_split(split: str) -> dict[str, Any]:
    """Return the settings that change when the split type becomes `split`, including the split type."""
    return {"split": split} | settings_of(Settings)["split"].following(split)


def of_data(settings: TreeSettings | ComparisonSettings) -> dict[str, Any]:
    """Return the settings that choosing another data set resets."""
    return {name: one.default for name, one in settings_of(type(settings)).items() if one.is_of_data}


def bivariate(**values: Any) -> PathSettings:
    """Return `PathSettings` of bivariate trees that start from a fully grown CART.

    values : other settings.
    """
    usual: dict[str, Any] = {
        "data_set": "breast-cancer",
        "split": "bivariate",
        "init": "cart",
        "max_depth": FULLY_GROWN,
    }
    return PathSettings(**usual | values)


# kinds of data (`Entry.kind`) that open with oblique splits: a single pixel predicts little
SPLIT_OF_KIND = {"images": "oblique"}
SPLIT_OF_SET = {"wine": "oblique", "breast-cancer": "oblique"}  # measured by benchmarks.opening
DEPTH_OF_SET = {"digits": 5}  # limited, because the images in the nodes make a deep tree too wide


def opening(data_set: str, kind: str | None) -> dict[str, Any]:
    """Return the initial settings for a data set as changes to `bivariate()`; kind : its `Entry.kind`, or None."""
    split = SPLIT_OF_SET.get(data_set) or SPLIT_OF_KIND.get(kind or "", bivariate().split)
    depth = DEPTH_OF_SET.get(data_set, FULLY_GROWN)
    sweep = "size" if node_solvers.SPLITS[split].is_exact else "lambda"  # lambda varies the weights of oblique splits
    return following_split(split) | {"max_depth": depth, "sweep": sweep}


FIRST = bivariate(data_set="digits", **opening("digits", "images"))  # opened without a link


@dataclass(frozen=True)
class PhaseSettings(TreeSettings):
    """Settings of a phase diagram."""

    kind: ClassVar[str] = "phase"
    data_set: str = of_data_set("breast-cancer")
    init: str = of("init", default="cart")
    max_depth: int = of_depth(FULLY_GROWN, 12)
    n_lambdas: int = setting(20, Whole(2, 60))
    costs: tuple[float, ...] = of_costs(PHASE_COSTS)


@check_settings
@dataclass(frozen=True)
class ComparisonSettings:
    """Settings of a comparison."""

    kind: ClassVar[str] = "comparison"
    data_set: str = of_data_set("breast-cancer")
    methods: tuple[str, ...] = setting(
        DEFAULT_METHODS,
        Special(reader=_methods),
        words="Methods",
        help="Methods to compare on the same rows. Existing results are reused.",
    )
    # name in `PARAMETERS` of the comparison, each of whose values trains every method; "" for none
    over: str = setting(
        "",
        Choice(OVER),
        words="Vary one parameter",
        help="Trains every method at several values of one parameter, and plots error, size and time over these "
        "values.",
    )
    protocol: str = setting(
        "folds",
        Choice(PROTOCOLS),
        words="Protocol",
        help="How rows are divided into training and test rows. Training rows alone select the settings (λ, depth, "
        "CF, ...). Test rows evaluate the selected model once.",
    )
    repeats: int = setting(
        5,
        Whole(2, 20),
        words="Folds or splits",
        help="Number of folds or random splits. Each one trains and tests every method once.",
        is_slider=True,
    )
    inner: int = setting(
        3,
        Whole(2, 10),
        words="Inner folds",
        help="Number of folds within the training rows. These folds select the settings.",
        is_slider=True,
    )
    rule: str = setting(
        "min",
        Choice(RULES),
        words="Selection rule",
        help="Rule that selects settings by the errors in the inner folds. CART prunes by its own cross-validation "
        "and the one-standard-error rule, as in rpart.",
    )
    categories: str = of(
        "categories", applies={}, is_of_data=True,
        help="Splits on text columns in TAO trees, CART and bivariate CART. *Each on its own*: one category against "
        "all others. *As groups*: any group of categories against the others.",
    )  # fmt: skip
    limit: int = setting(
        60,
        Whole(1, 600),
        words="Time limit (s)",
        help="Time limit for each method in each fold. A method that exceeds this limit is left out.",
        is_slider=True,
    )
    seed: int = of_seed()


@dataclass(frozen=True)
class OneTree:
    """Settings of the tree for a custom λ.

    start : tree of the path as JSON, or None for the initial tree; refine : number of sweeps that regrow subtrees;
    first_origin : smallest id of the nodes of these subtrees.
    """

    kind: ClassVar[str] = "tree"
    path: Settings
    lam: float
    start: str | None
    refine: int = 0
    first_origin: int = 0


@dataclass(frozen=True)
class CrossValidation:
    """Settings of the cross-validation of a path.

    lams : λ values of the path, or its numbers of leaves, ascending.
    """

    kind: ClassVar[str] = "folds"
    path: Settings
    lams: tuple[float, ...]
    folds: int = 5


@dataclass(frozen=True)
class Reference:
    """CART, trained on the rows of a path for comparison."""

    kind: ClassVar[str] = "reference"
    data_set: str
    seed: int = 0
    rows: str = "standard"
    class_weight: str = "equal"
    categories: str = of("categories", applies={})

    @classmethod
    def of(cls, path: Settings) -> Reference:
        """Return the settings of CART for a path."""
        one = settings_of(type(path))["categories"]
        categories = path.categories if one.is_effective(path) else one.default
        return cls(path.data_set, path.seed, path.rows, path.class_weight, categories)


@dataclass(frozen=True)
class Improvement:
    """Settings of the search for a better tree than `start` (JSON).

    path : settings that determine the data, rows and split type.
    """

    kind: ClassVar[str] = "improvement"
    path: Settings
    start: str


@dataclass(frozen=True)
class Alternatives:
    """Settings of the search for other trees about as good as a tree.

    path : settings of the tree; n_leaves : its number of leaves; root : columns of each feature of its root split, the
    strongest first.
    """

    kind: ClassVar[str] = "alternatives"
    path: Settings
    n_leaves: int
    root: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Gap:
    """Settings of the search for the best tree of the depth of `tree` (JSON), which is trained with `lam`.

    path : settings that determine the data and rows.
    """

    kind: ClassVar[str] = "gap"
    path: Settings
    tree: str
    lam: float


@dataclass(frozen=True)
class AllRows:
    """Settings of trees that are trained on all rows of an entry of the folder of the machine.

    path : settings of the sample's tree; lam : its λ; folder : folder of the machine; source : JSON of
    `user_store.source`.
    """

    kind: ClassVar[str] = "all_rows"
    path: Settings
    lam: float
    folder: str
    source: str


@dataclass(frozen=True)
class SampleCurve:
    """Settings of the learning curve of a sample.

    path : settings of the trees; n_rows : number of rows from which the sample was drawn.
    """

    kind: ClassVar[str] = "sample_curve"
    path: Settings
    n_rows: int


JobSettings = (
    Settings | PhaseSettings | ComparisonSettings | OneTree | CrossValidation | Reference | Improvement | Alternatives
    | Gap | AllRows | SampleCurve
)  # fmt: skip
