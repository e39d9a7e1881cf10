"""`reader`: the processes that read visitors' files."""

import os

import streamlit as st

from pages.jobs import reading_task
from pages.jobs.limited_process import LimitedProcesses, Limits

_MEGABYTES = 2000


@st.cache_resource(show_spinner=False)
def reader():
    """The one `LimitedProcesses` of the server; it is warm a second or two after the first page that reads is open."""
    return LimitedProcesses(reading_task.MODULES, at_once=max(4, os.cpu_count() or 1))


def start(function, owner, **arguments):
    """`LimitedCall` of a function of `reading_task`; its limits are $TAO_READ_SECONDS and $TAO_READ_MEGABYTES."""
    return reader().start(f"{reading_task.__name__}.{function}", arguments, limits(), owner)


def limits():
    """`Limits` of each call."""
    return Limits(_number("TAO_READ_SECONDS", 120.0), int(_number("TAO_READ_MEGABYTES", _MEGABYTES)))


def _number(name, default):
    try:
        return float(os.environ.get(name, default))
    except ValueError:
        return default
