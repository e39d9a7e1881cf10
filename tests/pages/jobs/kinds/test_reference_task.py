"""Test that CART for comparison uses the rows and class weights of the path, and prunes by its own cross-validation."""

from dataclasses import asdict, replace

import pytest

import sample_data
from pages.jobs.kinds.comparison_protocol import plan
from pages.jobs.kinds.plans import ReferencePlan
from pages.jobs.kinds.tasks import ReferenceTask
from pages.jobs.point import Point
from pages.jobs.row_split import split_rows
from pages.jobs.setting import values_of
from pages.jobs.settings import ComparisonSettings, Reference, Settings
from treecore import CARTClassifier, CARTRegressor
from treecore.tree.metrics import error_of
from viz.nodes.category_columns import grouped_columns
from viz.payload.reference_facts import reference_facts


def trained(settings):
    (record,) = ReferenceTask(asdict(settings), sample_data.load(settings.data_set)).results({})
    return Point.from_record(record)


def test_it_is_cart_on_the_training_rows():
    data = sample_data.load("iris")
    train, validation, test = split_rows(data, 3)
    labels = data.labels()
    expected = CARTClassifier(cv=10, rule="min", random_state=3).fit(data.X[train], labels[train]).tree_
    point = trained(Reference.of(Settings("iris", seed=3)))
    assert point.tree == expected
    for name, part in (("train", train), ("validation", validation), ("test", test)):
        assert point.figures[f"{name}_error"] == pytest.approx(error_of(expected, data.X[part], labels[part]))


@pytest.mark.parametrize("name", ["diabetes", "breast-cancer"])
def test_its_trace_has_the_errors_of_its_other_sizes(name):
    point = trained(Reference(name))
    facts = reference_facts(point.tree, point.figures, point.trace)
    leaves = [one["leaves"] for one in facts["sizes"]]
    assert leaves[0] == 1
    assert leaves == sorted({*leaves})
    (own,) = (one for one in facts["sizes"] if one["leaves"] == point.tree.n_leaves)
    assert own["errors"] == pytest.approx(facts["errors"])


@pytest.mark.parametrize("name", ["diabetes", "breast-cancer"])
def test_a_plan_has_one_point(name):
    plan = ReferencePlan(Reference(name))
    assert plan.ready({}, []) == [0]
    point = trained(Reference(name))
    assert plan.visible({0: point}) == [point]
    assert plan.ready({0: point}, []) == []


def test_class_weights_are_those_of_the_path():
    plain, weighted = trained(Reference("breast-cancer")), trained(Reference("breast-cancer", class_weight="balanced"))
    assert weighted.figures["is_weighted"] == 1
    assert weighted.figures["test_error"] != plain.figures["test_error"]


def test_categories_are_those_of_the_path_and_of_the_comparison():
    data = sample_data.load("abalone")
    data = replace(data, X=data.X[:400], y=data.y[:400])
    path = Settings("abalone", split="univariate", categories="groups")
    train = split_rows(data, path.seed)[0]
    expected = CARTRegressor(rule="min", random_state=path.seed, categories=grouped_columns(data))
    (record,) = ReferenceTask(asdict(Reference.of(path)), data).results({})
    point = Point.from_record(record)
    assert point.tree == expected.fit(data.X[train], data.labels()[train]).tree_
    assert Reference.of(Settings("abalone", split="oblique", categories="groups")).categories == "features"
    methods = {one.name: one for one in plan(ComparisonSettings("abalone", categories="groups"), data).methods}
    given = {name: getattr(one.estimator, "categories", None) for name, one in methods.items()}
    assert {name for name in given if given[name] == grouped_columns(data)} == {"tao_bivariate", "cart", "cart_min"}


def test_jobs_older_than_the_categories_keep_their_names():
    for chosen in (Reference("iris"), ComparisonSettings("iris")):
        assert "categories" not in values_of(chosen)
