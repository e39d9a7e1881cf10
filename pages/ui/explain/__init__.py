"""Explain the prediction of a row."""
