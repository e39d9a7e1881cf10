"""Training on rows that are read in parts, in this process or on workers."""
