"""Paths and phase diagrams on the stage."""
