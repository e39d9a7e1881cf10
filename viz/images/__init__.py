"""Images of the rows of image data, and of one value for each pixel."""
