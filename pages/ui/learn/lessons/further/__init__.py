"""Lessons for the second hour: errors of trees, pruning, split types, tables and the optimum."""
