"""Rooms in which the students of a class answer together. This package does not import Streamlit."""
