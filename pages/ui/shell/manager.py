"""`manager`: the jobs of this server, the same for all its sessions."""

import streamlit as st

from pages.jobs.job_manager import JobManager


@st.cache_resource(show_spinner=False)
def manager():
    """The one `JobManager` of the server."""
    return JobManager()
