"""Sources of rows in parts: arrays, files, queries and Dask collections."""
