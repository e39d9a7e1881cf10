"""The kinds of jobs: what a worker does for each, what the app knows of it."""
