"""Files to save."""
