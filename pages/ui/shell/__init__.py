"""What every page has: frame, settings in the address, data sets, the mounted stage."""
