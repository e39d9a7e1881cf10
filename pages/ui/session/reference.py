"""`reference`: CART on the rows of a path, for comparison."""

import streamlit as st

from pages.jobs import ready_path
from pages.jobs.point import Point
from pages.jobs.settings import Reference, Settings
from pages.ui.shell.manager import manager
from sample_data import DataSet

REFERENCES = "references"  # key of the session: {job of a path: job of its CART}


def reference(path: str, settings: Settings, data: DataSet) -> Point | None:
    """Return the `Point` of the CART of a path (name of its job), or None until it is trained."""
    if (stored := ready_path.reference(Reference.of(settings), data.fingerprint)) is not None:
        return stored
    job = st.session_state.get(REFERENCES, {}).get(path)
    found = manager().points(job) if job is not None and manager().has_job(job) else []
    return found[0] if found else None
