"""Trees: flat arrays, splits, routing, conditions, figures, JSON, and what changes a tree by hand."""
