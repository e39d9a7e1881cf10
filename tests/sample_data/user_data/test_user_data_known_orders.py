"""Test answers whose words have an order: which ones are recognised, and how they are offered."""

from dataclasses import replace

import numpy as np
import pandas
import pytest

from sample_data.user_data import make_data_set, problems, propose, summarise
from sample_data.user_data.known_orders import known_order
from sample_data.user_data.table import Table

IN_ORDER = [
    "never sometimes always",
    "S M L",
    "XS S M L XL",
    "low medium high",
    "Jan Feb Mar",
    "Montag Mittwoch Sonntag",
    "primary secondary tertiary",
    "jamais parfois souvent toujours",
    "mild moderate severe",
    "18-29 30-44 45-64 65+",
    "under_18 18-64 65_and_over",
    "<25k 25k-50k >50k",
    "(0,10] (10,20] (20,30]",
    "1-10_employees 11-50_employees more_than_50_employees",
    "Less_than_$25,000 $25,000_-_$49,999 $50,000+",
    "1_-_never 2_-_often 3_-_always",
    "strongly_disagree disagree neutral agree strongly_agree",
    "stimme_nicht_zu teils/teils stimme_zu",
    "Fair Good Very_Good Premium Ideal",
    "junior mid senior",
]
NO_ORDER = [
    "red green blue",
    "yes no",
    "yes no don't_know",
    "CA NY TX OR",
    "MO MI NV NA",
    "A B AB O",
    "a b c",
    "male female other",
    "2-1 1-0 0-3",
    "0-6_months 7-12_months 1-2_years",
    "1-5 4-8 9-12",
    "single married divorced",
    "low high",
    "north south east west",
    "often Often always",
]


@pytest.mark.parametrize("words", IN_ORDER)
def test_words_have_an_order(words):
    texts = [text.replace("_", " ") for text in words.split()]
    mixed = np.random.default_rng(1).permutation(texts).tolist()
    assert known_order("answer", mixed) == tuple(texts)


@pytest.mark.parametrize("words", NO_ORDER)
def test_no_false_order(words):
    assert known_order("answer", [text.replace("_", " ") for text in words.split()]) == ()


def test_letters_are_grades_by_the_name_of_their_column():
    assert known_order("arm", ["A", "B", "C"]) == ()
    assert known_order("Final grade", ["A", "B-", "B", "A+"]) == ("B-", "B", "A", "A+")


def survey(*answers, n=120):
    rng = np.random.default_rng(0)
    columns = {f"q{place}": rng.choice(words, n) for place, words in enumerate(answers)}
    return Table(pandas.DataFrame({**columns, "arm": rng.choice(["x", "y"], n)}), "survey.csv", "CSV")


def looked(table, recipe=None):
    summaries = summarise(table)
    recipe = recipe or propose(table, summaries, "arm")
    return recipe, {one.kind: one for one in problems(table, summaries, recipe)}


def test_ordered_answers_are_ordered_features_with_a_way_back():
    table = survey(["never", "sometimes", "always"], ["red", "green", "blue"], ["S", "M", "L"])
    recipe, found = looked(table)
    assert recipe.kinds == {"q0": "ordered", "q1": "category", "q2": "ordered", "arm": "category"}
    assert make_data_set(table, recipe).feature_names[0] == "q0 (ordered: never < sometimes < always)"
    note = found["ordered answers"]
    assert (note.columns, note.severity) == (("q0", "q2"), "info")
    assert "'q2' (S < M < L)" in note.text
    _, back = looked(table, note.fix[1])
    assert note.fix[1].kinds["q0"] == "category"
    assert "ordered answers" not in back
    assert back["order"].fix[1].levels == {"q0": ("never", "sometimes", "always"), "q2": ("S", "M", "L")}
    _, again = looked(table, back["order"].fix[1])
    assert set(again) == set(found)


def test_a_refusal_has_no_place_and_is_only_offered():
    table = survey(["low", "medium", "high", "don't know"])
    recipe, found = looked(table)
    assert recipe.kinds["q0"] == "category"
    ordered = found["order"].fix[1]
    data = make_data_set(table, ordered)
    assert data.feature_names == ("q0 (ordered: low < medium < high)",)
    assert np.isnan(data.X[(table.frame["q0"] == "don't know").to_numpy(), 0]).all()


def test_a_target_of_ordered_answers_stays_classes():
    table = survey(["never", "sometimes", "always"])
    recipe, _ = looked(table)
    recipe = replace(recipe, target="q0", kinds={"q0": "category", "arm": "category"})
    assert set(make_data_set(table, recipe).class_names) == {"never", "sometimes", "always"}
