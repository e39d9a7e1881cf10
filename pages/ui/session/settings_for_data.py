"""Adapt the settings of the Tree page to a data set."""

import math
from dataclasses import replace
from functools import cache
from typing import Any

import streamlit as st

from pages.jobs import class_weights, settings
from pages.jobs.setting import settings_of
from pages.jobs.settings import Settings
from pages.jobs.training_effort import FEW, MANY, training_effort
from pages.ui.session import page_settings
from sample_data import DataSet
from treecore import initial
from treecore.node_solvers import SPLITS

GENTLE = {"n_lambdas": 12, "max_depth": 6}
GENTLEST = {"n_lambdas": 8, "max_depth": 5}

MISSING = "Oblique splits do not support missing values. Switched to bivariate splits, which learn where to send them."
ONE_FEATURE = "The data have one feature, so the splits are univariate."
_WORDS = "suited_words"
NO_OC1 = "OC1 requires oblique splits. Switched to the default initial tree."
NO_OPTIMAL = (
    "Optimal trees require classes, no missing values and the package pystreed. Switched to the default initial tree."
)
MISSING_AT_FIRST = "Bivariate CART does not support missing values. Switched to CART as the initial tree."
NO_LINEAR = "Linear leaves do not support missing values. Switched to constant leaves."
NO_CLASSES = "Class weights do not apply to regression."
OTHER_CLASSES = "The custom class weights do not match the number of classes. Class weights were reset to none."
LARGE = (
    "values of λ and small trees, because the data are large. You can increase both, but training then takes longer."
)


def suit(data: DataSet) -> None:
    """Adapt the settings of the Tree page to a user data set. `show_changes` reports the changes.

    Large data get fewer and smaller trees, so that training takes minutes. Missing values need splits that support
    them.
    """
    _change(gentle(data, page_settings.EXPLORE.current()) | possible(data, page_settings.EXPLORE.current()))


def make_possible(data: DataSet) -> None:
    """Change settings of the Tree page that do not work with the data."""
    changes = possible(data, page_settings.EXPLORE.current())
    if changes:
        _change(changes)
        st.rerun()


def gentle(data: DataSet, now: Settings) -> dict[str, Any]:
    """Return the changes to the settings `now` that limit training on large data to minutes."""
    effort = training_effort(data)
    most = {} if effort < FEW else GENTLE if effort < MANY else GENTLEST
    large = {name: getattr(now, name) or math.inf for name in most}  # a depth of 0 means no limit
    return {name: value for name, value in most.items() if value < large[name]}


def possible(data: DataSet, now: Settings) -> dict[str, Any]:
    """Return the changes to the settings `now` without which training would fail."""
    if data.n_features == 1 and SPLITS[now.split].most_features == 2:
        return settings.following_split("univariate") | {"costs": ()}
    if data.has_missing and not SPLITS[now.split].takes_missing:
        return {"split": "bivariate", "init": "cart"} | ({"leaf": "constant"} if now.leaf == "linear" else {})
    if data.has_missing and now.leaf == "linear":
        return {"leaf": "constant"}
    if now.lambdas != "grid" and not settings_of(type(now))["lambdas"].is_effective(now):
        return {"lambdas": "grid"}
    if now.class_weight != "equal" and "class_weights" in data.target.refusals:
        return {"class_weight": "equal"}
    numbers = class_weights.parse_weights(now.class_weight)
    if numbers is not None and len(numbers) != len(data.class_names):
        return {"class_weight": "equal"}
    possible_here = _suitable(data.has_missing, data.target.values_are_groups)
    if now.init not in settings.initial_trees(now.split).keys() & possible_here:
        return {"init": "cart" if data.has_missing else SPLITS[now.split].usual_init}
    return {}


@cache
def _suitable(has_missing: bool, has_classes: bool) -> set[str]:
    """Return the names of the initial trees for some data. Testing for their packages takes time."""
    return initial.suitable(has_missing, has_classes)


def options(data: DataSet, now: Settings, name: str) -> dict[Any, str] | None:
    """Return {value: words} of a setting without the values that do not work with the data, or None if it has none."""
    offered = settings_of(type(now))[name].choices(now)
    return offered and {
        value: words for value, words in offered.items() if name not in possible(data, replace(now, **{name: value}))
    }


def show_changes() -> None:
    """Show the changes while their data set is chosen."""
    name, words = st.session_state.get(_WORDS, (None, ()))
    if name == page_settings.EXPLORE.current().data_set:
        for sentence in words:
            st.info(sentence, icon=":material/info:")


def _change(changes: dict[str, Any]) -> None:
    before = page_settings.EXPLORE.current()
    page_settings.EXPLORE.change(**changes)
    first = {"oblique_cart": NO_OC1, "optimal": NO_OPTIMAL}.get(before.init, MISSING_AT_FIRST)
    were_by_hand = class_weights.parse_weights(before.class_weight) is not None
    words = [OTHER_CLASSES if were_by_hand else NO_CLASSES] if "class_weight" in changes else []
    words += [NO_LINEAR] if "leaf" in changes else []
    words += (
        [ONE_FEATURE if changes.get("split") == "univariate" else MISSING]
        if "split" in changes
        else [first]
        if "init" in changes
        else []
    )
    if "n_lambdas" in changes:
        words.append(f"{changes['n_lambdas']} {LARGE}")
    st.session_state[_WORDS] = (page_settings.EXPLORE.current().data_set, words)
