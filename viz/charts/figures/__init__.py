"""Charts as SVG, PDF or PNG files: `viz.charts.values` on matplotlib axes."""
