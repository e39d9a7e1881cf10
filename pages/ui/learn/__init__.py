"""The laboratory of the Learn page, and its lessons."""
