"""Rooms in which a class plays together. Knows no Streamlit."""
