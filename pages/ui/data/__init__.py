"""Data sets, bundled and the user's own."""
