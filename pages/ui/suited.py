"""Settings of the explore page that suit a data set."""

import streamlit as st

from pages.ui import settings

FEW, MANY = 5e6, 2e7  # values (rows x features)
GENTLE = {"n_lambdas": 12, "max_depth": 6}
GENTLEST = {"n_lambdas": 8, "max_depth": 5}

MISSING = (
    "These data miss values, which a weighted sum of features cannot have: nodes have up to two features, and learn "
    "where rows without a value go."
)
LARGE = "values of λ and small trees, since the data are large. The side bar has more, which takes longer."


def suit(data):
    """Change the settings of the explore page for a data set of the visitor's own, and say so.

    Large data have fewer and smaller trees, which train in minutes; missing values need nodes that can have them.
    """
    _change(gentle(data, settings.EXPLORE.current()) | possible(data, settings.EXPLORE.current()))


def make_possible(data):
    """Change the settings of the explore page where no tree could be trained with them, and say so."""
    changes = possible(data, settings.EXPLORE.current())
    if changes:
        _change(changes)
        st.rerun()


def gentle(data, now):
    """Changes of the `Settings` `now` that keep training on large data to minutes; none for small data."""
    size = data.n_rows * data.n_features
    most = {} if size < FEW else GENTLE if size < MANY else GENTLEST
    return {name: value for name, value in most.items() if value < getattr(now, name)}


def possible(data, now):
    """Changes of the `Settings` `now` without which no tree could be trained; none mostly."""
    if data.has_missing and now.split == "oblique":
        return {"split": "bivariate", "init": "cart"}
    return {}


def _change(changes):
    settings.EXPLORE.change(**changes)
    if "split" in changes:
        st.toast(MISSING, icon=":material/info:", duration="long")
    if "n_lambdas" in changes:
        st.toast(f"{changes['n_lambdas']} {LARGE}", icon=":material/info:", duration="long")
