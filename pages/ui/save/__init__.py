"""Files to save, and the menu that offers them."""
