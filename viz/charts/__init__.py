"""Charts. `values` computes their contents, `plotly` draws them on the screen, and `figures` (matplotlib) in files."""
