"""Numbers with a mark or a unit, such as `$6M`, `(76.50)`, `12.3*`, `197 cm` and `5:18`."""

import re
import unicodedata
from collections.abc import Iterable

import numpy as np

from treecore.tables.iso_date import month_number

_SCALES = {"": 1.0, "k": 1e3, "m": 1e6, "mm": 1e6, "mio": 1e6, "b": 1e9, "bn": 1e9, "t": 1e12}
_UNIT_WORDS = (
    "cm mm m km ft in inch inches lb lbs kg g mg oz l ml mph kmh km/h hp kw w v mi yd min s sec ms h hr hrs yrs yr "
    "years days months gb mb tb ghz mhz hz px pts cc kpl kmpl bhp nm k mio bn °c °f ° % € £ ¥ kr"
)
_MONEY = "$€£¥₹₩₽₺₫₪₴"
_CURRENCIES = ("US$", "R$", "A$", "C$", "USD", "EUR", "GBP", "SFr.", "Fr.", "Rs.")
_CURRENCY_WORDS = (  # with a blank before the number, because CAD1 is a code
    *("CHF", "JPY", "CNY", "INR", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "BRL", "MXN"),
    *("ARS", "CLP", "COP", "KRW", "RUB", "TRY", "ZAR", "SGD", "HKD", "THB", "ILS", "UAH", "Rs", "kr"),
)
_UNITS = frozenset(_UNIT_WORDS.split())
_FORM = re.compile(  # possessive quantifiers, so that many blanks take no extra time
    r"(?P<less>[<>≤≥] ?)?(?P<open>\()?\s*+(?P<minus>[-+−]?)\s*+"
    rf"(?P<sign>[{_MONEY}]|{'|'.join(map(re.escape, _CURRENCIES))}|({'|'.join(_CURRENCY_WORDS)})(?=\s))?\s*+"
    r"(?P<inner>[-+−]?)"
    r"(?P<number>\d{1,3}(,\d{3})+(\.\d+)?|\d{1,3}([ ']\d{3})+([.,]\d+)?|\d+,\d{1,2}(?!\d)|\d+(\.\d*)?|\.\d+)"
    r"(?P<blank>\s*+)"
    rf"(?P<unit>[^\W\d_]{{1,8}}(/[^\W\d_]{{1,5}})?|°[CF]?|[{_MONEY}%])?\s*+"
    r"(?P<mark>[*†‡#+]{0,3}|-|\[\w{1,3}\])\s*+(?P<close>\))?"
)
_CLOCK = re.compile(
    r"(?P<minus>-?)(?P<first>\d{1,3}):(?P<second>[0-5]\d)(:(?P<third>[0-5]\d(\.\d+)?))?( ?(?P<half>[AaPp])\.?[Mm]\.?)?"
)
_DURATION = re.compile(
    r"P?((?P<d>\d+(\.\d+)?) ?(d|days?))?[ ,]*T?((?P<h>\d+(\.\d+)?) ?(h|hrs?|hours?|std\.?))?[ ,]*"
    r"((?P<m>\d+(\.\d+)?) ?(m|mins?|minutes?))?[ ,]*((?P<s>\d+(\.\d+)?) ?(s|secs?|seconds?))?",
    re.IGNORECASE,
)
_HOURS = {"d": 24.0, "h": 1.0, "m": 1 / 60, "s": 1 / 3600}
_OUT_OF = re.compile(r"(?P<number>\d+([.,]\d+)?) ?(?P<unit>/ ?\d+)")  # "7/10"
_ERROR = re.compile(r"(?P<number>[-+]?\d+([.,]\d+)?) ?(±|\+/-|\+-) ?\d+([.,]\d+)? ?%?")  # "5 ± 2"
_MONTH = re.compile(r"(?P<year>\d{1,2})-(?P<month>0[1-9]|1[0-2])")  # "1-01", the first month of the first year
_ANGLE = re.compile(
    r"(?P<minus>-?)(?P<degrees>\d{1,3})° ?((?P<minutes>\d{1,2}(\.\d+)?)['′] ?)?"
    r"((?P<seconds>\d{1,2}(\.\d+)?)(\"|″|'')? ?)?(?P<side>[NSEWO])?"
)
_DAY = re.compile(r"(?P<day>\d{1,2})[-. ](?P<month>[A-Za-zÀ-ÿ]{3})")  # "26-Dec"
_BOTH_MARKS = re.compile(r"(?<![\d.,])\d{1,3}(\.\d{3})+,\d+(?![\d.,])")  # "1.200,50"
_DECIMAL_COMMA = re.compile(r"\d+([ ']\d{3})*,\d{1,2}")
_NO_CENTS = re.compile(r"(?<=\d)[.,][-–—]{1,2}(?!\d)")  # "5.–"
_NAME_WITH_UNIT = re.compile(r"(.+) \(([^()\d][^()]{0,14})\)")
_DAYS_BEFORE = (0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335)  # days before each month of a leap year
_LEAST = 3  # minimum number of distinct numbers, because 36 months and 60 months are two categories
_LEAST_WITH_LIMITS, _MOST_LIMITS = (
    10,
    0.3,
)  # minimum number of distinct values, and maximum share of values such as "<0.02"
PARENTHESES = "parentheses"  # name of the mark of negative numbers
TRAILING = "minus"  # name of the minus after negative numbers
CLOCKS = ("h:min", "min:s", "h:min:s")
ERROR, MONTHS, DAYS = "±", "year-month", "day of year"
_MORE = (*CLOCKS, ERROR, MONTHS, DAYS)  # units with a notation of their own
_SIGNS = str.maketrans({
    **dict.fromkeys("\u00a0\u1680\u2002\u2003\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "),
    **dict.fromkeys("\u2212\ufe63\uff0d\u2010\u2011", "-"),
    **dict.fromkeys("\u2019\u02bc\uff07", "'"),
    **dict.fromkeys("\u066b\uff0e", "."), **dict.fromkeys("\u066c\uff0c", ","),
    **dict.fromkeys("\u200e\u200f\u2060\ufeff\u061c", ""),
})  # fmt: skip


def plain_signs(text: str) -> str:
    """Return a text with the digits, minus sign, apostrophe and spaces of ASCII, such as "-1 234" for "−1\u202f234"."""
    if text.isascii():
        return text
    return "".join(sign if sign.isascii() else str(unicodedata.decimal(sign, sign)) for sign in text.translate(_SIGNS))


def unit_of(fields: Iterable[str]) -> str | None:
    """Return the common mark or unit of the numbers in a column ("cm", "$", "min:s"), or None.

    Numbers in parentheses are negative. If there are several marks, such as "*", the first one is returned.
    """
    fields = list(dict.fromkeys(_NO_CENTS.sub("", plain_signs(field).strip()) for field in fields))
    if len(fields) < _LEAST:
        return None
    if (unit := _special_unit(fields)) is not None:
        return unit
    clocks = [clock for field in fields if (clock := _CLOCK.fullmatch(field))]
    if len(clocks) == len(fields):
        return _clock_unit(clocks)
    found = [match for field in fields if (match := _FORM.fullmatch(field))]
    if len(found) < len(fields) or len({match["number"] for match in found}) < _LEAST:
        return None
    if any(bool(match["open"]) != bool(match["close"]) for match in found):
        return None
    commas = {_DECIMAL_COMMA.fullmatch(match["number"]) is not None for match in found if "," in match["number"]}
    if len(commas) > 1 or True in commas and any("." in match["number"] for match in found):
        return None  # the comma is ambiguous: a decimal comma in one number, a thousands separator in another
    limits = [match["less"].strip() for match in found if match["less"]]
    if limits and (len(found) < _LEAST_WITH_LIMITS or len(limits) > _MOST_LIMITS * len(found)):
        return None  # "<18" and ">65" are age groups, not detection limits
    signs = {match["sign"] for match in found} - {None}
    units = {(match["unit"] or "").lower() for match in found}
    if len(signs) == 1 and units <= set(_SCALES):
        return signs.pop()
    if signs or len(units) > 1:
        return None
    unit = units.pop()
    if not unit:
        if any(match["mark"] == "-" and (match["minus"] or match["inner"] or match["open"]) for match in found):
            return None
        mark = next((match["mark"] for match in found if match["mark"]), None) or next(iter(limits), None)
        if mark == "-":
            return TRAILING
        return mark or (PARENTHESES if any(match["open"] for match in found) else None)
    is_apart = all(match["blank"] for match in found)
    return (found[0]["unit"] or "") if unit in _UNITS or is_apart else None


def _special_unit(fields):
    """Return the unit of numbers such as "7/10", "5 ± 2", "5h 47m", "1-01" or "26-Dec", or None."""
    for pattern, unit in ((_ERROR, ERROR), (_MONTH, MONTHS), (_DAY, DAYS)):
        if all(map(pattern.fullmatch, fields)):
            numbers = {marked_number(field, unit) for field in fields}
            months = {field[-2:] for field in fields}
            return unit if None not in numbers and (unit != MONTHS or len(months) > _LEAST) else None
    angles = [match for field in fields if (match := _ANGLE.fullmatch(field))]
    if len(angles) == len(fields) and any(match["minutes"] for match in angles):
        return "°"
    scores = [match for field in fields if (match := _OUT_OF.fullmatch(field))]
    if len(scores) == len(fields):
        most = {match["unit"].replace(" ", "") for match in scores}
        top = most.pop()
        fits = all(float(match["number"].replace(",", ".")) <= float(top[1:]) for match in scores)
        return top if not most and fits else None
    parts = [_duration(field) for field in fields]
    several = sum(len([one for one in match.groupdict().values() if one]) > 1 for match in parts if match)
    if all(parts) and (several or all(field[:1] in "Pp" for field in fields)):
        return "h"
    return None


def _duration(text):
    match = _DURATION.fullmatch(text)
    return match if match and any(match.groupdict().values()) else None


def _special_number(text, unit):
    """Return the number in a text of a unit of `_special_unit`, or None."""
    if unit == MONTHS:
        match = _MONTH.fullmatch(text)
        return int(match["year"]) + (int(match["month"]) - 1) / 12 if match else None
    if unit == DAYS:
        match = _DAY.fullmatch(text)
        month = month_number(match["month"]) if match else None
        if match is None or month is None or not 1 <= int(match["day"]) <= 31:
            return None
        return _DAYS_BEFORE[month - 1] + int(match["day"])
    if unit == "°" and (match := _ANGLE.fullmatch(text)) and (match["minutes"] or match["side"]):
        parts = (match["degrees"], match["minutes"] or 0, match["seconds"] or 0)
        size = sum(float(part) / 60**k for k, part in enumerate(parts))
        return -size if match["minus"] or match["side"] in ("S", "W") else size
    if unit == "h" and (match := _duration(text)):
        return sum(float(size) * _HOURS[part] for part, size in match.groupdict().items() if size)
    match = _ERROR.fullmatch(text) if unit == ERROR else _OUT_OF.fullmatch(text) if unit[:1] == "/" else None
    if match is None or unit != ERROR and match["unit"].replace(" ", "") != unit:
        return None
    return float(match["number"].replace(",", "."))


def _clock_unit(clocks):
    if all(clock["third"] for clock in clocks):
        return "h:min:s"
    if any(clock["third"] for clock in clocks):
        return None
    is_day = all(clock["half"] or len(clock["first"]) == 2 and int(clock["first"]) < 24 for clock in clocks)
    return "h:min" if is_day else "min:s"


def marked_number(text: str, unit: str) -> float | None:
    """Return the number in a text of a column with this unit, or None. 5:18 is 5.3, in units of its first part."""
    text = _BOTH_MARKS.sub(lambda found: found[0].replace(".", "").replace(",", "."), plain_signs(text).strip())
    text = _NO_CENTS.sub("", text)
    special = _special_number(text, unit)
    if special is not None or unit in (ERROR, MONTHS, DAYS):
        return special
    if unit in CLOCKS:
        clock = _CLOCK.fullmatch(text)
        if clock is None:
            return None
        size = int(clock["first"]) + int(clock["second"]) / 60 + float(clock["third"] or 0) / 3600
        if clock["half"]:
            size = size % 12 + 12 * (clock["half"] in "Pp")
        return -size if clock["minus"] else size
    match = _FORM.fullmatch(text)
    if match is None or bool(match["open"]) != bool(match["close"]):
        return None
    own, scale = match["unit"] or "", 1.0
    if own and own.lower() != unit.lower():
        if not match["sign"] or own.lower() not in _SCALES:
            return None
        scale = _SCALES[own.lower()]
    size = float(_with_point(match["number"])) * scale
    is_negative = match["open"] or match["mark"] == "-" or match["minus"] == "-" or match["inner"] == "-"
    return -size if is_negative else size


def _with_point(number):
    plain = number.replace(",", "." if _DECIMAL_COMMA.fullmatch(number) else "")
    return plain.replace(" ", "").replace("'", "")


def unit_words(unit: str) -> str:
    """Return the displayed description of numbers with this unit."""
    if unit == PARENTHESES:
        return "numbers in parentheses are negative"
    if unit == TRAILING:
        return "numbers before a minus are negative"
    if unit == ERROR:
        return "numbers before ±"
    if unit in (MONTHS, DAYS):
        return f"numbers of the {unit}"
    return f"times written as {unit}" if unit in CLOCKS else f"numbers with {unit}"


def unit_in(name: str) -> str:
    """Return the unit in a column name, such as "cm" in "height (cm)", or ""."""
    found = _NAME_WITH_UNIT.fullmatch(name)
    return found[2] if found else ""


def renamed_columns(wanted: Iterable[str], present: Iterable[str]) -> dict[str, str]:
    """Return {present name: expected name} for columns whose names differ only by a unit.

    The column is "height" if its values contain the unit, else "height (cm)". An ambiguous name is unchanged.
    """
    wanted, present = set(wanted), list(present)
    absent, free = wanted.difference(present), [name for name in present if name not in wanted]
    alike: dict[str, tuple[list, list]] = {}
    for place, names in enumerate((sorted(absent), free)):
        for name in names:
            alike.setdefault(_without_unit(name), ([], []))[place].append(name)
    pairs = ((lost[0], given[0]) for lost, given in alike.values() if len(lost) == len(given) == 1)
    return {
        there: name for name, there in pairs if name in (there, _without_unit(there)) or there == _without_unit(name)
    }


def _without_unit(name):
    found = _NAME_WITH_UNIT.fullmatch(name)
    is_unit = found and (
        found[2] in (*_MORE, *_CURRENCIES, *_CURRENCY_WORDS)
        or found[2][:1] == "/"
        or found[2].lower() in _UNITS
        or not any(map(str.isalnum, found[2]))
    )
    return found[1] if is_unit or found and found[2] in (PARENTHESES, TRAILING) else name


def marked_numbers(texts: list[str | None], unit: str) -> np.ndarray | None:
    """Convert texts to float64[n], with NaN for None. Return None if a text is not a number with this unit."""
    numbers = {text: marked_number(text, unit) for text in set(texts) if text is not None}
    if None in numbers.values():
        return None
    return np.array([np.nan if text is None else numbers[text] for text in texts], np.float64)
