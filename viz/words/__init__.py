"""Conditions, numbers, rows and recorded steps as text, and text that fits a given width."""
