"""Figures of trees: their nodes, layout and drawing."""
