"""SQL expressions for dates, with functions that all databases have: text, whole numbers and remainders."""

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
