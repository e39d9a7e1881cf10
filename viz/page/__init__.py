"""HTML of the stage and of related views."""
