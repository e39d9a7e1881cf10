"""Test user data on the Data page: normal files, every faulty file, and that no input is lost."""

import gc
import io
import os
import time
import tomllib
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas
import pytest
from PIL import Image

from pages.jobs import job_files, settings, task_data, user_store
from pages.jobs.limited_process import Limits
from pages.jobs.training_effort import is_large_regression
from pages.ui.data.data_panel import EXPLORE
from pages.ui.session import data_sets, file_button, settings_for_data, user_data
from pages.ui.shell import owner as shell_owner
from pages.ui.shell import reader
from pages.ui.shell.markdown_text import plain
from sample_data import DataSet
from sample_data.user_data.limits import MAX_BYTES
from tests.refusals import refused, wording
from tests.sample_data.user_data.test_user_data_markers import customers
from treecore import DataSetNotFound


def flower(i):
    colour = "" if i % 9 == 0 else ["red", "blue"][i % 2]
    return f"{i};{i % 7},{i % 10};{colour};2024-01-{i % 28 + 1:02d};{'ab'[i % 7 > 3]}\n"


FLOWERS = ("id;length;colour;when;species\n" + "".join(map(flower, range(60)))).encode()


@pytest.fixture
def data_page(open_app):
    """Return a function that opens the Data page for files ("file") or for pasted text ("paste")."""

    def data_page(way="file"):
        return open_app("pages/data.py", **{"from": way})

    return data_page


def upload(app, content, name="flowers.csv"):
    """Drop a file and return the resulting page."""
    app.file_uploader[0].set_value((name, content, "text/csv")).run()
    assert not app.exception
    return app


def draft(app):
    if user_data.FILES not in app.session_state:
        return None
    return app.session_state[user_data.FILES].draft


def button(app, label):
    return next(button for button in app.button if button.label == label)


def errors(app):
    return " ".join(error.value for error in app.error).replace("\\", "")


def test_classes_get_readable_labels_once(data_page):
    app = upload(data_page(), FLOWERS)
    app.text_input(key="own_label_0").set_value(" alpha  rose ").run()
    assert draft(app).recipe.labels == {"a": "alpha rose"}
    app.text_input(key="own_label_1").set_value("alpha rose").run()
    assert "alpha rose" in errors(app)
    assert button(app, EXPLORE).disabled
    assert "alpha rose" in button(app, EXPLORE).help.replace("\\", "")  # the reason
    app.text_input(key="own_label_1").set_value("").run()
    assert not button(app, EXPLORE).disabled
    app.session_state["settings"] = settings.PathSettings(max_depth=2, n_lambdas=3)
    button(app, EXPLORE).click().run()
    data = data_sets.load(app.session_state["settings"].data_set)
    assert data.class_names == ("alpha rose", "b")
    assert user_store.class_labels(data.name) == {"a": "alpha rose"}
    app = upload(data_page(), FLOWERS)
    app.text_input(key="own_label_0").set_value("x").run()
    app.selectbox(key="own_target").set_value("colour").run()
    assert draft(app).recipe.labels == {}


def test_a_file_is_read_looked_over_and_explored(data_page):
    app = upload(data_page(), FLOWERS)
    recipe = draft(app).recipe
    assert recipe.target == "species"
    assert recipe.kinds["id"] == "ignore"
    assert recipe.kinds["length"] == "number"
    assert recipe.kinds["when"] == "date"
    assert any("decimal comma" in caption.value for caption in app.caption)
    assert any("2 classes: a (36) · b (24)" in caption.value for caption in app.caption)
    app.session_state["settings"] = settings.PathSettings(max_depth=2, n_lambdas=3)
    button(app, EXPLORE).click().run()
    chosen = app.session_state["settings"]
    assert user_store.is_own(chosen.data_set)
    assert chosen.split == "bivariate"  # the values are missing, and oblique splits do not support this
    data = data_sets.load(chosen.data_set)
    assert data.has_missing
    assert user_store.fingerprint(data) == chosen.data_set[4:]
    assert data_sets.labels()(chosen.data_set) == f"flowers (yours, {chosen.data_set[4:8]})"


def test_choices_survive_a_visit_to_another_page(data_page):
    app = upload(data_page(), FLOWERS)
    app.selectbox(key="own_target").set_value("colour").run()
    app.text_input[-1].set_value("My <b>flowers</b>").run()
    assert draft(app).recipe.kinds["species"] == "category"
    app.switch_page("pages/about.py").run()
    app.switch_page("pages/data.py").run()
    assert not app.exception
    assert app.selectbox(key="own_target").value == "colour"
    assert app.text_input[-1].value == "My <b>flowers</b>"


def test_the_split_by_time_shows_its_rows(data_page):
    app = upload(data_page(), FLOWERS)
    app.radio[0].set_value("time").run()
    assert draft(app).recipe.split_column == "when"
    rows = {metric.label: int(metric.value) for metric in app.metric}
    assert sum(rows.values()) == 60
    assert rows["Training rows"] >= 30
    app.slider[0].set_value((40, 50)).run()
    assert {metric.label: int(metric.value) for metric in app.metric}["Training rows"] < rows["Training rows"]
    app.radio[0].set_value("column").run()
    assert set(draft(app).recipe.split_values.values()) <= {"train", "validation", "test"}
    assert not app.exception


def test_a_proposed_fix_is_one_click(data_page):
    app = upload(data_page(), FLOWERS)
    app.session_state[user_data.FILES].draft = replace(
        draft(app), recipe=replace(draft(app).recipe, kinds=draft(app).recipe.kinds | {"id": "number"}, row_names=None)
    )
    app.run()
    assert any("'id'" in line.value for line in app.markdown)
    button(app, "Ignore column").click().run()
    assert draft(app).recipe.kinds["id"] == "ignore"
    assert not app.exception


def test_a_class_that_was_read_as_missing_is_restored_by_one_press(data_page):
    rows = "".join(f"{k % 7},{k % 10},{'NA' if k % 10 == 0 else ['low', 'high'][k % 7 > 3]}\n" for k in range(80))
    app = upload(data_page(), f"length,width,class\n{rows}".encode())

    assert draft(app).recipe.target == "class"
    button(app, "Use as class").click().run()
    assert not app.exception
    assert draft(app).recipe.values == {"class": ("NA",)}
    button(app, "Treat as missing").click().run()
    assert draft(app).recipe.missing == {"class": ("NA",)}


def test_blocking_problems_disable_the_button_and_give_the_reason(data_page):
    app = upload(data_page(), FLOWERS)
    decided = draft(app)

    def with_kinds(**kinds):
        recipe = replace(decided.recipe, kinds=decided.recipe.kinds | kinds, row_names=None)
        app.session_state[user_data.FILES].draft = replace(decided, recipe=recipe)
        app.run()
        told = " ".join(line.value for line in app.markdown)
        return (
            told if "cannot be used for training yet" in told else "",
            [one.label for one in app.button],
            button(app, EXPLORE).disabled,
        )

    told, labels, is_disabled = with_kinds(length="date")
    assert f"Column '{'length':.60}' contains numbers, not dates." in told
    assert is_disabled
    assert "Fix all and explore" in labels
    told, labels, is_disabled = with_kinds(**dict.fromkeys(decided.recipe.kinds, "ignore"))
    assert "All columns are ignored. Use at least one as a number, a category or a date." in told
    assert is_disabled
    assert "Fix all and explore" not in labels
    told, _, is_disabled = with_kinds()
    assert not told
    assert not is_disabled
    assert not app.exception


def test_markers_are_declared_and_noted(data_page):
    app = upload(data_page(), customers(), "kunden.csv")
    recipe = draft(app).recipe
    assert (recipe.target, recipe.row_names, recipe.group_below) == ("gekündigt", "Kundennr", {"Ort": 5})
    assert any("others (40 categories, 60 rows)" in line.value for line in app.markdown)
    notes = [line.value for line in app.markdown if "k.A." in line.value]
    assert len(notes) == 3
    assert primary(app) == ["Fix all and explore"]
    assert recipe.missing == dict.fromkeys(("Einkommen", "Miete", "Kunde seit"), ("k.A.",))
    assert [recipe.kinds[name] for name in recipe.missing] == ["number", "number", "date"]
    closer = next(box for box in app.selectbox if box.label == "Inspect column")
    closer.set_value("Stand").run()
    app.multiselect[0].set_value(["unbekannt"]).run()
    assert draft(app).recipe.missing["Stand"] == ("unbekannt",)
    next(box for box in app.selectbox if box.label == "Inspect column").set_value("Ort").run()
    next(box for box in app.number_input if box.label == "Combine rare values").set_value(2).run()
    assert draft(app).recipe.group_below == {"Ort": 2}
    now = draft(app)
    app.session_state[user_data.FILES].draft = replace(now, recipe=now.recipe.with_kinds({"Ort": "ordered"}))
    app.run()
    levels = next(box for box in app.multiselect if box.label == "Order")
    levels.set_value(levels.value[::-1]).run()
    assert draft(app).recipe.levels == {"Ort": tuple(levels.value)}
    assert not app.exception
    names = next(box for box in app.selectbox if box.label == "ID column")
    names.set_value("").run()
    assert draft(app).recipe.row_names is None
    decided = draft(app).recipe
    del app.session_state[user_data.FILES]
    app.run()  # as after a reload
    assert draft(app).recipe == decided
    assert not app.exception


def many_columns(n_columns, n_rows=20):
    names = ",".join([*(f"c{k}" for k in range(n_columns - 1)), "class"])
    row = ",".join(str(k % 5) for k in range(n_columns - 2))
    return "\n".join([names, *(f"{i % 7},{row},{'ab'[i % 2]}" for i in range(n_rows))]).encode()


BAD = {
    "empty": (b"", "empty"),
    "header only": (b"a,b,class\n", "no row"),
    "binary": (bytes(range(256)) * 40, "not a text file"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(100), "image"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_reported_and_loaded_data_stay(data_page, name):
    content, words = BAD[name]
    app = upload(upload(data_page(), FLOWERS), content, "bad.csv")
    assert any(word in errors(app) for word in words.split("|")), errors(app)
    assert "flowers.csv is still open below." in errors(app)
    assert draft(app).file.name == "flowers.csv"
    assert button(app, EXPLORE)
    app = upload(app, FLOWERS, "other.csv")
    assert not app.error
    assert draft(app).file.name == "other.csv"
    button(app, "Close").click().run()
    assert draft(app) is None
    assert not app.exception


def test_ragged_rows_are_reported_or_corrected_without_a_traceback(data_page):
    app = upload(data_page(), b"a,b,class\n1,2,x\n3,y\n4,5,6,7,z\n" + b"1,2,x\n" * 5, "ragged.csv")
    assert "line 3" in errors(app) or draft(app) is not None
    app = upload(
        data_page(), b"a,a,,class\n" + b"".join(b"%d,%d,%d,%d\n" % (i % 7, i % 5, i % 3, i % 2) for i in range(30))
    )
    assert not app.error
    assert len(set(draft(app).recipe.kinds)) == 4


EVIL = '=HYPERLINK("http://x.example")'


def test_formulas_and_scripts_stay_text(data_page):
    rows = "".join(
        f"{i},<script>alert({i % 3})</script>,{'yes' if i % 2 else '<img src=x onerror=alert(1)>'}\n" for i in range(40)
    )
    header = '"=HYPERLINK(""http://x.example"")",![p](http://x.example/p.png),class\n'
    app = upload(data_page(), (header + rows).encode(), "<script>alert(1)</script>.csv")
    assert not app.error
    assert EVIL in draft(app).recipe.kinds
    shown = [*app.markdown, *app.caption, *app.error, *app.success]
    for element in shown:
        assert "<script" not in element.value.replace("\\<script", "")
        assert "<img" not in element.value.replace("\\<img", "")
        assert "![p]" not in element.value
    assert not any("<script" in html.body for html in app.get("html") if hasattr(html, "body"))


@pytest.mark.long
def test_ten_thousand_columns_and_a_thousand_classes(data_page):
    app = upload(data_page(), many_columns(10_000), "wide.csv")
    assert not app.error
    assert any("The first 200 of 10,000 columns" in c.value for c in app.caption)
    app = upload(app, many_columns(10_001), "wider.csv")
    assert "10,001" in errors(app)
    assert draft(app).file.name == "wide.csv"
    rows = "".join(f"{i % 13},{i % 17},class{i % 1000}\n" for i in range(3000))
    app = upload(app, f"a,b,class\n{rows}".encode(), "classes.csv")
    assert not app.error
    assert any("1,000 classes" in caption.value for caption in app.caption)


def primary(app):
    names = [one.label for one in app.main.button if one.proto.type == "primary"]
    return [name for name in names if name != "Read again"]  # this button is in a closed popover


def test_while_a_large_file_waits_only_its_button_leads_on(data_page, monkeypatch):
    app = upload(data_page(), FLOWERS)
    assert primary(app) == [EXPLORE]
    monkeypatch.setattr(file_button, "ASK_ABOVE", 2 * len(FLOWERS))
    app = upload(app, FLOWERS + FLOWERS.partition(b"\n")[2] * 2, "large.csv")
    assert button(app, EXPLORE).disabled
    assert primary(app) == ["Read file"]
    button(app, "Discard").click().run()
    assert primary(app) == [EXPLORE]
    assert not button(app, EXPLORE).disabled


def test_pasted_text_is_a_table(data_page):
    app = data_page("paste")
    app.text_area[0].set_value(FLOWERS.decode().replace(";", "\t"))
    button(app, "Read pasted table").click().run()
    assert not app.exception
    assert draft(app).recipe.target == "species"


def test_a_file_can_be_read_differently(data_page):
    app = upload(data_page(), b"1|2|x\n3|4|y\n" * 20, "plain.txt")
    box = {box.label: box for box in app.selectbox}
    box["First line"].set_value(False)
    box["Delimiter"].set_value("|")
    button(app, "Read again").click().run()
    assert not app.exception
    assert dict(draft(app).file.options) == {"delimiter": "|", "header": False}
    assert any("40 rows" in m.value for m in app.markdown)
    {box.label: box for box in app.selectbox}["Short rows"].set_value(False)
    button(app, "Read again").click().run()
    assert dict(draft(app).file.options) == {"delimiter": "|", "header": False, "fill_short": False}


def test_a_doubtful_header_is_asked_about_and_decided_in_one_press(data_page):
    app = upload(data_page(), b"f,g,h\n" + b"f,t,x\nt,f,y\nf,f,x\n" * 20, "words.csv")
    assert any(wording("Line 1 (f, g, h) is read as column names").search(one.value) for one in app.markdown)
    assert any("60 rows" in one.value for one in app.markdown)
    button(app, "Row of data").click().run()
    assert not app.exception
    assert dict(draft(app).file.options) == {"header": False}
    assert any("61 rows" in one.value for one in app.markdown)
    assert not any("Line 1 (" in one.value for one in app.markdown)


def test_short_rows_are_filled_if_the_visitor_says_so(data_page):
    app = upload(data_page(), b"a,b,kind\n" + b"1,2,x\n3,4,y\n5\n" * 20, "short.csv")
    assert "fill short rows with missing values" in errors(app)


def test_images_of_a_zip_are_shown_by_class(data_page):
    block = io.BytesIO()
    with zipfile.ZipFile(block, "w") as archive:
        for i in range(12):
            picture = io.BytesIO()
            Image.fromarray(np.full((8, 8), 20 * i, np.uint8)).save(picture, "PNG")
            archive.writestr(f"shapes/{['dark', 'light'][i > 5]}/{i}.png", picture.getvalue())
    app = upload(data_page(), block.getvalue(), "shapes.zip")
    assert not app.error
    assert any("images · 12 rows" in m.value for m in app.markdown)
    assert button(app, EXPLORE)


def test_own_data_are_in_the_list_of_their_visitor_only_and_open_by_a_link(data_page, open_app):
    app = upload(data_page(), FLOWERS)
    app.session_state["settings"] = settings.PathSettings(max_depth=2, n_lambdas=2)  # trained quickly
    button(app, EXPLORE).click().run()
    name = app.session_state["settings"].data_set
    other = open_app("pages/data.py")
    assert name not in other.selectbox[0].options
    linked = open_app(data_set=name, max_depth="2", n_lambdas="2", split="univariate", init="cart")
    assert not linked.error
    assert linked.selectbox[0].value == name


def flowers(k):
    return FLOWERS + f"99;1,5;red;2024-01-01;{'ab'[k % 2]}\n".encode() * (k + 1)


def explore(app, content):
    """Return the name of the data set that a session makes from a file."""
    app.switch_page("pages/data.py")
    app.query_params["from"] = "file"
    upload(app.run(), content)
    app.session_state["settings"] = settings.PathSettings(max_depth=2, n_lambdas=2)  # trained quickly
    button(app, EXPLORE).click().run()
    assert not app.exception
    return app.session_state["settings"].data_set


def test_the_page_takes_files_as_large_as_are_read():
    config = tomllib.loads((Path(__file__).parents[4] / ".streamlit" / "config.toml").read_text())
    assert config["server"]["maxUploadSize"] * 10**6 == MAX_BYTES


def test_sets_of_a_visitor_push_out_the_same_visitors_only(data_page, monkeypatch):
    monkeypatch.setattr(user_store, "KEPT_OF_ONE", 2)
    anna, bob = data_page(), data_page()
    kept = explore(bob, flowers(0))
    names = []
    for k in range(1, 4):
        names.append(explore(anna, flowers(k)))
        time.sleep(0.02)
    assert user_store.load(kept).name == kept
    assert [user_store.use(name) for name in names] == [False, True, True]


def test_a_reload_finds_the_open_file_with_all_decisions(open_app, monkeypatch):
    for module in (user_data, shell_owner):  # identifies the visitor, as a cookie does
        monkeypatch.setattr(module, "owner", lambda: "5a" * 16)
    app = upload(open_app("pages/data.py", **{"from": "file"}), FLOWERS)
    next(box for box in app.selectbox if box.label == "Target").set_value("colour").run()
    decided = draft(app).recipe
    again = open_app("pages/data.py")
    assert not again.exception
    assert (draft(again).file.token, draft(again).recipe) == (draft(app).file.token, decided)
    assert button(again, EXPLORE)
    kept = user_store.place_of_upload(draft(app).file.token) / "draft.json"
    for damage in ("", "[]", '{"name": 1}', '{"name": "x", "n_bytes": 1, "options": 3, "recipe": {}}'):
        kept.write_text(damage)
        assert not open_app("pages/data.py").exception
    user_store.delete("5a" * 16)
    assert draft(open_app("pages/data.py")) is None


def test_delete_my_data_deletes_mine_and_the_link_reports_it(data_page, open_app):
    anna, bob = data_page(), data_page()
    mine, shared, bobs = explore(anna, flowers(5)), explore(anna, flowers(6)), explore(bob, flowers(7))
    assert explore(bob, flowers(6)) == shared
    upload(anna.switch_page("pages/data.py").run(), flowers(8))
    token = draft(anna).file.token
    assert user_store.upload(token)
    assert any("1 file " in line.value for line in anna.run().markdown)  # the previous file was forgotten
    button(anna, "Delete my data").click().run()
    assert "2 data sets and " in anna.warning[0].value
    button(anna, "Cancel").click().run()
    assert user_store.upload(token)
    button(anna, "Delete my data").click().run()
    button(anna, "Delete everything").click().run()
    assert not anna.exception
    assert wording("Deleted: …, including trees and results").search(anna.success[0].value)
    assert user_store.upload(token) is None
    assert draft(anna) is None
    assert "own" not in str(anna.query_params)
    assert mine not in anna.selectbox[0].options
    assert [user_store.use(name) for name in (mine, shared, bobs)] == [False, True, True]
    gc.collect()
    assert mine not in {one.name for one in gc.get_objects() if isinstance(one, DataSet)}
    for query in ({"data_set": mine}, {"data_set": mine, "max_depth": "2", "n_lambdas": "2"}):
        linked = open_app(**query)
        assert wording("The data set … was made from a visitor's file and is not available").search(errors(linked))
        assert not linked.exception
    assert not open_app(data_set=bobs, max_depth="2", n_lambdas="2", split="univariate", init="cart").error
    time.sleep(0.5)
    for progress in job_files.jobs_folder().glob(f"*/{job_files.PROGRESS}"):
        assert mine not in progress.read_text()


def test_data_sets_in_memory_are_bounded_by_their_bytes(tmp_path, monkeypatch):
    monkeypatch.setenv("TAO_JOBS", str(tmp_path))
    monkeypatch.setattr(task_data, "MOST_BYTES", 3 * 16 * 1000)
    monkeypatch.setattr(user_data, "entries", dict.fromkeys([f"own-{k:012x}" for k in range(6)]).copy)
    task_data.task_data.clear()
    names = [f"own-{k:012x}" for k in range(5)]
    for name in names:
        user_store.save(a_set(name, 1000))
    loaded = [data_sets.load(name) for name in names]
    assert [data_sets.load(name) is data for name, data in zip(names[2:], loaded[2:], strict=True)] == [True] * 3
    assert data_sets.load(names[0]) is not loaded[0]
    assert [name for name in names if name in task_data.task_data] == [names[0], *names[3:]]


def test_an_unwritable_disk_is_reported(data_page, tmp_path, monkeypatch):
    app = upload(data_page(), FLOWERS)
    monkeypatch.setenv("TAO_JOBS", str(tmp_path))
    (tmp_path / job_files.OWN_DATA).write_text("a file where a folder should be")
    app = upload(app, FLOWERS, "other.csv")
    assert wording("The server cannot store anything").search(errors(app))
    monkeypatch.undo()
    assert "flowers" in draft(app.run()).file.name


def test_a_file_that_takes_too_long_is_reported_and_cancelled(data_page, monkeypatch):
    monkeypatch.setattr(reader, "limits", lambda: Limits(0.3, 1000))
    rows = b"a,b,class\n" + b"1,2,x\n3,4,y\n" * 900_000
    app = upload(data_page(), rows, "slow.csv")
    assert f"took longer than {0.3:g} s" in errors(app)
    assert (
        "Use a random sample of the rows, remove columns, or save the table as Parquet (the fastest format to read)."
    ) in errors(app)
    monkeypatch.setattr(reader, "limits", lambda: Limits(60, 30))
    app = upload(app, rows, "large.csv")
    assert f"needed more than {30:,} MB of memory" in errors(app)
    assert (
        "Use a random sample of the rows, remove columns, or save the table as Parquet (the fastest format to read)."
    ) in errors(app)
    assert draft(app) is None
    assert user_store.n_uploads(app.session_state["session"]) == 0
    monkeypatch.undo()
    app = upload(app, FLOWERS)
    assert not app.error


def a_set(name, n_rows=8):
    X = np.arange(n_rows * 2.0).reshape(n_rows, 2)
    return DataSet(name, "A set", X, np.arange(n_rows) % 2, ("a", "b"), ("no", "yes"))


def test_old_sets_give_way_and_a_link_to_one_says_what_to_do(tmp_path, monkeypatch, open_app):
    monkeypatch.setenv("TAO_JOBS", str(tmp_path))
    monkeypatch.setattr(user_store, "KEPT", 3)
    names = [f"own-{k:012x}" for k in range(5)]
    for age, name in enumerate(reversed(names)):
        user_store.save(a_set(name))
        os.utime(user_store.folder() / f"{name}.npz", (time.time() - 100 + age,) * 2)
    user_store.own(names[0], "a" * 32)
    assert user_store.load(names[0]).feature_names == ("a", "b")
    with refused(DataSetNotFound, "The data set … was made from a visitor's file and is not available"):
        user_store.load(names[4])
    task_data.task_data.clear()  # data from the folders of other tests
    assert task_data.task_data(names[0]).n_rows == 8
    job_files.drop_old_jobs(tmp_path, set())
    assert (tmp_path / job_files.OWN_DATA).is_dir()
    task_data.task_data.clear()
    app = open_app(data_set=names[4])
    assert wording("The data set … was made from a visitor's file and is not available").search(errors(app))


@pytest.mark.parametrize("name", ["own-../../etc", "own-", "own-0123456789AB", "own-0123456789abc", "iris", None])
def test_only_plain_names_are_own_data(name):
    assert not user_store.is_own(name)


def test_large_data_and_missing_values_bring_settings_that_suit():
    now = settings.PathSettings(max_depth=4)
    large = a_set("own-000000000000", 3_000_000)
    assert settings_for_data.gentle(large, now) == {"n_lambdas": 12}
    assert settings_for_data.gentle(a_set("own-000000000000"), now) == {}
    X = np.zeros((33_673, 26), np.float32)
    numbers = DataSet("n", "N", X, np.arange(33_673.0), tuple(f"x{i}" for i in range(26)), ())
    assert settings_for_data.gentle(numbers, settings.PathSettings(max_depth=0)) == settings_for_data.GENTLE
    assert is_large_regression(numbers)
    X = np.array([[1.0, np.nan], [2.0, 1.0]])
    holes = DataSet("holes", "Holes", X, np.array([0, 1]), ("a", "b"), ("no", "yes"))
    assert settings_for_data.possible(holes, now)["split"] == "bivariate"
    assert settings_for_data.possible(holes, settings.PathSettings(split="univariate")) == {}
    assert settings_for_data.possible(holes, settings.PathSettings(split="univariate", init="optimal")) == {
        "init": "cart"
    }
    assert settings_for_data.possible(numbers, settings.PathSettings(split="univariate", init="optimal")) == {
        "init": "cart"
    }


@pytest.mark.parametrize("split", ["bivariate", "univariate", "oblique"])
def test_one_feature_has_univariate_splits(split):
    one = DataSet("one", "One", np.arange(20.0)[:, None], np.arange(20) // 10, ("a",), ("no", "yes"))
    now = replace(settings.bivariate(), **settings.following_split(split), costs=())
    changes = settings_for_data.possible(one, now)
    assert changes.get("split", split) == ("univariate" if split == "bivariate" else split)
    assert settings_for_data.possible(one, replace(now, **changes)) == {}
    assert ("bivariate" in settings_for_data.options(one, now, "split")) == (split == "bivariate" and not changes)


def test_an_optimal_start_needs_its_package(monkeypatch):
    now = settings.PathSettings(split="univariate", init="optimal")
    whole = a_set("own-000000000000")
    assert "optimal" in settings_for_data.options(whole, now, "init")
    assert settings_for_data.possible(whole, now) == {}
    monkeypatch.setattr("treecore.initial.find_spec", lambda name: None)
    settings_for_data._suitable.cache_clear()
    assert "optimal" not in settings_for_data.options(whole, now, "init")
    assert settings_for_data.possible(whole, now) == {"init": "cart"}
    settings_for_data._suitable.cache_clear()


@pytest.mark.parametrize(
    "text", ["<script>x</script>", "![a](http://b)", "**a** _b_ `c`", "$x$ :red[y]", "# a", "1. a", "www.b.org"]
)
def test_plain_text_is_not_markdown(text):
    safe = plain(text)
    assert safe.replace("\\", "").replace("\u2060", "") == text
    assert "www." not in safe
    assert "http\\:" not in safe
    for sign in "<>[]*_`$#!:":
        assert safe.count(sign) == safe.count(f"\\{sign}")


def doubtful():
    rng = np.random.default_rng(3)
    columns = {name: rng.normal(size=80).round(2) for name in ("alice", "beta", "gamma", "omega")}
    return pandas.DataFrame({**columns, "zone": rng.choice(list("abc"), 80)}).to_csv(index=False).encode()


def test_a_doubtful_target_is_asked_for_and_one_click_opens_its_tree(data_page):
    app = upload(data_page(), doubtful())
    assert draft(app).asks
    assert any("What do you want to predict?" in one.value for one in app.markdown)
    assert EXPLORE not in [one.label for one in app.button]
    offered = [one.label for one in app.button if one.label.startswith("Predict ")]
    assert len(offered) == 3
    assert "Predict zone" in offered
    app.session_state["settings"] = settings.PathSettings(max_depth=2, n_lambdas=3)
    button(app, "Predict zone").click().run()
    assert not app.exception
    chosen = app.session_state["settings"].data_set
    assert data_sets.load(chosen).target_name == "zone"


def test_a_target_with_one_value_is_not_replaced_in_silence(data_page):
    frame = pandas.read_csv(io.BytesIO(FLOWERS), sep=";").assign(churned="no")
    app = upload(data_page(), frame.to_csv(index=False).encode())
    assert draft(app).asks
    told = " ".join(one.value for one in app.markdown)
    assert (
        ":orange[:material/warning:] Column churned has the same value in every row, so it cannot be predicted." in told
    )
    assert "Predict churned" not in [one.label for one in app.button]


def test_fix_all_names_the_columns_that_it_ignores(data_page):
    frame = pandas.read_csv(io.BytesIO(FLOWERS), sep=";")
    frame.insert(1, "empty", [1.5, 2.5, 3.5] * 5 + [np.nan] * 45)
    app = upload(data_page(), frame.to_csv(index=False).encode())
    assert button(app, "Fix all and explore")
    assert any("ignores 1 column: 'empty'" in one.value for one in app.caption)


def test_another_column_is_chosen_and_kept_after_a_reload(data_page):
    app = upload(data_page(), doubtful())
    app.selectbox(key="own_other_target").set_value("omega").run()
    assert (draft(app).recipe.target, draft(app).asks, draft(app).recipe.numbers) == ("omega", False, True)
    assert button(app, EXPLORE)
    kept = job_files.read_json(user_store.place_of_upload(draft(app).file.token) / "draft.json")
    assert kept["asks"] is False


def test_a_sure_target_is_chosen_with_its_reason(data_page):
    app = upload(data_page(), FLOWERS)
    assert not draft(app).asks
    assert any("species is proposed" in caption.value for caption in app.caption)
    app.selectbox(key="own_target").set_value("colour").run()
    assert not any("is proposed" in caption.value for caption in app.caption)
