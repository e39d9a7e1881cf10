"""Charts: `values` computes their contents once; `plotly` draws them on the screen, `figures` (matplotlib) in files."""
