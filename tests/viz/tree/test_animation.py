"""Test the animated path: one frame per tree, no jumps or flicker, progress and stop."""

import io
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from tests.budget import budget
from tests.viz.cases import assert_legible
from viz import path_gif
from viz.charts.values.path_points import number_text
from viz.palette import THEMES, class_color, rgb
from viz.tree.animation import shared_palette, tree_box
from viz.tree.layout import path_layout
from viz.tree.tree_places import level_bands


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
    gif = path_gif(path, data, width=500, theme=theme, milliseconds=200)
    frames, durations = frames_of(gif)
    assert frames.shape[0] == len(path)
    assert frames.shape[2] == 500
    assert durations == [200] * (len(path) - 1) + [800]
    assert Image.open(io.BytesIO(gif)).info["loop"] == 0
    assert not has_local_colors(gif)
    assert 2 ** ((gif[10] & 7) + 1) == 256
    np.testing.assert_array_equal(frames[:, 0, 0], [rgb(THEMES[theme].background)] * len(path))
    for first, second in zip(frames, frames[1:], strict=False):
        assert (first != second).any()


def test_equal_input_gives_equal_bytes(wine_path):
    assert path_gif(*wine_path, width=400) == path_gif(*wine_path, width=400)


def test_nodes_keep_their_places_and_classes_their_colours(wine_path):
    path, data = wine_path
    frames, _ = frames_of(path_gif(path, data))
    whole = path_layout(path.trees)
    box, rooms = tree_box(whole, frames[0].shape[1])
    tops, _ = level_bands(rooms * box.width / whole.n_slots, box)
    for frame, tree in zip(frames, path.trees, strict=True):
        for node in np.flatnonzero(tree.left < 0):
            place = np.searchsorted(whole.origin, tree.origin[node])
            x = box.left + whole.x[place] * box.width / whole.n_slots
            color = class_color(data.class_names.index(str(tree.classes[tree.labels[node]])))
            # This pixel is above the text of the leaf.
            np.testing.assert_array_equal(frame[round(tops[whole.depth[place]]) + 2, round(x)], rgb(color))


def test_the_first_line_has_lambda_leaves_and_error(wine_path, texts):
    path, data = wine_path
    path_gif(path, data)
    lines = [text for _, text in texts if text.startswith("λ = ") and "·" in text]
    expected = [
        f"λ = {number_text(p.lam)} · {p.n_leaves} {'leaf' if p.n_leaves == 1 else 'leaves'} · "
        f"validation error {p.validation_error * 100:.1f} %"
        for p in path
    ]
    assert sorted(lines) == sorted(expected)


def test_every_frame_is_legible(digits_path, odd_path, canvases):
    for path, data in (digits_path, odd_path):
        for width in (300, 960):
            path_gif(path, data, width=width)
    for canvas in canvases:
        assert_legible(canvas)


def test_progress_is_reported_and_a_true_answer_stops(wine_path):
    path, data = wine_path
    seen = []
    assert path_gif(path, data, width=300, on_frame=lambda *state: seen.append(state)) is not None
    assert seen == [(done, len(path)) for done in range(1, len(path) + 1)]
    seen.clear()
    assert path_gif(path, data, width=300, on_frame=lambda done, total: seen.append(done) or done == 2) is None
    assert seen == [1, 2]


def test_any_objects_with_lambda_and_tree_will_do(wine_path):
    path, data = wine_path
    bare = [SimpleNamespace(lam=point.lam, tree=point.tree) for point in path]
    in_dict = [SimpleNamespace(lam=p.lam, tree=p.tree, figures={"validation_error": p.validation_error}) for p in path]
    assert frames_of(path_gif(bare, data, width=300))[0].shape[0] == len(path)
    own = [SimpleNamespace(lam=p.lam, tree=p.tree, validation_error=p.validation_error) for p in path]
    expected = path_gif(own, data, width=300)
    assert path_gif(in_dict, data, width=300) == expected
    assert path_gif(own[::-1], data, width=300) == expected


def test_one_tree_with_one_leaf(odd_path):
    path, data = odd_path
    last = path[len(path) - 1]
    assert last.tree.n_leaves == 1
    for lam in (last.lam, 0.0):
        gif = path_gif([SimpleNamespace(lam=lam, tree=last.tree, train_error=last.train_error)], data)
        assert frames_of(gif)[0].shape[0] == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"path": []}, "at least one tree"), ({"theme": "pink"}, "'light', 'dark'"), ({"width": 20}, "200 to 4000"),
        ({"milliseconds": 0}, "at least 20"), ({"data": SimpleNamespace(X=np.zeros((3, 2)))}, "data set of the tree"),
    ],
)  # fmt: skip
def test_bad_input_is_explained(wine_path, changes, message):
    with pytest.raises(ValueError, match=message):
        path_gif(**({"path": wine_path[0], "data": wine_path[1]} | changes))


def test_palette_holds_the_colours_with_a_meaning():
    noise = np.random.default_rng(0).integers(0, 256, (40, 50, 3), dtype=np.uint8)
    colors = shared_palette([noise], THEMES["light"])
    assert len(colors) <= 255
    for color in (*THEMES["light"], class_color(0), class_color(9), class_color(99)):
        assert (colors == rgb(color)).all(axis=1).any()
