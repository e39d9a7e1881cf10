"""Test the regions of the plane in the browser's model: they are exact and cover the whole plane."""

import numpy as np
import pytest

from tests.browser.stage_examples import made
from viz.tree.plane_regions import plane_regions

PLANES = ["plane", "moons", "grown plane"]  # checkerboard, moons, clouds


def area(polygon):
    """Return the area of a polygon, by the shoelace formula."""
    x, y = np.array(polygon, float).reshape(-1, 2).T
    return abs(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) / 2


def depths(polygon, points):
    """Return the distance from points to the nearest side of a convex polygon, float[n], negative outside."""
    corners = np.array(polygon)
    sides = np.roll(corners, -1, axis=0) - corners
    length = np.linalg.norm(sides, axis=1)
    corners, sides = corners[length > 0], sides[length > 0] / length[length > 0, None]
    away = points[:, None] - corners
    cross = sides[:, 0] * away[:, :, 1] - sides[:, 1] * away[:, :, 0]
    return (orientation(polygon) * cross).min(axis=1)


def orientation(polygon):
    """Return 1 for counter-clockwise corners, else -1."""
    x, y = np.array(polygon).T
    return np.sign(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))


@pytest.mark.parametrize("name", PLANES)
def test_points_inside_the_region_of_a_leaf_are_routed_to_it(ask, name):
    example = made(name)
    rng = np.random.default_rng(0)
    for tree, found in zip(example.trees, ask("regions", example.payload), strict=True):
        whole = np.array(found["polygons"][0])
        low, high = whole.min(axis=0), whole.max(axis=0)
        points = rng.uniform(low, high, (4000, 2))
        leaf = tree.apply(points)
        times = np.zeros(len(points), int)
        sure = np.ones(len(points), bool)
        for node in np.flatnonzero(tree.left < 0):
            polygon = found["polygons"][node]
            if not polygon:
                assert not np.any(leaf == node)
                continue
            depth = depths(polygon, points)
            assert np.all(leaf[depth > 1e-9] == node)
            times += depth > 1e-9
            sure &= np.abs(depth) > 1e-9
        assert np.all(times[sure] == 1)
        assert sure.mean() > 0.999
        sampled = example.data.X.astype(float)
        assert np.all((sampled >= low) & (sampled <= high))


@pytest.mark.parametrize("name", PLANES)
def test_areas_of_the_regions_sum_to_the_plane_and_children_to_their_parent(ask, name):
    example = made(name)
    for tree, found in zip(example.trees, ask("regions", example.payload), strict=True):
        areas = np.array([area(polygon) for polygon in found["polygons"]])
        whole = np.array(found["polygons"][0])
        regions, lines = plane_regions(tree, whole.min(axis=0), whole.max(axis=0))
        assert {leaf: area(corners) for leaf, corners in regions.items()} == pytest.approx(
            {int(leaf): areas[leaf] for leaf in np.flatnonzero((tree.left < 0) & (areas > 0))}
        )
        for node, line in lines.items():
            ends = np.array(found["cuts"][node])
            turned = min((line, line[::-1]), key=lambda one: np.abs(one - ends).max())
            np.testing.assert_allclose(turned, ends, atol=1e-9 * np.ptp(whole))
        assert areas[tree.left < 0].sum() == pytest.approx(areas[0], rel=1e-9)
        for node in np.flatnonzero(tree.left >= 0):
            assert areas[tree.left[node]] + areas[tree.right[node]] == pytest.approx(areas[node], rel=1e-9, abs=1e-12)
            if found["cuts"][node]:
                ends = np.array(found["cuts"][node])
                np.testing.assert_allclose(tree.margins(ends, node), 0, atol=1e-9 * np.abs(tree.bias[node]) + 1e-9)


def test_one_leaf_is_the_whole_plane(ask):
    (found,) = ask("regions", made("one leaf in the plane").payload)
    assert [len(polygon) for polygon in found["polygons"]] == [4]
