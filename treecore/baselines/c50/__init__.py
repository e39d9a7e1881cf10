"""A classifier in the style of C5.0 (Quinlan 1993; `benchmarks/README.md`)."""
