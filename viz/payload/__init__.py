"""Data that Python sends to the stage."""
