"""Charts of paths, phase diagrams, comparisons and data."""
