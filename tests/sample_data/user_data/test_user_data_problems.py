"""Test that the problems of a table are found only if they exist, and disappear after their correction."""

import numpy as np
import pandas
import pytest

from sample_data.user_data import Recipe, make_data_set, problems, propose, read, summarise
from tests.refusals import is_said, refused
from tests.sample_data.user_data.user_data_files import csv_bytes, flowers
from treecore.errors import DataError
from treecore.messages import counted, plural

N = 400


def clean():
    rng = np.random.default_rng(1)
    kind = rng.integers(0, 3, N)
    return pandas.DataFrame(
        {
            "a": np.round(kind + rng.normal(0, 1, N), 3),
            "b": rng.normal(size=N).round(4),
            "c": rng.choice(list("xyz"), N),
            "class": np.array(["p", "q", "r"])[kind],
        }
    )


def findings(frame, recipe=None, target=None, **changes):
    """Return (table, recipe, {kind: problem}) of a table."""
    table = read(csv_bytes(frame), "t.csv")
    summaries = summarise(table)
    recipe = recipe or propose(table, summaries, target)
    if changes:
        recipe = Recipe.from_dict({**recipe.to_dict(), **changes})
    return table, recipe, {problem.kind: problem for problem in problems(table, summaries, recipe)}


def test_a_clean_table_has_no_problem():
    assert findings(clean())[2] == {}


NEW_COLUMNS = {
    "constant": ("number", lambda y, rng: 7),
    "id": ("number", lambda y, rng: np.arange(N)),
    "empty": ("number", lambda y, rng: None),
    "text": (
        "category",
        lambda y, rng: [f"some words on {k // 2}, longer than a category usually is" for k in range(N)],
    ),
    "missing": ("number", lambda y, rng: np.where(np.arange(N) % 4 == 0, rng.normal(size=N).round(3), np.nan)),
    "almost numbers": ("category", lambda y, rng: [str(k % 60) if k % 40 else f"many {k % 3}" for k in range(N)]),
    "rare values": ("category", lambda y, rng: [f"town {k % 50 if k % 3 == 0 else k % 4}" for k in range(N)]),
    "missing marker": ("category", lambda y, rng: [str(k % 60) if k % 40 else "k.A." for k in range(N)]),
    "leak": ("category", lambda y, rng: y.map({"p": "one", "q": "two", "r": "three"})),
}


def with_other_rows(kind, frame):
    if kind == "single":
        frame.loc[0, "class"] = "rare"
    elif kind == "few":
        frame.loc[:2, "class"] = "rare"
    elif kind == "no target":
        frame.loc[:9, "class"] = None
    elif kind == "imbalance":
        frame["class"] = np.where(np.arange(N) < 8, "p", "q")
    elif kind == "duplicates":
        return pandas.concat([frame, frame.iloc[:100]])
    elif kind == "contradictions":
        frame.loc[0, ["a", "b", "c", "class"]] = [1, 1, "x", "p"]
        frame.loc[1, ["a", "b", "c", "class"]] = [1, 1, "x", "q"]
    elif kind == "few rows":
        return frame.iloc[:20]
    elif kind == "formula":
        return frame.rename(columns={"b": "=b"})
    elif kind == "many classes":
        frame["class"] = [f"k{int((16 * k) ** 0.5)}" for k in range(N)]
    return frame


def spoilt(kind):
    """Return a table with one fault, and the changes of the recipe that make the fault matter."""
    frame = clean()
    used = {"a": "number", "c": "category", "class": "category"}
    if kind in NEW_COLUMNS:
        used["d"], values = NEW_COLUMNS[kind]
        frame["d"] = values(frame["class"], np.random.default_rng(2))
    return with_other_rows(kind, frame), {"kinds": used, "row_names": None, "missing": {}}


WITH_FIX = (
    *("constant", "id", "text", "missing", "almost numbers", "rare values", "missing marker", "leak", "single", "few"),
    "duplicates",
)
WITHOUT_FIX = ("no target", "imbalance", "contradictions", "few rows", "formula")


@pytest.mark.parametrize("kind", [*WITH_FIX, *WITHOUT_FIX, "empty", "many classes"])
def test_a_fault_is_found_and_its_fix_corrects_it(kind):
    frame, changes = spoilt(kind)
    table, recipe, found = findings(frame, target="class", **changes)
    assert kind in found
    problem = found[kind]
    assert problem.text.endswith((".", "?"))
    assert problem.severity in ("warns", "info")
    assert make_data_set(table, recipe).n_rows
    assert (problem.fix is None) == (kind in WITHOUT_FIX)
    if problem.fix is not None:
        label, mended = problem.fix
        assert label
        again = {one.kind: one for one in problems(table, summarise(table), mended)}
        assert kind not in again or (again[kind].severity == "info" and "not used" in again[kind].text)
        assert make_data_set(table, mended).n_rows


def test_many_classes_of_one_size_are_not_to_be_merged():
    frame = clean()
    frame["class"] = [f"k{k % 60}" for k in range(N)]
    found = findings(frame)[2]["many classes"]
    assert found.fix is None
    assert found.severity == "info"


def test_columns_that_are_left_out_are_said_to_be():
    frame = clean()
    frame["number"], frame["other number"] = np.arange(N), np.arange(N)
    _, recipe, found = findings(frame)
    assert recipe.row_names == "number"
    assert found["id"].severity == "info"
    assert found["id"].columns == ("other number",)
    assert "not used" in found["id"].text


def test_a_last_column_of_one_class_is_named_with_the_target_that_replaces_it():
    one_class = clean().assign(**{"class": "p"})
    _, recipe, found = findings(one_class)
    assert recipe.target != "class"
    assert f"'{recipe.target}' is the target instead of 'class'" in str(found["constant"].text)
    first = clean()[["a", "b"]].assign(kind=list("uv") * (N // 2))
    first.insert(0, "churned", "no")
    _, recipe, found = findings(first)
    assert f"'{recipe.target}' is the target instead of 'churned'" in str(found["constant"].text)
    _, _, found = findings(clean()[["class", "a", "b"]].assign(c="x")[["c", "a", "b", "class"]])
    assert "instead" not in str(found["constant"].text)


@pytest.mark.parametrize("kind", ["threshold", "two cuts", "rare category"])
def test_leaks_of_every_shape(kind):
    frame, rng = clean(), np.random.default_rng(3)
    y = rng.integers(0, 2, N)
    frame["class"] = np.array(["no", "yes"])[y]
    if kind == "threshold":
        frame["d"] = (rng.random(N) + y * 1.5).round(4)
    elif kind == "two cuts":
        frame["d"] = np.where(y == 1, rng.random(N), rng.choice([-1, 1], N) * (1.5 + rng.random(N))).round(4)
    else:
        frame["d"] = np.where(y == 1, rng.choice(["u", "v"], N), rng.choice(["w", "x", "y"], N))
    found = findings(frame, target="class")[2]
    assert found["leak"].columns == ("d",)
    assert found["leak"].text.endswith("?")
    assert found["leak"].severity == "warns"


@pytest.mark.parametrize("shape", ["determines", "missing", "reversed", "noisy", "independent"])
def test_two_dates_whose_difference_gives_the_class_are_a_question_before_training(shape):
    rng, frame = np.random.default_rng(5), clean()[["a", "c"]]
    sent = pandas.Timestamp("2024-01-01") + pandas.to_timedelta(rng.integers(0, 300, N), "D")
    days = rng.integers(0, 12, N)
    late = days > 6
    if shape == "noisy":
        late ^= rng.random(N) < 0.1
    if shape == "independent":
        late = rng.random(N) < 0.4
    frame["sent"], frame["received"] = sent, sent + pandas.to_timedelta(days, "D")
    frame["class"] = np.where(late, "late", "in time")
    if shape == "missing":
        frame.loc[::9, "received"] = pandas.NaT
        frame.loc[::9, "class"] = "in time"
    if shape == "reversed":
        frame = frame[["received", "a", "c", "sent", "class"]]
    found = findings(frame, target="class")[2]
    if shape in ("noisy", "independent"):
        assert "leak" not in found
        return
    assert found["leak"].columns == ("sent", "received")
    assert found["leak"].severity == "warns"
    assert found["leak"].text.endswith("Is 'received' known only after the class?")
    assert found["leak"].fix[1].kinds["received"] == "ignore" != found["leak"].fix[1].kinds["sent"]
    assert {found["leak"].wider[1].kinds[name] for name in ("sent", "received")} == {"ignore"}


def test_a_good_feature_is_no_leak():
    assert "leak" not in findings(flowers())[2]


def test_a_target_of_quantities():
    frame = clean().assign(price=np.random.default_rng(0).normal(size=N).round(5))
    recipe = Recipe("price", {"a": "number", "price": "category"})
    table, _, found = findings(frame, recipe)
    problem = found["numeric target"]
    assert "different numbers" in problem.text
    assert make_data_set(table, problem.fix[1]).target.values_noun == "numbers"


@pytest.mark.parametrize(
    ("price", "kind", "severity", "code", "values"),
    [
        ([1.5], "classes", "stops", "has only the number … in the remaining rows", {"number": "1.5"}),
        (["x"], "classes", "stops", "has no number in the remaining rows", {}),
        (
            [1.0, 2.0, 1e300],
            "out of reach",
            "warns",
            "of … … infinite or larger than … in absolute value, and … treated as missing",
            {"n": 133, "columns": ["price"]},
        ),
        ([1.5, 2.5], "few numbers", "warns", "The target '…' has only … different numbers", {"n": 2}),
        ([1.0, 2.0], "few numbers", "warns", "The target '…' has only … different numbers", {"n": 2}),
        ([1.0, 2.0, 3.0, "none", "k", np.inf], "no target", "warns", "(…) without a number in '…' … excluded", {}),
    ],
)
def test_possible_faults_of_numbers(price, kind, severity, code, values):
    frame = clean().assign(price=pandas.Series([price[i % len(price)] for i in range(N)], dtype=object))
    table, _, found = findings(frame, Recipe("price", {"a": "number", "price": "number"}, numbers=True))
    problem = found[kind]
    assert problem.severity == severity
    assert is_said(problem.text, code, **values)
    if severity == "stops":
        with refused(DataError, code, **values):
            make_data_set(table, Recipe("price", {"a": "number", "price": "number"}, numbers=True))


def _with(*values):
    """Return four hundred prices, the last of which are replaced by `values`."""
    return [*np.random.default_rng(4).normal(size=N - len(values)).round(3), *values]


def test_numbers_with_a_few_words_are_proposed_as_the_target():
    price = pandas.Series(_with("unknown", "on request", "sold"), dtype=object)
    table, recipe, found = findings(clean()[["a", "c"]].assign(price=price))
    assert (recipe.target, recipe.numbers, "missing marker" in found) == ("price", True, False)
    assert is_said(
        found["exceptions"].text, "2 cells of 'price' are not numbers: 'on request', 'sold'. These rows are excluded"
    )
    assert found["exceptions"].fix[1].missing == {}
    assert make_data_set(table, recipe).n_rows == N - 3


@pytest.mark.parametrize(
    ("price", "n_kept"),
    [
        (_with("inf", "-inf", 1e300, -1e300), N - 4),
        (_with("n.v.", "sold", "on request"), N - 3),
        (_with(*["n.v."] * 30), N - 30),
        (_with(1e29), N - 1),
        (_with(1e7, -1e7, -1e7), N - 3),
        ([1.5, 2.5] * (N // 2), N),
        ([7.5] * N, None),
        ([f"{k + 1}e300" for k in range(N)], None),
    ],
)
@pytest.mark.parametrize("as_numbers", [False, True])
def test_proposed_fixes_of_odd_numbers_come_to_an_end(price, n_kept, as_numbers):
    table = read(csv_bytes(clean()[["a"]].assign(price=pandas.Series(price, dtype=object))), "t.csv")
    summaries = summarise(table)
    recipe = Recipe(
        "price", {"a": "number", "price": "number" if as_numbers else "category"}, numbers=as_numbers, rare=None
    )
    for _ in range(6):
        found = problems(table, summaries, recipe)
        fix = next((one.fix for one in found if one.fix is not None and one.severity != "info"), None)
        if fix is None:
            break
        recipe = fix[1]
    assert fix is None
    if n_kept is not None:
        assert make_data_set(table, recipe).n_rows == n_kept
    elif any(one.severity == "stops" for one in found):
        with pytest.raises(DataError):
            make_data_set(table, recipe)


@pytest.mark.parametrize(
    ("recipe", "kind"),
    [
        (Recipe("class", {"a": "ignore", "class": "category"}), "no feature"),
        (Recipe("class", {"a": "date", "class": "category"}), "no date"),
        (Recipe("none", {"a": "number"}), "columns"),
        (Recipe("one", {"a": "number", "one": "category"}), "classes"),
        (Recipe("class", {"a": "number"}, split="column", split_column="c", split_values={"x": "test"}), "split"),
    ],
)
def test_what_stops(recipe, kind):
    table, _, found = findings(clean().assign(one="same"), recipe)
    assert found[kind].severity == "stops"
    with pytest.raises(ValueError, match=r"."):
        make_data_set(table, recipe)
    if found[kind].fix is not None:
        assert make_data_set(table, found[kind].fix[1]).n_rows == N


def test_a_split_by_a_column_that_does_not_say_all():
    recipe = Recipe(
        "class", {"a": "number"}, split="column", split_column="c", split_values={"x": "train", "y": "test"}
    )
    table, _, found = findings(clean(), recipe)
    n_lost = int((clean()["c"] == "z").sum())
    assert is_said(
        found["split"].text,
        (
            f"{counted(n_lost, 'row')} {plural(n_lost, 'is', 'are')} excluded, because these values belong to no "
            "set: 'z'"
        ),
    )
    assert make_data_set(table, recipe).n_rows == N - n_lost


def test_those_that_stop_come_first():
    frame, changes = spoilt("id")
    table = read(csv_bytes(frame), "t.csv")
    recipe = Recipe("c", {"d": "number", "a": "date", "c": "category"})
    severities = [problem.severity for problem in problems(table, summarise(table), recipe)]
    assert severities == sorted(severities, key=("stops", "warns", "info").index)
    assert severities[0] == "stops"


def test_an_id_is_one_though_some_rows_are_there_twice():
    rows = [f"{i},{i % 7},{'ab'[i % 2]}" for i in [*range(1, 201), 5, 9, 40]]
    table = read("\n".join(["id,size,kind", *rows]).encode(), "rows.csv")
    summaries = summarise(table)
    assert propose(table, summaries).kinds["id"] == "ignore"


def test_a_table_of_one_column_says_what_it_lacks():
    table = read(b"x\n" + b"".join(b"%d.5\n" % row for row in range(40)), "one.csv")
    summaries = summarise(table)
    found = problems(table, summaries, propose(table, summaries))
    assert [one.kind for one in found] == ["no feature"]
    assert "one column" in found[0].text
    assert "delimiter" in found[0].text
