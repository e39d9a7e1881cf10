"""Test the animated path: its trees, the frames between them, the curve, no jumps or flicker, progress and stop."""

import io
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from tests.budget import budget
from tests.viz.cases import assert_legible
from viz import path_animation, path_gif
from viz.charts.path_points import path_points, recommended
from viz.looks import LOOKS
from viz.palette import THEMES, class_color, pale, rgb
from viz.tree.animation import STEPS, shared_palette
from viz.tree.layout import path_layout
from viz.tree.path_film import PathFilm, tree_box
from viz.tree.tree_places import level_bands

CART = {"method": "CART", "leaves": 59, "errors": {"train": 0.0, "validation": 0.2, "test": 0.164}}


def frames_of(gif):
    """Return (uint8[n, h, w, 3], durations in milliseconds)."""
    image = Image.open(io.BytesIO(gif))
    frames, durations = [], []
    for index in range(image.n_frames):
        image.seek(index)
        frames.append(np.asarray(image.convert("RGB")))
        durations.append(image.info["duration"])
    return np.stack(frames), durations


def has_local_colors(gif):
    """Test whether a frame of a GIF has its own colours (bit 7 of its descriptor)."""
    place = 13 + 3 * 2 ** ((gif[10] & 7) + 1)
    while gif[place] != 0x3B:
        if gif[place] == 0x21:
            place += 2
        else:
            if gif[place + 9] & 0x80:
                return True
            place += 11
        while gif[place]:
            place += gif[place] + 1
        place += 1
    return False


PATHS = [("digits_path", "dark"), ("odd_path", "light"), ("wine_path", "light"), ("plane_path", "dark")]


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "theme"), budget(PATHS[:2], PATHS))
def test_one_frame_a_tree_with_the_same_colours(name, theme, request):
    path, data = request.getfixturevalue(name)
    gif = path_animation(path, data, width=500, theme=theme, milliseconds=100, end=len(path) - 1)
    frames, durations = frames_of(gif)
    grows = PathFilm(path_points(path), data, 500, THEMES[theme]).is_small(len(path) - 1)
    assert frames.shape[0] == len(path) + grows
    assert frames.shape[2] == 500
    assert durations == [100] * (len(frames) - 1) + [800]
    assert Image.open(io.BytesIO(gif)).info["loop"] == 0
    assert not has_local_colors(gif)
    assert 2 ** ((gif[10] & 7) + 1) == 256
    np.testing.assert_array_equal(frames[:, 0, 0], [rgb(THEMES[theme].background)] * len(frames))
    for first, second in zip(frames, frames[1:], strict=False):
        assert (first != second).any()


def test_it_ends_at_the_recommended_tree_and_stays_there(wine_path):
    path, data = wine_path
    end = recommended(path)["one_se"]
    assert 0 < end < len(path) - 1
    frames, durations = frames_of(path_animation(path, data, "webp", width=400))
    grows = PathFilm(path_points(path), data, 400, THEMES["light"]).is_small(end)
    assert len(frames) == (end + grows) * (1 + STEPS) + 1
    assert sum(durations[: 1 + STEPS]) == 500
    assert durations[-1] == 4000
    np.testing.assert_array_equal(frames_of(path_animation(path, data, "webp", width=400, end=end))[0], frames)


def test_webp_is_lossless_and_frames_between_trees_are_between_them(digits_path):
    path, data = digits_path
    film = PathFilm(path_points(path), data, 400, THEMES["light"])
    first, second = film.tree(0), film.tree(1)
    frames, _ = frames_of(path_animation(path, data, "webp", width=400, end=1))
    np.testing.assert_array_equal(frames[0], film.frame_of(first.copy(), 0))
    np.testing.assert_array_equal(frames[1 + STEPS], film.frame_of(second.copy(), 1))
    tree = slice(round(film.box.top), round(film.box.top + film.box.height))
    low, high = np.minimum(first, second)[tree], np.maximum(first, second)[tree]
    for frame in frames[1 : 1 + STEPS, tree]:
        assert ((frame >= low) & (frame <= high)).all()
        assert (frame != first[tree]).any()


def test_wide_frames_are_magnified(wine_path):
    path, data = wine_path
    points = path_points(path)
    small, large = (PathFilm(points, data, width, THEMES["light"]).tree(0) for width in (1280, 1920))
    assert large.shape == (small.shape[0] * 3 // 2, 1920, 3)


def test_the_curve_is_strong_up_to_the_tree_which_has_a_dot(wine_path):
    path, data = wine_path
    film = PathFilm(path_points(path), data, 600, THEMES["light"], CART)
    color = film.colors[0].astype(int)
    blank = np.zeros((round(film.height), 600, 3), np.uint8)
    for index in (0, 2.5, len(path) - 1):
        strip = film.frame_of(blank.copy(), index)[film.top :].astype(int)
        x = np.interp(index, np.arange(len(path)), film.x)
        y = np.interp(index, np.arange(len(path)), film.y[0])
        np.testing.assert_array_equal(strip[int(y), int(x)], color)
        # The legend above the curve also has its colour.
        strong = (strip[24:] == color).all(axis=2).any(axis=0).nonzero()[0]
        assert film.x[0] - 8 <= strong.min()
        assert strong.max() <= x + 8
        if index < len(path) - 1:
            np.testing.assert_array_equal(strip[:, int(x) + 10 :], film.faint[:, int(x) + 10 :])


def test_equal_input_gives_equal_bytes(wine_path):
    assert path_gif(*wine_path, width=400) == path_gif(*wine_path, width=400)


def test_nodes_keep_their_places_and_classes_their_colours(wine_path):
    path, data = wine_path
    frames, _ = frames_of(path_animation(path, data, milliseconds=100, end=len(path) - 1))
    whole = path_layout(path.trees)
    box, rooms = tree_box(whole, frames[0].shape[1])
    tops, _ = level_bands(rooms * box.width / whole.n_slots, box)
    for frame, tree in zip(frames, path.trees, strict=False):  # without the last tree in the whole room
        for node in np.flatnonzero(tree.left < 0):
            place = np.searchsorted(whole.origin, tree.origin[node])
            x = box.left + whole.x[place] * box.width / whole.n_slots
            strong = class_color(data.class_names.index(str(tree.classes[tree.labels[node]])))
            color = pale(strong, LOOKS.leaf.pale, THEMES["light"].background)
            # This pixel is above the text of the leaf.
            np.testing.assert_array_equal(frame[round(tops[whole.depth[place]]) + 2, round(x)], rgb(color))


def test_the_first_line_compares_the_tree_with_the_reference(wine_path, texts):
    path, data = wine_path
    points = [SimpleNamespace(lam=p.lam, tree=p.tree, test_error=p.validation_error) for p in path]
    path_animation(points, data, reference=CART, milliseconds=100)
    lines = {text for _, text in texts}
    for point in path:
        leaves = f"{point.n_leaves} {'leaf' if point.n_leaves == 1 else 'leaves'}"
        assert f"{leaves}, {point.validation_error * 100:.1f} % wrong." in lines
    assert " CART: 59 leaves, 16.4 % wrong." in lines
    assert "CART: 16.4 %, 59 leaves" in lines  # at its line in the chart
    assert any(text.endswith("measured on the test rows") for text in lines)


def test_trees_of_sizes_are_compared_with_a_tree_of_their_size(wine_path, texts):
    path, data = wine_path
    points = [SimpleNamespace(lam=p.lam, tree=p.tree, test_error=p.validation_error, size=p.n_leaves) for p in path]
    sizes = [{"leaves": size, "errors": {"test": size / 1000}} for size in (1, 2, 59)]
    path_animation(points, data, reference=CART | {"sizes": sizes}, milliseconds=100)
    lines = {text for _, text in texts}
    counts = {point.n_leaves for point in path}
    assert 1 in counts
    assert max(counts) < 59
    assert " CART: 1 leaf, 0.1 % wrong." in lines
    assert " CART: 2 leaves, 0.2 % wrong." in lines
    assert not any("59 leaves" in line for line in lines), "the tree of another size"


@pytest.mark.nightly
def test_every_frame_is_legible(digits_path, odd_path, canvases):
    pairs = [(digits_path, 960), (odd_path, 300), *budget([], [(digits_path, 300), (odd_path, 960)])]
    for (path, data), width in pairs:
        path_animation(path, data, width=width, reference=CART, milliseconds=100)
    for canvas in canvases:
        assert_legible(canvas)


def test_progress_is_reported_and_a_true_answer_stops(wine_path):
    path, data = wine_path
    end = recommended(path)["one_se"]
    seen = []
    assert path_gif(path, data, width=300, on_frame=lambda *state: seen.append(state)) is not None
    assert seen == [(done, end + 1) for done in range(1, end + 2)]
    seen.clear()
    assert path_gif(path, data, width=300, on_frame=lambda done, total: seen.append(done) or done == 2) is None
    assert seen == [1, 2]


def test_any_objects_with_lambda_and_tree_will_do(wine_path):
    path, data = wine_path
    bare = [SimpleNamespace(lam=point.lam, tree=point.tree) for point in path]
    in_dict = [SimpleNamespace(lam=p.lam, tree=p.tree, figures={"validation_error": p.validation_error}) for p in path]
    assert len(frames_of(path_gif(bare, data, width=300, milliseconds=100))[0]) in (len(path), len(path) + 1)
    own = [SimpleNamespace(lam=p.lam, tree=p.tree, validation_error=p.validation_error) for p in path]
    expected = path_gif(own, data, width=300)
    assert path_gif(in_dict, data, width=300) == expected
    assert path_gif(own[::-1], data, width=300) == expected


def test_one_tree_with_one_leaf(odd_path):
    path, data = odd_path
    last = path[len(path) - 1]
    assert last.tree.n_leaves == 1
    for lam in (last.lam, 0.0):
        one = [SimpleNamespace(lam=lam, tree=last.tree, train_error=last.train_error)]
        for form in ("gif", "webp"):
            assert frames_of(path_animation(one, data, form))[0].shape[0] == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"path": []}, "at least one tree"), ({"theme": "pink"}, "'light', 'dark'"), ({"width": 20}, "200 to 4000"),
        ({"milliseconds": 0}, "at least 20"), ({"format": "mp4"}, "'gif' or 'webp'"), ({"end": 99}, "from 0 to"),
        ({"data": SimpleNamespace(X=np.zeros((3, 2)))}, "data set of the tree"),
    ],
)  # fmt: skip
def test_bad_input_is_explained(wine_path, changes, message):
    with pytest.raises(ValueError, match=message):
        path_animation(**({"path": wine_path[0], "data": wine_path[1]} | changes))


def test_palette_holds_the_colours_with_a_meaning():
    noise = np.random.default_rng(0).integers(0, 256, (40, 50, 3), dtype=np.uint8)
    colors = shared_palette([noise], THEMES["light"])
    assert len(colors) <= 255
    for color in (*THEMES["light"], class_color(0), class_color(9), class_color(99)):
        assert (colors == rgb(color)).all(axis=1).any()
