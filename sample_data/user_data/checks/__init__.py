"""What may be wrong with a table and a recipe, each with its fix."""
