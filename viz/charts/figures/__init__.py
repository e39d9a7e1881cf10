"""Charts in files: SVG, PDF or PNG of the values in `viz.charts.values`, with matplotlib's axes."""
