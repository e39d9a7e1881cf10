"""Charts of the app as Plotly JSON: plain dicts made from `viz.charts.values`."""
