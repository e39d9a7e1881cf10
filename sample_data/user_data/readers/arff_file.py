"""Read dense ARFF, the format of Weka and OpenML, into a `Table` with the CSV reader."""

import csv
import io
import re
from pathlib import Path

import pandas

from sample_data.user_data.readers.csv_file import open_source, read_rows
from sample_data.user_data.readers.dialect import Dialect
from sample_data.user_data.readers.encoding import Encoding, find_encoding
from sample_data.user_data.readers.file_format import FileFormat
from sample_data.user_data.table import Table, cut_marks
from sample_data.user_data.values import NumberStyle, is_missing
from treecore.errors import DataError
from treecore.messages import counted, plural

# The expression is unambiguous, so a line of any length is matched or refused without backtracking.
_ATTRIBUTE = re.compile(
    r"""@attribute\s+('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^\s{]+)\s*(\{.*\}|\s\S.*)$""", re.IGNORECASE
)
_NUMBERS = ("numeric", "real", "integer")
MAX_HEADER_LINE = 1_000_000


def read_arff(source: bytes | Path, name: str, encoding: str | None = None) -> Table:
    """Return the `Table` of an ARFF file. Raises DataError for sparse rows.

    source : bytes or Path.
    """
    with open_source(source) as stream:
        found = find_encoding(stream, name, encoding)
        stream.seek(0)
        lines = io.TextIOWrapper(stream, encoding=found.codec, newline=None)
        names, kinds, declared = _header(lines, name)
        body, n_lines = _body(lines, name, len(names))
    style = NumberStyle(".", False)
    dialect = Dialect("\t", '"', 0, tuple(names), False, style, True, False, ())
    content = body.encode("utf-8")
    encoding_of_body = Encoding("utf-8", "")
    frame, kept, notes, orders, marks = read_rows(
        content, name, encoding_of_body, dialect, body[: 1 << 16], '"' in body, kinds
    )
    for k, categories in declared.items():
        frame, more = _with_declared(frame, frame.columns[k], categories)
        notes += more
    n_bytes = len(source) if isinstance(source, bytes) else source.stat().st_size
    return Table(frame, name, "ARFF", (*([found.note] if found.note else []), *notes), n_bytes, orders,
                 marks=cut_marks(marks, frame, kept))  # fmt: skip


def _header(lines, name):
    """Return (names, kinds for the column builders, {index: categories}) of the lines up to @data."""
    names, kinds, declared = [], [], {}
    for number, line in enumerate(iter(lambda: lines.readline(MAX_HEADER_LINE), ""), 1):
        text = line.strip()
        word = text.split(None, 1)[0].lower() if text else ""
        if not word or word.startswith("%") or word == "@relation":
            continue
        if word == "@data":
            break
        found = _ATTRIBUTE.match(text) if word == "@attribute" else None
        if found is None:
            raise DataError(
                f"{name}: line {number} is '{text:.60}', but only @relation and @attribute NAME TYPE are allowed "
                "before @data."
            )
        kind = found[2].strip()
        if kind.startswith("{"):
            declared[len(names)] = _split(kind.strip("{} "))
            kinds.append(["text"])
        else:
            kinds.append(_kinds(kind.split()[0].lower(), name, number))
        names.append(_unquote(found[1]))
    else:
        raise DataError(f"{name} has no line @data. Add this line above the rows.")
    if not names:
        raise DataError(f"{name} declares no columns. Add a line @attribute NAME TYPE for each column.")
    return names, kinds, declared


def _kinds(word, name, number):
    if word in _NUMBERS:
        return ["int", "float", "text"]
    if word == "date":
        return ["iso", "iso zone", "text"]
    if word == "string":
        return ["text"]
    raise DataError(
        f"{name}: line {number} has the unsupported type '{word:.40}'. Supported: numeric, string, date and {{a, b}}."
    )


def _body(lines, name, n_columns) -> tuple[str, int]:
    """Return the rows as text with tabs and double quotation marks, and their number."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    n_rows = 0
    for line in lines:
        text = line.strip()
        if not text or text.startswith("%"):
            continue
        if text.startswith("{"):
            raise DataError(
                f"{name} has sparse rows ({{1 x, 5 y}}), which are not supported. Save it as dense ARFF or CSV."
            )
        fields = _split(text)
        n_rows += 1
        if len(fields) != n_columns:
            raise DataError(
                f"{name}: data row {n_rows:,} has {counted(len(fields), 'field')} but "
                f"{counted(n_columns, 'attribute')} {plural(n_columns, 'is', 'are')} declared: '{text:.60}'. "
                "Correct this row."
            )
        writer.writerow(fields)
    if not n_rows:
        raise DataError(f"{name} has no rows below @data.")
    return out.getvalue(), n_rows


def _split(text) -> list[str]:
    """Split a row at its commas outside single and double quotation marks."""
    if "'" not in text and '"' not in text and "\\" not in text:
        return [field.strip() for field in text.split(",")]
    quote = "'" if "'" in text and ('"' not in text or text.index("'") < text.index('"')) else '"'
    try:
        row = next(csv.reader([text], quotechar=quote, escapechar="\\", skipinitialspace=True), [])
    except csv.Error as fault:
        raise DataError(f"The row '{text:.60}' cannot be divided into fields.") from fault
    return [_unquote(field.strip()) for field in row]


def _unquote(text):
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text


def _with_declared(frame, column, categories):
    """Order the values of a nominal column as in its declaration, with undeclared values at the end."""
    values = frame[column]
    if not isinstance(values.dtype, pandas.CategoricalDtype):
        return frame, []
    known = list(dict.fromkeys(word for word in categories if word and not is_missing(word)))
    more = [word for word in values.cat.categories if word not in set(known)]
    frame[column] = values.cat.set_categories(pandas.Index([*known, *more], dtype="str"))
    return frame, [f"column '{column[:60]}' has {counted(len(more), 'undeclared value')}"] if more else []


ARFF = FileFormat(
    "ARFF", "ARFF", ("arff",), read_arff, ("encoding",), seconds=0.03, megabytes=3.0,
    is_text=lambda start: re.search(r"^[^\S\n]*@relation\b", start, re.IGNORECASE | re.MULTILINE) is not None,
)  # fmt: skip
