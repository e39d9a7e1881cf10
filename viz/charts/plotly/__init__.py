"""Charts of the app as Plotly JSON: plain dicts of the values in `viz.charts.values`."""
