"""Methods under one protocol."""
