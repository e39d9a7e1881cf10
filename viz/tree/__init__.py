"""Figures of trees: their nodes, their layout and the drawing."""
