"""Tables: columns and their features, text formats, and predictions for the rows of a table."""
