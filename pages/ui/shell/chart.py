"""Show a chart on a page."""

import json
import re
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import streamlit as st

from pages.ui.shell.computed import computed
from viz.charts.plotly.chart import Chart


def theme() -> str:
    """Return the theme of the page, "light" or "dark"."""
    return "dark" if st.context.theme.type == "dark" else "light"


@computed(400)
def _validate(text: str, _spec: dict[str, Any]) -> Any:
    """Return Plotly's validated figure. The validation takes most of the time of a page with charts."""
    from plotly.graph_objects import Figure  # slow import

    # Plotly removes the type of a trace during validation. Threads share these dicts, so each needs a copy.
    return Figure(deepcopy(_spec))


def show(chart: Chart, key: str, place: Any = st, on_select: Callable[[], Any] | None = None) -> Any:
    """Draw a `viz.charts.plotly.chart.Chart` and return the current selection.

    key : unique key on the page; without the job, it is also the name of image files; on_select : function without
    parameters, called after a new selection, which is in `st.session_state[key]`.
    """
    config = {
        "modeBarButtonsToRemove": ["autoScale2d", "zoomIn2d", "zoomOut2d"],
        "toImageButtonOptions": {"format": "svg", "filename": re.sub("-[0-9a-f]{16}$", "", key)},
    }
    spec = {"data": chart.data, "layout": chart.layout}
    return place.plotly_chart(
        _validate(json.dumps(spec, default=float), spec), width="stretch", theme=None, key=key, config=config,
        alt=chart.description, on_select=on_select or "ignore", selection_mode="points",
    )  # fmt: skip
