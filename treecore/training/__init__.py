"""Training by Tree Alternating Optimization: estimators, one run, paths, phase diagrams, recordings."""
