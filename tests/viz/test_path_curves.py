"""Curves along the path and pictures of data sets: valid specifications that hold the right numbers."""

import io

import numpy as np
import pytest
from PIL import Image

import sample_data
from viz.data_pictures import class_chart, image_sheet, scatter_chart
from viz.path_curves import path_curves, path_frame


def figures(index, lam, validation=0.2):
    return {
        "index": index, "lam": lam, "train_error": 0.1, "validation_error": validation, "test_error": 0.3,
        "n_leaves": 5, "n_decision": 4, "n_nonzero": 10, "mean_path_length": 2.5,
    }  # fmt: skip


def test_frame_holds_percent_and_sizes():
    frame = path_frame([figures(0, 0.1), figures(1, 1.0)])
    values = frame[frame["lam"] == 1.0].set_index("curve")["value"]
    assert values["train"] == 10
    assert values["test"] == 30
    assert values["features per node"] == 2.5


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_charts_are_valid_and_mark_the_chosen_lambda(theme):
    points = [figures(i, 10.0**i) for i in range(4)]
    for chart in path_curves(points, 100.0, {"best": 10.0}, theme):
        text = chart.to_json()
        assert '"lam": 100.0' in text
        assert '"name": "best"' in text


def test_curves_without_validation_rows_and_with_one_point():
    errors, _ = path_curves([figures(0, 1.0, validation=None)], 1.0)
    assert "validation" not in errors.to_json()


def test_image_sheet_shows_every_class():
    data = sample_data.load("digits")
    sheet = np.asarray(Image.open(io.BytesIO(image_sheet(data, zoom=1))))
    height = 8 + 2
    assert sheet.shape[0] == data.n_classes * height
    for code in range(data.n_classes):
        assert sheet[code * height : (code + 1) * height].std() > 10


def test_data_charts_are_valid():
    data = sample_data.load("moons")
    assert "x" in scatter_chart(data).to_dict()["encoding"]
    counts = class_chart(("a", "b"), [3, 4]).to_dict()
    assert next(iter(counts["datasets"].values()))[1]["rows"] == 4
