"""Test that a saved project opens for another visitor with its trees and data, or that the page names missing parts."""

import json
from dataclasses import replace

import pytest

from pages.jobs import user_store
from pages.ui.data import project_panel
from pages.ui.save import project_file
from pages.ui.save.save_menu import SavedFile
from pages.ui.shell.markdown_text import file_size
from sample_data import user_data
from tests.pages.conftest import wait_for_path
from tests.refusals import wording
from tests.treecore.model.model_examples import small_model
from treecore import Model, Project, TAOClassifier
from treecore.model.model_json import checksum
from treecore.model.project_parts import DataSource, ProjectTree

SMALL = {"data_set": "iris", "max_depth": "3", "n_lambdas": "6"}
LINES = "".join(f"{i // 2},{'red' if i % 3 else 'blue'},{'high' if i > 30 else 'low'}\n" for i in range(60))
TABLE = f"size;colour;grade\n{LINES}".replace(",", ";").encode()


@pytest.fixture
def files(monkeypatch):
    """Return {label: content} of every file that a page has offered so far."""
    found = {}
    monkeypatch.setattr(SavedFile, "button", lambda one: found.update({one.label: one.make}))
    return found


def opened(app, content, label="project"):
    """Return the Data page after a file was dropped on the uploader with this label."""
    app.session_state["data_way"] = "project"
    app.switch_page("pages/data.py").run()
    place = next(one for one in app.get("file_uploader") if label in one.label)
    place.set_value(("it.json" if label == "project" else "own.csv", content, "text/plain")).run()
    assert not app.exception
    return app


def button(app, label):
    return next(one for one in app.button if one.label == label)


def own_project():
    """Return (project with a tree on an uploaded file, name of its data). The app does not have these data."""
    table = user_data.read(TABLE, "own.csv")
    kinds = {"size": "number", "colour": "category"}
    recipe = replace(user_data.propose(table, user_data.summarise(table)), target="grade", kinds=kinds)
    data = user_data.make_data_set(table, recipe)
    tree = TAOClassifier("univariate", lam=1.0, max_depth=2, random_state=0).fit(data.X, data.labels()).tree_
    source = DataSource(data.name, data.title, data.fingerprint, "own.csv", {"delimiter": ";"}, recipe.to_dict())
    settings = {"data_set": data.name, "split": "univariate", "n_lambdas": "4", "max_depth": "2", "tree": "1"}
    return Project((ProjectTree("Mine", Model.of(tree, data), settings),), (source,)), data.name


def test_trees_of_a_tab_are_found_again_in_another(open_app, files):
    app = wait_for_path(open_app(**SMALL, tree="4"))
    app.session_state["save-open"] = True
    button(app.run(), "Add to project").click().run()
    assert any("Saved as Iris" in line.value for line in app.caption)
    assert "Project (1 tree)" in files  # the tree on the screen is the saved one
    app.query_params["tree"] = "2"
    app = wait_for_path(open_app(**SMALL, tree="2", node="0"))
    app.session_state["loaded_models"] = {"kept": small_model()}
    app.session_state["save-open"] = True
    app.run()
    text = files["Project (2 trees)"]()
    found = Project.from_json(text)
    assert found.trees[0].settings == SMALL | {"tree": "2"}
    assert [one.title for one in found.trees][1] == "kept"
    assert len(found.trees[0].model.sample.X) == 90
    other = opened(open_app("pages/data.py"), text.encode())
    lines = [line.value for line in other.markdown]
    assert any(project_panel.WORDS[project_panel.HERE] in line and "Iris" in line for line in lines)
    assert any(project_panel.WORDS[project_panel.GONE] in line and "Small data" in line for line in lines)
    button(other, "Open").click().run()
    wait_for_path(other)
    assert {name: other.query_params[name] for name in ("data_set", "n_lambdas", "tree")} == {
        "data_set": "iris",
        "n_lambdas": "6",
        "tree": "2",
    }
    assert list(other.session_state["loaded_models"]) == [found.trees[0].title, "kept"]


@pytest.mark.long
def test_a_project_asks_for_the_file_of_its_data_and_knows_it(open_app):
    project, name = own_project()
    user_store.remove(name)
    app = opened(open_app("pages/data.py"), project.to_json().encode())
    assert any("choose its file" in line.value for line in app.markdown)
    app = opened(app, TABLE.replace(b"29;", b"28;"), "own.csv")
    assert wording("own.csv does not match the training data of these trees (fingerprint … instead of …)").search(
        app.error[0].value.replace("\\", "")
    )
    assert list(app.session_state["loaded_models"]) == ["Mine"]
    app = opened(app, b"a;b\n1;2\n", "own.csv")
    assert app.error
    app = opened(app, TABLE, "own.csv")
    assert not app.error
    assert not any("choose its file" in line.value for line in app.markdown)
    assert user_store.origin(name)["recipe"] == project.data[0].recipe
    button(app, "Open").click().run()
    wait_for_path(app)
    assert app.query_params["data_set"] == name
    assert app.query_params["tree"] == "1"
    user_store.remove(name)
    assert user_store.origin(name) == {}


def test_groups_of_earlier_versions_are_written_with_their_column(open_app):
    project, name = own_project()
    user_store.remove(name)
    record = json.loads(project.to_json())
    model = record["content"]["trees"][0]["model"]
    colour = next(one for one in model["content"]["columns"]["columns"] if one["name"] == "colour")
    assert colour["categories"] == ["red"]
    former = json.loads(json.dumps(record).replace("colour = red", "colour = other (2 categories)"))
    model = former["content"]["trees"][0]["model"]
    for one in model["content"]["columns"]["columns"]:
        if one["name"] == "colour":
            one |= {"categories": ["other (2 categories)"], "grouped": True}
    for part in (model, former):
        part["checksum"] = checksum(part["content"])
    app = opened(open_app("pages/data.py"), json.dumps(former).encode())
    assert wording(
        "These trees come from an earlier version of the app, which named rare values of colour 'other (…)' "
        "instead of 'others (…)'"
    ).search(app.warning[0].value)
    assert not any(one.label.endswith("of these trees") for one in app.get("file_uploader"))
    button(app, "Open")


def test_a_file_that_is_no_project_loses_nothing(open_app):
    project, name = own_project()
    app = opened(open_app("pages/data.py"), project.to_json().encode())
    assert any(f"fingerprint {name.removeprefix('own-')} " in line.value for line in app.markdown)  # as in file names
    record = json.loads(project.to_json())

    def signed(change):
        content = json.loads(json.dumps(record["content"]))
        change(content)
        return json.dumps(record | {"checksum": checksum(content), "content": content}).encode()

    for content, words in (
        (json.dumps(record | {"version": 3}).encode(), "version 3"),
        (project.to_json().replace("own.csv", "x.csv").encode(), "changed or damaged"),
        (b"{", "not JSON"),
        (signed(lambda c: c["trees"][0]["settings"].update(split="evil")), "split"),
        (signed(lambda c: c["data"][0]["recipe"].update(bins=-3)), "2 to 20 groups"),
        (signed(lambda c: c["data"][0]["options"].update(folder="/etc")), "folder"),
    ):
        app = opened(app, content)
        assert words in app.error[0].value
        assert list(app.session_state["loaded_models"]) == ["Mine"]
        assert app.session_state[project_panel.OPENED].data == project.data


def test_rows_of_the_data_stay_here_where_that_is_wanted(open_app, files):
    app = wait_for_path(open_app(**SMALL))
    app.session_state["save-open"] = app.session_state["save-open-Model"] = True
    next(box for box in app.run().checkbox if box.label == "Include sample rows").uncheck().run()
    assert not app.session_state[project_file._ROWS]
    app.session_state["loaded_models"] = {"kept": small_model()}
    app.run()
    found = Project.from_json(files["Project (2 trees)"]())
    assert [one.model.sample for one in found.trees] == [None, None]
    assert project_file.EDITED not in app.session_state


def test_projects_that_could_not_be_opened_again_are_not_saved(open_app, files, monkeypatch):
    for most in (project_file.MOST_BYTES, 1000):
        monkeypatch.setattr(project_file, "MOST_BYTES", most)
        app = wait_for_path(open_app(**SMALL))
        app.session_state["save-open"] = app.session_state["save-open-Model"] = True
        files.clear()
        app.run()
        told = " ".join(line.value for line in app.caption)
        assert ("Project (1 tree)" in files) == ("Model (JSON)" in files) == (file_size(most) not in told)
        assert ("Project (1 tree)" in files) == (most > 1000)
    model = small_model()
    assert project_file.most_bytes(model) >= len(model.to_json().encode())
