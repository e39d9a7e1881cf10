"""Test that the PDF of a path has all trees in order with their metrics, and the same bytes every time."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from tests.budget import budget
from tests.viz.cases import assert_legible
from viz.charts.path_points import RECOMMENDED, number_text, path_points, recommended
from viz.tree.contact_sheet import contact_sheet


def n_pages(pdf):
    return len(re.findall(rb"/Type /Page\b(?!s)", pdf))


PATHS = [("odd_path", "dark"), ("digits_path", "light"), ("wine_path", "dark"), ("plane_path", "light")]


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "theme"), budget(PATHS[:1], PATHS))
def test_pages_are_legible_and_equal_bytes_come_again(name, theme, canvases, request):
    path, data = request.getfixturevalue(name)
    pdf = contact_sheet(path, data, columns=2, rows=1, theme=theme)
    assert pdf.startswith(b"%PDF")
    assert b"CreationDate" not in pdf
    assert n_pages(pdf) == len(canvases) == 1 + -(-len(path) // 2)
    for canvas in canvases:
        assert_legible(canvas)
    if name in ("digits_path", "odd_path"):  # one path has images, the other one characters that fonts lack
        assert contact_sheet(path, data, columns=2, rows=1, theme=theme) == pdf


@pytest.mark.long
@pytest.mark.parametrize(("columns", "rows"), [(2, 2), (8, 8)])
def test_any_number_of_trees_on_a_page(columns, rows, wine_path, odd_path, canvases):
    for path, data in (wine_path, odd_path):
        assert n_pages(contact_sheet(path, data, columns, rows)) == 1 + -(-len(path) // (columns * rows))
    for canvas in canvases:
        assert_legible(canvas)


def test_trees_stand_in_the_order_of_lambda_with_their_figures(wine_path, texts):
    path, data = wine_path
    points = [SimpleNamespace(lam=p.lam, tree=p.tree, train_error=p.train_error) for p in path]
    contact_sheet(points[::-1], data)
    written = [text for _, text in texts]
    captions = [text for text in written if text.startswith("λ = ")]
    assert captions[-len(path) :] == [f"λ = {number_text(point.lam)}" for point in path]
    for point in path:
        assert f"training error {point.train_error * 100:.1f} %" in written
        sizes = f"depth {point.depth} · {point.tree.features_per_node:.3g} features per node"
        assert any(text.endswith(sizes) for text in written)
    assert data.title in written


def test_recommended_trees_are_marked(wine_path, texts):
    path, data = wine_path
    contact_sheet(path, data)
    best = {"min": path.best("min").lam, "one_se": path.best("one_se").lam}
    assert {name: path[index].lam for name, index in recommended(path).items()} == best
    marked = [text for _, text in texts if text.startswith("λ = ") and ":" in text]
    assert len(marked) == len(set(best.values()))
    for rule, lam in best.items():
        assert any(RECOMMENDED[rule] in text and number_text(lam) in text for text in marked)


def test_nothing_is_recommended_without_validation(plane_path, texts):
    path, data = plane_path
    assert recommended(path) == {}
    contact_sheet(path, data)
    assert not any("good tree" in text for _, text in texts)


def test_without_the_number_of_rows_only_the_best_is_known(wine_path):
    path, _ = wine_path
    points = [SimpleNamespace(lam=p.lam, tree=p.tree, validation_error=p.validation_error) for p in path]
    assert recommended(points) == {"min": path.best_index("min")}
    figures = [
        SimpleNamespace(lam=p.lam, tree=p.tree, figures={"validation_error": p.validation_error, "n_validation": 36})
        for p in path
    ]
    assert recommended(figures) == recommended(path)


def test_progress_is_reported_and_a_true_answer_stops(wine_path):
    path, data = wine_path
    seen = []
    assert contact_sheet(path, data, on_frame=lambda *state: seen.append(state)) is not None
    assert seen == [(done, len(path)) for done in range(1, len(path) + 1)]
    assert contact_sheet(path, data, on_frame=lambda done, total: done == 3) is None


def test_one_tree_with_one_leaf(odd_path):
    path, data = odd_path
    last = path[len(path) - 1]
    assert n_pages(contact_sheet([SimpleNamespace(lam=0.0, tree=last.tree)], data)) == 2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"path": []}, "at least one tree"), ({"theme": "pink"}, "'light', 'dark'"), ({"columns": 0}, "columns=0"),
        ({"rows": 2.5}, "rows=2.5"), ({"data": SimpleNamespace(X=np.zeros((3, 2)))}, "data set of the tree"),
    ],
)  # fmt: skip
def test_bad_input_is_explained(wine_path, changes, message):
    with pytest.raises(ValueError, match=message):
        contact_sheet(**({"path": wine_path[0], "data": wine_path[1]} | changes))


def test_points_are_sorted_and_missing_errors_are_none(wine_path):
    path, _ = wine_path
    points = path_points([SimpleNamespace(lam=p.lam, tree=p.tree, test_error=0.25) for p in path][::-1])
    assert [point.lam for point in points] == path.lams.tolist()
    assert {(point.validation_error, point.test_error, point.train_error) for point in points} == {(None, 0.25, None)}
