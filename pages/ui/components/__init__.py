"""Streamlit components of the app, each a JavaScript file with an optional style sheet."""
