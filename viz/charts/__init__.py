"""Charts: `..._charts` compute contents and draw them with Plotly, `..._figure(s)` draw on matplotlib axes in files."""
