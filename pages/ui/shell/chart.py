"""The one way in which the app shows a chart."""

import re

import streamlit as st


def theme():
    """ "light" or "dark", as the page is."""
    return "dark" if st.context.theme.type == "dark" else "light"


def show(chart, key, place=st, on_select=None):
    """Draw a `viz.charts.plotly.chart.Chart`; key : unique on the page, and, without the job, name of its pictures;
    on_select : function without parameters for a new pick of points, found in `st.session_state[key]`. Returns what is
    picked now."""
    config = {
        "modeBarButtonsToRemove": ["autoScale2d", "zoomIn2d", "zoomOut2d"],
        "toImageButtonOptions": {"format": "svg", "filename": re.sub("-[0-9a-f]{16}$", "", key)},
    }
    return place.plotly_chart(
        {"data": chart.data, "layout": chart.layout}, width="stretch", theme=None, key=key, config=config,
        alt=chart.description, on_select=on_select or "ignore", selection_mode="points",
    )  # fmt: skip
