"""Training rows: columns in the order of the tree, targets with their loss, scaling, encoding."""
