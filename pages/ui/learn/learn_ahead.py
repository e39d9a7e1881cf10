"""Train runs for other values of λ when the browser requests them, so that the stage follows the slider."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import streamlit as st

from pages.ui.learn import learn_run
from pages.ui.learn.learn_data import LearnData
from pages.ui.learn.learn_drawing import Drawing
from pages.ui.learn.learn_settings import LAMBDA_HELP, LAMBDAS, LEARN, LearnSettings
from pages.ui.shell import stage
from pages.ui.shell.served_files import served_files
from sample_data import DataSet


def runs(chosen: LearnSettings, found: LearnData, drawing: Drawing | None, least: float) -> dict[str, Any] | None:
    """Return the field `ahead` of `stage.Options`, or None if the link hides λ.

    least : smallest supported λ.
    """
    if "lam" in chosen.hide:
        return None
    named, data = [], cast(DataSet, found.data)
    for lam in sorted({*(lam for lam in LAMBDAS if lam >= least), chosen.lam}):
        one = replace(chosen, lam=lam)
        name = learn_run.name(one, data, drawing)
        served_files().promise(name, _maker(name, one, found, drawing))
        named.append((lam, name))
    return {"lam": chosen.lam, "help": LAMBDA_HELP, "runs": named}


def _maker(name: str, chosen: LearnSettings, found: LearnData, drawing: Drawing | None) -> Callable[[], bytes]:
    def make() -> bytes:
        recording = learn_run.record_run(name, chosen, found.data, found.rows, drawing)
        return learn_run.payload(name, chosen, found.data, found.rows, recording)

    return make


def adopt_lambda(slot: str, ahead: dict[str, Any] | None) -> None:
    """Adopt the λ at which the visitor released the slider, and the step that the stage shows."""
    report = stage.run_at_slider(slot)
    if report is None or ahead is None:
        return
    name, view = report
    lam = next((lam for lam, run in ahead["runs"] if run == name), ahead["lam"])
    if lam != ahead["lam"]:
        LEARN.change(lam=lam)
        st.session_state["learn_view"] = {name: view}
        st.rerun(scope="app")
