"""The papers' tables again, by our own protocol, with finished pieces kept: see `benchmarks.reproduce`."""
