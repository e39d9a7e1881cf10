"""The styles of all pages."""
