"""Settings as the texts of an address, and back."""

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace

from pages.jobs import class_weights
from pages.jobs.settings import (
    COST_RANGE,
    DEPTHS,
    FULLY_GROWN,
    INITIAL_TREES,
    INNER,
    LAMBDAS,
    LARGEST_LAMBDA,
    LEAVES,
    LIMITS,
    MORE_COSTS,
    N_LAMBDAS,
    OVER,
    PROTOCOLS,
    REPEATS,
    ROWS,
    RULES,
    SEEDS,
    SOLVERS,
    SPLITS,
    SURROGATES,
    SWEEPS,
    ComparisonSettings,
    PathSettings,
    PhaseSettings,
    bivariate,
)
from treecore.comparison.method_titles import METHOD_TITLES


@dataclass(frozen=True)
class SettingsText:
    """How the settings of one page are written: those that differ from `default`.

    default : a dataclass; readers : functions from a text to a value, None for what is unknown or out of range, by the
    names of the fields; kept : function from the settings and their texts to the texts that are written, None for all.
    """

    default: object
    readers: dict
    kept: object = None

    def read(self, query):
        """Settings of a dict of texts; whatever is unknown or out of range is ignored."""
        read = {name: reader(query[name]) for name, reader in self.readers.items() if name in query}
        return replace(self.default, **{name: value for name, value in read.items() if value is not None})

    def misread(self, query):
        """Names of the texts that are unknown or out of range."""
        return [name for name, reader in self.readers.items() if name in query and reader(query[name]) is None]

    def allowed(self, name):
        """What is possible for a name, in words; "" where that takes more than a line, or the name is unknown."""
        return getattr(self.readers.get(name), "allowed", "")

    def write(self, settings):
        """Dict of texts: the settings that differ from the defaults."""
        default = asdict(self.default)
        texts = {name: _text(value) for name, value in asdict(settings).items() if value != default[name]}
        return texts if self.kept is None else self.kept(settings, texts)


def natural(text):
    """int of up to eight digits, else None."""
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 9 else None


def decimal(text):
    """float of a plain finite number, else None."""
    try:
        value = float(text) if text is not None and text.isascii() and len(text) < 30 else math.nan
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _text(value):
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, tuple):
        return "-".join(part if isinstance(part, str) else f"{part:g}" for part in value)
    return str(value)


@dataclass(frozen=True)
class Reader:
    """Function from a text to a value, None for what is not allowed; allowed : what is, in words."""

    read: Callable
    allowed: str

    def __call__(self, text):
        return self.read(text)


def one_of(options):
    """Reader of one of these texts."""
    return Reader(lambda text: text if text in options else None, f"one of {', '.join(options)}")


def between(read, low, high):
    """Reader of what `read` makes of a text, from low to high."""

    def within(text):
        value = read(text)
        return value if value is not None and low <= value <= high else None

    return Reader(within, f"{'a whole number' if read is natural else 'a number'} from {low:g} to {high:,g}")


def _costs(text):
    values = [decimal(part) for part in text.split("-")]
    known = {value for value in values if value in MORE_COSTS}
    return tuple(sorted(known)) if known and len(known) == len(values) else None


def _methods(text):
    names = tuple(dict.fromkeys(name for name in text.split("-") if name in METHOD_TITLES))
    return names or None


DATA_AND_SEED = {"data_set": lambda text: text[:100], "seed": between(natural, *SEEDS)}
COST = {"bivariate_cost": between(decimal, *COST_RANGE)}
LAMBDA = between(decimal, 0.0, LARGEST_LAMBDA)
_TRAINING = DATA_AND_SEED | {
    "init": one_of(INITIAL_TREES),
    "n_lambdas": between(natural, *N_LAMBDAS),
    "rows": one_of(ROWS),
}
_ANY_DEPTH = {"max_depth": between(natural, FULLY_GROWN, DEPTHS[1])}

PATH_TEXT = SettingsText(
    PathSettings(),
    _TRAINING
    | COST
    | _ANY_DEPTH
    | {
        "split": one_of(SPLITS),
        "node_solver": one_of(SOLVERS),
        "surrogate": one_of(SURROGATES),
        "class_weight": class_weights.known,
        "lambdas": one_of(LAMBDAS),
        "leaf": one_of(LEAVES),
        "lam": LAMBDA,
        "refine": between(natural, 0, SWEEPS),
        "costs": _costs,
    },
)
# links to pages of former times, whose settings began elsewhere
BIVARIATE_TEXT = replace(PATH_TEXT, default=bivariate())
PHASE_TEXT = SettingsText(PhaseSettings(), _TRAINING | _ANY_DEPTH | {"costs": _costs})
COMPARISON_TEXT = SettingsText(
    ComparisonSettings(),
    DATA_AND_SEED
    | {
        "methods": _methods,
        "protocol": one_of(PROTOCOLS),
        "rule": one_of(RULES),
        "over": one_of(OVER),
        "repeats": between(natural, *REPEATS),
        "inner": between(natural, *INNER),
        "limit": between(natural, *LIMITS),
    },
)
