"""Test how ambiguous cells of a table are read, and that the reading is reported and can be changed."""

import io
from dataclasses import replace
from pathlib import Path

import openpyxl
import pandas
import pyarrow
import pyarrow.parquet
import pytest

from sample_data.user_data.checks.problems import problems
from sample_data.user_data.make_data_set_of_table import make_data_set
from sample_data.user_data.proposal import propose
from sample_data.user_data.readers.read import read
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.summary import summarise
from tests.each import each
from tests.refusals import is_said, refused
from treecore.errors import DataError
from treecore.messages import counted, listed
from treecore.tables.table_columns import TableColumns

FOLDER = Path(__file__).parents[1] / "faults" / "cells"
# {file: (rows, {column: kind})}
EXPECTED = {
    "cells_birthdate.csv": (120, {"born": "date"}),
    "cells_case.csv": (150, {"result": "category"}),
    "cells_crx.csv": (150, {"class": "category"}),
    "cells_french_nbsp.csv": (150, {"salary": "number", "z": "number"}),
    "cells_numtargetheader.csv": (150, {"1": "number", "2": "number", "3": "category"}),
    "cells_pm_feature.csv": (120, {"charge": "category"}),
    "cells_pmchar.csv": (150, {"effect": "category"}),
    "cells_region.csv": (150, {"region": "category"}),
    "cells_totals2.csv": (150, {"x": "number"}),
    "cells_uminus.csv": (150, {"t": "number"}),
    "header_line_break_first.csv": (59, {"height (cm)": "number"}),
    "workbook_readme_first.xlsx": (60, {"date": "date", "sales": "number", "region": "category"}),
    "workbook_two_header_lines.xlsx": (60, {"Size mean": "number", "Size sd": "number", "Price sd": "number"}),
    "clock_and_duration.parquet": (60, {"clock (h:min)": "number", "took (h)": "number"}),
    "shift_jis.csv": (60, {"数": "number", "都市": "category"}),
    "null_mixed_case.csv": (60, {"independence": "number", "life_expectancy": "number", "code": "ignore"}),
    "date_two_spaces_am_pm.csv": (60, {"Time": "date"}),
    "dates_day_unknown.csv": (60, {"start": "date"}),
    "month_of_numbered_year.csv": (60, {"Month (year-month)": "number"}),
    "unit_hides_thousands.csv": (60, {"pris (kr)": "number"}),
    "percent_with_a_word.csv": (60, {"response rate (%)": "number", "weight factor": "number"}),
    "score_out_of_ten.csv": (60, {"taste (/10)": "number"}),
    "none_is_an_answer.csv": (60, {"previous convictions": "ordered", "age": "ordered"}),
    "text_holds_the_signal.csv": (60, {"text": "ignore"}),
    "position_in_text.csv": (60, {"dms (°)": "number", "latlon": "ignore", "wkt": "ignore"}),
    "small_counts.csv": (60, {"bike_rentals": "number"}),
}


def _looked_over(table, recipe=None, target=None):
    """Return (recipe, {kind: problem})."""
    summaries = summarise(table)
    recipe = recipe or propose(table, summaries, target)
    return recipe, {one.kind: one for one in problems(table, summaries, recipe)}


def _file(name, **options):
    return read(FOLDER / name, name, **options)


def _column(cells, name="v", n_rows=60, sign=",", **options):
    """Return (table, recipe, first column) of a table whose first column repeats some values."""
    rows = "".join(f'"{cells[k % len(cells)]}"{sign}{k % 7}{sign}{"ab"[k % 2]}\n' for k in range(n_rows))
    table = read(f"{name}{sign}x{sign}kind\n{rows}".encode(), "t.csv", **options)
    return table, propose(table, summarise(table), "kind"), table.frame.columns[0]


_TARGETS = {
    "shift_jis.csv": "都市",
    "none_is_an_answer.csv": "custody",
}  # where the proposed one is a column of EXPECTED


@pytest.mark.parametrize("name", EXPECTED)
def test_each_file_has_the_kinds_that_an_analyst_expects(name):
    n_rows, kinds = EXPECTED[name]
    table = _file(name)
    recipe, found = _looked_over(table, target=_TARGETS.get(name))
    assert table.n_rows == n_rows
    assert recipe.kinds | kinds == recipe.kinds
    assert all("(blank)" not in str(one.text) for one in found.values() if name.startswith("cells"))
    if recipe.features():
        assert make_data_set(table, recipe).n_features
    else:
        assert found["no feature"].severity == "stops"


def test_every_file_has_an_expectation():
    assert {path.name for path in FOLDER.iterdir()} == set(EXPECTED)


NUMBERS = {
    "no-break spaces": (["12\u00a0345", "2\u202f001", "7\u2009654"], 12345),
    "apostrophes": (["12'345.5", "2'001.5", "1'654.5"], 12345.5),
    "typographic apostrophes": (["12’345", "2’001", "1’654"], 12345),
    "minus sign": (["−12.5", "3.5", "−7.25"], -12.5),
    "minus after the number": (["12.5-", "3.5", "7.25-"], -12.5),
    "Arabic digits": (["١٢", "٣٤", "٥٦"], 12),
    "full-width digits": (["１２", "３４", "５６"], 12),
    "commas and points": (["1,5", "2.5", "3,75", "4"], 1.5),
    "out of five": (["4/5", "3/5", "5/5"], 4),
    "errors": (["5 ± 2", "3.5 +- 1", "4 +/- 0.5"], 5),
    "durations": (["5h 30m", "2h", "45m"], 5.5),
    "ISO durations": (["PT5H30M", "PT2H", "P1D"], 5.5),
    "clock": (["1:30 PM", "11:10 AM", "12:00 am"], 13.5),
    "day of the year": (["1-Feb", "26-Dec", "14-Mar"], 32),
    "months of numbered years": (["2-01", "1-02", "1-03", "1-04"], 2),
    "degrees": (['46°30\'00""N', '46°03\'15""N', '47°13\'50""S'], 46.5),
    "null": (["1.5", "2.5", "nUlL", "3.5"], 1.5),
}


@each("name, cells, first", [(name, *case) for name, case in NUMBERS.items()])
def test_numbers_in_every_notation(name, cells, first):
    table, recipe, column = _column(cells)
    assert recipe.kinds[column] == "number"
    assert table.frame[column].iloc[0] == pytest.approx(first)
    new = read(f'v,x\n"{cells[0]}",1\n'.encode(), "new.csv").frame
    columns = make_data_set(table, recipe).columns
    assert columns.encode(new).X[0, 0] == pytest.approx(first)


@pytest.mark.parametrize(
    ("values", "last"),
    [([*map(str, range(100, 999)), "1,204"], 1204), ([*map(str, range(1, 1500)), "−5"], -5),
     ([f"{k}.5" for k in range(1500)] + ["2 000.5"], 2000.5)],
)  # fmt: skip
def test_a_notation_that_appears_late_is_read(values, last):
    values = (values[:-1] * 2)[:1500] + values[-1:]
    table, recipe, _ = _column(values, n_rows=len(values))
    assert (recipe.kinds["v"], table.frame["v"].iloc[-1]) == ("number", last)


@pytest.mark.parametrize("values", [["1/2", "3/4", "7/8"], ["1.2.10", "1.3.11", "2.0.4"], ["1-01", "1-02", "2-01"]])
def test_fractions_versions_and_numbers_of_sections_stay_texts(values):
    assert _column(values)[1].kinds["v"] == "category"


EXCEPTIONS = {
    "one word": ([f"{k}.5" for k in range(57)] + ["Varies"] * 3, ("Varies",)),
    "several words": (
        [f"{k}.5" for k in range(57)] + ["see note", "not tested", "n.d."],
        ("see note", "not tested", "n.d."),
    ),
    "a known word": ([f"{k}.5" for k in range(42)] + ["n/d"] * 18, ("n/d",)),
    "a word after row 1,000": ([f"{k}.5" for k in range(1499)] + ["Varies"], ("Varies",)),
    "percentages": ([f"{k * 7 % 50}%" for k in range(57)] + ["Varies"] * 3, ("Varies",)),
}


@each("name, cells, texts", [(name, *case) for name, case in EXCEPTIONS.items()])
def test_a_column_of_numbers_with_exceptions_is_a_number(name, cells, texts):
    table, recipe, column = _column(cells, n_rows=len(cells))
    assert (recipe.kinds[column], recipe.missing.get(column)) == ("number", texts)
    note = _looked_over(table)[1]["exceptions"]
    assert note.columns == (column,)
    assert is_said(note.text, f"of '{column:.60}' …: {listed(list(texts), 3)}. … treated as missing")
    back = note.fix[1]
    assert (back.kinds[column], back.missing) == ("category", {})
    stored = Recipe.from_dict(recipe.to_dict())
    assert make_data_set(table, stored).feature_names[0] == column


def test_too_many_exceptions_are_asked_about():
    values = [f"{k}.5" for k in range(55)] + ["Varies"] * 5
    table, recipe, _ = _column(values)
    assert recipe.kinds["v"] != "number"
    assert recipe.missing == {}
    assert {"missing marker", "almost numbers"} & set(_looked_over(table)[1])


DATES = {
    "two blanks": (["6/11/2001  1:00:00 AM", "6/12/2001  2:10:00 PM", "6/13/2001  3:20:00 PM"], "2001-06-11 01:00:00"),
    "mixed": (["2001-06-11", "6/12/2001", "June 13, 2001", "14 Jul 2001"], "2001-06-11 00:00:00"),
    "years of two digits": ([f"{1 + k % 12}/{1 + k % 28}/{35 + k % 60}" for k in range(60)], "1935-01-01 00:00:00"),
}


@each("name, cells, first", [(name, *case) for name, case in DATES.items()])
def test_dates_in_every_notation(name, cells, first):
    table, recipe, column = _column(cells)
    assert recipe.kinds[column] == "date"
    assert str(table.frame[column].iloc[0]) == first


@pytest.mark.parametrize("unknown", ["3/-9/1990", "-9/-9/1990", "0/0/1990"])
def test_a_date_without_its_day_is_missing(unknown):
    values = [f"{1 + k % 12}/{1 + k % 28}/{1990 + k % 20}" for k in range(55)] + [unknown] * 5
    table, recipe, _ = _column(values)
    assert (recipe.kinds["v"], recipe.missing) == ("date", {"v": (unknown,)})
    assert "exceptions" in _looked_over(table)[1]


KEPT = [["+", "-"], ["+", "-", "."], ["++", "+", "0", "-", "--"], ["NA", "EU", "AS"], ["NA", "CA", "NV", "ND"],
        ["yes", "?"], ["yes", "NA"], ["1", "-"]]  # fmt: skip


@pytest.mark.parametrize("values", KEPT, ids=" ".join)
def test_a_text_that_is_a_value_is_kept(values):
    table, recipe, _ = _column(values)
    assert recipe.kinds["v"] == "category"
    assert set(table.frame["v"]) == set(values)
    assert not any("missing" in note or "(blank)" in note for note in table.notes)


@pytest.mark.parametrize(
    ("values", "mark"), [(["yes", "no", "?"], "?"), (["Gd", "TA", "Ex", "NA"], "NA"), (["a", "b", "NuLL"], "NuLL")]
)
def test_a_text_that_is_read_as_missing_is_named(values, mark):
    table, _, _ = _column(values)
    n = int(table.frame["v"].isna().sum())
    assert n == 60 // len(values)
    assert f"column '{'v':.60}': {counted(n, 'cell')} {listed([mark], 3)} read as missing" in table.notes
    kept = _column(values, values={"v": [mark]})[0]
    assert kept.frame["v"].isna().sum() == 0


def test_new_rows_keep_the_markers_that_are_categories():
    table, recipe, _ = _column(["NA", "EU", "AS"])
    columns = TableColumns.from_dict(make_data_set(table, recipe).columns.to_dict())
    assert columns.marker_values() == {"v": ["NA"]}
    new = read(b"v,x\nNA,1\n", "new.csv", values=columns.marker_values())
    assert columns.encode(new.frame).X[0].tolist() == columns.encode(table.frame.iloc[:1]).X[0].tolist()[:3] + [1.0]


def test_spellings_of_a_class_are_offered_as_one():
    table = _file("cells_case.csv")
    recipe, found = _looked_over(table)
    mended = Recipe.from_dict(found["spellings"].fix[1].to_dict())
    assert make_data_set(table, mended).class_names == ("neg", "POS")
    assert "spellings" not in _looked_over(table, mended)[1]
    frame = pandas.DataFrame({"x": range(40), "y": ["not yet", "Not-yet", "done", "DONE "] * 10})
    table = read(frame.to_csv(index=False).encode(), "t.csv")
    recipe, found = _looked_over(table, Recipe("y", {"x": "number", "y": "category"}))
    assert set(found["spellings"].fix[1].spellings) == {"not yet", "DONE "} or found["spellings"].fix[1].spellings
    assert len(make_data_set(table, found["spellings"].fix[1]).class_names) == 2


@pytest.mark.parametrize("words", ["Total", "Grand total", "Summe"])
def test_a_last_row_of_totals_is_left_out_of_every_format(words):
    rows = [[f"r{k % 5}", k, k * 1.5] for k in range(40)] + [[words, 780, None]]
    frame = pandas.DataFrame(rows, columns=["group", "n", "x"])
    for ending, write in (("csv", frame.to_csv), ("xlsx", frame.to_excel)):
        write(stream := io.BytesIO(), index=False)
        table = read(stream.getvalue(), f"t.{ending}")
        assert table.n_rows == 40
        assert f"last row {words!r} left out (to keep it, set Footer lines to 0)" in table.notes
        assert read(stream.getvalue(), f"t.{ending}", skip_below="0").n_rows == 41


def test_the_header_of_a_workbook_is_found_as_in_a_text():
    book = openpyxl.Workbook()
    book.active.append(["Notes"])
    sheet = book.create_sheet("Table")
    for row in (
        ["Report", None, None],
        [],
        ["A", None, "B"],
        ["x", "y", "kind"],
        *([k, k * 2, "ab"[k % 2]] for k in range(9)),
    ):
        sheet.append(row)
    book.save(stream := io.BytesIO())
    table = read(stream.getvalue(), "t.xlsx")
    assert (list(table.frame), table.n_rows, table.first_row) == (["A x", "A y", "B kind"], 9, 5)
    assert read(stream.getvalue(), "t.xlsx", header_line="4").n_rows == 9


@pytest.mark.parametrize("first", ["1,2,3", "0,1,2"])
def test_numbers_that_count_columns_are_names(first):
    rows = "".join(f"0.{k % 9 + 1}27,0.{k % 8 + 1},{'yes' if k % 2 else 'no'}\n" for k in range(30))
    assert read(f"{first}\n{rows}".encode(), "t.csv").n_rows == 30
    whole = "".join(f"{k % 3},{k % 4},{k % 5}\n" for k in range(30))
    assert read(f"{first}\n{whole}".encode(), "t.csv").n_rows == 31


def test_a_break_in_a_quoted_name_is_no_title():
    rows = "".join(f"{k},{k % 7},{'ab'[k % 2]}\n" for k in range(20))
    for names in ('"height\n(cm)","age\nyears",kind', '"a\nb\nc",x,kind'):
        table = read(f"{names}\n{rows}".encode(), "t.csv")
        assert (table.n_rows, table.frame.shape[1]) == (20, 3)


TEXTS = {
    "shift_jis": "数,都市\n" + "9,東京\n5,大阪\n" * 20,
    "gb18030": "城市,数量\n" + "北京,3\n上海,5\n广州,7\n" * 10,
    "euc_kr": "도시,수\n" + "서울,3\n부산,4\n" * 10,
    "big5": "城市,數量\n" + "臺北,3\n高雄,5\n" * 10,
    "windows-1251": "город,число\n" + "Москва,3\nКазань,4\nСамара,5\n" * 10,
    "windows-1253": "πόλη,αριθμός\n" + "Αθήνα,3\nΠάτρα,4\n" * 10,
    "koi8_r": "город,число\n" + "Москва,3\nКазань,4\nСамара,5\n" * 10,
}


@pytest.mark.parametrize("encoding", TEXTS)
def test_an_encoding_is_guessed_and_asked_about(encoding):
    text = TEXTS[encoding]
    table = read(text.encode(encoding), "t.csv")
    assert list(table.frame) == text.split("\n")[0].split(",")
    (question,) = table.questions
    assert question.readings[0] == (encoding, "encoding", encoding)
    assert all(read(text.encode(encoding), "t.csv", **{name: value}) for _, name, value in question.readings[:1])


@pytest.mark.parametrize("text", ["Straße,Wert\nKöln,3\nMünchen,4\n" * 9, "a,b\n1,café\n2,x\n", "a,b\n1,5 €\n2,6 €\n"])
def test_western_texts_are_not_asked_about(text):
    table = read(text.encode("cp1252"), "t.csv")
    assert (table.questions, table.notes[0]) == ((), "encoding windows-1252")


@pytest.mark.parametrize(
    ("content", "program"),
    [
        (b"$FL2@(#) SPSS DATA FILE" + bytes(50), "is an SPSS file. In SPSS, save the table as CSV (File > Save As)"),
        (bytes(12) + b"\xc2\xea\x81\x60" + bytes(50), "is a SAS file. In SAS, save the table as CSV with"),
        (b"HEADER RECORD*******LIBV8   HEADER", "is a SAS file. In SAS, save the table as CSV with"),
        (b"RDX3\nX\n", "is an R file. In R, save the table with"),
    ],
)
def test_files_of_other_programs_name_the_program(content, program):
    with refused(DataError, program):
        read(content, "t.dta")


def test_times_and_durations_of_parquet_are_hours():
    table = pyarrow.table({"t": pyarrow.array([3_600, None, 5_400], pyarrow.time32("s")),
                           "d": pyarrow.array([90, 30, None], pyarrow.duration("s")), "x": [1, 2, 3]})  # fmt: skip
    pyarrow.parquet.write_table(table, stream := io.BytesIO())
    frame = read(stream.getvalue(), "t.parquet").frame
    assert frame["t (h:min)"].tolist()[::2] == [1.0, 1.5]
    assert frame["d (h)"].tolist()[:2] == pytest.approx([0.025, 1 / 120])


def test_a_point_that_may_separate_thousands_is_named():
    note = "7.698 kr read with a decimal point (if the point separates thousands, choose the decimal comma)"
    table = _file("unit_hides_thousands.csv")
    assert note in table.notes
    assert table.frame["pris (kr)"].iloc[0] == 7.698
    assert _file("unit_hides_thousands.csv", decimal=",").frame["pris (kr)"].iloc[0] == 7698


ORDERS = [["None", "1 to 3", "4 to 9", "10 or more"], ["keine", "1-3", "4-9", "10 und mehr"],
          ["petit", "moyen", "grand"],
          ["licenza media", "diploma", "laurea", "dottorato"], ["geen", "vmbo", "havo", "vwo"],
          ["high school", "some college", "bachelor's degree", "master's degree"],
          ["pequeño", "mediano", "grande"]]  # fmt: skip


@pytest.mark.parametrize("levels", ORDERS, ids=" ".join)
def test_answers_with_an_order_are_ordered(levels):
    table, recipe, _ = _column(levels[1:] + levels[:1])
    assert recipe.kinds["v"] == "ordered"
    assert " < ".join(levels) in _looked_over(table, recipe)[1]["ordered answers"].text
    assert "missing marker" not in _looked_over(table, recipe)[1]


CODES = {"zip": "ignore", "zip code": "category", "FIPS": "category", "country": "category", "inst": "category",
         "patient": "ignore", "Provider Id": "ignore", "zip count": "number", "income": "number"}  # fmt: skip


@pytest.mark.parametrize("name", CODES)
def test_numbers_that_name_places_and_subjects_are_no_quantities(name):
    n_values = 60 if name == "zip" else 12
    values = [str(90_000 + 7 * (k * 7 % n_values)) for k in range(n_values)]
    assert _column(values, name, n_rows=120)[1].kinds[name] == CODES[name]


def test_a_spelling_must_name_a_class():
    with refused(DataError, "spellings: expected strings, such as {'Pos'"):
        replace(Recipe("y", {"y": "category"}), spellings={"a": "b", "b": "c"})
