"""Write pixels as a PNG file."""

import io

import numpy as np


def magnified_png(pixels: np.ndarray, zoom: int) -> bytes:
    """Return PNG bytes of uint8[h, w, 3] with each pixel enlarged to `zoom` x `zoom` pixels."""
    from PIL import Image  # slow import

    height, width = pixels.shape[:2]
    out = io.BytesIO()
    Image.fromarray(pixels).resize((width * zoom, height * zoom), Image.Resampling.NEAREST).save(out, "PNG")
    return out.getvalue()
