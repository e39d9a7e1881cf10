"""Test whether a recipe can be applied to all rows."""

from sample_data.data_folder.messages import MESSAGES
from sample_data.user_data.recipe import Recipe
from treecore.messages import Sentence


def refusal(recipe: Recipe) -> Sentence | None:
    """Return the reason why a recipe of a sample cannot be applied to all rows, or None."""
    name = "refused.bins" if recipe.bins else "refused.group" if recipe.split == "group" else None
    return None if name is None else MESSAGES(name)
