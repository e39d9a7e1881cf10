"""The part of an exported Python module that encodes rows of a table."""

from treecore.export.flat import listing
from treecore.tables.table_columns import TableColumns

_CODE = '''

def encode(row):
    """Return the features x of a row, a dict of values by column name. None, "" and absent columns are missing.

    Numbers have no sign or unit: 36.5, not "$36.50".
    """
    x = []
    for name, kind, categories, missing, grouped, blank in COLUMNS:
        value = row.get(name)
        is_missing = _is_missing(value) or missing and _text(value).strip() in missing
        if is_missing and blank:
            value, is_missing = blank, False
        if is_missing:
            x += [math.nan] * (len(categories) if kind == "category" else 1)
        elif kind == "number":
            number = _read(_number, name, value, "number")
            x.append(math.nan if math.isinf(number) else number)
        elif kind == "date":
            x.append(_read(_days, name, value, "date such as 2020-01-31"))
        elif kind == "ordered":
            x.append(float(categories.index(_text(value))) if _text(value) in categories else math.nan)
        else:
            text = _text(value)
            if isinstance(value, bool):
                categories = [category.lower() for category in categories]
            if grouped and text not in categories[:-1]:
                text = categories[-1]
            x += [float(text == category) for category in categories]
    return x


def predict_row(row):
    """Return the prediction for a row, a dict of values by column name."""
    return predict(encode(row))


def _is_missing(value):
    if isinstance(value, str):
        return value == ""
    return value is None or str(value) in ("nan", "NaT", "<NA>")


def _read(function, name, value, what):
    try:
        return function(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"column {name!r}: {value!r:.60} is not a {what}") from None


def _number(value):
    if isinstance(value, str) and "_" in value:
        raise ValueError
    return float(value)


def _text(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, numbers.Real) and value % 1 == 0:
        return str(int(value))  # 1 and 1.0 are the same category
    return str(value).removesuffix(" 00:00:00") if isinstance(value, datetime.datetime) else str(value)


def _days(value):
    """Return the days since 1970-01-01 in UTC, which is also the default time zone."""
    if isinstance(value, (int, float)) and 19000101 <= value <= 21001231 and value % 1 == 0:
        value = str(int(value))  # 20240115
    if isinstance(value, str):
        text = value.strip()
        text = f"{text[:4]}-{text[4:6]}-{text[6:]}" if len(text) == 8 and text.isdigit() else text
        value = datetime.datetime.fromisoformat(text[:-1] + "+00:00" if text[-1:] in ("Z", "z") else text)
    elif not isinstance(value, datetime.datetime):
        value = datetime.datetime(value.year, value.month, value.day) if isinstance(value, datetime.date) else None
    if value is None:
        raise ValueError
    if value.tzinfo is None:
        value = value.replace(tzinfo=datetime.timezone.utc)
    passed = value - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    microseconds = (passed.days * 86400 + passed.seconds) * 1000000 + passed.microseconds
    return float(microseconds) / 86400000000.0
'''


_DIFFERENCES = '''

def _with_differences(row):
    """Return a row with the columns that are the difference of two other columns."""
    row = dict(row)
    for name, parts in DIFFERENCES:
        if all(part in row for part, _, _ in parts):
            first, second = (_part(row, *part) for part in parts)
            row[name] = None if first is None or second is None else first - second
    return row


def _part(row, name, kind, missing):
    value = row[name]
    if _is_missing(value) or missing and _text(value).strip() in missing:
        return None
    if kind == "date":
        return _read(_days, name, value, "date such as 2020-01-31")
    return _read(_number, name, value, "number")
'''


_SPELLINGS = '''

def _with_spellings(row):
    """Return a row with the usual spelling of its categories."""
    row = dict(row)
    for name, spellings in SPELLINGS.items():
        if not _is_missing(row.get(name)):
            row[name] = spellings.get(_text(row[name]), row[name])
    return row
'''


_LABELS = '''

def _with_labels(row):
    """Return a row with the columns that tell whether a cell such as "red;large" contains a label."""
    row = dict(row)
    for name, (part, separator, label), missing in LABELS:
        if part in row:
            is_missing = _is_missing(row[part]) or missing and _text(row[part]).strip() in missing
            labels = [] if is_missing else [text.strip() for text in _text(row[part]).split(separator)]
            row[name] = None if is_missing else "yes" if label in labels else "no"
    return row
'''


def python_encoder(columns: TableColumns) -> list:
    """Return the lines of ``COLUMNS``, ``encode(row)`` and ``predict_row(row)``. columns : TableColumns.

    The lines use the modules datetime, math and numbers, and the function ``predict``.
    """
    code, differences = _CODE, [column for column in columns.columns if column.of]
    if differences:
        parts = (ascii((c.name, [(p.name, p.kind, tuple(p.missing)) for p in c.of])) for c in differences)
        listed = "\n".join(["", "", *listing(parts, "DIFFERENCES = [", "]", per_line=1)])
        code = code.replace("    x = []\n", "    row = _with_differences(row)\n    x = []\n", 1)
        code = f"{listed}\n{code}{_DIFFERENCES}"
    if spelled := [column for column in columns.columns if column.spellings]:
        listed = listing(
            (f"{ascii(c.name)}: {ascii(dict(c.spellings))}" for c in spelled), "SPELLINGS = {", "}", per_line=1
        )
        code = code.replace("    x = []\n", "    row = _with_spellings(row)\n    x = []\n", 1)
        code = "\n".join(["", "", *listed, code]) + _SPELLINGS
    if labelled := [column for column in columns.columns if column.label]:
        parts = (ascii((c.name, c.label, tuple(c.missing))) for c in labelled)
        listed = listing(parts, "LABELS = [", "]", per_line=1)
        code = code.replace("    x = []\n", "    row = _with_labels(row)\n    x = []\n", 1)
        code = "\n".join(["", "", *listed, code]) + _LABELS
    rows = (ascii((c.name, c.kind, tuple(c.categories), tuple(c.missing), c.grouped, c.blank)) for c in columns.columns)
    return ["", "", *listing(rows, "COLUMNS = [", "]", per_line=1), *code.rstrip("\n").splitlines()]
