"""One node: its kinds, what each shows, and how it is drawn."""
