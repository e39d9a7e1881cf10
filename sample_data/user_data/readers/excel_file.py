"""Read a sheet of an .xlsx workbook into a `Table`."""

import re
import warnings
import zipfile
from contextlib import contextmanager
from pathlib import Path
from xml.etree.ElementTree import ParseError, fromstring, iterparse

import pandas

from sample_data.user_data.limits import (
    FREE_EXCEL_EXPANSION,
    MAX_COLUMNS,
    MAX_EXCEL_CELLS,
    MAX_EXCEL_ROWS,
    MAX_EXCEL_SHEETS,
    MAX_EXCEL_TAGS,
)
from sample_data.user_data.readers.archive import ARCHIVE_FAULTS, as_file, check_members
from sample_data.user_data.readers.column_builder import missing_notes
from sample_data.user_data.readers.csv_file import open_source
from sample_data.user_data.readers.dialect import TWO_HEADER_LINES, invalid_header, whole_number
from sample_data.user_data.readers.file_format import FileFormat
from sample_data.user_data.readers.finish import finish_table
from sample_data.user_data.readers.header import (
    HeaderGuess,
    counts_columns,
    join_headers,
    numbered_columns,
    text_header,
    title_rows,
    two_headers,
)
from sample_data.user_data.readers.text_column import cell_text, column_of_cells
from sample_data.user_data.table import ReadingQuestion, Table, check_size, cut_marks, header_question, repair_names
from sample_data.user_data.values import NumberStyle, is_number, number_style
from treecore.errors import DataError
from treecore.messages import counted

_MOST_TITLES = 20  # maximum number of title rows above the table
_LONG_SHEET, _MANY_MORE = (50, 5)  # rows of a sheet that is certainly a table, and factor of its cells
_MOST_SHEETS_ASKED = 3
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s+ref="([A-Z]{1,3}\d{1,7}:[A-Z]{1,3}\d{1,7})"')
_SAMPLE = 1000  # number of rows that show where the names are
_LIST = "[Content_Types].xml"
_SHEETS, _WORKBOOK = "xl/workbook.xml", ".main+xml"  # part with the list of sheets, and end of its content type
# openpyxl does not check the XML that it reads. Missing elements and wrong types raise these exceptions.
_FAULTS = (
    *ARCHIVE_FAULTS,
    ParseError,
    AttributeError,
    TypeError,
    IndexError,
    AssertionError,
    zipfile.LargeZipFile,
    NotImplementedError,
)


def read_excel(
    source: bytes | Path,
    name: str,
    sheet: str | None = None,
    header: bool | str | None = None,
    day_first: dict | None = None,
    header_line: int | str | None = None,
    skip_below: int | str | None = None,
    values: dict | None = None,
) -> Table:
    """Return the `Table` of one sheet. Formulas have the values saved with them.

    source : bytes or Path; sheet : name of the sheet, or None for the first one with a table; the other options : see
    `read`.
    """
    if header not in (None, True, False, "two lines"):
        raise DataError(invalid_header(str(header)[:20]))
    with _book(source, name) as book:
        (title, rows, numbers), others = _choose_sheet(book, name, sheet)
        n_merged = _fill_merged(book, book[title], rows, numbers, name)
        n_sheets = len(book.worksheets)
    n_bytes = len(source) if isinstance(source, bytes) else source.stat().st_size
    if header_line not in (None, ""):
        line = whole_number(header_line, "header_line")
        rows, numbers = _from_line(rows, numbers, line)
        if not rows:
            raise DataError(_excel_empty(name))
        header = True if header is None else header
    keeps_totals = skip_below not in (None, "")
    if n_below := whole_number(skip_below, "skip_below") if keeps_totals else 0:
        rows, numbers = rows[:-n_below], numbers[:-n_below]
    frame, first, kept, notes, questions, marks = _frame(
        rows, numbers, name, header, day_first or {}, values or {}, keeps_totals
    )
    if n_merged:
        notes.append(f"values of {counted(n_merged, 'group')} of merged cells repeated")
    if others:
        readings = tuple((f"Sheet '{one[:20]}'", "sheet", one) for one in (title, *others))
        questions += (ReadingQuestion(f"Sheet '{title:.40}' is read. Other sheets contain a table, too.", readings),)
    numbers = [numbers[first + k] for k in kept]
    gaps = tuple(sorted(set(range(numbers[0], numbers[-1])) - set(numbers)))
    which = f"sheet '{title[:60]}'" + (f" of {n_sheets}" if n_sheets > 1 else "")
    return Table(frame, name, "Excel", (which, *notes), n_bytes, first_row=numbers[0], gaps=gaps, questions=questions,
                 marks=cut_marks(marks, frame, kept))  # fmt: skip


@contextmanager
def _book(source, name):
    """Open a workbook. Every exception of openpyxl becomes a DataError."""
    import openpyxl  # slow import
    from openpyxl.utils.exceptions import InvalidFileException

    _check_parts(source, name)
    with warnings.catch_warnings(), open_source(source) as stream:
        warnings.simplefilter("ignore", UserWarning)  # about styles and extensions, which the table ignores
        try:
            book = openpyxl.load_workbook(stream, read_only=True, data_only=True)
            try:
                yield book
            finally:
                book.close()
        except DataError:
            raise
        except (*_FAULTS, InvalidFileException) as fault:
            raise DataError(_excel_damaged(name)) from fault


def _check_parts(source, name) -> None:
    """Raise DataError for a workbook whose XML would take minutes to read."""
    members = {member.filename: member for member in check_members(source, name, FREE_EXCEL_EXPANSION)}
    try:
        with zipfile.ZipFile(as_file(source)) as archive:
            # The list of parts names the part with the texts, and the part with the sheets if it is not the usual one.
            if archive.getinfo(_LIST).file_size > FREE_EXCEL_EXPANSION:
                raise DataError(_excel_damaged(name))
            with_sheets = {_SHEETS}
            for part in fromstring(archive.read(_LIST)):
                names = {part.get("PartName", "").lstrip("/"), part.get("PartName", "")[1:]}
                if "sharedStrings" in part.get("ContentType", ""):
                    for one in names & members.keys():
                        _check_texts(archive, name, members[one])
                if part.get("ContentType", "").endswith(_WORKBOOK):
                    with_sheets |= names
            for one in with_sheets & members.keys():
                _check_sheets(archive, name, members[one])
    except DataError:
        raise
    except (*ARCHIVE_FAULTS, ParseError, NotImplementedError) as fault:
        raise DataError(_excel_damaged(name)) from fault


def _check_texts(archive, name, member) -> None:
    with archive.open(member) as stream:
        n_tags = sum(chunk.count(b"<") for chunk in iter(lambda: stream.read(1 << 20), b""))
    if n_tags > MAX_EXCEL_TAGS:
        raise DataError(
            f"{name} has more than {MAX_EXCEL_TAGS // 4:,} different texts, too many for a workbook. Export the "
            "sheet as CSV."
        )


def _check_sheets(archive, name, member) -> None:
    with archive.open(member) as stream:
        n_sheets = sum(element.tag.rpartition("}")[2] == "sheet" for _, element in iterparse(stream))
    if n_sheets > MAX_EXCEL_SHEETS:
        raise DataError(
            f"{name} has {n_sheets:,} sheets (maximum {MAX_EXCEL_SHEETS:,}). Save the sheet with the table as a "
            "separate file."
        )


def _choose_sheet(book, name, sheet) -> tuple[tuple[str, list[list], list[int]], list[str]]:
    """Return ((title, rows, row numbers), titles of other sheets with a table).

    The sheet is the chosen one, or the first one with a table. Short sheets, such as explanations and lists of codes,
    are passed over if a later sheet has many more cells; other sheets are not read after a long one.
    """
    titles = [one.title for one in book.worksheets]
    if sheet is not None and sheet not in titles:
        raise DataError(
            f"{name} has no sheet {str(sheet)[:60]!r}. Its sheets: {', '.join(repr(t[:60]) for t in titles[:10])}."
        )
    spare, tables = None, []
    seen = [0, 0]  # rows and cells of all sheets, because sheets can share their content
    for one in book.worksheets:
        if sheet in (None, one.title):
            try:
                rows, numbers = _rows(one, name, seen)
            except DataError:
                if tables:  # a later sheet is too large, or damaged
                    break
                raise
            found = one.title, rows, numbers
            if rows and sheet is not None:
                return found, []
            if len(rows) > 2 and max(map(len, rows)) > 1:
                tables.append(found)
                if len(rows) >= _LONG_SHEET:
                    break
            spare = found if rows and spare is None else spare
    if tables:
        sizes = [sum(map(len, rows)) for _, rows, _ in tables]
        place = 0 if sizes[-1] < _MANY_MORE * max(sizes[:-1], default=0) else len(tables) - 1
        others = [title for title, *_ in tables if title != tables[place][0]]
        return tables[place], others[:_MOST_SHEETS_ASKED]
    if spare is not None:
        return spare, []
    raise DataError(_excel_empty(name))


def _fill_merged(book, sheet, rows, numbers, name) -> int:
    """Repeat the value of merged cells in all their cells, and return the number of groups.

    A value that is alone in its row, such as a title, is not repeated.
    """
    place_of = {number: place for place, number in enumerate(numbers)}
    width, n_filled, n_cells = max(map(len, rows)), 0, 0
    for first, last, top, bottom in _merged_ranges(book, sheet):
        place = place_of.get(top)
        if place is None or first >= len(rows[place]) or rows[place][first] is None:
            continue
        last, value = min(last, width - 1), rows[place][first]
        if top == bottom and sum(cell is not None for cell in rows[place]) == 1:
            continue
        n_filled += 1
        for number in range(top, min(bottom, numbers[-1]) + 1):
            n_cells += last - first + 1
            if n_cells > MAX_EXCEL_CELLS:
                raise DataError(_excel_cells(name, MAX_EXCEL_CELLS))
            if (at := place_of.get(number)) is None:
                continue
            row = rows[at]
            row += [None] * (last + 1 - len(row))
            row[first : last + 1] = [value if cell is None else cell for cell in row[first : last + 1]]
    return n_filled


def _merged_ranges(book, sheet):
    """Yield (first column, last column, top row, bottom row) of each group of merged cells, with columns from 0."""
    from openpyxl.utils import range_boundaries

    rest = b""
    with book._archive.open(
        sheet._worksheet_path
    ) as stream:  # openpyxl skips merged cells of a file opened for reading
        while chunk := stream.read(1 << 20):
            text = rest + chunk
            for found in _MERGED.finditer(text):
                first, top, last, bottom = range_boundaries(found[1].decode())
                yield first - 1, last - 1, top, bottom
            cut = text.rfind(b"<")
            rest = text[cut:][:200] if cut > text.rfind(b">") else b""


def _rows(sheet, name, seen) -> tuple[list[list], list[int]]:
    """Return (rows with values, their row numbers), without empty rows above, below and between them.

    seen : numbers of rows and cells in the sheets so far, which the function increases.
    """
    sheet.reset_dimensions()  # files of other programs may contain wrong dimensions
    rows, numbers, n_cells, width = [], [], 0, 0
    for number, cells in enumerate(sheet.iter_rows(values_only=True), 1):
        seen[0] += 1
        seen[1] += len(cells)
        if seen[0] > MAX_EXCEL_ROWS or seen[1] > 4 * MAX_EXCEL_CELLS:
            raise DataError(
                f"{name}: the sheet '{sheet.title:.60}' extends to row {number:,} and is almost empty. Delete "
                "the empty rows and columns around the table, or export the sheet as CSV."
            )
        last = len(cells)
        while last and cells[last - 1] in (None, ""):
            last -= 1
        if not last:
            continue
        rows.append(list(cells[:last]))
        numbers.append(number)
        width, n_cells = max(width, last), n_cells + last
        if width > MAX_COLUMNS:
            check_size(name, 0, width)
        if n_cells > MAX_EXCEL_CELLS:
            raise DataError(_excel_cells(name, MAX_EXCEL_CELLS))
    return rows, numbers


def _from_line(rows, numbers, line):
    left = [(row, number) for row, number in zip(rows, numbers, strict=True) if number >= line]
    return [row for row, _ in left], [number for _, number in left]


def _frame(rows, numbers, name, header, day_first, known, keeps_totals) -> tuple:
    """Return (the table, place of its first row, places of its rows from there, notes, questions, marks).

    numbers : row numbers in the file; known : {column: texts that are values}.
    """
    rows = _without_empty_columns(rows)
    width = max(map(len, rows))
    texts = [[_text(cell) for cell in row] + [""] * (width - len(row)) for row in rows[:_SAMPLE]]
    above = title_rows(texts) or _titles(rows) if header is None else 0
    rows = _without_empty_columns(rows[above:])
    width = max(map(len, rows))
    texts = [[_text(cell) for cell in row] + [""] * (width - len(row)) for row in rows[:_SAMPLE]]
    both = None
    if header == "two lines" and len(rows) > 2:
        both = join_headers(texts[0], texts[1])
    elif header is None:
        both = two_headers(texts, number_style(texts[2:], "\t", None))
    guess = HeaderGuess(bool(header) or both is not None) if header is not None or both else _header(rows, texts)
    n_names = 2 if both else int(guess.has_header)
    body = rows[n_names:]
    if not body:
        raise DataError(
            f"{name} has column names but no rows. If its first row is data, set First line to 'Data (no names)'."
        )
    check_size(name, len(body), width)
    first = [*rows[0], *[None] * (width - len(rows[0]))]
    raw_names = ["" if cell is None else _name(cell) for cell in first] if guess.has_header else [""] * width
    names, renamed = repair_names(both[:width] if both else raw_names)
    notes: list[str] = renamed if guess.has_header else ["no header row (columns are numbered)"]
    if above:
        notes.append(f"Skipped {counted(above, 'title row')} above the table")
    if both:
        notes.append(TWO_HEADER_LINES)
    values, units, marked, marks = {}, {}, {}, {}
    for k, column in enumerate(names):
        cells = [row[k] if k < len(row) else None for row in body]
        found = column_of_cells(column, cells, day_first.get(column), known.get(column, ()))
        values[column], units[column], marked[column] = found.values, found.unit, found.marked
        marks[column] = found.marks
        notes += found.notes
    notes += missing_notes(marked)
    questions = ()
    if not guess.is_sure:
        words = ["" if cell is None else _name(cell) for cell in first]
        questions = (header_question(words, numbers[above], guess.has_header),)
    frame, kept = finish_table(pandas.DataFrame(values, copy=False), units, notes, "none" if keeps_totals else "all")
    return frame, above + n_names, kept, notes, questions, marks


def _without_empty_columns(rows):
    """Return the rows without columns that are empty in each of them, next to the table or within."""
    width = max(map(len, rows))
    used = [k for k in range(width) if any(k < len(row) and row[k] is not None for row in rows)]
    return rows if len(used) == width else [[row[k] if k < len(row) else None for k in used] for row in rows]


def _titles(rows):
    """Return the number of rows of a single text above the first row with several cells."""
    above = next((k for k, row in enumerate(rows[:_MOST_TITLES]) if len(row) > 1), 0)
    are_words = all(cell is None or isinstance(cell, str) for row in rows[:above] for cell in row)
    return above if are_words and len(rows) > above + 1 and len(rows[above + 1]) > 1 else 0


def _text(cell):
    return "" if cell is None else cell_text(cell).strip()


def _header(rows, texts):
    """Test whether the first row contains names: texts that do not occur in the rows below."""
    if counts_columns(texts[0], texts[1:], NumberStyle(".", False)):
        return HeaderGuess(True)
    if (guess := numbered_columns(texts[0], texts[1:])) is not None:
        return guess
    words = [cell for cell in rows[0] if cell is not None and not _is_year(cell)]
    if not words or not all(isinstance(cell, str) for cell in words):
        return HeaderGuess(False)
    body = rows[1:]
    if not body or any(not isinstance(cell, str) for row in body for cell in row if cell is not None):
        return HeaderGuess(True)
    texts = [["" if cell is None else cell_text(cell).strip() for cell in row] for row in rows]
    has_numbers = any(map(is_number, (cell for row in texts[1:] for cell in row)))
    return HeaderGuess(True) if has_numbers else text_header(texts[0], texts[1:])


def _name(cell):
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def _is_year(cell):
    return type(cell) in (int, float) and 1900 <= cell <= 2100 and float(cell).is_integer()


EXCEL = FileFormat(
    "Excel", "Excel (.xlsx)", ("xlsx", "xlsm"), read_excel,
    ("sheet", "header", "day_first", "header_line", "skip_below", "values"), seconds=5.5,
    megabytes=16.0, is_zip=lambda members: any(one.filename.startswith("xl/") for one in members),
)  # fmt: skip


def _excel_empty(name: object) -> str:
    return f"{name} is empty: no sheet has a value."


def _excel_damaged(name: object) -> str:
    return f"{name} is damaged or is not a workbook. Save it again as .xlsx, or export it as CSV."


def _excel_cells(name: object, most: int) -> str:
    return f"{name} has more than {most:,} cells, too many for a workbook. Export the sheet as CSV."
