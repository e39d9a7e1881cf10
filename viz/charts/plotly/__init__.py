"""Charts of the app, as Plotly's JSON: plain dicts of the values in `viz.charts.values`."""
