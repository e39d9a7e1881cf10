"""Training data: feature columns, targets with their losses, scaling and encoding."""
