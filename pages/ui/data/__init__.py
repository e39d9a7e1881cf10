"""Bundled data sets and user data."""
