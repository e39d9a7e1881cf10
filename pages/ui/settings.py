"""What the user chose: one frozen value that lives in the session and in the URL."""

from dataclasses import asdict, dataclass, fields, replace

import streamlit as st

KEY = "settings"

SPLITS = {
    "oblique": "sparse oblique (many features)",
    "bivariate": "up to two features per node",
    "univariate": "one feature per node",
}
COSTS = {cost: f"C = {cost}" for cost in ("1.0", "1.1", "1.25", "1.5", "2.0", "3.0", "5.0")}
INITIAL_TREES = {"random": "random complete tree", "cart": "CART"}
SOLVERS = {"cd": "coordinate descent (fast)", "liblinear": "LIBLINEAR (the papers')"}
SURROGATES = {"logistic": "logistic", "squared_hinge": "squared hinge (SVM)"}
DEPTHS = (1, 12)
N_LAMBDAS = (2, 60)


@dataclass(frozen=True)
class Settings:
    """Everything that decides which path is trained."""

    data_set: str = "mnist-5k"
    split: str = "oblique"
    init: str = "random"
    max_depth: int = 8
    n_lambdas: int = 30
    node_solver: str = "cd"
    surrogate: str = "logistic"
    bivariate_cost: str = "1.25"  # one of `COSTS`
    seed: int = 0


_CHOICES = {
    "split": SPLITS,
    "init": INITIAL_TREES,
    "node_solver": SOLVERS,
    "surrogate": SURROGATES,
    "bivariate_cost": COSTS,
}
RANGES = {"max_depth": DEPTHS, "n_lambdas": N_LAMBDAS, "seed": (0, 10**6)}


def current():
    """The settings of this browser tab; a new tab takes them from the URL."""
    if KEY not in st.session_state:
        st.session_state[KEY] = from_query(st.query_params.to_dict())
    return st.session_state[KEY]


def change(**values):
    """Change some settings."""
    st.session_state[KEY] = replace(current(), **values)


def from_query(query):
    """Settings from URL parameters; whatever is unknown or out of range is ignored."""
    values = {}
    for field in fields(Settings):
        text = query.get(field.name)
        if text is None:
            continue
        if field.name in _CHOICES:
            if text in _CHOICES[field.name]:
                values[field.name] = text
        elif field.name in RANGES:
            low, high = RANGES[field.name]
            if text.isascii() and text.isdigit() and len(text) < 9 and low <= int(text) <= high:
                values[field.name] = int(text)
        else:
            values[field.name] = text[:100]
    return Settings(**values)


def to_query(settings):
    """URL parameters: the settings that differ from the defaults."""
    default = asdict(Settings())
    return {name: str(value) for name, value in asdict(settings).items() if value != default[name]}


def share_in_url(**others):
    """Put the settings (and other parameters that are not None) into the URL, so that a reload comes back here."""
    wanted = to_query(current()) | {name: str(value) for name, value in others.items() if value is not None}
    if st.query_params.to_dict() != wanted:
        st.query_params.from_dict(wanted)
