"""Rows in parts on the workers of a Dask cluster."""
