"""Contents of charts as plain values (names, positions, shares of a scale), computed once for screen and files."""
