"""Rows of Parquet files in a folder of the machine, which may not fit in memory."""
