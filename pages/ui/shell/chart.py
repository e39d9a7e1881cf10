"""Show a chart on a page."""

import json
import re
from collections.abc import Callable
from copy import deepcopy
from typing import Any, NamedTuple

import streamlit as st

from pages.ui.shell.computed import computed
from viz.charts.chart import Chart


def theme() -> str:
    """Return the theme of the page, "light" or "dark"."""
    return "dark" if st.context.theme.type == "dark" else "light"


class Drawn(NamedTuple):
    """A chart for the browser. Functions that compute charts once return it, because making it takes longest.

    figure : Plotly's validated figure; description : text for screen readers.
    """

    figure: Any
    description: str


def drawn(chart: Chart) -> Drawn:
    """Return the `Drawn` of a `Chart`."""
    from plotly.graph_objects import Figure  # slow import

    class Shared(Figure):
        """Figure that does not change, so that Streamlit can write it without copying it."""

        def to_dict(self) -> dict[str, Any]:
            return found

    # Plotly removes the type of a trace during validation. Threads may share these dicts, so each needs a copy.
    figure = Shared(deepcopy({"data": chart.data, "layout": chart.layout}))
    found = Figure.to_dict(figure)
    return Drawn(figure, chart.description)


@computed(400)
def _drawn(text: str, _chart: Chart) -> Drawn:
    return drawn(_chart)


def show(chart: Chart | Drawn, key: str, place: Any = st, on_select: Callable[[], Any] | None = None) -> Any:
    """Draw a chart and return the current selection.

    key : unique key on the page; without the job, it is also the name of image files; on_select : function without
    parameters, called after a new selection, which is in `st.session_state[key]`.
    """
    config = {
        "modeBarButtonsToRemove": ["autoScale2d", "zoomIn2d", "zoomOut2d"],
        "toImageButtonOptions": {"format": "svg", "filename": re.sub("-[0-9a-f]{16}$", "", key)},
    }
    if isinstance(chart, Chart):
        chart = _drawn(json.dumps([chart.data, chart.layout], default=float), chart)
    return place.plotly_chart(
        chart.figure, width="stretch", theme=None, key=key, config=config, alt=chart.description,
        on_select=on_select or "ignore", selection_mode="points",
    )  # fmt: skip
