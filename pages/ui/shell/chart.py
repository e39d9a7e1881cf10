"""The one way in which the app shows a chart."""

import json
import re
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import streamlit as st

from pages.ui.shell.computed import computed
from viz.charts.plotly.chart import Chart


def theme() -> str:
    """ "light" or "dark", as the page is."""
    return "dark" if st.context.theme.type == "dark" else "light"


@computed(400)
def _checked(text: str, _spec: dict[str, Any]) -> Any:
    """Plotly's figure, which checks each of its settings: most of the work of a page with charts."""
    from plotly.graph_objects import Figure  # slow import

    return Figure(deepcopy(_spec))  # Plotly takes the type out of a trace while it checks it, and threads share these


def show(chart: Chart, key: str, place: Any = st, on_select: Callable[[], Any] | None = None) -> Any:
    """Draw a `viz.charts.plotly.chart.Chart`; key : unique on the page, and, without the job, name of its pictures;
    on_select : function without parameters for a new pick of points, found in `st.session_state[key]`. Returns what is
    picked now."""
    config = {
        "modeBarButtonsToRemove": ["autoScale2d", "zoomIn2d", "zoomOut2d"],
        "toImageButtonOptions": {"format": "svg", "filename": re.sub("-[0-9a-f]{16}$", "", key)},
    }
    spec = {"data": chart.data, "layout": chart.layout}
    return place.plotly_chart(
        _checked(json.dumps(spec, default=float), spec), width="stretch", theme=None, key=key, config=config,
        alt=chart.description, on_select=on_select or "ignore", selection_mode="points",
    )  # fmt: skip
