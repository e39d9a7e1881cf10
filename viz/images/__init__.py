"""Pictures of the rows of image data, and of a figure for every pixel."""
