"""Training by Tree Alternating Optimization: estimators, single runs, paths, phase diagrams and recordings."""
