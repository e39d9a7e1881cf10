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
from pages.ui.shell.computed import computed
from pages.ui.shell.served_files import served_files
from sample_data import DataSet


def runs(
    name: str, chosen: LearnSettings, found: LearnData, drawing: Drawing | None, least: float
) -> dict[str, Any] | None:
    """Return the field `ahead` of `stage.Options`, or None if the link hides λ.

    name : name of the run on the stage; least : smallest supported λ.
    """
    if "lam" in chosen.hide:
        return None
    named = _names(name, least, chosen, cast(DataSet, found.data), drawing)
    for lam, one in named:
        served_files().promise(one, _maker(one, replace(chosen, lam=lam), found, drawing))
    return {"lam": chosen.lam, "help": LAMBDA_HELP, "runs": named}


@computed(24)
def _names(
    name: str, least: float, _chosen: LearnSettings, _data: DataSet, _drawing: Drawing | None
) -> list[tuple[float, str]]:
    """Return (λ, name) of the run that `name` identifies for other values of λ."""
    lams = sorted({*(lam for lam in LAMBDAS if lam >= least), _chosen.lam})
    return [(lam, learn_run.name(replace(_chosen, lam=lam), _data, _drawing)) for lam in lams]


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
