"""Test the choice of the value that the slider changes, and the trees of each size."""

from types import SimpleNamespace

import pytest

import sample_data
from pages.jobs import settings
from pages.jobs.point import Point
from pages.ui.explore import path_panel
from pages.ui.session import data_sets, page_settings, shown_path
from pages.ui.shell.manager import manager
from tests.pages.conftest import wait_for_path
from tests.refusals import wording
from treecore import CARTClassifier
from treecore.training.prune import best_part
from treecore.tree.metrics import training_loss

pytestmark = pytest.mark.xdist_group("app")
LINES = {"data_set": "iris", "split": "bivariate", "init": "cart", "n_lambdas": "3"}


def points_of(app):
    chosen = page_settings.EXPLORE.text.read(dict(app.query_params.items())).path()
    return manager().points(manager().submit(chosen, data_sets.load(chosen.data_set).fingerprint))


def choose(app, value):
    return wait_for_path(app.segmented_control(key=path_panel.SLIDER).set_value(value).run())


def test_the_slider_has_the_best_tree_of_each_size(open_app):
    app = wait_for_path(open_app(**LINES, sweep="size"))
    assert not app.exception
    assert not app.error
    points = points_of(app)
    leaves = [point.tree.n_leaves for point in points]
    assert leaves == sorted(set(leaves), reverse=True)  # the smallest tree is on the right, as on a path
    assert leaves[-1] == 1  # so that the recommended tree can be without a split
    losses = [training_loss(point.tree) for point in points]
    assert losses == sorted(losses)
    assert app.query_params["sweep"] == "size"


def test_the_switch_changes_the_slider_and_is_in_the_address(open_app):
    app = wait_for_path(open_app(**LINES, lam="3.5"))
    control = app.segmented_control(key=path_panel.SLIDER)
    assert (control.options, control.value) == (["Size", "λ", "λ and C"], "lambda")
    app = choose(app, "size")
    assert (app.query_params["sweep"], "lam" in app.query_params) == ("size", False)
    assert points_of(app)[0].figures["size"] is not None
    app = choose(app, "lambda")
    assert "sweep" not in app.query_params
    assert points_of(app)[0].figures["size"] is None
    app = choose(app, "cost")
    assert app.query_params["costs"]
    assert app.segmented_control(key=path_panel.SLIDER).value == "cost"


def test_a_custom_lambda_and_several_costs_have_no_effect_on_sizes(open_app):
    app = wait_for_path(open_app(**LINES, sweep="size", lam="4", costs="1-2", lambdas="critical"))
    assert not app.exception
    assert not app.error
    assert points_of(app)[-1].tree.n_leaves == 1


@pytest.mark.parametrize(
    ("errors", "changes", "says"),
    [
        ([0.1, 0.2, 0.3], {}, True),
        ([0.2, 0.1, 0.3], {}, False),
        ([0.1, 0.2, 0.3], {"max_leaf_nodes": 3}, False),
        ([0.1, 0.2, 0.3], {"sweep": "lambda"}, False),
    ],
)
def test_the_best_tree_is_at_the_end_of_the_slider_if_that_is_the_largest_size(monkeypatch, errors, changes, says):
    data = sample_data.load("iris")
    tree = CARTClassifier(cv=None, random_state=0).fit(data.X, data.labels()).tree_
    points = [Point(i, 0.0, best_part(tree, n), {"validation_error": error, "n_validation": 30, "size": n})
              for i, (n, error) in enumerate(zip((3, 2, 1), errors, strict=True))]  # fmt: skip
    path = settings.Settings("iris", split="univariate", **{"sweep": "size"} | changes)
    view = SimpleNamespace(trees=lambda: SimpleNamespace(points=points), path_settings=path, data=data)
    assert not shown_path.PathView.ends_at_best.fget(view)  # larger sizes give the same tree
    monkeypatch.setattr(shown_path, "usual_sizes", lambda n_classes: [*range(1, n_classes + 1)])
    assert shown_path.PathView.ends_at_best.fget(view) == says


def test_the_page_says_where_the_slider_ends(open_app, monkeypatch):
    app = wait_for_path(open_app(**LINES, sweep="size"))
    assert not any(
        wording("The slider ends at …, and *Best tree* is its largest tree").search(one.value) for one in app.caption
    )
    monkeypatch.setattr(shown_path.PathView, "ends_at_best", True)
    app = open_app(**LINES, sweep="size")
    assert any(
        wording("The slider ends at …, and *Best tree* is its largest tree").search(one.value) for one in app.caption
    )


def test_many_features_are_screened_and_the_page_says_so(open_app, monkeypatch):
    app = wait_for_path(open_app(**LINES))
    assert not any(
        wording(
            "features: in each node, a bivariate split combines two of the … features with the best thresholds"
        ).search(one.value)
        for one in app.caption
    )
    monkeypatch.setattr(path_panel, "MOST_FEATURES", 3)
    assert any(
        wording(
            "4 features: in each node, a bivariate split combines two of the … features with the best thresholds"
        ).search(one.value)
        for one in open_app(**LINES).caption
    )
    app = open_app(**LINES | {"split": "univariate"})
    assert not any(
        wording(
            "features: in each node, a bivariate split combines two of the … features with the best thresholds"
        ).search(one.value)
        for one in app.caption
    )


def test_linear_leaves_have_no_sizes(open_app):
    app = wait_for_path(
        open_app(**LINES | {"split": "univariate", "leaf": "linear", "max_depth": "2", "sweep": "size"})
    )
    assert not app.exception
    assert not [one for one in app.segmented_control if one.key == path_panel.SLIDER]
    assert points_of(app)[0].figures["size"] is None
