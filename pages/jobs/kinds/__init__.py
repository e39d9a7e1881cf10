"""The kinds of jobs. Each kind has a task for the workers and a plan for the app."""
