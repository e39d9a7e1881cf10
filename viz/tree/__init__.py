"""Figures of trees: which nodes are drawn, where they are and how they look."""
