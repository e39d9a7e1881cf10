"""Test the Learn page: every link opens, painted points train a tree, and hidden elements are absent."""

from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest

import sample_data
from pages.ui.learn import learn_ahead, learn_data, learn_panel, learn_run, learn_settings
from pages.ui.shell import address
from pages.ui.shell.served_files import served_files
from sample_data.painted import CHARACTERS, encode
from tests.decoded_payload import decoded
from tests.refusals import wording
from tests.waiting import awaited
from treecore import DataError

PAGE = "pages/learn.py"


def some_points(n=40, classes=2, seed=0):
    rng = np.random.default_rng(seed)
    return encode(rng.random((n, 2)), rng.integers(0, classes, n))


def captions(app):
    return " ".join(caption.value for caption in app.caption)


def remarks(app):
    return " ".join(info.value for info in app.info).replace("\\", "")


def warnings(app):
    return " ".join(warning.value for warning in app.warning).replace("\\", "")


def labels(app):
    widgets = [*app.selectbox, *app.slider, *app.select_slider, *app.toggle, *app.number_input]
    return {widget.label for widget in widgets}


def selectbox(app, label):
    return next(box for box in app.selectbox if box.label == label)


def paint(app, points, turn=1):
    """Report painted points as the browser does when the visitor lifts the pen."""
    app.session_state["stage-learn"] = {"painted": {"turn": turn, "points": points}}
    return app.run()


def test_a_run_is_there_without_a_click(open_app):
    app = open_app(PAGE)
    assert not app.exception
    assert "TAO ends with" in captions(app)
    assert "CART ends with" not in captions(app)
    next(toggle for toggle in app.toggle if toggle.label == "Compare with CART").set_value(True).run()
    assert not app.exception
    assert "CART ends with" in captions(app)
    assert app.query_params["beside"] == "1"
    assert "differ in method and split type: TAO uses bivariate splits, CART univariate splits" in captions(app)
    app = open_app(PAGE, beside="1", split="univariate")
    assert "CART ends with" in captions(app)
    assert "method and split type" not in captions(app)


GARBAGE = [
    {"data_set": "<script>alert(1)</script>"},
    {"data_set": ""},
    {"split": "trilateral", "init": "magic", "lam": "nan", "max_depth": "-4", "n_points": "1e9", "seed": "zwölf"},
    {"lam": "-1", "bivariate_cost": "inf", "max_iter": "0", "beside": "maybe", "present": "yes", "columns": "three"},
    {"split": "univariate", "bivariate_cost": "5"},  # without effect
    {"step": "99999", "node": "99999"},
    {"step": "-1", "node": "x", "tree": "3"},
    {"hide": "data-nobody-<b>-lam", "seed": "999999999999"},
    {"data_set": "painted"},
    {"data_set": "painted", "painted": "not base64!"},
    {"data_set": "painted", "painted": "AAAA" * 5001},
    {"data_set": "painted", "painted": encode([[0.5, 0.5]], [0])},
    {"data_set": "painted", "painted": encode([[0.1, 0.5], [0.6, 0.2], [0.3, 0.3]], [5, 5, 5])},
    {"data_set": "painted", "painted": encode([[0.5, 0.5], [0.5, 0.5]], [0, 1])},
    {"data_set": "iris", "x": "no such column", "y": "${petal}"},
    {"data_set": "iris", "x": "petal width (cm)", "y": "petal width (cm)"},
    {"split": "univariate", "init": "bivariate_cart", "max_depth": "0"},
    {"present": "1", "hide": "data-split-init-lam-cost-points-passes-beside-share", "beside": "1"},
]


UNREADABLE = ("not base64!", "AAAA" * 5001)


@pytest.mark.parametrize("query", GARBAGE, ids=range(len(GARBAGE)))
def test_any_link_opens_the_page(open_app, query):
    app = open_app(PAGE, **query)
    assert not app.exception
    assert not app.error
    is_painted = query.get("data_set") == "painted"
    assert "TAO ends with" in captions(app) or is_painted or "hide" in query
    if query.get("data_set") in ("", "<script>alert(1)</script>"):
        name = query["data_set"]
        wanted = (
            wording(f"The data set '{name}' in this link is not available")
            if name
            else wording("The data set in this link is not available")
        )
        assert wanted.search(remarks(app))
    assert (
        (
            "The painted points in this link are not readable, so the plane is empty. Paint points, or ask for a new "
            "link."
        )
        in remarks(app)
    ) == (is_painted and query.get("painted") in UNREADABLE)
    wrong = {"nan", "-1", "999999999999"} & {query.get(name) for name in ("lam", "seed", "step")}
    misread = [wording(name).search(warnings(app)) for name in ("misread", "This link contains an unsupported value")]
    assert any(misread) == bool(wrong)


def test_an_invalid_value_of_a_link_is_reported_with_the_allowed_ones(open_app):
    app = open_app(PAGE, lam="abc", init="birch", data_set="moons")
    for words in ("'lam = abc'", "a number from 0 to", "one of cart, random"):
        assert words in warnings(app)
        assert words in warnings(app.run())


def test_a_link_opens_its_run_step_and_node(open_app):
    app = open_app(PAGE, data_set="moons", split="univariate", lam="2.0", seed="7", step="3", node="0")
    assert app.session_state["learn"] == learn_settings.LearnSettings("moons", split="univariate", lam=2.0, seed=7)
    wanted = {"data_set": "moons", "split": "univariate", "lam": "2.0", "seed": "7", "step": "3", "node": "0"}
    assert dict(app.query_params) == wanted
    assert not app.error


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"step": "999"}, "the last step is 14"),
        ({"step": "3", "node": "999"}, "the tree of this step"),
        ({"step": "<b>"}, "'step = <b>'"),
    ],
)
def test_a_step_or_node_that_a_run_lacks_is_reported(open_app, query, words):
    app = open_app(PAGE, **query)
    assert not app.exception
    assert words in remarks(app)
    app = open_app(PAGE, step="3", node="0")
    assert "step" not in remarks(app)


def test_painting_trains_and_is_in_the_link(open_app):
    app = open_app(PAGE, data_set="painted")
    assert not app.exception
    assert "ends with" not in captions(app)
    text = some_points()
    app = paint(app, text)
    assert app.query_params["painted"] == text
    assert "of 40 points" in captions(app)
    app = paint(app, text + some_points(20, 3, 1))
    assert "of 60 points" in captions(app)
    app = paint(app, "")
    assert "ends with" not in captions(app)
    assert not app.exception


@pytest.mark.parametrize("report", [{"turn": 7, "points": some_points(9)}, {"turn": 1, "points": "<b>"}, {}, "x",
                                    {"turn": 1}, {"turn": 1, "points": 3}])  # fmt: skip
def test_reports_that_make_no_sense_are_left_alone(open_app, report):
    text = some_points()
    app = open_app(PAGE, data_set="painted", painted=text)
    app.session_state["stage-learn"] = {"painted": report}
    app.run()
    assert not app.exception
    assert app.session_state["learn"].painted == text


def test_a_frenzy_of_painted_points(open_app):
    app = paint(open_app(PAGE, data_set="painted", init="cart", max_depth="0"), some_points(5000, 8))
    assert not app.exception
    assert "has depth 8" in remarks(app)
    assert "of 5000 points" in captions(app)
    assert "painted" not in app.query_params
    app.session_state["learn-share"] = True
    app.run()
    assert "The server stores painted points for a limited time. Save the run as a file to keep it." in captions(app)


def test_one_class_says_what_to_do(open_app):
    app = open_app(PAGE, data_set="painted", painted=some_points(30, 1))
    assert not app.info  # no element moves the plot under the pen; the painting tools contain the instructions
    assert "ends with 1 leaf and 0 of 30" in captions(app)


def test_points_of_a_set_become_painted_ones(open_app):
    app = open_app(PAGE, data_set="moons", n_points="100")
    next(button for button in app.button if button.key == "learn-repaint").click().run()
    assert not app.exception
    assert app.query_params["data_set"] == "painted"
    assert "of 100 points" in captions(app)
    assert learn_settings.LEARN.text.read(dict(app.query_params)).painted == app.query_params["painted"]
    app = paint(app, some_points(), turn=1)  # these points belong to the previous painting
    assert "of 100 points" in captions(app)
    app = paint(app, some_points(), turn=2)
    assert "of 40 points" in captions(app)


def test_hidden_controls_are_not_drawn_but_count(open_app):
    everything = labels(open_app(PAGE, data_set="painted"))  # nothing is painted, so the stage has no λ
    assert {"Data", "Split type", "λ", "Initial tree", "Compare with CART", "Maximum passes"} <= everything
    assert "λ" not in labels(open_app(PAGE))
    app = open_app(PAGE, hide="data-lam-share", lam="3", data_set="spirals")
    assert everything - labels(app) >= {"Data", "λ"}
    assert not app.code
    assert app.session_state["learn"].lam == 3.0
    assert app.query_params["hide"] == "data-lam-share"
    assert not labels(open_app(PAGE, hide="-".join(learn_settings.CONTROLS)))


def test_lambda_that_was_dragged_on_the_stage_is_that_of_the_page(open_app):
    chosen = learn_settings.LearnSettings("xor", n_points=100, lam=2.0)
    name = learn_run.name(chosen, learn_data.of(chosen).data)
    app = open_app(PAGE, n_points="100")
    for key, step in (("learn-of-others", 1), (name, 2)):
        app.session_state["stage-learn"] = {"run": {"key": key, "tree": step, "node": None, "turn": 0}}
        app.run()
        assert not app.exception
        assert app.query_params.get("lam") == ("2.0" if key == name else None)
    assert app.query_params["step"] == "2"
    found = learn_data.of(chosen)
    ahead = learn_ahead.runs(name, chosen, found, None, 0.5)
    assert (ahead["runs"][0][0], dict(ahead["runs"])[2.0]) == (0.5, name)
    files = served_files()
    awaited(files.wait_for(name))
    recording = learn_run.record_run(name, chosen, found.data, found.rows)
    assert files.answer(name).body == learn_run.payload(name, chosen, found.data, found.rows, recording)
    assert learn_ahead.runs(name, replace(chosen, hide=("lam",)), found, None, 0.0) is None


def test_presentation_has_no_sidebar_and_can_be_left(open_app):
    app = open_app(PAGE, present="1")
    assert not labels(app)
    next(button for button in app.button if button.key == "leave").click().run()
    assert labels(app)
    assert "present" not in app.query_params


def test_the_link_for_a_class(open_app):
    app = open_app(PAGE, data_set="moons", lam="2", step="4")
    assert not app.code
    app.session_state["learn-share"] = True  # the popover is open
    app.run()
    next(box for box in app.checkbox if box.key == "learn-hide-data").check()
    next(box for box in app.checkbox if box.key == "learn-hide-staircase").check()
    next(toggle for toggle in app.toggle if toggle.key == "learn-link-present").set_value(True)
    app.run()
    assert not app.exception
    query = {name: value for name, (value,) in parse_qs(urlsplit(app.code[0].value).query).items()}
    wanted = {"data_set": "moons", "lam": "2.0", "hide": "data-staircase", "present": "1", "step": "4"}
    assert query == wanted
    app.session_state["learn-share"] = False
    app.run()
    app.session_state["learn-share"] = True
    app.run()
    assert "present=1" in app.code[0].value  # closing the popover keeps the choices
    opened = open_app(PAGE, **query)
    assert opened.session_state["learn"].hide == ("data", "staircase")
    assert opened.session_state["learn"].present


def test_only_a_painting_that_is_shown_is_in_the_address():
    text = some_points(1000)
    for data_set, points, there in (("painted", text, True), ("painted", text + "AAAA", False), ("xor", text, False)):
        chosen = learn_settings.LearnSettings(data_set, painted=points)
        assert (learn_settings.LEARN.text.write(chosen).get("painted") == points) is there


def test_an_address_keeps_its_page():
    assert address.link_to("https://x.org/a/learn?lam=3#b", {"step": "2"}) == "https://x.org/a/learn?step=2"
    assert address.link_to(None, {"hide": "a-b"}) == "?hide=a-b"


def test_columns_of_a_table_can_be_chosen(open_app):
    app = open_app(PAGE, data_set="iris")
    data = sample_data.load("iris")
    assert {"Columns", "Horizontal", "Vertical"} <= labels(app)
    selectbox(app, "Horizontal").set_value(data.feature_names[1]).run()
    assert app.query_params["x"] == data.feature_names[1]
    found = learn_data.of(app.session_state["learn"])
    assert found.data.feature_names[0] == data.feature_names[1]
    assert found.data.n_features == 2
    selectbox(app, "Columns").set_value("all").run()
    assert learn_data.of(app.session_state["learn"]).data.n_features == 4
    assert not app.exception
    selectbox(app, "Data").set_value("wine").run()
    assert not app.exception
    assert "TAO ends with" in captions(app)


def test_images_are_trained_on_few_rows_and_report_it(open_app):
    app = open_app(PAGE, data_set="mnist-5k", n_points="2000", split="bivariate")
    assert not app.exception
    assert wording("With … features, the run uses 510 points, so that it appears immediately").search(remarks(app))
    assert "oblique" in remarks(app)
    assert "of 510 points" in captions(app)


@pytest.mark.parametrize(("name", "depth", "lam"), [("mnist-5k", 4, 0.1), ("digits", 4, 0.0), ("iris", 0, 0.0)])
def test_weighted_sums_of_many_features_stay_small(name, depth, lam):
    wanted = learn_settings.LearnSettings(
        name, n_points=2000, split="oblique", init="random", max_depth=0, lam=0.0, columns="all"
    )
    found = learn_data.of(wanted)
    chosen, remarks = learn_panel.possible(wanted, found)
    assert (chosen.max_depth, chosen.lam) == (depth, lam)
    assert len(remarks) == (chosen.max_depth != wanted.max_depth) + (chosen.lam != wanted.lam)
    recording = learn_run.record_run(name, chosen, found.data, found.rows)
    assert len(learn_run.payload(name, chosen, found.data, found.rows, recording)) < 4e6


def test_the_payload_is_that_of_the_settings():
    chosen = learn_settings.LearnSettings("xor", n_points=100, split="univariate", max_depth=2)
    found = learn_data.of(chosen)
    name = learn_run.name(chosen, found.data)
    recording = learn_run.record_run(name, chosen, found.data, found.rows)
    payload = decoded(learn_run.payload(name, chosen, found.data, found.rows, recording))
    assert set(found.rows[0]) <= set(payload["sample_rows"].tolist())
    grown, block = learn_run.grow_cart(name, chosen, found.data, found.rows)
    assert decoded(block).header["recording"]["title"] == "CART"
    assert grown.tree.depth <= 2
    np.testing.assert_array_equal(decoded(block)["sample_rows"], payload["sample_rows"])
    others = [
        learn_settings.LearnSettings("xor", n_points=100, split="univariate", max_depth=2, lam=2.0),
        learn_settings.LearnSettings("xor", n_points=101, split="univariate", max_depth=2),
    ]
    assert len({name, *(learn_run.name(other, found.data) for other in others)}) == 3


def test_a_browser_does_not_use_a_stored_run_of_other_code(monkeypatch):
    chosen = learn_settings.LearnSettings("xor", n_points=100)
    names = []
    for digest in ("old", "new", "new"):
        monkeypatch.setattr(learn_run, "source_digest", lambda folders, digest=digest: digest)
        names.append(learn_run.name(chosen, learn_data.of(chosen).data))
    assert names[0] != names[1] == names[2]


def test_a_tree_is_drawn_and_tao_runs_from_it(open_app):
    app = open_app(PAGE, data_set="xor", init="drawn", split="univariate")
    assert not app.exception
    assert "ends with" not in captions(app)
    drawing = app.session_state["learn_drawing"]
    assert drawing.tree.n_nodes == 1

    def node(origin, left, right, **decision):
        bare = {"features": [], "weights": [], "bias": 0.0, "missing_right": False, "label": 1, "locked": False}
        return bare | {"id": origin, "left": left, "right": right} | decision

    cut = {"features": [0], "weights": [1.0], "bias": -0.3, "locked": True}
    drawn = {"nodes": [node(0, 1, 2, **cut), node(1, None, None), node(2, None, None)]}
    damaged = {"nodes": [node(0, 1, 7, **cut), node(1, None, None)]}
    app.session_state["stage-learn-draw"] = {
        "edited": {"key": drawing.key, "turn": 1, "ask": "keep", "document": damaged}
    }
    app.run()
    assert not app.exception
    assert app.error
    app.session_state["stage-learn-draw"] = {
        "edited": {"key": drawing.key, "turn": 2, "ask": "keep", "document": drawn}
    }
    app.run()
    assert not app.error
    next(button for button in app.button if button.key == "learn-run").click().run()
    assert not app.exception
    assert "TAO ends with" in captions(app)
    chosen = app.session_state["learn"]
    found = learn_data.of(chosen)
    drawing = app.session_state["learn_drawing"]
    recording = learn_run.record_run(
        learn_run.name(chosen, found.data, drawing), chosen, found.data, found.rows, drawing
    )
    assert recording.steps[0].tree.split(0)[2] == recording.tree.split(0)[2] == -0.3
    again = open_app(PAGE, **address_of(app))  # in a new tab, TAO runs at once
    assert again.session_state["learn_drawing"].tree == drawing.tree
    assert "TAO ends with" in captions(again)
    elsewhere = open_app(PAGE, **address_of(app) | {"n_points": "400"})
    assert elsewhere.session_state["learn_drawing"].tree.n_nodes == 1
    assert "frozen" in {reason for step in recording.steps for reason in step.skipped.values()}
    next(button for button in app.button if button.key == "learn-draw-on").click().run()
    assert any(button.key == "learn-contest" for button in app.button)  # the button exists while drawing too
    assert not app.exception
    assert "ends with" not in captions(app)
    assert app.session_state["learn_drawing"].tree.n_nodes == 3
    next(button for button in app.button if button.key == "learn-over").click().run()
    assert app.session_state["learn_drawing"].tree.n_nodes == 1
    assert "kept" not in app.run().query_params


def address_of(app):
    """Return the URL parameters for `open_app`."""
    return {name: values[0] if isinstance(values, list) else values for name, values in app.query_params.items()}


def test_many_painted_points_survive_in_a_new_tab_and_belong_to_who_painted_them(open_app):
    many, more, few = some_points(1100), some_points(1200, seed=1), some_points(30)
    app = paint(open_app(PAGE, data_set="painted"), many)
    link = address_of(app)
    assert "painted" not in link
    other = open_app(PAGE, **link)
    assert other.session_state["learn"].painted == many
    assert f"of {len(many) // CHARACTERS} points" in captions(other)
    paint(other, more, turn=1)
    assert open_app(PAGE, **address_of(other)).session_state["learn"].painted == more
    assert open_app(PAGE, **link).session_state["learn"].painted == many
    assert address_of(paint(app, few))["painted"] == few
    assert "kept" not in address_of(app)
    assert open_app(PAGE, data_set="painted", kept="../../etc").session_state["learn"].painted == ""
    paint(app, many)
    assert paint(app, "").session_state["learn"].painted == ""
    assert app.run().session_state["learn"].painted == ""


def run_drawn(app, feature):
    """Draw one line on a feature and let TAO run from it."""
    drawing = app.session_state["learn_drawing"]
    bare = {"features": [], "weights": [], "bias": 0.0, "missing_right": False, "label": 1, "locked": False}
    leaves = [bare | {"id": k, "left": None, "right": None} for k in (1, 2)]
    root = bare | {"id": 0, "left": 1, "right": 2, "features": [feature], "weights": [1.0], "bias": -0.3}
    told = {"key": drawing.key, "turn": drawing.seen + 1, "ask": "reoptimise", "document": {"nodes": [root, *leaves]}}
    app.session_state["stage-learn-draw"] = {"edited": told}
    return app.run()


def test_tao_runs_from_a_line_on_a_constant_feature(open_app):
    rng = np.random.default_rng(0)
    text = encode(np.column_stack([rng.random(40), np.full(40, 0.25)]), rng.integers(0, 2, 40))
    app = run_drawn(open_app(PAGE, data_set="painted", painted=text, init="drawn"), 1)
    assert not app.exception
    assert "TAO ends with" in captions(app)


def test_a_drawing_that_tao_cannot_run_from_is_shown_again(open_app, monkeypatch):
    def refuse(*arguments):
        raise DataError("Bad luck <b>.")

    monkeypatch.setattr(learn_run, "record_run", refuse)
    app = run_drawn(open_app(PAGE, data_set="xor", init="drawn", split="univariate"), 0)
    assert not app.exception
    assert wording("TAO cannot start from this tree").search(app.error[0].value)
    assert app.session_state["learn_drawing"].tree.n_nodes == 3
    assert any(button.key == "learn-run" for button in app.button)


def test_the_telling_pair_is_looked_for_once(monkeypatch):
    data, asked = sample_data.load("wine"), []
    pair = learn_data.informative_pair(data)
    monkeypatch.setattr(learn_data, "informative_pair", lambda data: asked.append(data) or pair)
    learn_data._telling_pair.clear()
    for x, y in (("", ""), (pair[1], ""), ("alcohol", "ash")):
        axes = learn_data.axes(data, learn_settings.LearnSettings("wine", x=x, y=y))
        assert axes[0] == (x or pair[0])
        assert axes[1] == (y or pair[0] if x else pair[1])
    assert len(asked) == 1


def test_the_address_names_a_drawing_as_soon_as_it_is_made(monkeypatch):
    done = []
    monkeypatch.setattr(learn_panel.learn_drawing, "drawing_stage", lambda *_: done.append("kept"))
    monkeypatch.setattr(learn_panel, "share", lambda view: done.append(view))
    learn_panel._draw(learn_settings.LearnSettings(init="drawn", present=True), None)
    assert done == ["kept", None]
