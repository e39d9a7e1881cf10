"""The rows that trees are made from: columns in the order of the tree, targets with their loss, scaling, encoding."""
