"""The stage and its relatives as pages of HTML."""
