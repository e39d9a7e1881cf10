"""Solvers for the nodes of a level, from sums over rows in parts."""
