"""Test workbooks as people make them: merged cells, several lines of names, notes around the table, several sheets."""

import io
import zipfile

import openpyxl
import pytest

from sample_data.user_data import read
from sample_data.user_data.readers import excel_file
from tests.refusals import refused
from treecore.errors import DataError
from treecore.messages import counted, plural

NAMES = ["region", "no", "mean", "sd", "sold"]
ROWS = [
    [["north", "south", "east", "west"][k // 10], k % 10, k * 0.37 % 3, k * 0.73 % 2, "yes" if k % 3 else "no"]
    for k in range(40)
]


def workbook(rows, merged=(), sheets=()):
    """Return the bytes of a workbook whose last sheet has these rows."""
    book = openpyxl.Workbook()
    for title, others in sheets:
        sheet = book.create_sheet(title)
        for row in others:
            sheet.append(row)
    sheet = book.create_sheet("Rows")
    book.remove(book["Sheet"])
    for row in rows:
        sheet.append(row)
    for cells in merged:
        sheet.merge_cells(cells)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


HEADERS = {
    "groups": ([["Place", None, "Size", None, "Result"], NAMES], ["A1:B1", "C1:D1"],
               ["Place region", "Place no", "Size mean", "Size sd", "Result sold"]),
    "names of two lines": ([["region", "no", "Size", None, "sold"], [None, None, "mean", "sd", None]],
                           ["A1:A2", "B1:B2", "C1:D1", "E1:E2"], ["region", "no", "Size mean", "Size sd", "sold"]),
    "units": ([NAMES, [None, None, "cm", "cm", None]], [], ["region", "no", "mean cm", "sd cm", "sold"]),
    "title": ([["Sales of houses"], [], NAMES], ["A1:E1"], NAMES),
    "notes": ([["Report"], ["created", "2020-01-01"], ["by", "Anna"], [], [], NAMES], [], NAMES),
    "one line": ([NAMES], [], NAMES),
}  # fmt: skip


@pytest.mark.parametrize("above", HEADERS)
@pytest.mark.parametrize("column", [0, 2])
def test_names_are_found_and_combined(above, column):
    lines, merged, names = HEADERS[above]
    if column:
        merged = [f"{chr(ord(one[0]) + 2)}{one[1]}:{chr(ord(one[3]) + 2)}{one[4]}" for one in merged]
    moved = [[None] * column + row if row else [] for row in [*lines, *ROWS]]
    table = read(workbook(moved, merged), "t.xlsx")
    assert table.frame.columns.tolist() == names
    assert table.n_rows == 40
    assert [str(kind) for kind in table.frame.dtypes] == ["category", *["float32"] * 1, *["float64"] * 2, "category"]
    assert table.first_row == len(lines) + 1


def test_a_merged_value_belongs_to_all_its_rows():
    rows = [
        [row[0] if k % 10 == 0 else None, 2000 + k // 5 if k % 5 == 0 else None, *row[2:]] for k, row in enumerate(ROWS)
    ]
    merged = [f"A{10 * k + 2}:A{10 * k + 11}" for k in range(4)] + [f"B{5 * k + 2}:B{5 * k + 6}" for k in range(8)]
    table = read(workbook([NAMES, *rows], merged), "t.xlsx")
    assert table.frame["region"].tolist() == [row[0] for row in ROWS]
    assert table.frame["no"].tolist() == [2000 + k // 5 for k in range(40)]
    assert f"values of {counted(12, 'group')} of merged cells repeated" in table.notes
    alone = read(workbook([NAMES, *rows]), "t.xlsx")
    assert alone.frame["region"].isna().sum() == 36


def test_merged_cells_cannot_make_a_small_file_slow(monkeypatch):
    monkeypatch.setattr(excel_file, "MAX_EXCEL_CELLS", 100)
    rows = [["a", "b", "c"], *[["v", None, 1]] * 20]
    assert read(workbook(rows, ["A2:B21"]), "t.xlsx").n_rows == 20
    out, one = io.BytesIO(), b'<mergeCell ref="A2:B21"/>'
    with zipfile.ZipFile(io.BytesIO(workbook(rows, ["A2:B21"]))) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(one.replace(b"/>", b" />"), one).replace(one, one * 4))
    with refused(DataError, "has more than … cells, too many for a workbook"):
        read(out.getvalue(), "t.xlsx")


@pytest.mark.parametrize("ending", ["xlsx", "csv"])
def test_totals_and_footnotes_are_left_out(ending):
    below = [["Total", None, 60, 40, None], ["Source: statistical office", *[None] * 4], ["1) estimated", *[None] * 4]]
    rows = [NAMES, *ROWS, *below]
    text = "\n".join(",".join("" if cell is None else str(cell) for cell in row) for row in rows)
    content = workbook(rows) if ending == "xlsx" else text.encode()
    table = read(content, f"t.{ending}")
    assert table.n_rows == 40
    assert (
        f"{counted(2, 'row')} below the table left out, such as '{'Source: statistical office':.40}' (to keep "
        f"{plural(2, 'it', 'them')}, set Footer lines to 0)"
    ) in table.notes
    assert read(content, f"t.{ending}", skip_below="0").n_rows == 43


def test_a_last_row_with_a_name_alone_stays():
    rows = [["name", "a", "b"], *[[f"Anna No{k}", k, k % 3] for k in range(20)], ["Bob", None, None]]
    assert read(workbook(rows), "t.xlsx").n_rows == 21


def test_the_largest_of_short_sheets_is_the_table_and_others_are_offered():
    notes = [[f"line {k}", "a text"] for k in range(6)]
    codes = [["code", "name"], *[[k, f"n{k}"] for k in range(5)]]
    content = workbook([NAMES, *ROWS], sheets=[("Cover", notes), ("Empty", []), ("Codes", codes)])
    table = read(content, "t.xlsx")
    assert table.frame.columns.tolist() == NAMES
    [question] = table.questions
    assert [value for _, _, value in question.readings] == ["Rows", "Cover", "Codes"]
    assert read(content, "t.xlsx", sheet="Codes").frame.columns.tolist() == ["code", "name"]


def test_a_long_first_sheet_is_the_table():
    long = [NAMES, *ROWS, *ROWS]
    table = read(workbook([["a", "b"], *[[k, k] for k in range(3000)]], sheets=[("First", long)]), "t.xlsx")
    assert table.frame.columns.tolist() == NAMES
    assert not table.questions
