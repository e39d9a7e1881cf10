"""The kinds of jobs: a task for the workers and a plan for the app each."""
