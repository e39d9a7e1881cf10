"""Reproduce the papers' tables with our own protocol, and store finished results: see `benchmarks.reproduce`."""
