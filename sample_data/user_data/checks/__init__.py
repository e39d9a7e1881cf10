"""Checks of a table and its recipe, each with a fix."""
