"""Apply a tree to new rows."""
