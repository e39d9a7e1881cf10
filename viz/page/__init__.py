"""The stage and related views as HTML."""
