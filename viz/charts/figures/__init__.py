"""Charts as SVG, PDF or PNG files: the values of `viz.charts.values` on matplotlib axes."""
