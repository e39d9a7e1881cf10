"""A tree applied to new rows."""
