"""Add the cross-validated errors computed for this tab to the trees of a path."""

from dataclasses import replace

import numpy as np
import streamlit as st

from pages.jobs.point import Point
from pages.ui.shell.manager import manager
from treecore.tree.metrics import mean_and_spread

FOLDS = "folds"  # session key of {job of a path: job of its folds}


def with_folds(path: str, points: list[Point]) -> list[Point]:
    """Return the points of a path with cross-validated errors, if its folds are trained.

    path : name of the job. The error of a custom λ is interpolated between its neighbours.
    """
    job = st.session_state.get(FOLDS, {}).get(path)
    found = manager().points(job) if job is not None and manager().has_job(job) else []
    if not found:
        return points
    lams = np.array(sorted({point.figures["fold_lam"] for point in found}))
    errors = np.array([point.figures["validation_error"] for point in found]).reshape(-1, lams.size)
    at = np.log(np.maximum([point.lam for point in points], np.finfo(float).tiny))
    known = np.log(np.maximum(lams, np.finfo(float).tiny))
    mean, spread = (np.interp(at, known, values).tolist() for values in mean_and_spread(errors))
    return [
        replace(point, figures=point.figures | {"cross_validated_error": error, "cross_validated_spread": deviation})
        for point, error, deviation in zip(points, mean, spread, strict=True)
    ]
