"""`reader`: the processes that read visitors' files."""

import os
from typing import Any

import streamlit as st

from pages.jobs import readings
from pages.jobs.limited_process import LimitedCall, LimitedProcesses, Limits
from pages.serving.quotas import Quotas


@st.cache_resource(show_spinner=False)
def reader() -> LimitedProcesses:
    """The one `LimitedProcesses` of the server; it is warm a second or two after the first page that reads is open."""
    return LimitedProcesses(readings.MODULES, at_once=max(4, os.cpu_count() or 1))


def start(function: str, owner: str, **arguments: Any) -> LimitedCall:
    """`LimitedCall` of a function of `reading_task`; its limits are among the `Quotas`."""
    return reader().start(f"{readings.TASK}.{function}", arguments, limits(), owner)


def limits() -> Limits:
    """`Limits` of each call."""
    quotas = Quotas.of()
    return Limits(quotas.read_seconds, quotas.read_megabytes)
