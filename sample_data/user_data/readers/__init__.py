"""Readers of the formats in which users bring their data."""
