"""Test that unreadable files give an error message, and that no code runs and no input is lost."""

import gzip
import io
import json
import re
import time
import zipfile
import zlib

import numpy as np
import pandas
import pyarrow
import pyarrow.parquet
import pytest
from PIL import Image

from sample_data.user_data import make_data_set, problems, propose, read, summarise
from sample_data.user_data.readers import excel_file
from sample_data.user_data.readers.archive import unpack_member
from tests.each import each
from tests.refusals import refused
from tests.sample_data.user_data.user_data_files import (
    arrow_bytes,
    csv_bytes,
    excel_bytes,
    image_zip_bytes,
    npz_bytes,
    parquet_bytes,
    picture,
    zip_bytes,
)
from treecore.errors import DataError


def bomb(member="data.csv", n_bytes=60_000_000):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive, archive.open(member, "w") as stream:
        for _ in range(n_bytes // 1_000_000):
            stream.write(b"0" * 1_000_000)
    return out.getvalue()


def lying_png(width=60_000, height=60_000):
    """Return an image of a few bytes that declares a huge size."""
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 0, 0, 0, 0])
    chunk = b"IHDR" + head
    return b"\x89PNG\r\n\x1a\n" + len(head).to_bytes(4, "big") + chunk + zlib.crc32(chunk).to_bytes(4, "big")


@each(
    "content, name, code, values",
    [
        (b"", "x.csv", "is empty.", {}),
        (b"\n \n\n", "x.csv", "is empty. A table needs a line with column names, followed by rows", {}),
        (b"a,b,c\n", "x.csv", "has column names but no rows", {}),
        (b"a,b,c", "x.csv", "has column names but no rows", {}),
        (
            b"a,b\n1,2\n3\n4,5\n",
            "x.csv",
            "line … has …, but the first line has",
            {"line": 3, "n_fields": 1, "n_columns": 2},
        ),
        (
            b"a,b\n1,2\n3,4,5\n",
            "x.csv",
            "line … has …, but the first line has",
            {"line": 3, "n_fields": 3, "n_columns": 2},
        ),
        (b'a,b\n"1\n2",2\n3\n', "x.csv", "line … has …, but the first line has", {"line": 4, "n_fields": 1}),
        (
            b"a,b\n" + b"1,2\n" * 30_000 + b"3,4,5\n",
            "x.csv",
            "line … has …, but the first line has",
            {"line": 30002, "n_fields": 3},
        ),
        (
            b'a,b\n1,2\n3,"x\n4,5\n',
            "x.csv",
            "in the row that begins in line …, a quotation mark is not closed",
            {"line": 3},
        ),
        (
            bytes(range(256)) * 4,
            "x.csv",
            (
                "is not a text file. If it is a spreadsheet, an image or an archive under another name, export its "
                "table as CSV"
            ),
            {},
        ),
        (
            b"\x89PNG\r\n\x1a\n" + b"\0" * 20,
            "x.csv",
            "is a single image. Upload a zip file with one folder of images per class",
            {},
        ),
        (
            b"%PDF-1.7 ...",
            "x.csv",
            "is a PDF document. Copy its table into a spreadsheet and export the sheet as CSV",
            {},
        ),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 100,
            "x.xls",
            "is a workbook in the old format .xls, or has a password",
            {},
        ),
        (
            b"<html><table><tr>",
            "x.xls",
            "is a web page or XML. Copy its table into a spreadsheet and export the sheet as CSV",
            {},
        ),
        (
            b'[{"a": 1}]',
            "x.json",
            "looks like JSON. Save the table as JSON lines (one object per line), CSV or Parquet",
            {},
        ),
        (b"PK\x03\x04" + b"\0" * 50, "x.xlsx", "is a damaged or incomplete archive", {}),
        (excel_bytes()[:-200], "x.xlsx", "is a damaged or incomplete archive", {}),
        (excel_bytes({"s": pandas.DataFrame()}), "x.xlsx", "is empty: no sheet has a value", {}),
        (excel_bytes({"s": pandas.DataFrame({"a": []})}), "x.xlsx", "has column names but no rows", {}),
        (parquet_bytes()[:-20], "x.parquet", "is damaged or is not a Parquet file", {}),
        (arrow_bytes()[:-20], "x.arrow", "is damaged or is not a supported Arrow file", {}),
        (arrow_bytes(pandas.DataFrame({"a": []})), "x.arrow", "has no rows.", {}),
        (parquet_bytes(pandas.DataFrame({"a": []})), "x.parquet", "has no rows.", {}),
        (b"@relation x\n@attribute a numeric\n", "x.arff", "has no line @data. Add this line above the rows", {}),
        (b"@relation x\n@attribute a numeric\n@data\n", "x.arff", "has no rows below @data", {}),
        (
            b"@relation x\n@attribute a numeric\n@data\n1,2\n",
            "x.arff",
            "data row … has … but … … declared",
            {"row": 1, "n_fields": 2, "n_columns": 1},
        ),
        (
            b"@relation x\n@attribute a numeric\n@data\n{0 1}\n",
            "x.arff",
            "has sparse rows ({1 x, 5 y}), which are not supported",
            {},
        ),
        (
            b"@relation x\n@attribute a relational\n@data\n1\n",
            "x.arff",
            "line … has the unsupported type '…'",
            {"line": 2, "type": "relational"},
        ),
        (
            npz_bytes(X=np.zeros((3, 2)), y=np.zeros(4)),
            "x.npz",
            "X has shape … and y …: expected [n, d] and [n], with at least one row",
            {"X_shape": [3, 2], "y_shape": [4]},
        ),
        (npz_bytes(A=np.zeros(3)), "x.npz", "contains …: expected X and y, or X_train, y_train, X_test and y_test", {}),
        (zip_bytes({}), "x.zip", "contains …. Supported", {"found": "nothing"}),
        (zip_bytes({"a.csv": b"a,b\n1,2\n", "b.csv": b"a,b\n1,2\n"}), "x.zip", "contains …. Supported", {}),
        (zip_bytes({"a.zip": b""}), "x.zip", "contains …. Supported", {}),
        (gzip.compress(gzip.compress(b"a,b\n1,2\n")), "x.csv.gz", "contains another archive", {}),
        (gzip.compress(csv_bytes())[:-30], "x.csv.gz", "is damaged and cannot be unpacked", {}),
        (zip_bytes({"1.png": picture(1)}), "x.zip", "the image '…' is not in a folder", {}),
        (
            zip_bytes({"a/1.png": picture(1)}),
            "x.zip",
            "has … of images: expected 2 to …, one folder per class",
            {"n": 1},
        ),
        (
            zip_bytes({"a/1.png": picture(1), "b/1.png": b"no picture"}),
            "x.zip",
            "'…' is damaged or is not a PNG or JPEG image",
            {"picture": "b/1.png"},
        ),
        (
            zip_bytes({"a/1.png": picture(1), "b/1.png": picture(1)[:-30]}),
            "x.zip",
            "'…' is damaged or is not a PNG or JPEG image",
            {"picture": "b/1.png"},
        ),
        (
            zip_bytes({"a/1.png": picture(1), "b/1.png": lying_png()}),
            "x.zip",
            "'…' is damaged or is not a PNG or JPEG image",
            {"picture": "b/1.png"},
        ),
        (
            zip_bytes({"a/1.png": picture(1), "../../b/1.png": picture(1)}),
            "x.zip",
            "has … of images: expected 2 to …, one folder per class",
            {"n": 1},
        ),
        (
            ",".join("abcdefghij" * 1001).encode() + b"\n1",
            "x.csv",
            "has … columns (maximum …)",
            {"n_columns": 10010, "most": 10000},
        ),
    ],
    # Archives contain the time, so their bytes would give the test another name in each process.
    ids=lambda value: "" if isinstance(value, bytes) else str(value),
)
def test_a_message_in_words(content, name, code, values):
    with refused(DataError, code, **values):
        read(content, name)


@pytest.mark.parametrize(
    ("choices", "code", "values"),
    [
        ({"delimiter": "ab"}, "delimiter=…: expected one character, such as , ; | or a tab", {}),
        ({"delimiter": "\n"}, "delimiter=…: expected one character, such as , ; | or a tab", {}),
        ({"delimiter": "5"}, "delimiter=…: expected another character, such as , ; | or a tab", {}),
        ({"decimal": "'"}, "decimal=…: expected a point or a comma", {}),
        ({"encoding": "rot13"}, "Unsupported encoding", {}),
        ({"encoding": "../../etc"}, "Unsupported encoding", {}),
        ({"encoding": "utf-16"}, "contains bytes that are invalid in the encoding", {"encoding": "UTF-16"}),
        ({"header": "maybe"}, "header=…: expected True, False, 'two lines' or None", {"header": "maybe"}),
    ],
)
def test_wrong_choices(choices, code, values):
    with refused(DataError, code, **values):
        read(b"a,b\n1,2\n", "x.csv", **choices)


def test_a_sheet_that_is_not_there():
    with refused(DataError, "has no sheet 'x'. Its sheets: 'Data'"):
        read(excel_bytes(), "book.xlsx", sheet="x")


@pytest.mark.parametrize("member", ["data.csv", "xl/worksheets/sheet1.xml", "a/1.png"])
def test_bombs_are_not_opened(member):
    with refused(DataError, "has … MB but would unpack to … MB") as caught:
        read(bomb(member), "x.zip")
    assert "would unpack to 60" in str(caught.value)


def test_a_member_of_a_zip_is_refused_before_it_is_unpacked():
    member = zipfile.ZipInfo("data.csv")
    member.file_size = 200_000_001
    with refused(DataError, "unpacks to … MB (maximum 200 MB)"):
        unpack_member(b"never opened", "x.zip", member)


@pytest.mark.parametrize("name", ["'" + r"\a" * 50_000, '"' + r"\a" * 50_000, "'" + "\\" * 99_999, "{" * 99_999])
def test_a_quotation_mark_that_is_never_closed_takes_no_time(name):
    with refused(DataError, "line 2 is '…', but only @relation and @attribute NAME TYPE are allowed before @data"):
        read(f"@relation x\n@attribute {name}\n@data\n1\n".encode(), "x.arff")


TEXTS = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"


def workbook_with(more_rows=b"", texts=None):
    """Return a small workbook with further rows, and with texts in a part of any name."""
    parts = {}
    with zipfile.ZipFile(io.BytesIO(excel_bytes())) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    parts[sheet] = parts[sheet].replace(b"</sheetData>", more_rows + b"</sheetData>")
    if texts is not None:
        override = f'<Override PartName="/xl/words.xml" ContentType="{TEXTS}"/></Types>'.encode()
        parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace(b"</Types>", override)
        main = b'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        parts["xl/words.xml"] = main + texts + b"</sst>"
        parts["noise"] = np.random.default_rng(0).bytes(len(texts) // 20)  # random bytes limit the compression ratio
    return zip_bytes(parts)


@pytest.mark.parametrize(
    ("choices", "code", "values"),
    [
        (
            {"texts": b"<si><t/></si>" * 400_001},
            "has more than … different texts, too many for a workbook",
            {"most": 300000},
        ),
        (
            {"more_rows": b'<row r="999999999999"><c r="A9"><v>1</v></c></row>'},
            "the sheet '…' extends to row … and is almost empty",
            {},
        ),
        ({"more_rows": b'<row><c r="XFD9"/></row>' * 1_300}, "the sheet '…' extends to row … and is almost empty", {}),
        ({"more_rows": b"<row/>" * 1_000_000}, "has … MB but would unpack to … MB", {}),
    ],
)
def test_small_workbooks_that_would_take_minutes(choices, code, values):
    with refused(DataError, code, **values):
        read(workbook_with(**choices), "x.xlsx")


MAIN = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"


def workbook_of(n_sheets, rows=b"", part="xl/workbook.xml", known_as=None):
    """Return a workbook whose sheets share one part with some rows. part : name of the part with the list of sheets."""
    parts = {}
    with zipfile.ZipFile(io.BytesIO(excel_bytes())) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheets = "".join(f'<sheet name="s{k}" sheetId="{k}" r:id="rId1"/>' for k in range(1, n_sheets + 1))
    listed = re.sub(rb"<sheets>.*</sheets>", b"<sheets>%b</sheets>" % sheets.encode(), parts.pop("xl/workbook.xml"))
    if b"xmlns:r=" not in listed:
        place = b'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
        listed = listed.replace(b"<workbook ", b"<workbook " + place + b" ", 1)
    parts["xl/worksheets/sheet1.xml"] = re.sub(
        rb"<sheetData.*</sheetData>", b"<sheetData>%b</sheetData>" % rows, parts["xl/worksheets/sheet1.xml"], flags=re.S
    )
    types = parts["[Content_Types].xml"]
    override = b'<Override PartName="%b" ContentType="%b"/>' % ((known_as or f"/{part}").encode(), MAIN.encode())
    parts["[Content_Types].xml"] = re.sub(rb"<Override[^>]*/xl/workbook.xml[^>]*>", override, types)
    parts["xl/_rels/" + part.rpartition("/")[2] + ".rels"] = parts.pop("xl/_rels/workbook.xml.rels")
    return zip_bytes(parts | {part: listed, "noise": np.random.default_rng(0).bytes(len(listed) // 20)})


def test_as_many_sheets_as_a_workbook_may_have():
    row = b'<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row>'
    assert read(workbook_of(40, row), "x.xlsx").notes[0] == "sheet 's1' of 40"
    with refused(DataError, "is empty: no sheet has a value"):
        read(workbook_of(1_000), "x.xlsx")


@pytest.mark.parametrize(
    ("part", "known_as"), [("xl/workbook.xml", None), ("xl/other.xml", None), ("/xl/other.xml", "//xl/other.xml")]
)
def test_more_sheets_are_refused_before_they_are_opened(part, known_as):
    with refused(DataError, "has 100,000 sheets (maximum 1,000)"):
        read(workbook_of(100_000, part=part, known_as=known_as), "x.xlsx")


def test_rows_of_all_sheets_count_together(monkeypatch):
    monkeypatch.setattr(excel_file, "MAX_EXCEL_ROWS", 5_000)
    with refused(DataError, "is empty: no sheet has a value"):
        read(workbook_of(9, b"<row/>" * 500), "x.xlsx")
    with refused(DataError, "the sheet '…' extends to row … and is almost empty"):
        read(workbook_of(11, b"<row/>" * 500), "x.xlsx")


def nearly_empty(n=10_000):
    return "\n".join(f'{{"k{k}": 1}}' for k in range(n)).encode()


def test_tables_of_empty_cells_are_refused_whatever_their_format():
    with refused(DataError, "has 10,000 rows and 10,000 columns, but only 10,000 values"):
        read(nearly_empty(), "x.jsonl")
    assert read(nearly_empty(1_000), "x.jsonl").n_columns == 1_000
    nothing = pyarrow.nulls(20_000, pyarrow.float64())
    columns = {"a": list(range(20_000))} | {f"b{k}": nothing for k in range(110)}
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), out, compression="zstd")
    assert len(out.getvalue()) < 200_000
    with refused(DataError, "has … rows and 111 columns, but only … values"):
        read(out.getvalue(), "x.parquet")
    lines = gzip.compress(b",".join(b"c%d" % k for k in range(500)) + b"\n" + (b"1" + b"," * 499 + b"\n") * 4_100)
    with refused(DataError, "has … rows and 500 columns, but only … values"):
        read(lines, "x.csv.gz")


def test_a_table_with_enough_values_is_read():
    filled = "\n".join(json.dumps({f"k{j}": 1 for j in range(k % 100, 210, 100)}) for k in range(10_000)).encode()
    table = read(filled, "x.jsonl")
    assert (table.n_rows, table.n_columns) == (10_000, 210)


def test_a_workbook_with_some_texts():
    assert read(workbook_with(texts=b"<si><t>a</t></si>" * 10), "x.xlsx").n_rows == 60


def parquet_of(column, **choices):
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table({"a": column, "b": list(range(len(column)))}), out, **choices)
    return out.getvalue()


LONG = [str(k) for k in range(20_001)] + ["x" * 200_000]
REPEATED = pyarrow.DictionaryArray.from_arrays([*range(20_002), *[20_001] * 3_000], LONG)


@pytest.mark.parametrize(
    ("column", "choices", "code", "values"),
    [
        (REPEATED, {}, "The texts of '…' would need … GB (maximum … GB)", {"column": "a"}),
        (
            ["x" * 99] * 9,
            {"use_dictionary": False, "column_encoding": {"a": "DELTA_BYTE_ARRAY"}},
            "the texts of '…' have the encoding DELTA_BYTE_ARRAY, which is not supported",
            {"column": "a"},
        ),
    ],
)
def test_small_parquet_files_of_long_texts(column, choices, code, values):
    content = parquet_of(column, **choices)
    assert len(content) < 300_000
    with refused(DataError, code, **values):
        read(content, "x.parquet")


def test_a_parquet_file_of_few_long_texts():
    out = io.BytesIO()
    part = pyarrow.table({"a": ["x" * 2_000_000] * 20})
    with pyarrow.parquet.ParquetWriter(out, part.schema, use_dictionary=False, compression="zstd") as writer:
        for _ in range(13):
            writer.write_table(part)
    assert len(out.getvalue()) < 200_000
    with refused(DataError, "its texts would unpack to … GB (maximum … GB)"):
        read(out.getvalue(), "x.parquet")


def test_columns_of_lists_are_not_even_read():
    content = bytearray(parquet_of([[k] * 100 for k in range(100)], compression="none"))
    content[4:40] = b"\xff" * 36
    assert read(bytes(content), "x.parquet").frame["b"].tolist() == list(range(100))


def test_a_gzip_bomb_is_opened_up_to_the_limit_only():
    with refused(DataError, "unpacks to more than … MB (the maximum)"):
        read(gzip.compress(b"0" * 201_000_000, 1), "x.csv.gz")


def test_a_picture_in_an_image_zip_keeps_the_others_readable():
    Image.open(io.BytesIO(picture(1))).verify()
    assert read(image_zip_bytes(), "pets.zip").n_rows == 6


def test_sources_that_are_no_file(tmp_path):
    for source, code in [
        (tmp_path / "none.csv", "cannot be opened: …."),
        (tmp_path, "is a folder or a device"),
        ("a,b", "expected bytes or a path, not"),
    ]:
        with refused(DataError, code):
            read(source, "x.csv")


def test_a_large_file_is_refused_before_it_is_opened(tmp_path):
    path = tmp_path / "large.csv"
    with path.open("wb") as stream:
        stream.truncate(200_000_001)
    with refused(DataError, "has … MB (maximum 200 MB)"):
        read(path, "large.csv")


NASTY = [
    "=cmd|' /C calc'!A0",
    "<script>alert(1)</script>",
    "x'); DROP TABLE rows;--",
    "__import__('os').system('true')",
    "{0.__class__}%s${7*7}",
    "../../etc/passwd",
    "\u202egpj.exe",
    "a" * 500,
]


def test_nasty_names_and_values_are_texts_and_nothing_else():
    rng = np.random.default_rng(0)
    frame = pandas.DataFrame({name: rng.normal(size=40).round(2) for name in NASTY})
    frame["<b>class"] = np.array(NASTY)[np.arange(40) % len(NASTY)]
    table = read(csv_bytes(frame), "<script>.csv")
    assert [name for name in table.frame.columns if len(name) < 200 and "gpj" not in name] == [
        name for name in frame.columns if len(name) < 200 and "gpj" not in name
    ]
    assert len(table.frame.columns) == len(frame.columns)
    np.testing.assert_array_equal(table.frame[NASTY[0]], frame[NASTY[0]])
    assert table.frame["<b>class"].astype(str).tolist() == frame["<b>class"].tolist()
    summaries = summarise(table)
    recipe = propose(table, summaries, "<b>class")
    found = problems(table, summaries, recipe)
    assert "formula" in {problem.kind for problem in found}
    data_set = make_data_set(table, recipe)
    assert set(data_set.class_names) == set(NASTY)


@pytest.mark.long
def test_thousands_of_columns():
    n_columns = 10_000
    names = ",".join(f"c{k}" for k in range(n_columns))
    rows = "\n".join(",".join(str((i * k) % 7) for k in range(n_columns)) for i in range(6))
    table = read(f"{names}\n{rows}\n".encode(), "wide.csv")
    assert table.frame.shape == (6, n_columns)
    summaries = summarise(table)
    recipe = propose(table, summaries)
    assert "many features" in {problem.kind for problem in problems(table, summaries, recipe)}
    assert make_data_set(table, recipe).n_rows == 6


@pytest.mark.parametrize(("n_classes", "stops"), [(1000, False), (1001, True)])
def test_a_thousand_classes(n_classes, stops):
    text = "v,label\n" + "\n".join(f"{k % 97},class {k % n_classes}" for k in range(3 * n_classes)) + "\n"
    table = read(text.encode(), "many.csv")
    summaries = summarise(table)
    recipe = propose(table, summaries)
    recipe = type(recipe)("label", {"v": "number", "label": "category"})
    found = {problem.kind: problem for problem in problems(table, summaries, recipe)}
    if stops:
        assert "stops" in {problem.severity for problem in found.values()}
        with refused(DataError, "has 1,001 different values, more than 1,000 classes"):
            make_data_set(table, recipe)
    else:
        assert "many classes" in found
        data_set = make_data_set(table, recipe)
        assert data_set.class_names[:3] == ("class 0", "class 1", "class 2")
        assert data_set.n_classes == 1000


BILLION = "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefghi", "bcdefghij", strict=True))
ENTITIES = {
    "a billion laughs": (f'<!DOCTYPE x [<!ENTITY a "lol">{BILLION}]>', "&j;"),
    "one long entity many times": (f'<!DOCTYPE x [<!ENTITY a "{"l" * 100_000}">]>', "&a;" * 2000),
    "a file of the server": ('<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>', "&a;"),
    "its own name": ('<!DOCTYPE x [<!ENTITY a "&b;"><!ENTITY b "&a;">]>', "&a;"),
}
PARTS = ("xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/workbook.xml", "xl/styles.xml", "[Content_Types].xml")
SHARED = '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>a</t></si><si><t>class</t></si></sst>'


def entity_workbook(part, definition, reference):
    """Return a workbook in which one part defines entities and uses them."""
    out, kind = io.BytesIO(), "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    with (
        zipfile.ZipFile(io.BytesIO(excel_bytes())) as source,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target,
    ):
        texts = {name: source.read(name).decode() for name in source.namelist()}
        texts.setdefault("xl/sharedStrings.xml", SHARED)
        types = texts["[Content_Types].xml"]
        if "sharedStrings" not in types:
            override = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}"/></Types>'
            texts["[Content_Types].xml"] = types.replace("</Types>", override)
        text = texts[part].partition("?>")[2] if texts[part].startswith("<?xml") else texts[part]
        changed = re.sub("<(t|v)>[^<]*</", lambda found: f"<{found[1]}>{reference}</", text, count=1)
        if changed == text:
            changed = re.sub('(name|Extension|val)="[^"]*"', lambda found: f'{found[1]}="{reference}"', text, count=1)
        assert reference in changed
        for name, one in (texts | {part: definition + changed}).items():
            target.writestr(name, one)
    return out.getvalue()


@pytest.mark.parametrize("name", ENTITIES)
@pytest.mark.parametrize("part", PARTS)
def test_entities_of_a_workbook_are_refused_or_not_expanded(part, name):
    content = entity_workbook(part, *ENTITIES[name])
    assert len(content) < 30_000
    begin = time.process_time()
    try:
        texts = read(content, "x.xlsx").frame.astype(str).to_csv()
    except DataError:
        texts = ""
    assert time.process_time() - begin < 20
    assert "root:" not in texts
    assert len(texts) < 100_000
