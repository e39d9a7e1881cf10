"""What charts draw, as plain values: names, places, shares of a scale; computed once for the screen and for files."""
