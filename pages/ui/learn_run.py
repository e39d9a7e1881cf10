"""Runs of the Learn page: trained in the page's own process, which takes less than a second, and kept."""

import hashlib
import json
from dataclasses import asdict

import streamlit as st

from treecore import CARTClassifier, TAOClassifier
from treecore.recording import grow, record
from viz.recording_payload import recording_payload

CURRENT = 24  # runs that are kept
_LOOKS = ("hide", "present", "painted", "beside")  # settings that do not change the run, or are in the data


def name(chosen, data, start=None):
    """Name that differs for all runs: settings and data; start : JSON text of a tree drawn by hand."""
    settings = {key: value for key, value in asdict(chosen).items() if key not in _LOOKS}
    words = json.dumps([settings, data.fingerprint, start], sort_keys=True, default=str)
    return "learn-" + hashlib.sha256(words.encode()).hexdigest()[:16]


@st.cache_resource(max_entries=CURRENT, show_spinner="Recording the run …")
def recorded(name, _chosen, _data, _rows, _start=None):
    """`Recording` of TAO. Raises TreecoreError. _start : Tree drawn by hand, for init="drawn"."""
    rows = _rows[0]
    estimator = TAOClassifier(
        split=_chosen.split, lam=_chosen.lam, bivariate_cost=_chosen.bivariate_cost,
        init=_start if _chosen.init == "drawn" else _chosen.init, max_depth=_chosen.max_depth or None,
        max_iter=_chosen.max_iter, random_state=_chosen.seed, missing="learn" if _data.has_missing else "error",
    )  # fmt: skip
    return record(estimator, _data.X[rows], _data.labels()[rows])


@st.cache_resource(max_entries=CURRENT, show_spinner=False)
def payload(name, _chosen, _data, _rows, _recording):
    """Bytes for the stage."""
    cost = _chosen.bivariate_cost if _chosen.split == "bivariate" else None
    return recording_payload(_recording, _data, _rows, "TAO", cost)


@st.cache_resource(max_entries=CURRENT, show_spinner=False)
def grown(name, _chosen, _data, _rows):
    """(`Recording`, bytes for the stage) of CART on the same rows, as deep as the initial tree."""
    rows = _rows[0]
    cart = CARTClassifier(
        cv=None, max_depth=_chosen.max_depth or None, random_state=_chosen.seed,
        missing="learn" if _data.has_missing else "error",
    )  # fmt: skip
    tree = cart.fit(_data.X[rows], _data.labels()[rows]).tree_
    recording = grow(tree, 0.0 if _chosen.split == "oblique" else _chosen.lam)
    return recording, recording_payload(recording, _data, _rows, "CART")
