"""Phase diagrams as heatmaps: outlines against a slow twin, borders of cells, a specification that can be drawn."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from viz.charts.phase_pictures import CELLS, FIGURES, MAPS, PICK, SHOWN, cells, lambda_edges, outline, phase_chart
from viz.palette import THEMES

LAMS, COSTS = np.array([0.5, 1.0, 2.0, 4.0]), np.array([1.0, 1.25, 5.0])


def point(index, n_univariate, n_bivariate, **others):
    """Figures of one point."""
    n_decision = n_univariate + n_bivariate
    return {
        "index": index, "lam": LAMS[index % 4], "cost": COSTS[index // 4], "n_univariate": n_univariate,
        "n_bivariate": n_bivariate, "n_decision": n_decision, "n_leaves": n_decision + 1,
        "depth": 2, "objective": 3.5, "train_error": 0.1, "validation_error": 0.2, "test_error": 0.15 + index / 100,
    } | others  # fmt: skip


POINTS = [point(i, 0, 0) if i % 4 == 3 else point(i, 3 - i % 4, 1) for i in range(12)]
GOOD = np.array([[0, 1, 1, 0], [0, 1, 0, 0], [1, 0, 0, 0]], bool)


def sides(mask):
    """Unit sides between a true and a false cell, each as (x1, y1, x2, y2)."""
    rows, columns = mask.shape
    found = set()
    for r in range(rows):
        for c in range(columns):
            if not mask[r, c]:
                continue
            for other, side in (
                ((r - 1, c), (c, r, c + 1, r)),
                ((r + 1, c), (c, r + 1, c + 1, r + 1)),
                ((r, c - 1), (c, r, c, r + 1)),
                ((r, c + 1), (c + 1, r, c + 1, r + 1)),
            ):
                inside = 0 <= other[0] < rows and 0 <= other[1] < columns
                if not (inside and mask[other]):
                    found.add(side)
    return found


@given(arrays.arrays(bool, st.tuples(st.integers(1, 6), st.integers(1, 8))))
def test_the_outline_is_every_side_between_true_and_false(mask):
    segments = outline(mask).tolist()
    units = [
        (x, y, x + (x2 > x1), y + (y2 > y1))
        for x1, y1, x2, y2 in segments
        for x in (range(x1, x2) if x2 > x1 else [x1])
        for y in (range(y1, y2) if y2 > y1 else [y1])
    ]
    assert len(units) == len(set(units))
    assert set(units) == sides(mask)


def test_straight_runs_are_one_segment():
    assert sorted(outline(np.ones((2, 3), bool)).tolist()) == [[0, 0, 0, 2], [0, 0, 3, 0], [0, 2, 3, 2], [3, 0, 3, 2]]


@pytest.mark.parametrize("lams", [[1.0], [0.5, 1.0], [0.3, 1.0, 2.0, 50.0]])
def test_columns_meet_half_way_on_the_logarithmic_axis(lams):
    edges = lambda_edges(lams)
    assert len(edges) == len(lams) + 1
    assert (np.diff(edges) > 0).all()
    assert ((edges[:-1] < lams) & (lams < edges[1:])).all()
    np.testing.assert_allclose(edges[1:-1] ** 2, np.array(lams[:-1]) * lams[1:])


def test_cells_know_their_place_and_figures():
    frame = cells(POINTS[:6], LAMS, GOOD)
    assert frame["cell"].tolist() == list(range(6))
    assert frame["y1"].tolist() == [-0.5] * 4 + [0.5] * 2
    np.testing.assert_allclose(frame["x1"][:4], lambda_edges(LAMS)[:4])
    np.testing.assert_allclose(frame["line_share"][:3], [1 / 4, 1 / 3, 1 / 2])
    assert np.isnan(frame["line_share"][3])
    assert frame["good"].tolist() == ["no", "yes", "yes", "no", "no", "yes"]
    assert frame["error"].tolist() == [p["test_error"] for p in POINTS[:6]]


@pytest.mark.parametrize(
    ("missing", "title"),
    [((), "Test error"), (("test_error",), "Validation error"), (("test_error", "validation_error"), "Training error")],
)
def test_the_error_is_the_one_that_says_most(missing, title):
    frame = cells([p | dict.fromkeys(missing) for p in POINTS], LAMS, None)
    assert phase_chart("error", frame, LAMS, COSTS).to_dict()["title"]["text"] == title
    assert set(frame["good"]) == {"unknown"}


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", MAPS)
def test_a_map_can_be_picked_from_and_framed(name, theme):
    frame = cells(POINTS, LAMS, GOOD)
    spec = phase_chart(name, frame, LAMS, COSTS, GOOD, 5, theme).to_dict()
    assert spec["data"] == {"name": CELLS}
    assert {param["name"] for param in spec["params"]} == {PICK, SHOWN}
    top = spec["layer"][-1]
    assert top["mark"]["opacity"] == 0
    assert [entry["field"] for entry in top["encoding"]["tooltip"]] == [column for _, column, _ in FIGURES]
    text = json.dumps(spec)
    for part in ("single leaf", "★", "datum.cell == 5", f"datum.cell == {SHOWN}", "datum.n_decision == 0"):
        assert json.dumps(part)[1:-1] in text
    outlined = [entry for entry in spec["layer"] if entry["mark"].get("type") == "rule"]
    assert len(outlined) == 2
    (color,) = [entry["encoding"]["color"] for entry in spec["layer"] if "color" in entry["encoding"]]
    assert color["field"] == MAPS[name].column
    assert (color["scale"]["type"] == "log") == (name == "size")


def test_cells_all_alike_have_a_range_of_colours():
    frame = cells([point(i, 1, 0, test_error=0.0) for i in range(12)], LAMS, None)
    for name in MAPS:
        layers = phase_chart(name, frame, LAMS, COSTS).to_dict()["layer"]
        low, high = layers[0]["encoding"]["color"]["scale"]["domain"]
        assert low < high


def test_only_single_leaves_can_be_drawn():
    frame = cells([point(i, 0, 0) for i in range(12)], LAMS, np.zeros((3, 4), bool))
    for name in MAPS:
        assert "rule" not in json.dumps(
            phase_chart(name, frame, LAMS, COSTS, np.zeros((3, 4), bool)).to_dict()["layer"]
        )
