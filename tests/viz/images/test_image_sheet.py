"""Test images of the rows of a data set."""

import io

import numpy as np
from PIL import Image

import sample_data
from viz.images.image_sheet import row_sheet


def test_images_of_rows_stand_in_reading_order():
    data = sample_data.load("digits")
    rows = [5, 0, 17, 3, 1]
    sheet = np.asarray(Image.open(io.BytesIO(row_sheet(data, rows, columns=3, side=8))))
    assert sheet.shape == (20, 30, 3)
    background = sheet[-1, -1].astype(int)
    for i, row in enumerate(rows):
        top, left = (i // 3) * 10, (i % 3) * 10
        ink = np.abs(sheet[top : top + 8, left : left + 8].astype(int) - background).sum(axis=2)
        assert np.corrcoef(ink.ravel(), data.X[row])[0, 1] > 0.999
