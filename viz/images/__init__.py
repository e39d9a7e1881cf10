"""Images of rows of image data, and images with one value per pixel."""
