"""Reproduce the papers' tables by our own protocol, and keep finished pieces: see `benchmarks.reproduce`."""
