"""One tree as a figure: what its nodes show, where they are, how they are drawn."""
