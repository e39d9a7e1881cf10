"""The phase page: what is trained, the cell on the stage, sliders, partial diagrams, the files."""

import io
import re
import time

import numpy as np
import pandas
import pytest

from pages.jobs import settings
from pages.jobs.job_queue import JobQueue
from pages.jobs.row_split import split_rows
from pages.ui.explore import phase_panel, phase_state
from pages.ui.shell import data_sets, page_settings
from pages.ui.shell.manager import manager
from treecore import TAOClassifier, phase_diagram

PAGE = "pages/phase.py"
SMALL = {"data_set": "iris", "n_lambdas": "5", "costs": "1-1.5-5"}


def opened(open_app, **query):
    app = open_app(PAGE, **(SMALL | query))
    end = time.monotonic() + 300
    while not app.get("popover") and not app.error and time.monotonic() < end:
        time.sleep(0.2)
        app.run()
    assert not app.exception
    return app


def trained(query=SMALL):
    """(job, its points)."""
    chosen = page_settings.PHASE.text.read(query)
    job = manager().submit(chosen, data_sets.load(chosen.data_set).fingerprint)
    end = time.monotonic() + 300
    while manager().status(job)["state"] != "done" and time.monotonic() < end:  # others may have pushed it out
        time.sleep(0.1)
    return job, manager().points(job)


def words(app):
    return next(m.value for m in app.markdown if m.value.startswith("**C ="))


def slider(app, label):
    return next(s for s in app.select_slider if s.label == label)


def shown_cell(app):
    """What is framed on the three maps."""
    style = next(html.proto.body for html in app.get("html") if ".barlayer" in html.proto.body)
    assert len(app.get("plotly_chart")) == style.count("nth-child") == 3
    return int(re.search(r"nth-child\((\d+)\)", style)[1]) - 1


def test_the_diagram_is_the_engines(open_app):
    opened(open_app)
    _, points = trained()
    data = data_sets.load("iris")
    train, validation, _ = split_rows(data, 0)
    labels = data.labels()
    wanted = phase_diagram(
        TAOClassifier(split="bivariate", init="cart", random_state=0), data.X[train], labels[train], 5, (1.0, 1.5, 5.0),
        data.X[validation], labels[validation],
    )  # fmt: skip
    assert [point.tree for point in points] == [point.tree for point in wanted]
    cells = phase_state.cells(trained()[0], page_settings.PHASE.text.read(SMALL))
    np.testing.assert_array_equal(cells.diagram.grid("n_leaves"), wanted.grid("n_leaves"))
    np.testing.assert_allclose(cells.diagram.lams, wanted.lams)
    assert cells.best("one_se") == wanted.best("one_se").index
    assert (cells.good() == wanted.within_one_se()).all()


def test_the_page_opens_at_the_recommended_tree(open_app):
    app = opened(open_app)
    job, _ = trained()
    best = phase_state.cells(job, page_settings.PHASE.text.read(SMALL)).best("one_se")
    assert shown_cell(app) == best
    assert slider(app, "C").value == best // 5
    assert slider(app, "λ").value == best % 5


def test_the_sliders_choose_a_cell_and_the_link_has_it(open_app):
    app = opened(open_app)
    slider(app, "C").set_value(2).run()
    slider(app, "λ").set_value(1).run()
    assert shown_cell(app) == 11
    _, points = trained()
    assert f"**C = 5, λ = {points[11].lam:.3g}**" in words(app)
    assert (app.query_params["row"], app.query_params["tree"]) == ("2", "1")
    again = opened(open_app, row="2", tree="1")
    assert shown_cell(again) == 11
    assert not opened(open_app, row="99", tree="99999999", node="x").exception


def test_what_the_stage_settles_on_moves_the_frame(open_app):
    app = opened(open_app)
    job, points = trained()
    slider(app, "C").set_value(1).run()
    now = app.session_state[phase_state.VIEW][job]
    node = int(points[5].tree.origin[0])
    name = phase_state.stage_name(job, now, 5, running=False)
    app.session_state["stage"] = {"view": {"key": name, "tree": 0, "node": node}}
    app.run()
    assert shown_cell(app) == 5
    assert slider(app, "λ").value == 0
    assert app.query_params["node"] == str(node)
    app.session_state["stage"] = {"view": {"key": "another", "tree": 3, "node": None}}
    app.run()
    assert shown_cell(app) == 5


def test_a_slider_that_is_gone_is_not_listened_to(open_app):
    app = opened(open_app)
    job, _ = trained()
    stale = phase_state.Pick(0, 0)
    app.session_state[phase_state.VIEW] = {job: phase_state.Pick(1, 3, moves=2)}
    app.run()
    assert shown_cell(app) == 8
    assert phase_state.Pick(1, 3, moves=2) != stale
    slider(app, "λ").set_value(4).run()
    assert shown_cell(app) == 9


def test_costs_may_not_all_be_taken_away(open_app):
    app = opened(open_app)
    app.multiselect[0].set_value([]).run()
    assert app.multiselect[0].value == [1.0, 1.5, 5.0]
    app.multiselect[0].set_value([2.0, 1.0]).run()
    assert app.query_params["costs"] == "1-2"
    assert not app.exception


def test_the_map_leads_to_a_path_and_back(open_app):
    app = opened(open_app)
    next(button for button in app.button if button.label == "One path of one C").click().run()
    app.switch_page("pages/explore.py").run()
    chosen = {box.label: box.value for box in app.sidebar.selectbox}
    assert (chosen["Data set"], chosen["Decision nodes"], chosen["Initial tree"]) == ("iris", "bivariate", "cart")
    app.sidebar.selectbox[0].set_value("wine").run()
    next(button for button in app.button if button.label == "Map of all λ and C").click().run()
    assert app.sidebar.selectbox[0].value == "wine"
    assert app.sidebar.multiselect[0].value == [1.0, 1.5, 5.0]
    assert not app.exception


def test_a_part_of_a_diagram_is_shown_as_far_as_it_goes():
    job, points = trained()
    whole = phase_state.cells(job, page_settings.PHASE.text.read(SMALL))
    part = whole.first(7)
    assert (part.n_rows, part.n_whole_rows) == (2, 1)
    assert [point.lam for point in part.row(1)] == [point.lam for point in points[5:7]]
    assert [point.index for point in part.row(1)] == [0, 1]
    assert np.isnan(part.diagram.grid("n_leaves")).sum() == 8
    charts = phase_panel._charts.__wrapped__("job", 7, "dark", True, part)
    assert set(charts) == {"share", "size", "error"}
    assert len(charts["size"].data[-1]["x"]) == 7


@pytest.mark.parametrize(
    ("selected", "before", "cell"),
    [([4], [], 4), ([7], [4], 7), ([], [7], 7), ([], [], None), ([3, 7], [7], 3), ([7], [3, 7], 3)],
)
def test_a_second_click_on_a_cell_picks_it_again(selected, before, cell):
    assert phase_panel.newly_picked(selected, before) == cell


def test_a_chart_does_not_change_with_the_cell(open_app):
    app = opened(open_app)
    charts = [chart.proto for chart in app.get("plotly_chart")]
    slider(app, "C").set_value(2).run()
    for chart, other in zip(charts, app.get("plotly_chart"), strict=True):
        assert (chart.id, chart.spec) == (other.proto.id, other.proto.spec)
        assert "λ from" in chart.alt


def test_the_columns_to_come_are_known_from_the_first_two(monkeypatch):
    job, points = trained()
    monkeypatch.setattr(JobQueue, "points", lambda self, name: points[:2])
    early = phase_state.cells(job, page_settings.PHASE.text.read(SMALL))
    np.testing.assert_allclose(early.diagram.lams, [point.lam for point in points[:5]])
    monkeypatch.setattr(JobQueue, "points", lambda self, name: points[:1])
    assert phase_state.cells(job, page_settings.PHASE.text.read(SMALL)) is None


def test_the_file_has_every_figure(open_app):
    opened(open_app)
    job, points = trained()
    text = phase_panel._csv(phase_state.cells(job, page_settings.PHASE.text.read(SMALL)))
    frame = pandas.read_csv(io.StringIO(text))
    assert len(frame) == 15
    assert frame["cost"].tolist() == [1.0] * 5 + [1.5] * 5 + [5.0] * 5
    assert frame["test_error"].tolist() == [point.figures["test_error"] for point in points]


def test_settings_survive_the_url():
    chosen = settings.PhaseSettings("wine", "random", 4, 9, (1.0, 1.25, 7.0), 5, "pooled")
    query = page_settings.PHASE.text.write(chosen)
    assert query["costs"] == "1-1.25-7"
    assert page_settings.PHASE.text.read(query) == chosen
    for text in ("", "1-x", "0.5-2", "1--2", "1-1.37", "nan"):
        assert page_settings.PHASE.text.read({"costs": text}) == settings.PhaseSettings()
