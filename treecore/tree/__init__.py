"""Trees: flat arrays, splits, routing, conditions, metrics, JSON and manual edits."""
