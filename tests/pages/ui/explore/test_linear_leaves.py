"""Test that jobs train linear leaves, and that every page shows them or gives a reason for refusing them."""

import re
from dataclasses import replace
from types import SimpleNamespace

import pytest

from pages.jobs import settings
from pages.jobs.settings_text import PATH_TEXT
from pages.ui.session import settings_for_data
from pages.ui.session.controls import Controls
from tests.pages.conftest import wait_for_path
from tests.refusals import wording

LINEAR = {"data_set": "iris", "split": "univariate", "init": "cart", "n_lambdas": "3", "max_depth": "1"} | {
    "leaf": "linear"
}


def test_a_link_names_them_and_one_without_the_name_means_what_it_meant():
    assert PATH_TEXT.read(LINEAR).path().leaf == "linear"
    assert PATH_TEXT.read({}).leaf == "constant"
    assert "leaf" not in PATH_TEXT.write(settings.PathSettings())
    grid = replace(settings.bivariate(leaf="linear"), costs=(1.0, 2.0)).grid()
    assert grid.leaf == "linear"


def test_settings_that_go_with_them():
    controls = Controls(SimpleNamespace(key="k", current=settings.bivariate))
    assert controls.following("leaf", "linear") == {"max_depth": settings.LINEAR_DEPTH, "lambdas": "grid"}
    assert controls.following("leaf", "constant") == {"max_depth": settings.FULLY_GROWN}
    target = SimpleNamespace(refusals={}, values_are_groups=True)
    whole = SimpleNamespace(n_features=2, has_missing=False, target=target)
    holes = SimpleNamespace(n_features=2, has_missing=True, target=target)
    linear = settings.bivariate(leaf="linear")
    assert settings_for_data.possible(whole, linear) == {}
    assert settings_for_data.possible(whole, replace(linear, lambdas="critical")) == {"lambdas": "grid"}
    assert settings_for_data.possible(holes, linear) == {"leaf": "constant"}
    assert settings_for_data.possible(holes, replace(linear, split="oblique"))["leaf"] == "constant"


@pytest.mark.parametrize(
    ("page", "others", "told"),
    [
        (None, {}, ""),
        ("pages/rules.py", {"node": "1"}, "Rule 1"),
        ("pages/explain.py", {"row": "80"}, "rather than"),
        ("pages/explain.py", {"part": "change"}, wording("Counterfactual explanations do not support linear leaves")),
        ("pages/explain.py", {"part": "features"}, "are shuffled among the rows"),
        ("pages/predict.py", {"from": "known"}, "linear leaves"),
        (
            "pages/predict.py",
            {"from": "known", "part": "good", "flag": "setosa", "share": "0.3"},
            wording("The … does not apply here"),
        ),
        (
            "pages/edit.py",
            {},
            wording("Trees with linear leaves cannot be edited, because a linear leaf has no single prediction"),
        ),
    ],
)
def test_every_page_shows_them_or_says_why_not(open_app, page, others, told):
    app = open_app(page, **LINEAR | others)
    if page != "pages/edit.py":
        wait_for_path(app)
    assert not app.exception
    blocks = [block.value for kind in ("markdown", "caption", "info", "warning") for block in app.get(kind)]
    told = told if isinstance(told, re.Pattern) else re.compile(re.escape(told))
    assert told.search("\n".join([*blocks, *(block.proto.body for block in app.get("html"))]))


@pytest.mark.parametrize(
    ("page", "others"),
    [("explain", {"row": "3"}), ("explain", {"part": "features"}), ("rules", {"node": "1"}), ("predict", {})],
)
def test_numbers_too(open_app, page, others):
    numbers = {"data_set": "diabetes", "n_lambdas": "2", "from": "known"}
    app = wait_for_path(open_app(f"pages/{page}.py", **LINEAR | numbers | others))
    assert not app.exception
