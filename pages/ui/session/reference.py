"""`reference`: CART on the rows of a path, for comparison."""

import streamlit as st

from pages.jobs import ready_path
from pages.jobs.point import Point
from pages.jobs.settings import Reference, Settings
from pages.ui.shell.manager import manager
from sample_data import DataSet

REFERENCES = "references"  # session key of {name of a path's job: name of its CART job}


def reference(path: str, settings: Settings, data: DataSet) -> Point | None:
    """Return the `Point` of CART for a path, or None until CART is trained.

    path : name of the path's job.
    """
    if (stored := ready_path.reference(Reference.of(settings), data.fingerprint)) is not None:
        return stored
    job = st.session_state.get(REFERENCES, {}).get(path)
    found = manager().points(job) if job is not None and manager().has_job(job) else []
    return found[0] if found else None
