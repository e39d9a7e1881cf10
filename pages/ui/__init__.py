"""Streamlit helpers of the pages: navigation, settings, jobs, panels."""
