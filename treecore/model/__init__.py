"""A model: a tree with its data, parameters and figures, as one checked file."""
