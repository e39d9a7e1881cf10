"""SQL expressions for the features of a tree in terms of the columns of the user's table."""

from functools import partial

from treecore.export.sql_literals import identifier, label_literal
from treecore.tables.table_columns import TableColumns
from treecore.tree.tree import Tree

_ANSWERS = {"true", "false"}
EMPTY = "COALESCE(CAST({} AS VARCHAR(9)), '') = ''"  # NULL or '', for columns of any type


def sql_columns(tree: Tree, columns: TableColumns) -> tuple:
    """Return the expression of each feature (None for unused ones) and a list of conditions.

    If one of the conditions holds for a row, the row has a missing value. An expression is NULL for a missing value,
    including '', NaN, infinity and invalid dates. Raise ParameterError for names and values that SQL does not support.
    """
    used = set(tree.used_features.tolist())
    expressions, missing = [], []
    for column, group in zip(columns.columns, columns.groups(), strict=True):
        if column.of:
            names = [_unmarked(f"t.{identifier(part.name, 'column name')}", part) for part in column.of]
            expressions.append(_difference(names, column.of[0].kind) if group.start in used else None)
            missing += (
                [EMPTY.format(name) for name in names] if expressions[-1] is None else [f"{expressions[-1]} IS NULL"]
            )
            continue
        bare = f"t.{identifier(column.sources()[0], 'column name')}"
        name = _unmarked(bare, column)
        bare = _labelled(bare, column) if column.label else _respelled(bare, column)
        is_used_date = column.kind == "date" and not used.isdisjoint(group)
        if not column.blank:  # in a checkbox column, a missing value means the other answer
            missing.append(f"{sql_days(name)} IS NULL" if is_used_date else EMPTY.format(name))
        number = f"CAST({name} AS DOUBLE PRECISION)"
        if column.kind == "number":
            missing.append(f"COALESCE({number} - {number}, 1) <> 0")  # infinity minus infinity is NaN or NULL
            texts = [_number(tree, name, number)]
        elif column.kind == "ordered":
            texts = [_place(bare, name, column.categories)]
            missing.append(f"{texts[0]} IS NULL")
        elif is_used_date:
            texts = [sql_days(name)]
        else:
            # Compare the column directly, because SQLite treats 1 as '1' there, but not in CASE.
            one = _answer if _has_answers(column) else partial(_category, blank=column.blank)
            texts = [one(bare, name, category) for category in column.values]
            texts += [_others(bare, name, column.values, column.blank)] if column.grouped else [] if texts else [None]
        expressions += [text if feature in used else None for text, feature in zip(texts, group, strict=True)]
    return expressions, missing


def _respelled(name, column):
    """Return a column with the usual spelling of its categories."""
    if not column.spellings:
        return name
    cases = " ".join(f"WHEN {name} = {label_literal(text)} THEN {label_literal(value)}"
                     for text, value in column.spellings)  # fmt: skip
    return f"CASE {cases} ELSE {name} END"


def _labelled(name, column):
    """Return "yes" or "no" for whether cells such as "red;large" contain a label, with or without blanks around it."""
    _, separator, label = column.label
    cell = f"TRIM(CAST({name} AS VARCHAR(4000)))"
    if separator == separator.strip():
        for blanks in (f"{separator} ", f" {separator}"):
            cell = f"REPLACE({cell}, {label_literal(blanks)}, {label_literal(separator)})"
    ends = label_literal(separator)
    cell = f"({ends} || {cell} || {ends})"
    without = f"REPLACE({cell}, {label_literal(separator + label + separator)}, '')"
    return f"CASE WHEN {without} <> {cell} THEN 'yes' ELSE 'no' END"


def _difference(names, kind):
    """Return the difference of two columns of a kind, NULL if one of them is missing."""
    values = [
        sql_days(name) if kind == "date" else _finite(name, f"CAST({name} AS DOUBLE PRECISION)") for name in names
    ]
    return f"(({values[0]}) - ({values[1]}))"


def _number(tree, name, number):
    if tree.missing_right is None:
        return number  # earlier conditions exclude rows with missing values
    return _finite(name, number)


def _finite(name, number):
    return f"CASE WHEN CAST({name} AS VARCHAR(9)) <> '' AND {number} - {number} = 0 THEN {number} END"


def _unmarked(name, column):
    """Return a column with NULL for markers of missing values, in the notation of every column type.

    Examples are -999.0 (float), -999.00 (decimal) and 1900-01-01 00:00:00 (timestamp).
    """
    if not column.missing:
        return name
    listed = ", ".join(label_literal(text) for marker in column.missing for text in _written(marker, column.kind))
    return f"CASE WHEN TRIM(CAST({name} AS VARCHAR(255))) IN ({listed}) THEN NULL ELSE {name} END"


def _written(marker, kind):
    if kind == "date":
        return marker, f"{marker} 00:00:00"
    return (marker, f"{marker}.0", f"{marker}.00") if marker.lstrip("-").isdecimal() else (marker,)


def _others(bare, name, values, blank):
    empty = int(blank not in values) if blank else "NULL"
    values = [value for value in values if not blank or value != blank]
    known = f"WHEN {bare} IN ({', '.join(map(label_literal, values))}) THEN 0 " if values else ""
    return f"CAST(CASE WHEN {EMPTY.format(name)} THEN {empty} {known}ELSE 1 END AS DOUBLE PRECISION)"


def _place(bare, name, levels):
    cases = " ".join(f"WHEN {bare} = {label_literal(level)} THEN {place}" for place, level in enumerate(levels))
    return f"CAST(CASE WHEN {EMPTY.format(name)} THEN NULL {cases} END AS DOUBLE PRECISION)"


def _has_answers(column):
    """Return whether a column contains only true and false, each in one spelling."""
    lower = [value.lower() for value in column.values]
    is_plain = not column.blank and not column.grouped and len(set(lower)) == len(lower)
    others = {value.lower() for value in column.others}
    return is_plain and _ANSWERS.issuperset(lower) and others.isdisjoint(_ANSWERS | {"0", "1", "0.0", "1.0"})


def _answer(bare, name, category):
    """Return the condition for a category of a Boolean column, which some databases store as 1 and 0."""
    lower = category.lower()
    bit = int(lower == "true")
    listed = ", ".join(map(label_literal, dict.fromkeys((category, lower, f"{bit}", f"{bit}.0"))))
    cases = f"WHEN {EMPTY.format(name)} THEN NULL WHEN CAST({bare} AS VARCHAR(255)) IN ({listed}) THEN 1 ELSE 0"
    return f"CAST(CASE {cases} END AS DOUBLE PRECISION)"


def _category(bare, name, category, blank):
    empty = int(category == blank) if blank else "NULL"
    value = f"CAST({bare} AS VARCHAR(255))" if blank and category == blank else bare
    cases = f"WHEN {EMPTY.format(name)} THEN {empty} WHEN {value} = {label_literal(category)} THEN 1 ELSE 0"
    return f"CAST(CASE {cases} END AS DOUBLE PRECISION)"


_EPOCH = 719_528  # days from 1 January of year 0 to 1 January 1970 in the Gregorian calendar
_BEFORE_MONTH = (
    0,
    31,
    59,
    90,
    120,
    151,
    181,
    212,
    243,
    273,
    304,
    334,
)  # days before each month in a year without a leap day
_PADDING = "0000-01-01 00:00:00.000000"
_FORMS = ("____-__-__", "____-__-_____:__", "____-__-_____:__:__", "____-__-_____:__:__.%")  # joined by " " or "T"

_DIGITS = ", ".join(f"'{digit}'" for digit in range(10))


def sql_days(name: str) -> str:
    """Return an expression for the days since 1970-01-01 of a column, NULL if a value is not a date.

    Supported values are DATE, TIMESTAMP, ISO text without a time zone, and numbers or texts such as 20240115 in the
    years 1900 to 2100.
    name : expression of the column in the query.
    """
    text = f"CAST({name} AS VARCHAR(26))"
    # Padding puts the time of 20240115 at the same position as in ISO text.
    padded = f"({text} || SUBSTR('{_PADDING}', LENGTH({text}) + 1))"
    is_date = " OR ".join(f"{text} LIKE '{form}'" for form in _FORMS)
    zones = " AND ".join(f"{text} NOT LIKE '{_FORMS[0]}%{zone}%'" for zone in "+-Z")

    def part(first, length, kind="DOUBLE PRECISION"):
        return f"CAST(SUBSTR({padded}, {first}, {length}) AS {kind})"

    compact = f"REPLACE(SUBSTR({text}, 1, 10), '-', '')"
    year, month, day = f"SUBSTR({compact}, 1, 4)", f"SUBSTR({compact}, 5, 2)", f"SUBSTR({compact}, 7, 2)"
    is_number = " OR ".join(f"{text} LIKE '________{end}'" for end in ("", ".0", ".00"))
    # In some collations, BETWEEN '0' AND '9' includes more characters.
    digits = " AND ".join(f"SUBSTR({text}, {place}, 1) IN ({_DIGITS})" for place in range(1, 9))
    whole = _days(f"CAST({year} AS INTEGER)", month, day)
    seconds = f"({whole}) * 86400e0 + {part(12, 2)} * 3600e0 + {part(15, 2)} * 60e0 + {part(18, 2)}"
    return (
        f"CASE WHEN ({is_date}) AND {zones} "
        f"OR ({is_number}) AND {digits} AND {year} BETWEEN '1900' AND '2100' "
        f"THEN (({seconds}) * 1000000e0 + {part(21, 6)}) / 86400000000e0 END"
    )


def _days(year, month, day):
    """Return an expression for the day number, NULL for an invalid date.

    year : expression of a number; month, day : expressions of text.
    """
    # January and February belong to the previous year, so that the leap day is the last day of the year.
    years = f"({year} - CASE WHEN {month} < '03' THEN 1 ELSE 0 END)"
    leaps = f"({years} - {years} % 4) / 4e0 - ({years} - {years} % 100) / 100e0 + ({years} - {years} % 400) / 400e0"
    months = " ".join(f"WHEN {month} = '{i + 1:02}' THEN {days}" for i, days in enumerate(_BEFORE_MONTH))
    is_common = f"({year} % 4 <> 0 OR {year} % 100 = 0 AND {year} % 400 <> 0)"
    is_none = (
        f"{day} < '01' OR {day} > '31' OR {day} = '31' AND {month} IN ('04', '06', '09', '11') "
        f"OR {month} = '02' AND ({day} > '29' OR {day} = '29' AND {is_common})"
    )
    number = f"CAST({day} AS DOUBLE PRECISION)"
    return f"365e0 * {year} + {leaps} + CASE WHEN {is_none} THEN NULL {months} END + {number} - {_EPOCH}"
