"""Paths and phase diagrams."""
