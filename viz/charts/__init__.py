"""Charts: `values` says what is drawn, once; `plotly` draws it on the screen, `figures` (matplotlib) into files."""
