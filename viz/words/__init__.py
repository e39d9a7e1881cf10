"""Decisions, numbers, rows and steps in words, and words that fit their room."""
