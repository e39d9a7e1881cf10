"""Constraints on trees: feature costs, monotone features, interactions and the number of leaves."""
