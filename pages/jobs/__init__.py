"""Long-running work: settings, tasks, stores and the queue of jobs. This package does not import Streamlit."""
