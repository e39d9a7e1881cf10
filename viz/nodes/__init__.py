"""Single nodes: their kinds, contents and drawing."""
