"""Test that every ``python -m treecore`` command writes the library's results, and that bad input gives exit code 2."""

import csv
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas
import pytest

import sample_data
import viz
from tests.each import each
from treecore import Model, _jit, export, rules, warm_up
from treecore.comparison import compare
from viz import command_line
from viz.artifacts import PATH_FILES
from viz.command_line import COMMANDS, command_module, main

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a table of mixed columns, and models that commands have trained."""
    folder = tmp_path_factory.mktemp("commands")
    rng = np.random.default_rng(0)
    age, colour = rng.integers(18, 90, 240), rng.choice(["red", "blue", "=green"], 240)
    price = (2.0 * age + 50 * (colour == "red") + rng.normal(0, 5, 240)).round(2)
    part = np.resize(["train", "Valid", "test", "train"], 240)
    outcome = np.where(price > 140, "yes", "no")
    frame = pandas.DataFrame(
        {"number": np.arange(240) + 100, "age": age * 1.0, "colour": colour, "price": price, "part": part,
         "outcome": outcome}
    )  # fmt: skip
    frame.loc[::40, "age"] = np.nan
    frame.to_csv(folder / "table.csv", index=False)
    common = [str(folder / "table.csv"), "--ignore", "number", "--split-column", "part"]
    for out, more in {
        "classes.json": ["--target", "outcome", "--ignore", "price", "--split", "univariate"],
        "numbers.json": ["--target", "price", "--ignore", "outcome", "--regression", "--split", "bivariate"],
    }.items():
        assert (
            main(["fit", *common, *more, "--lam", "20" if "numbers" in out else "1", "--out", str(folder / out)]) == 0
        )
    return folder


@pytest.fixture
def run(folder, capfdbinary, monkeypatch):
    """Return a function that runs a command in the folder, and returns (code, standard output, standard error)."""
    monkeypatch.chdir(folder)

    def run(*arguments):
        capfdbinary.readouterr()
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as end:
            code = end.code
        out, err = capfdbinary.readouterr()
        return code, out.decode(), err.decode()

    return run


def model(folder, name="classes.json"):
    return Model.from_json((folder / name).read_bytes())


def test_fit_saves_a_model_that_knows_its_table(folder):
    found = model(folder)
    frame = pandas.read_csv(folder / "table.csv")
    assert found.column_names == ["age", "colour"]
    assert found.data.target == "outcome"
    assert found.data.class_names == ("no", "yes")
    assert found.parameters["split"] == "univariate"
    assert found.parameters["source"] == "table.csv"
    assert len(found.trace) >= 2
    assert 1 <= len(found.sample.X) <= 120
    test = frame[frame["part"] == "test"]
    predicted = found.predict_table(test).prediction
    assert found.figures["test_error"] == pytest.approx(np.mean(predicted != test["outcome"]))
    assert found.figures["n_train"] == 120
    assert found.tree.n_leaves > 2


def test_fit_tells_errors_sizes_and_what_is_in_the_data(run):
    code, out, err = run("fit", "table.csv", "--target", "outcome", "--ignore", "age", "--no-rows", "--out", "-")
    assert code == 0
    assert Model.from_json(out).sample is None
    assert "test error: " in err
    assert "leaves" in err
    assert "outcome" in err
    code, out, err = run("fit", "iris", "--lam", "0.5", "--max-depth", "3")
    assert (code, out) == (0, "")
    assert err.count("error: ") == 3


def test_regression_predicts_the_numbers(folder, run):
    found = model(folder, "numbers.json")
    frame = pandas.read_csv(folder / "table.csv")
    assert found.tree.is_regression
    code, out, err = run("predict", "numbers.json", "table.csv")
    assert code == 0
    table = pandas.read_csv(io.StringIO(out))
    assert table["prediction"].tolist() == found.predict_table(frame).prediction.tolist()
    error = np.sqrt(np.mean((table["prediction"] - frame["price"]) ** 2))
    assert f"error: {error:.6g} (" in err
    assert error < 15


def test_a_pattern_stands_for_the_rows_of_several_files(folder, run):
    frame = pandas.read_csv(folder / "table.csv")
    (folder / "parts").mkdir()
    for name, part in (("b", frame[100:]), ("a", frame[:100].drop(columns="part"))):
        part.to_csv(folder / "parts" / f"{name}.csv", index=False)
    code, out, err = run("predict", "classes.json", "parts/*.csv", "--out", "-")
    assert code == 0, err
    found, whole = (
        pandas.read_csv(io.StringIO(text)) for text in (out, run("predict", "classes.json", "table.csv")[1])
    )
    assert "'file'" not in err
    assert found.file.tolist() == ["parts/a.csv"] * 100 + ["parts/b.csv"] * 140
    pandas.testing.assert_frame_equal(found[whole.columns].drop(columns="part"), whole.drop(columns="part"))
    assert run("predict", "classes.json", "parts/*.csv", "table.csv", "--json", "--out", "/dev/null")[0] == 0
    assert run("predict", "classes.json", "none/*.csv")[::2] == (2, "predict: File 'none/*.csv' not found.\n")
    assert (
        f"{'iris'!r:.200} is not a table, so it cannot be combined with other files. Predict this file separately."
    ) in run("predict", "classes.json", "table.csv", "iris")[2]


def test_predict_writes_every_row_and_nothing_that_is_a_formula(folder, run):
    code, out, err = run("predict", "classes.json", "table.csv", "--out", "result.csv")
    assert (code, out) == (0, "")
    lines = list(csv.DictReader(io.StringIO((folder / "result.csv").read_text(encoding="utf-8"))))
    frame = pandas.read_csv(folder / "table.csv")
    expected = model(folder).predict_table(frame)
    assert [line["prediction"] for line in lines] == expected.prediction.tolist()
    assert {line["colour"] for line in lines} == {"red", "blue", "'=green"}
    assert [float(line["probability of yes"]) for line in lines] == expected.probabilities[:, 1].tolist()
    assert f"error: {100 * np.mean(expected.prediction != frame['outcome']):.1f} % (240 rows)" in err


def test_rules_are_those_of_the_library(folder, run):
    tree = model(folder).tree
    groups = model(folder).columns.groups()
    written = run("rules", "classes.json")[1]
    assert written == rules.rules(tree, groups=groups, target_name="outcome").to_text()
    assert "then outcome = no (" in written
    markdown = run("rules", "classes.json", "--format", "markdown", "--digits", "2")[1]
    assert markdown == rules.rules(tree, precision=2, groups=groups, target_name="outcome").to_markdown()
    code, out, _ = run("rules", "classes.json", "--data", "table.csv", "--format", "csv")
    assert code == 0
    assert sum(int(line["rows"]) for line in csv.DictReader(io.StringIO(out))) == 240


def test_rules_of_numbers_tell_the_deviation_of_the_rows_at_hand(folder, run):
    found, frame = model(folder, "numbers.json"), pandas.read_csv(folder / "table.csv")
    (folder / "some.csv").write_text(frame.assign(price=frame["price"].where(frame.index % 3 > 0)).to_csv(index=False))
    code, out, err = run("rules", "numbers.json", "--data", "some.csv", "--format", "csv")
    assert code == 0
    assert "80 rows left out" in err
    lines = list(csv.DictReader(io.StringIO(out)))
    kept = frame[frame.index % 3 > 0]
    squares = (found.predict_table(kept).prediction - kept["price"]) ** 2
    told = [int(line["rows"]) * float(line["deviation"]) ** 2 for line in lines if line["deviation"]]
    assert sum(told) == pytest.approx(squares.sum(), rel=1e-3)
    assert run("figure", "numbers.json", "--data", "some.csv", "--out", "some.png", "--width", "4")[0] == 0
    (folder / "none.csv").write_text(frame.assign(price="dear").to_csv(index=False))
    code, _, err = run("rules", "numbers.json", "--data", "none.csv")
    assert (code, "contains no numbers" in err) == (2, True)


@pytest.mark.parametrize("target", [name for name in export.FORMATS if name != "onnx"])
def test_code_is_that_of_the_library(folder, run, target):
    text = run("export", "classes.json", "--to", target)[1]
    known = {"columns": model(folder).columns, "target_name": model(folder).data.target}
    assert text == export.FORMATS[target](model(folder).tree, **known)


def test_onnx_is_written_as_bytes(folder, run):
    assert run("export", "numbers.json", "--to", "onnx", "--out", "tree.onnx")[0] == 0
    stored = model(folder, "numbers.json")
    assert (folder / "tree.onnx").read_bytes() == export.onnx(stored.tree, stored.data.target)


def test_figures_are_drawn_of_the_rows_at_hand(folder, run):
    assert run("figure", "classes.json", "--out", "tree.svg")[0] == 0
    assert (folder / "tree.svg").read_bytes().startswith(b"<?xml")
    assert run("figure", "classes.json", "--data", "table.csv", "--out", "tree.png", "--width", "4")[0] == 0
    assert run("figure", "classes.json", "--subtree", "node 1", "--out", "part.svg")[0] == 0
    assert (folder / "tree.png").read_bytes().startswith(b"\x89PNG")
    (folder / "bare.json").write_text(model(folder).tree.to_json(), encoding="utf-8")
    assert run("figure", "bare.json", "--out", "bare.svg")[0] == 0
    assert "age" in (folder / "bare.svg").read_text(encoding="utf-8")
    assert run("figure", "numbers.json", "--out", "numbers.svg")[0] == 0
    assert run("figure", "classes.json", "--pages", "--out", "pages.pdf")[0] == 0
    assert (folder / "pages.pdf").read_bytes().startswith(b"%PDF")


def test_path_saves_all_figures_and_the_best_tree(folder, run):
    code, _, err = run("path", "iris", "--lams", "4", "--out", "path.csv", "--model", "best.json")
    assert code == 0
    table = pandas.read_csv(folder / "path.csv")
    best = model(folder, "best.json")
    row = table[np.isclose(table["lam"], best.parameters["lam"])].iloc[0]
    assert row["n_leaves"] == best.tree.n_leaves
    assert row["test_error"] == best.figures["test_error"]
    data = sample_data.load("iris")
    test = sample_data.split_rows(data, 0)[2]
    assert best.figures["test_error"] == np.mean(best.tree.predict(data.X[test]) != data.labels()[test])
    assert "best (rule one_se)" in err


def test_path_has_a_tree_of_every_size(folder, run):
    options = ("--split", "univariate", "--out", "sizes.csv", "--model", "best.json", "--save", "curves-svg=x.svg")
    code, _, err = run("path", "iris", "--sizes", "5", *options)
    assert code == 0
    table, best = pandas.read_csv(folder / "sizes.csv"), model(folder, "best.json")
    assert table["size"].tolist() == [1, 2, 3, 4, 5]
    assert (table["n_leaves"] <= table["size"]).all()
    chosen = best.parameters["max_leaf_nodes"]
    assert f"best (rule one_se): at most {chosen} leaves" in err
    assert table.set_index("size").loc[chosen, "test_error"] == best.figures["test_error"]
    assert run("path", "iris", "--sizes", "1")[0] == run("path", "iris", "--sizes", "4", "--lams", "3")[0] == 2


@pytest.mark.parametrize(
    ("arguments", "of_path"),
    [
        (("iris", "--split", "univariate"), ("--sizes", "32")),
        (("diabetes", "--split", "univariate", "--max-leaf-nodes", "6"), ("--sizes", "6")),
        (("wine",), ("--lams", "20")),
    ],
)
def test_a_fit_without_lambda_is_the_simplest_good_tree_of_the_path(folder, run, arguments, of_path):
    code, _, err = run("fit", *arguments, "--out", "fit.json")
    assert code == 0
    assert "the simplest of " in err
    assert run("path", *arguments, *of_path, "--model", "path.json")[0] == 0
    assert model(folder, "fit.json").tree == model(folder, "path.json").tree
    assert model(folder, "fit.json").parameters == model(folder, "path.json").parameters
    for more in (("--lam", "1"), ("--validation", "0"), ("--refine", "1", "--split", "univariate")):
        code, _, err = run("fit", *arguments, *more, "--max-depth", "3")
        assert (code, "the simplest of " in err) == (0, False)


def test_noise_is_fitted_without_a_split(folder, run, rng):
    frame = pandas.DataFrame(rng.normal(size=(200, 3)).round(2), columns=["a", "b", "c"])
    frame["luck"] = np.where(rng.random(200) < 0.3, "yes", "no")
    frame.to_csv(folder / "noise.csv", index=False)
    assert run("fit", "noise.csv", "--target", "luck", "--split", "bivariate", "--out", "noise.json")[0] == 0
    assert model(folder, "noise.json").tree.n_leaves == 1


def test_path_saves_every_file_of_a_path(folder, run):
    files = {name: f"path-{name}.{one.suffix}" for name, one in PATH_FILES.items()}
    options = [part for name, file in files.items() for part in ("--save", f"{name}={file}")]
    assert run("path", "iris", "--lams", "2", "--max-depth", "2", *options)[0] == 0
    begins = {
        "html": b"<!doctype",
        "csv": b"lam,",
        "svg": b"<?xml",
        "pdf": b"%PDF",
        "png": b"\x89PNG",
        "gif": b"GIF89a",
        "webp": b"RIFF",
    }
    for file in files.values():
        assert (folder / file).read_bytes().startswith(begins[file.rpartition(".")[2]]), file


def test_path_saves_an_animation_of_a_given_width_with_cart(folder, run, monkeypatch):
    drawn = []
    monkeypatch.setattr("viz.path_animation", lambda *needed, **known: drawn.append((needed, known)) or b"RIFF")
    assert run("path", "iris", "--lams", "3", "--save", "animation-webp=x.webp", "--width", "1280")[0] == 0
    ((points, _), known) = drawn[0]
    assert (known["width"], known["format"]) == (1280, "webp")
    assert known["reference"]["method"] == "CART"
    assert known["reference"]["errors"]["test"] < 0.2
    assert known["end"] in range(3)
    assert all(point.figures["test_error"] is not None for point in points)


@pytest.mark.parametrize("option", ["film=x.gif", "page", "page=no/such/folder/x.html"])
def test_files_of_a_path_that_cannot_be_saved(run, option):
    assert run("path", "no-such-data", "--save", option)[0] == 2


def test_figures_as_json_are_those_of_the_model(folder, run):
    code, out, _ = run("fit", "iris", "--max-depth", "3", "--json", "--out", "iris.json")
    assert code == 0
    assert json.loads(out) == model(folder, "iris.json").figures
    known = json.loads(run("info", "iris.json", "--json")[1])
    assert known["test_error"] == json.loads(out)["test_error"]
    assert known["classes"] == ["setosa", "versicolor", "virginica"]
    assert f"n leaves: {known['n_leaves']}\n" in run("info", "iris.json")[1]
    predicted = json.loads(run("predict", "iris.json", "iris", "--json")[1])
    data, tree = sample_data.load("iris"), model(folder, "iris.json").tree
    assert predicted["n"] == 150
    assert predicted["error"] == np.mean(tree.predict(data.X) != data.labels())
    path = json.loads(run("path", "iris", "--lams", "3", "--max-depth", "2", "--json")[1])
    assert [tree["lam"] for tree in path["trees"]] == sorted(tree["lam"] for tree in path["trees"])
    assert path["best"] in (0, 1, 2)


def test_bundled_numbers_are_predicted_under_their_name(folder, run):
    assert run("fit", "diabetes", "--split", "univariate", "--lam", "20000", "--out", "diabetes.json")[0] == 0
    code, out, err = run("predict", "diabetes.json", "diabetes")
    assert code == 0
    assert len(list(csv.DictReader(io.StringIO(out)))) == 442
    assert "(442 rows)" in err


def test_the_bundled_sets_are_listed(run):
    assert "n rows: 150\n" in run("info", "iris")[1]
    assert json.loads(run("info", "iris", "--json")[1])["n_classes"] == 3
    listed = run("info")[1]
    assert all(entry.name in listed for entry in sample_data.catalogue() if entry.available)
    assert [entry["name"] for entry in json.loads(run("info", "--json")[1])] == [
        entry.name for entry in sample_data.catalogue()
    ]


def test_a_page_of_a_tree_is_the_librarys(folder, run):
    assert run("fit", "iris", "--max-depth", "2", "--out", "small.json")[0] == 0
    assert run("figure", "small.json", "--out", "tree.html")[0] == 0
    page = (folder / "tree.html").read_text(encoding="utf-8")
    assert page == viz.stage_html(model(folder, "small.json").tree, sample_data.load("iris"))
    (folder / "alone.json").write_text(model(folder, "small.json").tree.to_json(), encoding="utf-8")
    assert run("figure", "alone.json", "--out", "alone.html")[0] == 0
    assert (folder / "alone.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_compare_is_the_librarys(folder, run):
    arguments = ["compare", "iris", "--methods", "cart", "nearest_neighbours", "--folds", "3", "--jobs", "1"]
    code, out, err = run(*arguments, "--json", "--out", "comparison.csv")
    assert code == 0
    data = sample_data.load("iris")
    expected = compare(data.X, data.labels(), ["cart", "nearest_neighbours"], cv=3, n_jobs=1).summary()
    assert [row["test_error"] for row in json.loads(out)] == expected["test_error"].tolist()
    table = pandas.read_csv(folder / "comparison.csv")
    np.testing.assert_allclose(table["test_error"], expected["test_error"])
    assert f"{100 * expected['test_error'][0]:.1f} %" in err
    numbers = json.loads(run("compare", "diabetes", "--methods", "cart", "--folds", "3", "--jobs", "1", "--json")[1])
    assert 40 < numbers[0]["test_error"] < 90


def test_compare_uses_groups_of_categories(run):
    rng = np.random.default_rng(0)
    city, noise = rng.integers(0, 12, 400), rng.random(400)
    text = "city,noise,y\n" + "".join(f"c{c},{v:.3f},{c % 3 == 0}\n" for c, v in zip(city, noise, strict=True))
    Path("cities.csv").write_text(text)
    leaves = {}
    for categories in ("features", "groups"):
        given = ["cities.csv", "--target", "y", "--methods", "cart", "--folds", "3", "--jobs", "1"]
        out = run("compare", *given, "--categories", categories, "--json")[1]
        leaves[categories] = json.loads(out)[0]["n_leaves"]
    assert leaves == {"features": 5.0, "groups": 2.0}


COMPLETED = {
    "pre": "predict", "fit --split-": "--split-column", "fit --split bi": "bivariate", "rules --form": "--format",
    "fit bre": "breast-cancer", "rules class": "classes.json", "app --he": "--help\n--headless",
}  # fmt: skip


def answer(shell, script, folder):
    """Return the output of a script in a shell without settings. Skip the test if the shell does not exist."""
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    alone = {"bash": "--norc", "zsh": "-f", "fish": "--no-config"}[shell]
    own = os.environ | {"HOME": str(folder)}
    told = subprocess.run([shell, alone, "-c", script], cwd=folder, env=own, capture_output=True, text=True)
    assert told.stderr == ""
    return told.stdout.strip()


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_shell_completes_commands_options_and_choices(folder, run, shell):
    (folder / "completion.sh").write_text(run("completion", shell)[1])
    begin = {"bash": "", "zsh": "compdef() {}; "}[shell] + "source ./completion.sh; "
    arrays = {"bash": "", "zsh": "setopt ksharrays; "}[shell]  # zsh numbers arrays from 0 in completions
    for typed, wanted in COMPLETED.items():
        script = f"{begin}{arrays}COMP_WORDS=(treecore {typed}); COMP_CWORD={len(typed.split())}; _treecore; "
        told = answer(shell, script + 'printf "%s\n" "${COMPREPLY[@]}"', folder).split()
        begun = typed.split()[-1]  # zsh leaves the filtering to its completion, which does not run here
        assert [one for one in told if shell == "bash" or one.startswith(begun)] == wanted.split()


def test_fish_completes_them_too(folder, run):
    (folder / "completion.fish").write_text(run("completion", "fish")[1])
    for typed, wanted in (COMPLETED | {"completion z": "zsh"}).items():
        told = answer("fish", f"source completion.fish; complete -C 'treecore {typed}'", folder)
        assert sorted(line.split("\t")[0] for line in told.splitlines()) == sorted(wanted.splitlines())


def test_the_started_app_is_the_one_next_to_the_library(monkeypatch, tmp_path):
    started = []
    monkeypatch.setattr(subprocess, "run", lambda command, **given: started.append((command, given)))
    assert main(["app", "--port", "8765", "--headless"]) == 0
    ((command, given),) = started
    assert command[1:] == ["-m", "streamlit", "run", "app.py", "--server.port=8765", "--server.headless=true"]
    assert given["cwd"] == ROOT


def test_help_loads_no_slow_package():
    slow = "numba numpy sklearn scipy pandas matplotlib plotly"
    code = (
        "import sys; from viz.command_line import command_parser; command_parser(()).format_help(); "
        f"sys.exit(', '.join(name for name in '{slow}'.split() if name in sys.modules))"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert ended.stderr.strip() == ""


WRONG = {
    "no such file": ["fit", "nothere.csv"],
    "no such data set": ["fit", "nosuch"],
    "no such column": ["fit", "table.csv", "--target", "nosuch"],
    "missing values in weighted sums": ["fit", "table.csv", "--target", "outcome"],
    "no such kind": ["fit", "table.csv", "--type", "age=code"],
    "no such option": ["fit", "iris", "--lamb", "x"],
    "no number": ["fit", "iris", "--lam", "x"],
    "a negative lambda": ["fit", "iris", "--lam", "-1"],
    "shares that leave nothing": ["fit", "iris", "--validation", "0.9", "--test", "0.9"],
    "a target of a bundled set": ["fit", "iris", "--target", "x"],
    "texts to regress on": ["fit", "table.csv", "--target", "colour", "--regression"],
    "a table for a model": ["predict", "table.csv", "table.csv"],
    "a model for a table": ["predict", "classes.json", "numbers.json"],
    "two standard inputs": ["predict", "-", "-"],
    "no such folder": ["export", "classes.json", "--out", "no/such/folder.py"],
    "pages of another kind": ["figure", "classes.json", "--pages", "--out", "tree.svg"],
    "a node that does not exist": ["figure", "classes.json", "--subtree", "77"],
    "another kind of picture": ["figure", "classes.json", "--out", "tree.gif"],
    "rows of other data": ["rules", "classes.json", "--data", "iris"],
    "rows of classes": ["rules", "numbers.json", "--data", "iris"],
    "no command": [],
    "a folder to write": ["fit", "iris", "--out", "."],
    "two standard outputs": ["fit", "iris", "--out", "-", "--json"],
    "no such folder, before any work": ["compare", "iris", "--out", "no/such/table.csv"],
    "a part of a page": ["figure", "classes.json", "--subtree", "node 1", "--out", "tree.html"],
    "methods for classes": ["compare", "diabetes", "--methods", "c50"],
    "no such method": ["compare", "iris", "--methods", "magic"],
}


@each("name", WRONG)
def test_impossible_requests_give_one_line_and_exit_code_two(run, name):
    code, out, err = run(*WRONG[name])
    assert (code, out) == (2, "")
    lines = [line for line in err.splitlines() if not line.startswith(("note:", "warning:", "data:"))]
    assert len(lines) == 1
    assert "Traceback" not in err
    assert len(lines[0].split()) > 4


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_examples_that_can_be_parsed(run, name):
    code, out, _ = run(name, "--help")
    assert code == 0
    for line in command_module(name).EXAMPLES:
        assert f"python -m treecore {line}" in out


def test_help_has_the_name_that_was_typed(run, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["/home/me/.local/bin/treecore", "fit"])
    code, out, _ = run("rules", "--help")
    assert code == 0
    assert "usage: treecore rules" in out
    assert "  treecore rules model.json\n" in out
    assert "python" not in out


def test_commands_in_a_pipe(folder):
    command = [sys.executable, "-m", "treecore"]
    fit = subprocess.run(
        [*command, "fit", str(folder / "table.csv"), "--target", "outcome", "--out", "-", "--ignore", "age"],
        cwd=ROOT, capture_output=True, timeout=120,
    )  # fmt: skip
    assert fit.returncode == 0, fit.stderr.decode()
    assert json.loads(fit.stdout)["format"] == "treecore-model"
    predict = subprocess.run(
        [*command, "predict", "-", str(folder / "table.csv")], cwd=ROOT, input=fit.stdout, capture_output=True,
        check=True, timeout=120,
    )  # fmt: skip
    assert len(list(csv.reader(io.StringIO(predict.stdout.decode())))) == 241


def test_ordered_classes_keep_their_order_in_each_command(run, tmp_path):
    rng = np.random.default_rng(0)
    levels = np.array(["low", "medium", "high"])
    codes = rng.integers(0, 3, 120)
    frame = pandas.DataFrame({"x": (codes + rng.normal(0, 0.2, 120)).round(3), "risk": levels[codes]})
    frame.to_csv(tmp_path / "t.csv", index=False)
    assert json.loads(run("inspect", tmp_path / "t.csv", "--json")[1])["classes"] == [*levels]
    assert "classes: low, medium, high" in run("inspect", tmp_path / "t.csv")[1]
    assert json.loads(run("inspect", tmp_path / "t.csv", "--target", "x", "--json")[1])["classes"] == []
    run("fit", tmp_path / "t.csv", "--target", "risk", "--out", tmp_path / "m.json", "--lam", "0.1")
    assert "classes: low, medium, high" in run("info", tmp_path / "m.json")[1]
    rows = list(csv.DictReader(io.StringIO(run("predict", tmp_path / "m.json", tmp_path / "t.csv")[1])))
    names = [name for name in rows[0] if name.startswith("probability of")]
    assert names == [f"probability of {level}" for level in levels]
    for row in rows:
        best = max(names, key=lambda name: float(row[name]))
        assert float(row[best]) == float(row[f"probability of {row['prediction']}"]) == float(row["probability"])


def test_inspect_shows_the_proposals_for_a_table(run, tmp_path):
    rng = np.random.default_rng(0)
    frame = pandas.DataFrame({"age": rng.integers(18, 80, 90), "sex": rng.choice(["m", "w"], 90)})
    frame.assign(died=rng.choice(["no", "yes"], 90)).to_csv(tmp_path / "t.csv", index=False)
    code, out, _ = run("inspect", tmp_path / "t.csv", "--json")
    found = json.loads(out)
    assert (code, found["target"], found["task"], found["header_line"]) == (0, "died", "classes", 1)
    assert found["columns"] == {"age": "number", "sex": "category", "died": "category"}
    assert [one["name"] for one in found["candidates"]][0] == "died"
    assert {"split", "ignored", "leaks", "notes"} <= set(found)
    assert "target: died (classes)" in run("inspect", tmp_path / "t.csv")[1]
    assert json.loads(run("inspect", tmp_path / "t.csv", "--target", "sex", "--json")[1])["target"] == "sex"
    code, _, errors = run("inspect", tmp_path / "t.csv", "--target", "nobody")
    assert (code, "nobody" in errors) == (2, True)
    assert run("inspect", "iris")[0] == 2


def test_warm_up_compiles_once_and_reports_the_folder(monkeypatch, capsys):
    calls, compiled = [], iter([False, True])
    monkeypatch.setattr(warm_up, "warm_up", lambda: calls.append(1))
    monkeypatch.setattr(warm_up, "is_compiled", lambda: next(compiled))
    for words in ("Compiled all kernels in 0 s", "All kernels are already compiled"):
        assert main(["warm-up"]) == 0
        told = capsys.readouterr().err
        assert words in told
        assert _jit.FOLDER in told
    assert calls == [1]


def test_the_hint_for_the_app_names_every_package_that_is_missing(monkeypatch):
    declared = ["numpy>=2.0", "plotly>=6; extra == 'app'".replace("'", '"'), 'segno>=1.6; extra == "app"']
    monkeypatch.setattr(command_line, "requires", lambda _: declared)
    monkeypatch.setattr(command_line, "find_spec", lambda name: None if name == "segno" else name)
    found = command_line.install_command("app", "streamlit")
    assert found.endswith(" -m pip install streamlit segno")
    assert command_line.install_command("fit", "openpyxl").endswith(" -m pip install openpyxl")
