"""Test the choice of the value that the slider changes, and the trees of each size."""

import pytest

from pages.ui.explore import path_panel
from pages.ui.session import data_sets, page_settings
from pages.ui.shell.manager import manager
from tests.pages.conftest import wait_for_path
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


def test_linear_leaves_have_no_sizes(open_app):
    app = wait_for_path(
        open_app(**LINES | {"split": "univariate", "leaf": "linear", "max_depth": "2", "sweep": "size"})
    )
    assert not app.exception
    assert not [one for one in app.segmented_control if one.key == path_panel.SLIDER]
    assert points_of(app)[0].figures["size"] is None
