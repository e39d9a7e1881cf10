"""Dates of a column as SQL expressions, in what all databases have: text, whole numbers and their remainders."""

_EPOCH = 719_528  # days from the first of January of the year 0 to that of 1970, both of the Gregorian calendar
_BEFORE_MONTH = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)  # days of a year without a leap day
_PADDING = "0000-01-01 00:00:00.000000"
_FORMS = ("____-__-__", "____-__-_____:__", "____-__-_____:__:__", "____-__-_____:__:__.%")  # the gap is " " or "T"


def sql_days(name: str) -> str:
    """Days since 1970-01-01 of a column, an expression; NULL for what is no DATE, TIMESTAMP, ISO text without a zone,
    or number such as 20240115.

    name : the column as it stands in the query.
    """
    text = f"CAST({name} AS VARCHAR(26))"
    padded = f"({text} || SUBSTR('{_PADDING}', LENGTH({text}) + 1))"
    is_date = " OR ".join(f"{text} LIKE '{form}'" for form in _FORMS)
    zones = " AND ".join(f"{text} NOT LIKE '{_FORMS[0]}%{zone}%'" for zone in "+-Z")

    def part(first, length, kind="DOUBLE PRECISION"):
        return f"CAST(SUBSTR({padded}, {first}, {length}) AS {kind})"

    days = _days(part(1, 4, "INTEGER"), f"SUBSTR({padded}, 6, 2)", part(9, 2))
    seconds = f"({days}) * 86400e0 + {part(12, 2)} * 3600e0 + {part(15, 2)} * 60e0 + {part(18, 2)}"
    is_number = " AND ".join(
        [f"{text} LIKE '________'", *(f"SUBSTR({text}, {place}, 1) BETWEEN '0' AND '9'" for place in range(1, 9))]
    )
    of_number = _days(part(1, 4, "INTEGER"), f"SUBSTR({padded}, 5, 2)", part(7, 2))
    return (
        f"CASE WHEN ({is_date}) AND {zones} THEN (({seconds}) * 1000000e0 + {part(21, 6)}) / 86400000000e0 "
        f"WHEN {is_number} THEN {of_number} END"
    )


def _days(year, month, day):
    # whole years before the leap day that could be next
    years = f"({year} - CASE WHEN {month} < '03' THEN 1 ELSE 0 END)"
    leaps = f"({years} - {years} % 4) / 4e0 - ({years} - {years} % 100) / 100e0 + ({years} - {years} % 400) / 400e0"
    months = " ".join(f"WHEN '{i + 1:02}' THEN {days}" for i, days in enumerate(_BEFORE_MONTH))
    return f"365e0 * {year} + {leaps} + CASE {month} {months} END + {day} - {_EPOCH}"
