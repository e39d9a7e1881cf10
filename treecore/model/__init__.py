"""Models and projects: trees with their data, parameters and metrics, stored in validated files."""
