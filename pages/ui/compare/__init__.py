"""Compare methods under one protocol."""
