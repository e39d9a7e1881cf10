"""Optimal classification trees on given thresholds, found by the package pystreed."""
