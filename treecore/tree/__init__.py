"""Trees: flat arrays, splits, routing, conditions, metrics, JSON, and edits by hand."""
