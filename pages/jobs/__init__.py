"""Long work: settings as data, tasks, stores, the way to the worker. Knows no Streamlit."""
