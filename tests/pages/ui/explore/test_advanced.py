"""Test that the rarely changed settings under *Advanced* are drawn as declared, for the trees that have them."""

import pytest

from pages.jobs.setting import settings_of
from pages.jobs.settings import PathSettings
from pages.ui.explore import path_panel
from pages.ui.session import data_sets, page_settings
from pages.ui.shell.manager import manager
from tests.pages.conftest import wait_for_path

pytestmark = pytest.mark.xdist_group("app")
SMALL = {"data_set": "iris", "split": "univariate", "init": "cart", "max_depth": "3", "n_lambdas": "3"}
LIMITS, EXACT_ONLY = ("max_leaf_nodes", "feature_costs"), ("monotonic_cst", "interaction_cst")
RARE = {name: settings_of(PathSettings)[name].words for name in path_panel.RARE_ONES}


def shown(app):
    """Return the names of the rare settings that have a control."""
    labels = {
        control.label
        for kind in ("number_input", "selectbox", "slider", "toggle", "text_input")
        for control in app.get(kind)
    }
    return {name for name, words in RARE.items() if words in labels}


def points_of(app):
    chosen = page_settings.EXPLORE.text.read(dict(app.query_params.items())).path()
    return manager().points(manager().submit(chosen, data_sets.load(chosen.data_set).fingerprint))


def test_every_setting_of_the_page_has_its_place():
    drawn = {"data_set", "split", "sweep", *path_panel.MORE, *path_panel.RARE_ONES}
    assert settings_of(PathSettings).keys() - drawn == {"refine"}  # "refine" has the button Simplify tree


@pytest.mark.parametrize(
    ("query", "names"),
    [
        (SMALL, {*LIMITS, *EXACT_ONLY, "min_samples_leaf", "block", "n_init", "scale", "max_iter", "tol"}),
        (
            SMALL | {"data_set": "diabetes"},
            {*LIMITS, *EXACT_ONLY, "min_samples_leaf", "block", "n_init", "scale", "max_iter", "tol", "shrinkage"},
        ),
        (
            SMALL | {"split": "bivariate"},
            {
                *LIMITS,
                *EXACT_ONLY,
                "min_samples_leaf",
                "block",
                "n_init",
                "scale",
                "max_iter",
                "tol",
                "n_orientations",
                "exactness",
            },
        ),
        (
            SMALL | {"split": "oblique"},
            {*LIMITS, "min_samples_leaf", "n_init", "scale", "max_iter", "tol", "node_tol", "max_inner"},
        ),
    ],
)
def test_those_that_have_an_effect_are_there(open_app, query, names):
    app = open_app(**query)
    assert not app.exception
    assert shown(app) == names


def test_the_smallest_leaf_is_trained_with_and_in_the_link(open_app):
    app = wait_for_path(open_app(**SMALL, lambdas="critical"))
    control = next(one for one in app.number_input if one.label == "Minimum leaf size")
    assert control.value == 1
    app = wait_for_path(control.set_value(20).run())
    assert not app.exception
    assert app.query_params["min_samples_leaf"] == "20"
    assert "lambdas" not in app.query_params  # critical values need leaves of any size
    trees = [point.tree for point in points_of(app)]
    assert min(tree.n_samples[tree.left < 0].min() for tree in trees) >= 20
    assert wait_for_path(open_app(**SMALL, min_samples_leaf="20")).session_state["settings"].min_samples_leaf == 20


def test_an_empty_field_leaves_the_choice_to_the_data(open_app):
    app = wait_for_path(open_app(**SMALL, tol="0.5"))
    control = next(one for one in app.number_input if one.label == "Tolerance")
    app = wait_for_path(control.set_value(None).run())
    assert not app.exception
    assert "tol" not in app.query_params


def test_columns_have_costs_and_directions(open_app):
    app = wait_for_path(open_app(**SMALL | {"data_set": "breast-cancer"}))
    fields = {one.label: one for one in app.text_input}
    name = data_sets.load("breast-cancer").feature_names[0]
    fields["Feature costs"].set_value(f"{name}=3")
    app = wait_for_path(app.run())
    assert not app.exception
    assert app.query_params["feature_costs"] == f"{name}=3"
    control = next(one for one in app.text_input if one.label == "Monotone features")
    app = control.set_value("nonsense").run()
    assert not app.exception
    assert "monotonic_cst" not in app.query_params


def test_a_closed_menu_has_no_controls_and_their_settings_stay(open_app):
    app = wait_for_path(open_app(**SMALL, min_samples_leaf="20"))
    assert shown(app)
    chosen = app.session_state["settings"]
    app.session_state[path_panel.RARE] = False
    app.run()
    assert not shown(app)
    assert app.number_input
    app.session_state[path_panel.MENU] = False
    app.run()
    assert not app.number_input
    assert app.session_state["settings"] == chosen
    assert app.query_params["min_samples_leaf"] == "20"
    app.session_state[path_panel.MENU] = True
    app.run()
    assert shown(app)  # a rare setting differs from its default, so its expander opens with the menu
