"""Test paths of bivariate trees: cost C, a custom λ, case studies, data without two features."""

import re
import time
from dataclasses import replace

import numpy as np
import pytest

from pages.jobs import settings
from pages.jobs.row_split import split_rows
from pages.jobs.task_data import task_data
from pages.ui.compare import compare_panel
from pages.ui.explore import case_studies
from pages.ui.session import data_sets, page_settings, settings_for_data, shown_path
from pages.ui.shell.manager import manager
from tests.pages.conftest import wait_for_path
from tests.refusals import wording
from treecore import TAOClassifier, regularization_path

LINES = {"split": "bivariate", "init": "cart", "max_depth": "0"}
SMALL = {"data_set": "iris", "n_lambdas": "6"} | LINES


def opened(open_app, **query):
    return wait_for_path(open_app(**(SMALL | query)))


def points_of(chosen):
    data = data_sets.load(chosen.data_set)
    return manager().points(manager().submit(chosen.path(), data.fingerprint))


def small(**others):
    return replace(page_settings.EXPLORE.text.read(SMALL), **others)


def captions(app):
    return " ".join(caption.value for caption in app.caption).replace("\u00a0", " ")


def path_title(app):
    return next(group.label for group in menu(app).expander if group.label.startswith("Path"))


def saved_tree(app):
    """Return the title of the tree in the open Save menu."""
    lines = [caption.value.replace("\u00a0", " ") for caption in menu(app).caption]
    return next(line for line in lines if ", λ = " in line)


def menu(app):
    app.session_state["save-open"] = True
    return app.run()


def test_the_page_trains_a_bivariate_path(open_app):
    app = opened(open_app)
    points = points_of(small())
    assert len(points) == 6
    assert max(np.diff(point.tree.indptr).max() for point in points) <= 2
    assert not app.error


def test_a_price_in_fine_steps_trains_another_path(open_app):
    app = opened(open_app)
    next(s for s in app.slider if s.label == "Bivariate cost C").set_value(1.35).run()
    app = wait_for_path(app)
    assert app.query_params["bivariate_cost"] == "1.35"
    assert len(points_of(small(bivariate_cost=1.35))) == 6


def custom_lambda(app):
    return next(one for one in app.number_input if one.label == "Custom λ")


def test_any_lambda_is_trained_from_its_left_neighbour_and_joins_the_path(open_app):
    app = opened(open_app)
    points = points_of(small())
    lam = float((points[2].lam * points[3].lam) ** 0.5)
    custom_lambda(app).set_value(lam).run()
    app = wait_for_path(app)
    assert path_title(app) == "Path (7 trees)"
    assert saved_tree(app).endswith(f"λ = {lam:.3g}")
    assert f"the previous tree on the path (λ = {points[2].lam:.4g})" in captions(app)
    assert float(app.query_params["lam"]) == lam

    data = data_sets.load("iris")
    train, _, _ = split_rows(data, 0)
    estimator = TAOClassifier(split="bivariate", init=points[2].tree, random_state=0)
    wanted = regularization_path(estimator, data.X[train], data.labels()[train], [lam])[0].tree
    name = manager().submit(settings.OneTree(small().path(), lam, points[2].tree.to_json()), data.fingerprint)
    assert [point.tree for point in manager().points(name)] == [wanted]

    custom_lambda(app).set_value(None).run()
    assert path_title(app) == "Path (6 trees)"
    assert "lam" not in app.query_params


def test_a_lambda_left_of_the_path_starts_from_the_initial_tree(open_app):
    app = opened(open_app, lam="0.001")
    app.run()
    assert "the initial tree (λ is below the path)" in captions(app)


def test_a_short_job_is_over_when_the_page_is_first_drawn():
    data = data_sets.load("iris")
    jobs = manager()
    wait_until_done(jobs, jobs.submit(small(seed=31).path(), data.fingerprint))
    start = points_of(small(seed=31))[0].tree.to_json()
    name = jobs.submit(settings.OneTree(small(seed=31).path(), 0.7, start), data.fingerprint)
    assert jobs.wait(name) in ("done", "running")  # waits no longer than allowed
    wait_until_done(jobs, name)
    assert jobs.wait(name) == "done"


def wait_until_done(jobs, name):
    for _ in range(100):
        if jobs.wait(name) == "done":
            return
        time.sleep(0.1)
    pytest.fail(jobs.status(name))


@pytest.mark.parametrize("case", case_studies.CASES, ids=lambda case: case.settings.data_set)
def test_a_case_study_is_one_click(open_app, case):
    app = opened(open_app)
    next(b for b in app.button if b.label == case.title).click().run()
    for _ in range(3):
        app = wait_for_path(app)
        app.run()
    assert page_settings.EXPLORE.text.read(dict(app.query_params.items())) == case.settings
    table = next(h.proto.body for h in app.get("html") if case.title in h.proto.body)
    decisions, lines, leaves, depth = (int(text) for text in cells_of(table)[1][:4])
    assert leaves == decisions + 1 == int(case.paper[2])
    assert lines <= decisions
    assert abs(depth - int(case.paper[3])) <= 1
    assert all(text in table for text in case.paper)


def cells_of(table):
    return [re.findall(r"<t[hd]>(.*?)</t[hd]>", row)[1:] for row in re.findall(r"<tr>(.*?)</tr>", table)]


@pytest.fixture(scope="module")
def odd_data(tmp_path_factory):
    """Return data sets with one feature, with one class and with missing values, in one folder for all tests."""
    folder = tmp_path_factory.mktemp("odd")
    X = np.linspace(0, 1, 40)[:, None]
    y = (np.arange(40) > 19).astype(int)
    names = {"title": "Odd", "class_names": ["a", "b"]}
    np.savez(folder / "one-feature.npz", X=X, y=y, feature_names=["only"], **names)
    np.savez(folder / "one-class.npz", X=np.hstack([X, X**2]), y=y * 0, feature_names=["p", "q"], **names)
    holes = np.hstack([np.where(X > 0.8, np.nan, X), X[::-1] ** 2])
    np.savez(folder / "holes.npz", X=holes, y=y, feature_names=["partly", "whole"], **names)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TREECORE_DATA", str(folder))
        _forget()
        yield
    _forget()


def _forget():
    """Clear the caches of data sets."""
    for cached in (data_sets.catalogue, data_sets.rows):
        cached.clear()
    task_data.clear()


@pytest.mark.parametrize("costs", [{}, {"costs": "1-2"}])
@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("one-feature", "The data have one feature, so the splits are univariate."),
        ("one-class", "All rows of … have the same …, so every tree is a single leaf"),
    ],
)
def test_data_without_lines_explain_themselves(open_app, odd_data, costs, name, what):
    app = open_app(data_set=name, n_lambdas="4", **LINES, **costs)
    assert wording(what).search(app.info[0].value)
    app = wait_for_path(app)
    assert not app.exception


@pytest.mark.parametrize("init", ["cart", "random"])
def test_missing_values_are_learnt(open_app, odd_data, init):
    app = wait_for_path(open_app(data_set="holes", n_lambdas="4", **(LINES | {"init": init})))
    assert not app.error
    points = manager().points(next(reversed(manager().jobs)))
    assert points[0].tree.missing_right is not None


@pytest.mark.parametrize("query", [{}, {"split": "bivariate", "init": "bivariate_cart"}])
def test_the_explorer_switches_to_splits_with_missing_values_and_reports_it(open_app, odd_data, query):
    app = wait_for_path(open_app(data_set="holes", n_lambdas="4", max_depth="2", **query))
    assert not app.error
    assert any(why in app.info[0].value for why in (settings_for_data.MISSING, settings_for_data.MISSING_AT_FIRST))
    chosen = {box.label: box.value for box in app.selectbox}
    assert chosen["Split type"] == "bivariate"
    assert chosen["Initial tree"] == "cart"


def test_only_settings_that_work_with_missing_values_are_offered(open_app, odd_data):
    app = wait_for_path(open_app(data_set="holes", n_lambdas="4", **LINES))
    offered = {box.label: box.options for box in app.selectbox}
    assert not any("Oblique" in words for words in offered["Split type"])
    assert any("Univariate" in words for words in offered["Split type"])
    assert not any("inear" in words for words in offered["Leaves"])
    app = wait_for_path(open_app(data_set="one-feature", n_lambdas="4", **LINES))
    assert any("Oblique" in words for words in next(b.options for b in app.selectbox if b.label == "Split type"))


def test_compare_offers_only_methods_that_work_with_missing_values(odd_data):
    def offered(name):
        return compare_panel._methods(page_settings.COMPARE.text.read({"data_set": name}))

    assert "tao_oblique" in offered("one-feature")
    assert offered("one-feature").keys() - offered("holes").keys() >= {"tao_oblique"}
    assert {"tao_bivariate", "cart"} <= offered("holes").keys()


def test_settings_survive_the_url():
    chosen = settings.bivariate(
        data_set="wine", init="random", max_depth=5, n_lambdas=7, bivariate_cost=1.35, seed=3, rows="pooled", lam=2.5
    )
    assert page_settings.EXPLORE.text.read(page_settings.EXPLORE.text.write(chosen)) == chosen
    absurd = {"bivariate_cost": "0.5", "lam": "-1", "max_depth": "99", "split": "evil", "rows": "evil"}
    assert page_settings.EXPLORE.text.read(absurd) == settings.PathSettings()
    for text in ("nan", "inf", "1e400", "٣", "x" * 50):
        assert page_settings.EXPLORE.text.read({"lam": text}) == settings.PathSettings()


def test_pooled_rows_are_split_again():
    data = data_sets.load("mnist-5k")
    train, validation, test = split_rows(data, 0, "pooled")
    assert sorted([*train, *validation, *test]) == list(range(data.n_rows))
    assert test.size == pytest.approx(0.15 * data.n_rows, abs=1)
    assert validation.size == pytest.approx(0.10 * data.n_rows, abs=1)


def test_a_path_can_have_every_lambda_at_which_the_tree_changes(open_app):
    app = wait_for_path(open_app(data_set="iris", lambdas="critical", **(LINES | {"max_depth": "4"})))
    assert not app.error
    points = manager().points(next(reversed(manager().jobs)))
    data = data_sets.load("iris")
    train, *_ = split_rows(data, 0, "standard")
    model = TAOClassifier(split="bivariate", init="cart", lam=0.0, max_depth=4, random_state=0)
    path = regularization_path(model, data.X[train], data.labels()[train], "critical")
    assert [point.lam for point in points] == path.lams.tolist()
    assert [point.tree.n_nodes for point in points] == [tree.n_nodes for tree in path.trees]
    few = wait_for_path(open_app(data_set="iris", lambdas="critical", **(LINES | {"max_depth": "4"}), n_lambdas="3"))
    assert not few.error
    kept = [point.lam for point in manager().points(next(reversed(manager().jobs)))]
    assert len(kept) == 3
    assert (kept[0], kept[-1]) == (path.lams[0], path.lams[-1])


class Behind:
    """A queue that reports the first status of a job a moment too late."""

    def __init__(self, looks):
        self.looks = looks

    def status(self, name):
        found = manager().status(name)
        return found | {"state": "running"} if not self.looks.append(name) and len(self.looks) == 1 else found

    def __getattr__(self, name):
        return getattr(manager(), name)


@pytest.mark.parametrize("page", [None, "pages/rules.py"])
def test_a_path_that_ends_while_the_page_is_drawn_is_not_waited_for_in_vain(open_app, monkeypatch, page):
    opened(open_app, lam="2.5")  # both jobs have been trained
    looks = []
    monkeypatch.setattr(shown_path, "manager", lambda: Behind(looks))
    app = open_app(page, **(SMALL | {"lam": "2.5"}))
    assert len(looks) > 1
    assert not app.exception
    assert "This tree will be trained after the path." not in captions(app)
    assert "λ = 2.5" in " ".join(caption.label for caption in menu(app).expander) + captions(menu(app))
