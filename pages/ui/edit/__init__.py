"""Edit a tree."""
