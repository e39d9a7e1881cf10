"""Test whether a recipe can be applied to all rows."""

from sample_data.user_data.recipe import Recipe


def refusal(recipe: Recipe) -> str | None:
    """Return the reason why a recipe of a sample cannot be applied to all rows, or None."""
    if recipe.bins:
        return "Classes of equal size depend on all rows. Predict the target as a number to train on all rows."
    return (
        ("The test rows are whole groups of the sample. Choose another split on the Data page to train on all rows.")
        if recipe.split == "group"
        else None
    )
