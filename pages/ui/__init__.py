"""The parts of the pages that use Streamlit: navigation, settings, jobs and panels."""
