"""Trees that other programs have grown, as a `Tree` that decides as they do."""
