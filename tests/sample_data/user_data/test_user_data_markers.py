"""Test that missing markers, row names and rare categories of a messy table are found, proposed and stored."""

import io
import json
from dataclasses import replace

import numpy as np
import openpyxl
import pandas
import pytest

from sample_data.user_data import Recipe, Table, make_data_set, problems, propose, read, store, summarise
from sample_data.user_data.grouping import group, group_text, propose_below
from sample_data.user_data.table_file import load_table, save_table
from tests.refusals import is_said, refused
from treecore.errors import DataError
from viz.words.row_words import row_text

N = 600


def customers() -> bytes:
    """Return a table with semicolons, decimal commas, dates such as 01.03.2020, "k.A.", rare towns and age -999."""
    rng = np.random.default_rng(0)
    income = [f"{value:.2f}".replace(".", ",") for value in rng.normal(3000, 500, N)]
    since = pandas.Timestamp("2015-01-01") + pandas.to_timedelta(rng.integers(0, 2000, N), unit="D")
    towns = [f"Dorf {k // 10 % 40}" if k % 10 == 0 else "Köln" if k % 2 else "Ulm" for k in range(N)]
    frame = pandas.DataFrame(
        {
            "Kundennr": [f"K-{k:05d}" for k in range(N)],
            "Alter": np.where(np.arange(N) % 50 == 0, -999, rng.integers(18, 80, N)),
            "Einkommen": ["k.A." if k % 25 == 0 else value for k, value in enumerate(income)],
            "Miete": ["k.A." if k % 30 == 0 else value for k, value in enumerate(income[::-1])],
            "Kunde seit": ["k.A." if k % 20 == 0 else f"{day:%d.%m.%Y}" for k, day in enumerate(since)],
            "Ort": towns,
            "Stand": rng.choice(["ledig", "verheiratet", "unbekannt"], N),
            "Haustier": np.where(np.arange(N) % 100 == 0, 1, 0),
            "gekündigt": rng.choice(["ja", "nein"], N),
        }
    )
    return frame.to_csv(index=False, sep=";").encode()


def looked_over(table, recipe=None):
    """Return (recipe, {column: question about its missing markers})."""
    summaries = summarise(table)
    recipe = recipe or propose(table, summaries)
    found = problems(table, summaries, recipe)
    return recipe, {one.columns[0]: one for one in found if one.kind == "missing marker"}


def as_read(recipe):
    """Return a proposed recipe without the texts that it treats as missing."""
    return replace(recipe, missing={}, kinds=recipe.kinds | dict.fromkeys(recipe.missing, "ignore"))


@pytest.fixture(scope="module")
def table():
    return read(customers(), "kunden.csv")


def test_markers_are_found_where_numbers_dates_and_answers_are(table):
    recipe, found = looked_over(table)
    assert recipe.target == "gekündigt"
    assert set(found) == {"Alter", "Stand"}
    assert recipe.missing == dict.fromkeys(("Einkommen", "Miete", "Kunde seit"), ("k.A.",))
    _, found = looked_over(table, as_read(recipe))
    assert set(found) == {"Alter", "Einkommen", "Miete", "Kunde seit", "Stand"}
    assert {name for name, one in found.items() if one.severity == "warns"} == set(found) - {"Stand"}
    assert "text" not in {one.kind for one in problems(table, summarise(table), recipe)}
    assert is_said(
        found["Einkommen"].text, "24 of 600 rows contain 'k.A.' in column 'Einkommen'. All other cells contain numbers"
    )
    assert is_said(found["Kunde seit"].text, "of … … … in column '…'. All other cells contain dates")
    assert is_said(found["Alter"].text, "12 of 600 rows contain '-999' in column '…', far from all other values")
    assert found["Alter"].wider is None
    assert found["Einkommen"].wider[0] == "In all 3 columns"


def test_one_press_declares_a_marker_and_its_warning_goes(table):
    recipe, found = looked_over(table, as_read(looked_over(table)[0]))
    assert recipe.kinds["Einkommen"] == "ignore"  # the values are still texts
    mended = Recipe.from_dict(json.loads(json.dumps(found["Einkommen"].fix[1].to_dict())))
    assert mended.missing == {"Einkommen": ("k.A.",)}
    assert mended.kinds["Einkommen"] == "number"
    assert set(looked_over(table, mended)[1]) == set(found) - {"Einkommen"}
    for one in ("Einkommen", "Alter", "Stand"):
        question = looked_over(table, mended)[1].get(one)
        mended = mended if question is None else (question.wider or question.fix)[1]
    assert found["Miete"].wider is None  # this marker has already been offered
    everywhere = found["Einkommen"].wider[1]
    assert set(looked_over(table, everywhere)[1]) == {"Alter", "Stand"}
    assert everywhere.kinds | {"Miete": "number", "Kunde seit": "date"} == everywhere.kinds
    data = make_data_set(table, replace(everywhere, missing=everywhere.missing | {"Alter": ("-999",)}))
    values = dict(zip(data.feature_names, data.X.T, strict=True))
    assert [int(np.isnan(values[name]).sum()) for name in ("Alter", "Einkommen", "Miete")] == [12, 24, 20]
    assert np.nanmin(values["Alter"]) >= 18
    assert int(np.isnan(values["Kunde seit (days since 1970)"]).sum()) == 30


def test_new_rows_are_read_by_the_same_markers_and_groups(table):
    recipe = looked_over(table, as_read(looked_over(table)[0]))[1]["Einkommen"].wider[1]
    recipe = replace(recipe, missing=recipe.missing | {"Alter": ("-999",)})
    data = make_data_set(table, recipe)
    again = data.columns.encode(read(customers(), "new.csv", day_first=data.columns.day_first()).frame)
    np.testing.assert_array_equal(again.X, data.X)
    assert not [note for note in again.notes if "treated as missing" in note]
    alone = read(customers().split(b"\n")[0] + b"\nK-1;-999;k.A.;1.234,50;03.05.2020;Nirgendwo;ledig;0;ja\n", "one.csv")
    row = dict(zip(data.feature_names, data.columns.encode(alone.frame).X[0], strict=True))
    assert np.isnan([row["Alter"], row["Einkommen"]]).all()
    assert row["Miete"] == 1234.5
    assert row["Kunde seit (days since 1970)"] == 18385  # the third of May
    assert [row[name] for name in data.feature_names if name.startswith("Ort = ")] == [0, 0, 1]


def test_rare_categories_of_a_column_of_many_are_one(table):
    recipe = looked_over(table)[0]
    assert recipe.group_below == {"Ort": 5}
    data = make_data_set(table, recipe)
    assert [name for name in data.feature_names if name.startswith("Ort = ")] == [
        "Ort = Köln",
        "Ort = Ulm",
        "Ort = others (40 categories)",
    ]
    assert data.X[:, data.feature_names.index("Ort = others (40 categories)")].sum() == 60
    kept = make_data_set(table, replace(recipe, group_below={}, most_categories=4))
    assert len([name for name in kept.feature_names if name.startswith("Ort = ")]) == 4


def test_many_values_of_many_rows_each_are_not_called_rare():
    values = pandas.Series([f"town {k % 300}" for k in range(60_000)])
    assert propose_below(values) == 50
    assert len(group(values, 20, 50).kept) == 20
    assert propose_below(pandas.Series([f"town {k}" for k in range(40)])) == 2


@pytest.mark.parametrize(("n_towns", "n_rows"), [(60, 600), (300, 3000), (1500, 9000), (3000, 20_000)])
def test_a_column_of_very_many_categories_is_a_feature_with_a_group(n_towns, n_rows):
    codes = np.minimum(np.random.default_rng(0).zipf(1.3, n_rows), n_towns - 1)
    codes[:n_towns] = np.arange(n_towns)
    frame = pandas.DataFrame({"colour": [f"colour{code}" for code in codes], "x": np.arange(n_rows) % 97})
    table = read(frame.assign(sold=np.where(codes % 2 == 0, "yes", "no")).to_csv(index=False).encode(), "t.csv")
    recipe = propose(table, summarise(table), "sold")
    assert recipe.kinds["colour"] == "category"
    [question] = [one for one in problems(table, summarise(table), recipe) if one.columns == ("colour",)]
    assert is_said(question.text, f"Column 'colour' has {n_towns:,} different values. … of them are features")
    data = make_data_set(table, recipe)
    towns = [name for name in data.feature_names if name.startswith("colour = ")]
    assert 2 <= len(towns) <= 21
    assert towns[-1].startswith("colour = others (")
    kept = make_data_set(table, question.fix[1])
    assert len([name for name in kept.feature_names if name.startswith("colour = ")]) == min(n_towns, 200)


def test_groups_at_their_limits():
    values = pandas.Series(list("aaaabbbcd"))
    assert group_text(group(values, 20, 2)) == "others (2 categories, 2 rows)"
    assert group(values, 20).others == ()
    assert group(values, 2, 1).kept == ("a", "b")  # values beyond the limit are in the group as well
    assert group(values, 20, 100).kept == ("a",)  # a group never has all values
    odd = pandas.Series([*"aabbc", "others (2 categories)"])
    assert group(odd, 20, 2).name == "others (2 categories)_"  # the name differs from every value
    assert group(pandas.Series(list("aaaabbbc")), 20, 2).others == ()  # one rare value stays as it is
    assert group(pandas.Series(list("aaab")), 20, 2) == group(pandas.Series(list("aaab")), 20)


@pytest.mark.parametrize(
    ("values", "found"),
    [
        (["7", "8", "9", "n/v"] * 50, ["n/v"]),  # a known word is found among few codes too
        (["7", "8", "9", "many"] * 50, []),
        ([str(k % 90) for k in range(198)] + ["zu alt"] * 2, ["zu alt"]),
        ([str(k % 90) for k in range(199)] + ["zu alt"], []),
        ([str(k % 90) for k in range(190)] + [f"w{k}" for k in range(10)], []),
        (np.append(np.arange(198) % 80, [999, 999]), ["999"]),
        # not farther from the other values than these values are from each other
        (np.append(np.arange(198) % 80, [99, 99]), []),
        (np.append(np.arange(199) % 80, [999]), []),
        (np.append(np.linspace(0, 90_000, 198), [-99, -99]), ["-99"]),
        (np.append(np.arange(198) % 198 - 98, [-99, -99]).astype(np.int8), []),  # differences exceed int8
        (pandas.to_datetime(["2020-01-01", "2021-06-01"] * 99 + ["1900-01-01"] * 2), ["1900-01-01"]),
        (["rot", "blau", "keine Angabe"] * 60, ["keine Angabe"]),
        (["rot", "unbekannt"] * 100, []),  # only one value would be left
    ],
)
def test_detected_missing_value_markers(values, found):
    of = Table(pandas.DataFrame({"v": values, "class": ["a", "b"] * (len(values) // 2)}), "t", "CSV")
    kinds = {"v": "category" if isinstance(values, list) else "number", "class": "category"}
    recipe = Recipe("class", kinds | ({"v": "date"} if isinstance(values, pandas.DatetimeIndex) else {}))
    questions = looked_over(of, recipe)[1]
    assert [text for one in questions.values() for text in one.fix[1].missing["v"]] == found
    for one in questions.values():
        assert make_data_set(of, one.fix[1]).n_rows


def test_rows_are_named_and_have_the_numbers_of_the_file(table, tmp_path):
    recipe = looked_over(table)[0]
    assert recipe.row_names == "Kundennr"
    assert "Kundennr" not in recipe.features()
    data = make_data_set(table, recipe)
    assert data.row_names[:2] == ("K-00000", "K-00001")
    assert data.row_numbers.tolist() == list(range(2, N + 2))  # line 1 contains the names
    store.save(data, tmp_path)
    again = store.load(data.name, tmp_path)
    assert (again.row_names, again.row_numbers.tolist()) == (data.row_names, data.row_numbers.tolist())
    assert row_text(data, 5) == "row 7 (K-00005)"
    assert make_data_set(table, replace(recipe, row_names=None)).name != data.name
    left = make_data_set(table, replace(recipe, missing={"gekündigt": ("x",)}, drop_duplicates=True))
    assert len(left.row_numbers) == left.n_rows


AMOUNTS = ["k.A." if k % 25 == 0 else f"{40 + k * 0.37:.2f}".replace(".", ",") for k in range(200)]


@pytest.mark.parametrize(
    ("columns", "names"),
    [
        ({"Betrag": AMOUNTS}, None),
        ({"Betrag": AMOUNTS, "Kunden_Nr": [101_000 + k for k in range(200)]}, "Kunden_Nr"),
        ({"Kundennummer": [101_000 + 7 * k for k in range(200)]}, "Kundennummer"),
        ({"Kundennummer": [f"{7 * k:06d}" for k in range(200)]}, "Kundennummer"),
        ({"Tag": [f"{1 + k % 28:02d}.{1 + k // 28:02d}.2020" if k % 25 else "k.A." for k in range(200)]}, None),
        ({"Verbrauch": [3000 + k for k in range(200)]}, None),  # an ID column of integers needs a name for IDs
        ({"Betrag": AMOUNTS, "Firma": [f"Firma {k}" for k in range(200)]}, "Firma"),
        (
            {"PassengerId": [*range(1, 201)], "Name": [f"Smith {chr(65 + k % 26)}. {k}" for k in range(200)]},
            "PassengerId",
        ),
        ({"Name": [f"Smith {k}" for k in range(200)], "PassengerId": [*range(1, 200), 199]}, "Name"),
        ({"rownames": [*range(1, 201)], "state": [f"State {k}" for k in range(200)]}, "state"),
    ],
)
def test_values_are_not_proposed_as_names_of_rows(columns, names):
    frame = pandas.DataFrame({**columns, "Art": list("uvwxy") * 40, "class": ["a", "b"] * 100})
    of = read(frame.to_csv(index=False, sep=";").encode(), "t.csv")
    assert looked_over(of)[0].row_names == names


def test_proposals_for_a_text_column_go_when_it_becomes_a_number(table):
    recipe, found = looked_over(table, as_read(looked_over(table)[0]))
    named = replace(recipe, row_names="Einkommen")
    mended = looked_over(table, named)[1]["Einkommen"].fix[1]
    assert (mended.kinds["Einkommen"], mended.row_names) == ("number", None)
    assert "Einkommen" in mended.features()
    assert found["Einkommen"].fix[1].row_names == "Kundennr"
    grouped = Recipe("class", {"a": "category", "b": "category"}, group_below={"a": 10, "b": 5})
    assert grouped.with_kinds({"a": "number"}).group_below == {"b": 5}


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("a,class\n1,x\n2,y\n3,x\n", [2, 3, 4]),
        ("1.5,2\n2.5,3\n3.5,4\n", [1, 2, 3]),  # without a line of names
        ("# made by hand\n\na,class\n1,x\n2,y\n", [4, 5]),
        ("a,class\n1,x\n\n2,y\n# a remark\n\n\n3,x\n", [2, 4, 8]),
        ("a,class\r\n1,x\r\n\r\n2,y\r\n", [2, 4]),
        ('a,class\n"1\n\n1",x\n2,y\n\n3,y\n', [2, 3, 5]),  # a cell of three lines belongs to one row
        ("a,class\n1,x\n2,y\n\n\n", [2, 3]),
    ],
)
def test_the_numbers_of_rows_are_those_of_a_spreadsheet(text, numbers, tmp_path):
    found = read(text.encode(), "t.csv")
    assert found.row_numbers.tolist() == numbers
    save_table(found, tmp_path / "t.arrow")
    assert load_table(tmp_path / "t.arrow").row_numbers.tolist() == numbers
    assert read(text.encode("utf-16"), "t.csv").row_numbers.tolist() == numbers


def test_the_numbers_of_rows_of_a_workbook_are_those_of_its_sheet():
    book = openpyxl.Workbook()
    for row in (["Customers of 2020"], [], ["a", "class"], [1, "x"], [], [2, "y"]):
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    assert read(out.getvalue(), "t.xlsx").row_numbers.tolist() == [4, 6]


def test_a_marker_of_the_target_leaves_its_rows_out():
    text = "a;grade\n" + "".join(f"{k % 17};{'k.A.' if k % 10 == 0 else k % 3}\n" for k in range(200))
    of = read(text.encode(), "t.csv")
    recipe, found = looked_over(of)
    assert recipe.target == "grade"
    mended = found["grade"].fix[1]
    data = make_data_set(of, mended)
    assert data.class_names == ("0", "1", "2")
    assert data.n_rows == 180


@pytest.mark.parametrize(
    "change",
    [{"missing": {"a": "k.A."}}, {"missing": {"a": [1]}}, {"missing": {"a": [" x"]}}, {"missing": ["a"]},
     {"group_below": {"a": 1}}, {"group_below": {"a": 2.5}}, {"row_names": 3}, {"row_names": ""}],
)  # fmt: skip
def test_recipes_from_elsewhere_are_checked(change):
    with pytest.raises(DataError):
        Recipe.from_dict({"target": "y", "kinds": {"a": "number"}, **change})


def test_a_recipe_of_another_file_is_refused_in_words():
    of = Table(pandas.DataFrame({"v": range(40), "class": ["a", "b"] * 20}), "t", "CSV")
    for change in ({"missing": {"gone": ("x",)}}, {"row_names": "gone"}):
        recipe = Recipe("class", {"v": "number"}, **change)
        assert problems(of, summarise(of), recipe)[0].severity == "stops"
        with refused(DataError, "The table has no column 'gone', so the recipe belongs to another file"):
            make_data_set(of, recipe)


def test_a_rare_mark_in_words_in_the_last_column_is_the_target():
    frame = pandas.DataFrame({"amount": range(500), "foreign": ["no", "no", "no", "yes", "no"] * 100})
    frame["status"] = ["fraud" if row % 100 == 0 else "ok" for row in range(500)]
    table = read(frame.to_csv(index=False).encode(), "payments.csv")
    assert propose(table, summarise(table)).target == "status"
