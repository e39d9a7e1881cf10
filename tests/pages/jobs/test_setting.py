"""Test that settings of the pages are declared once and derived from parameters, and that old links stay valid."""

import hashlib
import json
from dataclasses import asdict, dataclass, replace

import pytest

from pages.jobs import job_files
from pages.jobs.kinds.tasks import PathTask
from pages.jobs.setting import check_settings, of, setting, settings_of, values_of
from pages.jobs.settings import ComparisonSettings, CrossValidation, PathSettings, PhaseSettings, Settings, bivariate
from pages.jobs.settings_table import PAGE, settings_table
from pages.jobs.settings_text import PATH_TEXT
from pages.ui.learn.learn_settings import LearnSettings
from sample_data import load
from treecore.declarations import Choice, DeclarationError, Whole
from treecore.training.parameters import PARAMETERS

# The values of these parameters follow from the data, the machine, the code or a more general setting, see
# `TrainingTask.estimator`. Some parameters are in the library only.
ELSEWHERE = {"missing", "n_jobs", "callback", "frozen", "random_state", "max_depth", "class_weight"} | {
    "cost_matrix",
    "loss",
}
FIRST_NAMES = (
    "data_set", "split", "init", "max_depth", "n_lambdas", "node_solver", "surrogate", "bivariate_cost", "seed", "rows",
    "class_weight", "lambdas", "leaf",
)  # fmt: skip
OTHERS = {
    "min_samples_leaf": 5, "n_orientations": 30, "exactness": "screened", "scale": "minmax", "max_iter": 2, "tol": 0.5,
    "shrinkage": 3.0, "node_tol": 0.01, "max_inner": 5,
}  # fmt: skip


def test_every_parameter_is_a_setting_of_the_page_or_decided_elsewhere():
    assert {one.parameter for one in settings_of(PathSettings).values()} - {""} == PARAMETERS.keys() - ELSEWHERE


def test_jobs_of_before_keep_their_names():
    old = {name: asdict(Settings("wine"))[name] for name in FIRST_NAMES}
    text = json.dumps([{"kind": "path", **old}, "data", "code"], sort_keys=True)
    assert job_files.job_id(Settings("wine"), "data", "code") == hashlib.sha256(text.encode()).hexdigest()[:16]
    nested = {"kind": "folds", "path": old, "lams": [1.0], "folds": 5}
    text = json.dumps([nested, "data", "code"], sort_keys=True)
    job = job_files.job_id(CrossValidation(Settings("wine"), (1.0,)), "data", "code")
    assert job == hashlib.sha256(text.encode()).hexdigest()[:16]


@pytest.mark.parametrize("name", OTHERS)
def test_another_value_is_another_job_and_another_link(name):
    other = replace(PathSettings("wine"), **{name: OTHERS[name]})
    assert job_files.job_id(other.path(), "", "") != job_files.job_id(Settings("wine"), "", "")
    assert PATH_TEXT.read(PATH_TEXT.write(other)) == other
    assert PATH_TEXT.write(other).keys() == {"data_set", name}
    assert values_of(other.path())[name] == OTHERS[name]


def test_the_map_of_c_has_the_settings_of_every_tree():
    grid = bivariate(costs=(1.0, 2.0), min_samples_leaf=5, max_iter=3).grid()
    assert (grid.min_samples_leaf, grid.max_iter) == (5, 3)


@pytest.mark.parametrize(("data", "split"), [("iris", "oblique"), ("iris", "bivariate"), ("diabetes", "univariate")])
def test_estimators_get_the_settings_that_have_an_effect(data, split):
    chosen = Settings(data, split=split, init="cart", max_depth=2, n_lambdas=2, **OTHERS)
    task = PathTask(asdict(chosen), load(data))
    found = task.estimator().get_params()
    for name, value in OTHERS.items():
        kept = name in found and settings_of(Settings)[name].is_effective(chosen)
        assert found.get(name) == (value if kept else (PARAMETERS[name].default if name in found else None))
    assert len(list(task.results({"done": 0, "last": None}))) == 2


def test_a_job_that_was_asked_for_before_a_setting_was_there_is_trained():
    old = {name: asdict(Settings("iris", max_depth=2, n_lambdas=2))[name] for name in FIRST_NAMES}
    assert PathTask(old, load("iris")).estimator().get_params()["min_samples_leaf"] == 1
    phase = {"data_set": "iris", "init": "cart", "max_depth": 0, "n_lambdas": 2, "seed": 0, "rows": "standard"}
    found = PathTask(phase | {"lambdas": "grid"}, load("iris")).estimator(split="bivariate").get_params()
    assert (found["split"], found["n_orientations"], found["max_depth"]) == ("bivariate", 60, None)
    assert "split" not in asdict(PhaseSettings())


def test_settings_that_contradict_each_other_or_their_parameter_fail_at_once():
    def declare(**fields):
        namespace = {"__annotations__": dict.fromkeys(fields, object), **fields}
        return check_settings(dataclass(frozen=True)(type("Made", (), namespace)))

    assert declare(max_iter=of("max_iter", kind=Whole(1, 9), default=3))().max_iter == 3
    for fields, words in (
        ({"max_iter": of("max_iter", kind=Whole(1, 9))}, "default of max_iter"),
        ({"max_iter": of("max_iter", kind=Whole(-1, 30))}, "max_iter accepts a value that its parameter rejects"),
        ({"a": of("tol"), "b": of("tol", link="a")}, "a and b have the same name in a link"),
        ({"a": of("tol", parameter="gone")}, "a follows 'gone'"),
        ({"a": setting(1, Whole(), applies={"b": (1,)})}, "a.applies names 'b'"),
        ({"leaf": of("leaf"), "a": setting(1, Whole(), applies={"leaf": ("deep",)})}, "a.applies of leaf"),
    ):
        with pytest.raises(DeclarationError, match=words):
            declare(**fields)


def word_faults(kind, only_in_links=()):
    """Return a sentence for each setting whose label, help text or options break the style sheet.

    A label has 1 to 3 words, or 4 if a parenthesis gives the unit. A help text has at most 40 words and ends in a full
    stop. Every option has words. Settings in `only_in_links` have no control.
    """
    faults = []
    for name, one in settings_of(kind).items():
        if name in only_in_links:
            continue
        if not 1 <= len(one.words.split()) <= 3 + ("(" in one.words):
            faults.append(f"{name}: the label {one.words!r} must have 1 to 3 words.")
        if not one.help.endswith(".") or len(one.help.split()) > 40:
            faults.append(f"{name}: the help text {one.help!r} must have 1 to 40 words and end in a full stop.")
        options = one.choices(None) or {}
        faults += [f"{name}: the option {value!r} has no words." for value in options if not options[value]]
    return faults


@pytest.mark.parametrize(
    ("kind", "only_in_links"),
    [(PathSettings, ()), (ComparisonSettings, ()), (LearnSettings, ("painted", "x", "y", "rows", "hide", "present"))],
)
def test_every_setting_has_a_label_a_help_text_and_words_for_its_options(kind, only_in_links):
    assert word_faults(kind, only_in_links) == []


def test_a_setting_without_words_is_named():
    @dataclass(frozen=True)
    class Wordless:
        plain: int = setting(1, Whole(1, 9))
        long: int = setting(1, Whole(1, 9), words="One two three four", help="No full stop")
        chosen: str = setting("a", Choice({"a": ""}), words="Chosen", help="One of one.")

    found = word_faults(Wordless)
    assert [fault.partition(":")[0] for fault in found] == ["plain", "plain", "long", "long", "chosen"]


def test_the_documentation_lists_them():
    assert PAGE.read_text(encoding="utf-8") == settings_table(), "python -m pages.jobs.settings_table writes it again"
