"""Add the cross-validated errors computed for this tab to the trees of a path."""

from dataclasses import replace

import numpy as np
import streamlit as st

from pages.jobs.point import Point
from pages.jobs.ready_path import CROSSED
from pages.ui.shell.manager import manager
from treecore.tree.metrics import mean_and_spread

FOLDS = "folds"  # session key of {name of a path's job: name of its folds job}


def is_crossed(points: list[Point]) -> bool:
    """Test whether all points have cross-validated errors, as those of the stored path do."""
    return all(CROSSED[0] in point.figures for point in points)


def ended_folds(path: str) -> str:
    """Return the name of this tab's cross-validation of a path (name of its job) if it has ended, else ""."""
    job = st.session_state.get(FOLDS, {}).get(path, "")
    return job if job and manager().has_job(job) and manager().points(job) else ""


def with_folds(folds: str, points: list[Point]) -> list[Point]:
    """Return the points of a path with cross-validated errors, if they are known.

    folds : name of the job of the cross-validation, or "". The error of a custom λ is interpolated between its
    neighbours.
    """
    known = [point for point in points if CROSSED[0] in point.figures]
    if known:
        swept, errors = (
            [_swept(point) for point in known],
            [[point.figures[name] for point in known] for name in CROSSED],
        )
    else:
        found = manager().points(folds) if folds else []
        if not found:
            return points
        swept = sorted({point.figures["fold_lam"] for point in found})
        errors = mean_and_spread(
            np.array([point.figures["validation_error"] for point in found]).reshape(-1, len(swept))
        )
    here = [_swept(point) for point in points]
    at, places = (np.log(np.maximum(values, np.finfo(float).tiny)) for values in (here, swept))
    crossed = (np.interp(at, places, values).tolist() for values in errors)
    return [
        replace(point, figures=point.figures | dict(zip(CROSSED, values, strict=True)))
        for point, values in zip(points, zip(*crossed, strict=True), strict=True)
    ]


def _swept(point: Point) -> float:
    """Return the λ of a point, or its number of leaves on a path of sizes."""
    size = point.figures.get("size")
    return point.lam if size is None else size
