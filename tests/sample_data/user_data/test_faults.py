"""Test tables with one kind of fault each: how they are read, and the proposed correction."""

import io
from dataclasses import replace
from pathlib import Path

import openpyxl
import pandas
import pytest

from sample_data.user_data.checks.problems import problems
from sample_data.user_data.make_data_set_of_table import make_data_set
from sample_data.user_data.proposal import propose
from sample_data.user_data.readers.read import read
from sample_data.user_data.summary import summarise
from tests.refusals import is_said, refused
from treecore.errors import DataError
from treecore.messages import counted, listed
from treecore.tables.marked_numbers import PARENTHESES, unit_words

FOLDER = Path(__file__).parents[1] / "faults"
# {file: (rows, target, whether it is a regression target, kinds of the other columns, ID column)}
EXPECTED = {
    "series_month": (60, "sales", True, {"month": "date"}, None),
    "series_year": (60, "level", True, {"year": "number"}, None),
    "dates_d_mon_yy": (60, "label", False, {"when": "date", "temp": "number"}, None),
    "dates_m_d_yy": (60, "label", False, {"when": "date", "temp": "number"}, None),
    "dates_mon_d_yyyy": (60, "label", False, {"when": "date", "temp": "number"}, None),
    "dates_quarter": (60, "label", False, {"quarter": "date", "temp": "number"}, None),
    "dates_yyyy_mon": (60, "label", False, {"when": "date", "temp": "number"}, None),
    "counts_37_rows": (37, "unsure", True, {"approve": "number", "disapprove": "number"}, "region"),
    "counts_many_zeros": (600, "rain_hours", True, {"temp": "number", "wind": "number"}, None),
    "target_nearly_empty": (60, "age", True, {"dose": "number", "sex": "category"}, None),
    "checkboxes": (80, "region", False, {"dish_corn": "category", "dish_rice": "category", "age": "category"}, "id"),
    "index_with_gaps": (60, "kind", False, {"x": "number"}, "column 1"),
    "rownames_with_gaps": (60, "kind", False, {"x": "number"}, "rownames"),
    "headerless_id": (300, "column 4", False, {"column 2": "number", "column 3": "number"}, "column 1"),
    "headerless_single_quotes": (40, "column 3", False, {"column 1": "category", "column 2": "category"}, None),
    "headerless_price_last": (120, "column 5", True, {"column 1": "number", "column 2": "category"}, None),
    "numbers_as_names": (40, "2", True, {"0": "number", "1": "number"}, "team"),
    "title_line_above": (60, "kind", False, {"x": "number"}, "name"),
    "title_line_with_commas": (60, "kind", False, {"x": "number"}, "name"),
    "source_line_below": (60, "kind", False, {"x": "number"}, "state"),
    "short_row": (40, "a", True, {"b": "number"}, None),
    "two_header_lines": (60, "Result kind", False, {"Place size": "number", "Ratings first": "number"}, "Place name"),
    "money_and_marks": (
        60,
        "kind",
        False,
        {"cost ($)": "number", "change": "number", "rate (*)": "number", "height (cm)": "number"}
        | {"pace (min:s)": "number"},
        None,
    ),
    "states_nv_na": (120, "kind", False, {"state": "category", "x": "number"}, None),
    "quoted_comma_and_bare_cr": (10, "kind", False, {"text": "category"}, None),
    "missing_test_split": (36, "class", False, {"team": "category", "year": "number"}, None),
    "noisy_regression": (5000, "pm", True, {"hour": "number", "temp": "number", "wind": "number"}, None),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_table_is_read_and_a_tree_proposed(name):
    n_rows, target, numbers, kinds, names = EXPECTED[name]
    table = read(FOLDER / f"{name}.csv", f"{name}.csv")
    recipe = propose(table, summarise(table), target)
    assert table.n_rows == n_rows
    assert target in [candidate.name for candidate in recipe.candidates[:3]]
    assert (recipe.numbers, recipe.row_names) == (numbers, names)
    assert recipe.kinds | kinds == recipe.kinds
    assert make_data_set(table, recipe).n_features >= 1


def _read(text):
    table = read(text.encode(), "t.csv")
    return table, propose(table, summarise(table))


def _column(values, name="when"):
    rows = "".join(f'"{value}",{k % 7 * 1.5},{"ab"[k % 2]}\n' for k, value in enumerate(values))
    return _read(f"{name},x,kind\n{rows}")


@pytest.mark.parametrize(
    "first",
    ["1-May-15", "1 mai 2015", "1. Mai 2015", "May 1st, 2015", "1 de mayo de 2015", "Fri, 1 May 2015", "2015-05"]
    + ["2015M05", "05/01/15", "01MAY2015", "2015 May"],
)
def test_dates_in_other_ways_are_the_first_of_may(first):
    table, recipe = _column([first] * 12 + [first.replace("2015", "2016").replace("15", "16")] * 12)
    assert recipe.kinds["when"] == "date"
    assert str(table.frame["when"].iloc[0])[:10] == "2015-05-01"


@pytest.mark.parametrize("values", [["A-1", "B-2", "C-3"], ["1.2.10", "1.3.11", "2.0.4"], ["Mar 4", "Sep 2", "Dec 9"]])
def test_codes_are_no_dates(values):
    assert _column(values * 10)[1].kinds["when"] == "category"


@pytest.mark.parametrize(
    ("texts", "name", "first"),
    [
        (["$6M", "$450K", "$1.5B"], "c ($)", 6e6),
        (["(76.50)", "12.25", "3"], "c", -76.5),
        (["5:18", "6:30", "10:00"], "c (min:s)", 5.3),
        (["70 kg", "81 kg", "65 kg"], "c (kg)", 70.0),
        (["12.3*", "1.1", "4.5†"], "c (*)", 12.3),
    ],
)
def test_marks_and_units_leave_numbers(texts, name, first):
    table, recipe = _column(texts * 10, "c")
    assert recipe.kinds[name] == "number"
    assert table.frame[name].iloc[0] == pytest.approx(first)


@pytest.mark.parametrize("texts", [["3A", "5B", "7C"], ["36 months", "60 months"], ["A1", "B2", "C3"]])
def test_codes_with_letters_stay_categories(texts):
    assert _column(texts * 10, "c")[1].kinds["c"] == "category"


def test_na_of_states_is_a_value_and_else_missing():
    states, _ = _column(["NA", "CA", "NV", "TX"] * 10, "state")
    assert states.frame["state"].isna().sum() == 0
    grades, _ = _column(["NA", "Gd", "Ex", "TA"] * 10, "grade")
    assert grades.frame["grade"].isna().sum() == 10


def test_omitted_and_filled_values_are_noted():
    notes = {name: read(FOLDER / f"{name}.csv", "t.csv").notes for name in ("title_line_above", "short_row")}
    assert f"{counted(2, 'line')} above the header skipped" in notes["title_line_above"]
    assert f"{counted(1, 'short row')} filled with missing values (line 22)" in notes["short_row"]


def test_codes_of_classes_stay_classes():
    rows = "".join(f"{k % 13 * 1.5},{k % 10}\n" for k in range(300))
    assert not _read(f"x,digit\n{rows}")[1].numbers


def test_a_reader_can_set_the_lines():
    text = b"Title, a\nx,kind\n1,a\n2,b\n3,a\nend of it\n"
    table = read(text, "t.csv", header_line="2", skip_below="1")
    assert (list(table.frame), table.n_rows) == (["x", "kind"], 3)
    both = read(b"A,,B\nx,y,kind\n1,2,a\n3,4,b\n", "t.csv", header="two lines")
    assert (list(both.frame), both.n_rows) == (["A x", "A y", "B kind"], 2)
    with refused(DataError, "header_line='0': expected a whole number of lines >= 1"):
        read(text, "t.csv", header_line="0")


def test_names_alone_are_not_learned():
    table, recipe = _read("name,score\n" + "".join(f"person {k},{k * 1.5}\n" for k in range(40)))
    assert (recipe.target, recipe.features()) == ("score", [])
    found = problems(table, summarise(table), recipe)
    assert is_said(
        found[0].text, "Apart from the target, the table contains only texts, ID columns and constants: 'name'"
    )
    assert found[0].severity == "stops"
    assert problems(table, summarise(table), recipe.with_kinds({"name": "category"}))[0].severity != "stops"


def test_a_counter_alone_is_a_feature():
    _, recipe = _read("n,score\n" + "".join(f"{k},{k * 1.5}\n" for k in range(40)))
    assert recipe.features() == ["n"]


@pytest.mark.parametrize(
    "rows",
    [
        ("name", [f"person {k}" for k in range(40)]),
        ("text", [f"are you home {k}" for k in range(40)]),
        ("id", [f"{k * 37 % 1009:04x}-{k}" for k in range(40)]),
    ],
)
def test_a_table_of_texts_and_ids_stops_in_words(rows):
    name, texts = rows
    table, recipe = _read(f"{name},kind\n" + "".join(f"{text},{'ab'[k % 2]}\n" for k, text in enumerate(texts)))
    assert (recipe.target, recipe.features()) == ("kind", [])
    stop = next(one for one in problems(table, summarise(table), recipe) if one.severity == "stops")
    assert is_said(
        stop.text,
        (
            f"Apart from the target, the table contains only texts, ID columns and constants: {listed([name])}. A "
            "tree needs numbers, categories or dates"
        ),
    )
    table = read(FOLDER / "number_as_name.csv", "t.csv")
    assert (list(table.frame), table.n_rows) == (["state", "2021"], 40)


def _looked_over(name, target=None):
    table = read(FOLDER / f"{name}.csv", f"{name}.csv")
    summaries = summarise(table)
    recipe = propose(table, summaries, target)
    return recipe, {problem.kind: problem for problem in problems(table, summaries, recipe)}


def test_a_line_that_may_be_names_or_data_is_asked_about():
    content = (FOLDER / "all_text_header_word_is_value.csv").read_bytes()
    table = read(content, "t.csv")
    (question,) = table.questions
    assert is_said(question.text, "Line 1 (f, g, h) is read as column names")
    tables = [read(content, "t.csv", **{name: value}) for _, name, value in question.readings]
    assert [(list(one.frame)[0], one.n_rows, one.questions) for one in tables] == [("f", 60, ()), ("column 1", 61, ())]


@pytest.mark.parametrize(
    ("lines", "names", "is_asked"),
    [
        (["colour,size"] + ["red,small", "blue,large"] * 8, True, False),
        (["red,small"] + ["red,small", "blue,large"] * 8, False, False),
        (["red,tiny,x,y"] + ["red,small,x,y", "blue,large,y,x"] * 8, False, True),
        (["a,a,kind"] + ["red,small,x", "blue,large,y"] * 8, True, True),
        (["colour,size"] + [f"red,{k}" for k in range(9)], True, False),
    ],
)
def test_only_a_doubtful_header_is_asked_about(lines, names, is_asked):
    table = read("\n".join(lines).encode(), "t.csv")
    assert (table.n_rows == len(lines) - 1, bool(table.questions)) == (names, is_asked)
    book = openpyxl.Workbook()
    for line in lines:
        book.active.append(line.split(","))
    book.save(stream := io.BytesIO())
    if "red,0" not in lines:
        assert bool(read(stream.getvalue(), "t.xlsx").questions) == is_asked


def test_the_code_na_of_a_state_is_asked_about_once():
    recipe, found = _looked_over("states_nv_na")
    assert is_said(found["missing marker"].text, "27 of 120 rows contain 'NA' in column 'state'")
    assert found["missing marker"].fix[1].missing == {"state": ("NA",)}
    assert recipe.missing == {}


@pytest.mark.parametrize("codes", [["NA", "US", "DE", "ZA"], ["NA", "CA", "NV", "ND"]])
def test_na_among_codes_of_two_letters_is_a_value_in_every_format(codes):
    frame = pandas.DataFrame({"code": codes * 10, "x": range(40)})
    for ending, write in (("csv", frame.to_csv), ("xlsx", frame.to_excel), ("parquet", frame.to_parquet)):
        write(stream := io.BytesIO(), index=False)
        assert read(stream.getvalue(), f"t.{ending}").frame["code"].isna().sum() == 0, ending


def test_a_copy_of_the_target_in_another_unit_is_pointed_out():
    recipe, found = _looked_over("leak_number")
    assert (recipe.target, recipe.numbers) == ("weight_lb", True)
    assert found["leak"].columns == ("weight_kg",)
    assert is_said(found["leak"].text, "is the target in another unit: weight_lb = 2.20… × weight_kg")


def test_ordered_answers_are_proposed_in_their_order():
    recipe, found = _looked_over("likert", "kind")
    assert recipe.kinds == {"q1": "ordered", "q2": "ordered", "size": "ordered", "grade": "ordered", "kind": "category"}
    assert "Never < Rarely < Sometimes < Often < Always" in found["ordered answers"].text


def test_rows_of_one_subject_stay_together():
    recipe, found = _looked_over("repeated_subjects")
    assert (recipe.split, recipe.split_column) == ("group", "subject")
    counts = f"'{'subject':.60}' has {40:,} values with 5 rows each"
    assert found["subjects"].text.startswith(f"{counts}, and each of them has each '{'visit':.60}' at most once.")


def test_a_number_is_a_name_in_the_header():
    recipe, found = _looked_over("number_as_name")
    assert (recipe.target, recipe.numbers, recipe.row_names) == ("2021", True, "state")
    assert is_said(
        found["no feature"].text,
        "Apart from the target, the table contains only texts, ID columns and constants: 'state'",
    )


def test_every_file_of_faults_has_an_expectation():
    others = {"number_as_name", "all_text_header_word_is_value", "leak_number", "likert", "repeated_subjects"}
    assert {path.stem for path in FOLDER.glob("*.csv")} == {*EXPECTED, *others}


def test_rows_that_are_too_short_are_filled_or_refused_as_one_says():
    few, many = b"a,b\n" + b"1,2\n" * 20 + b"3\n", b"a,b\n" + b"1,2\n3\n" * 9
    assert read(few, "t.csv").n_rows == 21
    assert read(many, "t.csv", fill_short=True).frame["b"].isna().sum() == 9
    for content, fill in ((few, False), (many, None)):
        with refused(DataError, "line … has …, but the first line has"):
            read(content, "t.csv", fill_short=fill)


@pytest.mark.parametrize("ending", ["csv", "xlsx", "parquet", "feather"])
def test_units_check_boxes_and_dates_as_numbers_are_found_in_every_format(ending):
    days = pandas.date_range("2024-01-15", periods=40)
    frame = pandas.DataFrame(
        {
            "day": days.strftime("%Y%m%d").astype(int),
            "corn": ["Corn" if k % 3 else None for k in range(40)],
            "rice": [1 if k % 4 else None for k in range(40)],
            "height": [f"{150 + k % 30} cm" for k in range(40)],
            "kind": ["a", "b"] * 20,
        }
    )
    write = getattr(frame, {"xlsx": "to_excel"}.get(ending, f"to_{ending}"))
    write(stream := io.BytesIO(), **({} if ending == "feather" else {"index": False}))
    table = read(stream.getvalue(), f"t.{ending}")
    recipe = propose(table, summarise(table))
    kinds = {"day": "date", "corn": "category", "rice": "category", "height (cm)": "number", "kind": "category"}
    assert recipe.kinds == kinds
    assert table.frame["day"].tolist() == days.tolist()
    assert (table.frame[["corn", "rice"]] == "(blank)").sum().tolist() == [14, 10]
    assert any("such as 20240115" in note for note in table.notes)


@pytest.mark.parametrize("numbers", [[20241301, 20240115, 20240116], [20230229, 20240115, 20240116], [1, 2, 3]])
def test_numbers_that_are_no_days_stay_numbers(numbers):
    assert _column(numbers * 10, "code")[0].frame["code"].dtype.kind == "i"


def _encoded(name, text):
    """Return (X of the file `name`, rows of `text` encoded with the columns of that file)."""
    table = read(FOLDER / f"{name}.csv", f"{name}.csv")
    data = make_data_set(table, propose(table, summarise(table), str(table.frame.columns[-1])))
    return data.X, data.columns.encode(read(text.encode(), "new.csv").frame)


def test_one_new_row_is_read_in_the_units_of_the_training_table():
    lines = (FOLDER / "money_and_marks.csv").read_text().splitlines()
    X, new = _encoded("money_and_marks", "\n".join(lines[:2]))
    assert new.X.tolist() == [pytest.approx(X[0].tolist(), rel=1e-6)]
    assert not any("missing" in note for note in new.notes)
    plain = "cost,change,rate,height,pace\n6000000,-3.5,12,170,5.5\n"
    assert _encoded("money_and_marks", plain)[1].X.tolist() == [[6e6, -3.5, 12.0, 170.0, 5.5]]


def test_a_check_box_that_is_not_ticked_is_the_other_answer_of_a_new_row():
    lines = (FOLDER / "checkboxes.csv").read_text().splitlines()
    X, new = _encoded("checkboxes", "\n".join(lines[:3]))
    assert new.X.tolist() == X[:2].tolist()


def test_a_recipe_finds_a_column_that_has_got_a_unit():
    table = read(FOLDER / "money_and_marks.csv", "t.csv")
    proposed = propose(table, summarise(table))
    former = replace(
        proposed, kinds={name.partition(" (")[0]: kind for name, kind in proposed.kinds.items()}, target="height"
    )
    former = replace(former, kinds=former.kinds | {"kind": "category"}, numbers=True, missing={"pace": ("0:00",)})
    assert not [one for one in problems(table, summarise(table), former) if one.severity == "stops"]
    data = make_data_set(table, former)
    assert (data.target_name, "pace (min:s)" in data.feature_names) == ("height (cm)", True)


def test_notes_on_units_are_plain():
    notes = read(FOLDER / "money_and_marks.csv", "t.csv").notes
    assert {f"column 'change': {unit_words(PARENTHESES)}", f"column 'pace': {unit_words('min:s')}"} <= {*notes}
    boxes = read(FOLDER / "checkboxes.csv", "t.csv").notes
    assert "empty cells of 'dish_corn', 'dish_rice' read as the value (blank)" in boxes


def test_one_lost_value_is_one():
    table = read(
        b"x,kind\n" + b"".join(b"%d,%s\n" % (k, b"ab"[k % 2 : k % 2 + 1]) for k in range(40)) + b"ten,a\n", "t.csv"
    )
    recipe = replace(propose(table, summarise(table)), missing={})
    assert (
        f"{'x'!r}: {counted(1, 'value')} not read as a number, treated as missing"
        in make_data_set(table, recipe).description
    )


@pytest.mark.parametrize("name", ["leak_number", "likert"])
def test_no_proposed_fix_takes_the_last_feature(name):
    table = read(FOLDER / f"{name}.csv", f"{name}.csv")
    summaries = summarise(table)
    recipe = propose(table, summaries)
    for _ in range(9):
        urgent = [one for one in problems(table, summaries, recipe) if one.fix and one.severity != "info"]
        recipe = urgent[0].fix[1] if urgent else recipe
    assert recipe.features()
    assert make_data_set(table, recipe).n_features


@pytest.mark.parametrize("name", EXPECTED)
def test_urgent_findings_cost_at_most_a_tenth_of_the_rows(name):
    table = read(FOLDER / f"{name}.csv", f"{name}.csv")
    summaries = summarise(table)
    recipe = propose(table, summaries)
    for _ in range(20):
        urgent = (one.fix for one in problems(table, summaries, recipe) if one.fix and one.severity != "info")
        fix = next(urgent, None)
        if fix is None or fix[1] == recipe:
            break
        recipe = fix[1]
    known = int(table.frame[recipe.target].notna().sum())
    assert make_data_set(table, recipe).n_rows >= 0.9 * known
