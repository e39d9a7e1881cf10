"""A tree that is changed by hand."""
