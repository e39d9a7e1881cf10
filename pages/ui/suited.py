"""Settings of the explore page that suit a data set."""

import streamlit as st

from pages.ui import settings

FEW, MANY = 5e6, 2e7  # values (rows x features)
GENTLE = {"n_lambdas": 12, "max_depth": 6}
GENTLEST = {"n_lambdas": 8, "max_depth": 5}


def gentle(data, now):
    """Changes of the `Settings` `now` that keep training on large data to minutes; none for small data."""
    size = data.n_rows * data.n_features
    most = {} if size < FEW else GENTLE if size < MANY else GENTLEST
    return {name: min(value, getattr(now, name)) for name, value in most.items()} | possible(data, now)


def possible(data, now):
    """Changes of the `Settings` `now` without which no tree could be trained; none mostly."""
    if data.has_missing and now.split == "oblique":
        return {"split": "bivariate", "init": "cart"}
    return {}


def make_possible(data):
    """Change the settings of the explore page where they cannot be, and say so."""
    changes = possible(data, settings.EXPLORE.current())
    if changes:
        settings.EXPLORE.change(**changes)
        st.toast(
            "These data miss values, which a weighted sum of features cannot have: nodes have up to two features "
            "instead, and learn where rows without a value go.", icon=":material/info:", duration="long",
        )  # fmt: skip
        st.rerun()
