"""The tree that the pages Rules, Explain and Predict are about: one of a path of this visitor, or a loaded model."""

from dataclasses import asdict, dataclass
from functools import cached_property, partial

import streamlit as st

from pages.ui import bivariate_panel, data_sets, explorer, jobs, settings, training
from sample_data import DataSet
from viz.path_points import recommended as recommended_of

STORES = {"explore": settings.EXPLORE, "bivariate": settings.BIVARIATE}
TITLES = {"explore": "as on the Explore page", "bivariate": "as on the Bivariate page"}


@dataclass(frozen=True)
class ChosenTree:
    """One tree with its data.

    name : differs for all trees and data, so it can be part of a cache's key; title : for people; point : `jobs.Point`
    with the tree and its figures; rows : (train, validation, test) row numbers of `data`; parameters : dict, of the
    training; has_data : whether `data` is what the tree was trained on, else it has a few rows at most.
    """

    name: str
    title: str
    point: jobs.Point
    data: DataSet
    rows: tuple
    parameters: dict
    has_data: bool = True

    @cached_property
    def tree(self):
        """The `Tree`, with the names of the features."""
        return self.point.tree.with_names(self.data.feature_names)


def choose(**shared):
    """Choice in the side bar; returns the `ChosenTree`. While it is being trained, show that and end the run.

    shared : other parameters of the page for the URL, those that are not None.
    """
    sources = _sources(shared)
    if st.session_state.get("chosen_source") not in sources:
        st.session_state["chosen_source"] = next(iter(sources))
    with st.sidebar:
        source = st.selectbox("Tree", list(sources), format_func=lambda key: sources[key][0], key="chosen_source")
    return sources[source][1]()


def _sources(shared):
    """(title, getter) of every tree that can be had, by key; the one of a link, or of the page seen last, first."""
    last = st.session_state.get("last_store")
    wanted = st.query_params.get("source") or next((key for key in STORES if STORES[key].key == last), "explore")
    keys = sorted(STORES, key=lambda key: key != wanted)
    known = [key for key in keys if key == keys[0] or STORES[key].key in st.session_state]
    return {key: (TITLES[key], partial(_of_store, key, shared)) for key in known}


def _of_store(key, shared):
    store = STORES[key]
    chosen = store.current()
    data = data_sets.load_or_stop(chosen.data_set)
    shown = _shown(key, chosen, data)
    job, its_settings, status = shown.unfinished()
    explorer.share(store, shown.name, source=None if key == "explore" else key, **shared)
    if training.is_running(job):
        st.fragment(_wait, run_every=training.REFRESH)(job)
        st.stop()
    training.notice(job, its_settings, data, status)
    points, added = shown.points()
    if not points:
        st.stop()
    view = explorer.known_view(explorer.chosen_view(store, shown.name), points, recommended_of(points), added)
    point = points[view.tree]
    rows = data_sets.rows(data.name, chosen.seed, chosen.rows)
    title = f"{data.title}, {settings.SPLITS[chosen.split]}, λ = {point.lam:.3g}"
    return ChosenTree(f"{shown.name}-{point.index}", title, point, data, rows, asdict(chosen))


def _shown(key, chosen, data):
    if key == "bivariate":
        return bivariate_panel.shown(chosen, data, st.sidebar.empty())
    return explorer.Shown(training.submit(chosen, data), chosen, data, settings.EXPLORE)


def _wait(job):
    if not training.is_running(job):
        st.rerun()
    training.progress(job, training.status(job))
