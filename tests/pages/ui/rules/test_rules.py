"""Test the Rules page: filters, order, one rule in full, selections of list and stage, hostile names, empty states."""

import csv
import io
import time
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from benchmarks.grown_trees import Point, grown_tree, noisy_table
from pages.ui.rules import rule_detail
from pages.ui.save.saving import rules_of
from pages.ui.session import data_sets, page_settings
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell.manager import manager
from tests.pages.conftest import wait_for_jobs
from tests.refusals import wording
from treecore.rules.rule_set import rules

PAGE = "pages/rules.py"
WINE = {"data_set": "wine", "split": "univariate", "init": "cart", "n_lambdas": "6", "tree": "0"}


def path():
    """Return (job, points) of `WINE` after training."""
    job = manager().submit(page_settings.EXPLORE.text.read(WINE).path(), data_sets.load("wine").fingerprint)
    return job, manager().points(job)


def points():
    return path()[1]


CHAIN = "rules-chain"


def opened(open_app, **query):
    app, end = open_app(PAGE, **(query or WINE)), time.monotonic() + 300
    while not app.text and not app.error and time.monotonic() < end:
        wait_for_jobs()
        app.run()
    assert not app.exception
    app.session_state[CHAIN] = True
    return app.run()


def count(app):
    return app.text[0].value.split(" · ")[0]


def pick(app, name, node, time):
    """Report a selected rule as the list does."""
    app.session_state["rule-list"] = {"picked": {"key": name, "node": node, "time": time}}
    return app.run()


def shown_rule(app):
    """Return the rule that the page shows in full, or None."""
    return next((code.value for code in app.code if "THEN" in code.value and "ELSE" not in code.value), None)


def test_filters_leave_the_rules_that_pass(open_app):
    app = opened(open_app)
    found = rules(points()[0].tree, data_sets.load("wine").X, data_sets.load("wine").labels())
    total = len(found)
    assert count(app) == f"{total} rules"
    app.selectbox(key="rules_part").set_value("all").run()
    label = found[0].label
    app.multiselect(key="rules_classes").set_value([label]).run()
    assert count(app) == f"{sum(rule.label == label for rule in found)} of {total} rules"
    app.multiselect(key="rules_classes").set_value([])
    named = rules(points()[0].tree.with_names(data_sets.load("wine").feature_names))
    users = {name: sum(name in rule.features_used for rule in named) for rule in named for name in rule.features_used}
    feature = min(users, key=users.get)
    assert users[feature] < total
    app.multiselect(key="rules_features").set_value([feature]).run()
    assert count(app) == f"{users[feature]} of {total} rules"
    app.multiselect(key="rules_features").set_value([])
    app.number_input(key="rules_least_rows").set_value(20)
    app.slider(key="rules_least_confidence").set_value(98).run()
    kept = [rule for rule in found if rule.n_rows >= 20 and rule.confidence >= 0.98]
    assert 0 < len(kept) < total
    assert count(app) == f"{len(kept)} of {total} rules"
    app.text_input(key="rules_search").set_value("nothing has this name").run()
    assert wording("None of the … rules matches the filters").search(app.info[-1].value)
    next(b for b in app.button if b.label == "Clear filters").click().run()
    assert count(app) == f"{total} rules"


def test_the_newest_selection_of_list_and_stage_counts(open_app):
    app = opened(open_app)
    name, trained = f"{path()[0]}-0", points()[0].tree
    first, *_, last = (int(trained.origin[rule.leaf]) for rule in rules(trained))
    of_first = shown_rule(app)  # the page opens with the first rule
    assert of_first.startswith("IF ")
    assert shown_rule(pick(app, name, last, 0.5)) not in (of_first, None)
    app = pick(app, name, first, 1)
    assert shown_rule(app) == of_first
    turn = app.session_state["rules_selected"]["turn"]

    def reported_rule(node, turn):
        view = {"key": f"rules-{name}", "tree": 0, "node": node, "turn": turn}
        app.session_state["stage-rules"] = {"view": view}
        return app.run()

    # This report precedes the first selection on the stage.
    assert shown_rule(reported_rule(last, turn - 1)) == of_first
    assert shown_rule(reported_rule(last, turn)) not in (of_first, None)
    assert shown_rule(reported_rule(int(trained.origin[0]), turn)) is None  # the root is a decision node
    assert app.info[0].value == (
        "A decision node is selected, so the list shows the rules of the leaves below this node. Click a leaf, "
        "or a rule in the list."
    )
    assert shown_rule(pick(app, name, first, 2)) == of_first
    assert shown_rule(app.run()) == of_first
    assert shown_rule(pick(app, "another tree", last, 3)) == of_first


def test_few_digits_warn_and_all_do_not(open_app):
    app = opened(open_app)
    data = data_sets.load("wine")
    app.select_slider(key="rules_precision").set_value(1).run()
    wanted = rules(points()[0].tree.with_names(data.feature_names), data.X, data.labels(), 1)
    assert wanted.n_changed > 0
    assert app.warning[0].value.replace("\\", "") == wanted.warning
    app.select_slider(key="rules_precision").set_value("all").run()
    assert not app.warning


def chains(app):
    return [code.value for code in app.code if code.value.startswith("IF ") and "ELSE" in code.value]


def test_a_lopsided_tree_is_offered_as_a_chain(open_app):
    app, data = opened(open_app), data_sets.load("wine")
    found = rules(points()[0].tree.with_names(data.feature_names), data.X, precision="enough")
    assert found.is_lopsided
    assert chains(app) == [found.to_else_if().rstrip()]
    single = opened(open_app, **(WINE | {"tree": "5"}))
    assert "a single leaf" in single.text[0].value
    assert count(single) == "1 rule"


HOSTILE = ("<script>x()</script>", "$a$ | *b*", "=1+1", "[c](http://d)", "e`f")


def hostile(has_data, n_nodes=21, n_features=3):
    """Return a `ChosenTree` in which every name is an attack."""
    data = replace(noisy_table(300, len(HOSTILE), 4), feature_names=HOSTILE, class_names=HOSTILE[:4], title=HOSTILE[0])
    tree = grown_tree(data, n_nodes, n_features)
    rows = np.array_split(np.arange(data.n_rows), 3)
    return ChosenTree(f"hostile-{has_data}-{n_nodes}", HOSTILE[0], Point(0.1, tree), data, rows, {}, has_data)


def page_of(has_data, n_nodes):
    from pages.ui.rules import rules_panel
    from tests.pages.ui.rules.test_rules import hostile

    rules_panel.rules_page(hostile(has_data, n_nodes))


@pytest.mark.parametrize("has_data", [True, False])
def test_hostile_names_stay_words(has_data):
    chosen = hostile(has_data)
    app = AppTest.from_function(page_of, kwargs={"has_data": has_data, "n_nodes": 21}, default_timeout=30)
    app.session_state[CHAIN] = app.session_state[rule_detail.MENU] = True
    app.run()
    rule = rules(chosen.tree)[0]
    app = pick(app, chosen.name, int(chosen.tree.origin[rule.leaf]), 1)
    app.select_slider(key="rules_precision").set_value(1).run()
    assert not app.exception
    assert not rules(chosen.tree).is_lopsided
    assert not chains(app)
    assert any(
        (
            "A decision list requires that every decision node has a leaf as a child. This tree has a decision node "
            "without one. Use the rules instead."
        )
        in caption.value
        for caption in app.caption
    )
    assert HOSTILE[0] in shown_rule(app)
    bodies = [element.proto.body for element in app.get("html")] + [element.value for element in app.markdown]
    assert len(bodies) >= 2
    assert not [body for body in bodies if "<script" in body]
    assert bool(app.tabs) == has_data
    if has_data:
        assert not app.dataframe  # the rows are made when their tab is open
        app.session_state["rule-tab"] = app.tabs[1].label
        app.run()
        assert shown_rule(app) is None
        frame = app.dataframe[0].value
        assert set(HOSTILE) < set(frame.columns)
        wrong = frame["wrong"] != ""
        assert wrong.tolist() == sorted(wrong, reverse=True)  # misclassified rows come first
        assert (frame["true class"][wrong] != rule.label).all()
    else:
        assert any(
            caption.value == "The training rows of this tree are not available. The counts come from the tree itself."
            for caption in app.caption
        )


def test_a_closed_menu_has_no_controls_and_keeps_their_values(open_app):
    app = opened(open_app)
    app.number_input(key="rules_least_rows").set_value(20)
    app.select_slider(key="rules_precision").set_value(1).run()
    shown = count(app), shown_rule(app)
    app.session_state[rule_detail.MENU] = False
    app.run()
    assert not app.number_input
    assert (count(app), shown_rule(app)) == shown
    app.run()
    app.session_state[rule_detail.MENU] = True
    app.run()
    assert (app.number_input[0].value, app.select_slider(key="rules_precision").value) == (20, 1)
    assert (count(app), shown_rule(app)) == shown


def test_the_tab_of_the_rows_stays_open_for_another_rule(open_app):
    app = opened(open_app)
    app.session_state["rule-tab"] = app.tabs[1].label
    app.run()
    first = app.dataframe[0].value
    last = int(points()[0].tree.origin[rules(points()[0].tree)[-1].leaf])
    app = pick(app, f"{path()[0]}-0", last, 1)
    assert len(app.dataframe[0].value) != len(first)
    assert shown_rule(app) is None


def test_rows_of_a_rule_as_csv_cannot_be_formulas():
    chosen = hostile(True)
    data, rule = chosen.data, rules(chosen.tree)[0]
    rows = np.flatnonzero(rule.covers(data.X))
    labels = data.labels()[rows]
    text = rule_detail.rows_csv(chosen, rows, [2, 0, 1, 3, 4], labels, labels != rule.label)
    header, *lines = csv.reader(io.StringIO(text))
    assert header[:5] == ["row", "true class", "predicted", "wrong", "'=1+1"]
    assert [int(line[0]) for line in lines] == rows.tolist()
    assert [float(line[4]) for line in lines] == data.X[rows, 2].tolist()


def test_a_thousand_rules_are_shown_at_once():
    app = AppTest.from_function(page_of, kwargs={"has_data": True, "n_nodes": 399}, default_timeout=30).run()
    assert count(app) == "200 rules"
    start = time.process_time()
    app.text_input(key="rules_search").set_value("script").run()
    assert time.process_time() - start < 20
    assert not app.exception


def test_the_page_and_the_files_of_other_pages_count_the_same_rows(open_app):
    opened(open_app)
    data, train = data_sets.load("wine"), data_sets.rows("wine", 0)[0]
    chosen = ChosenTree("one", "One", points()[0], data, data_sets.rows("wine", 0), {})
    found = rules_of(chosen)
    assert sum(rule.n_rows for rule in found) == found.n_rows == len(train) < data.n_rows
    assert found.to_csv().splitlines()[0].split(",")[3] == "training rows"
    assert rules_of(chosen, "all").n_rows == data.n_rows
