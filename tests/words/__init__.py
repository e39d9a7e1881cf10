"""Checks of the project's English: ``python -m tests.words`` (part of ``make lint``)."""
