"""Take fresh draws of the claims of a lesson when a visitor presses *Draw again*."""

import contextlib
import math
import secrets
from typing import Any

import numpy as np
import streamlit as st

from pages.ui.learn import lessons
from pages.ui.learn.lessons.fresh import Claim, Found
from treecore.errors import TreecoreError

FIRST = 10_000_000  # smallest seed, above all seeds of lessons and tests
MOST = 500  # draws of a claim that are kept for a visitor


def drawn(name: str, count: int) -> dict[str, Any]:
    """Return the fresh draws of a claim for the browser, after at most one more draw.

    name : name of the claim, or "" for a moment without a claim; count : number of draws that the visitor asked for.
    """
    if not name:
        return {"claim": "", "values": [], "refuted": False}
    _, claim = lessons.CLAIMS[name]
    values = st.session_state.setdefault("fresh_draws", {}).setdefault(name, [])
    if len(values) < min(count, MOST):
        values.append(value_of(claim, FIRST + secrets.randbelow(FIRST)))
    found = Found(claim, np.array(values, np.float64).reshape(-1, 1))
    known = [None if math.isnan(value) else value for value in values]
    return {"claim": name, "values": known, "refuted": bool(values) and found.is_refuted}


def value_of(claim: Claim, seed: int) -> float:
    """Return the statistic of a fresh draw, or NaN if it is undefined, for example if no tree fits the draw."""
    with contextlib.suppress(TreecoreError, ArithmeticError, LookupError, StopIteration, ValueError):
        return float(claim.draw(seed)[0])
    return math.nan
