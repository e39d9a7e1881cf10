"""Tables: columns and their features, text tables, predictions of a table."""
