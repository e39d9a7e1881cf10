"""Numbers with a mark or a unit, such as `$6M`, `(76.50)`, `12.3*`, `197 cm` and `5:18`."""

import re
from collections.abc import Iterable

import numpy as np

_SCALES = {"": 1.0, "k": 1e3, "m": 1e6, "mm": 1e6, "mio": 1e6, "b": 1e9, "bn": 1e9, "t": 1e12}
_UNIT_WORDS = (
    "cm mm m km ft in inch inches lb lbs kg g mg oz l ml mph kmh km/h hp kw w v mi yd min s sec ms h hr hrs yrs yr "
    "years days months gb mb tb ghz mhz hz px pts cc kpl kmpl bhp nm k mio bn °c °f °"
)
_UNITS = frozenset(_UNIT_WORDS.split())
_FORM = re.compile(  # possessive quantifiers, so that many blanks take no extra time
    r"(?P<less>[<>≤≥] ?)?(?P<open>\()?\s*+(?P<minus>[-+−]?)\s*+(?P<sign>[$€£¥]|US\$|USD|EUR|GBP)?\s*+(?P<inner>[-+−]?)"
    r"(?P<number>\d{1,3}(,\d{3})+(\.\d+)?|\d+,\d{1,2}(?!\d)|\d+(\.\d*)?|\.\d+)(?P<blank>\s*+)"
    r"(?P<unit>[^\W\d_]{1,8}(/[^\W\d_]{1,5})?|°[CF]?|[$€£¥%])?\s*+(?P<mark>[*†‡#+]{0,3}|\[\w{1,3}\])\s*+(?P<close>\))?"
)
_CLOCK = re.compile(r"(?P<minus>-?)(?P<first>\d{1,3}):(?P<second>[0-5]\d)(:(?P<third>[0-5]\d(\.\d+)?))?")
_DECIMAL_COMMA = re.compile(r"\d+,\d{1,2}")
_NAME_WITH_UNIT = re.compile(r"(.+) \(([^()\d][^()]{0,14})\)")
_CURRENCIES = ("US$", "USD", "EUR", "GBP")
_LEAST = 3  # minimum number of distinct numbers, because 36 months and 60 months are two categories
_LEAST_WITH_LIMITS, _MOST_LIMITS = (
    10,
    0.3,
)  # minimum number of distinct values, and maximum share of values such as "<0.02"
PARENTHESES = "parentheses"  # name of the mark of negative numbers
CLOCKS = ("h:min", "min:s", "h:min:s")


def unit_of(fields: Iterable[str]) -> str | None:
    """Return the common mark or unit of the numbers in a column ("cm", "$", "min:s"), or None.

    Numbers in parentheses are negative. If there are several marks, such as "*", the first one is returned.
    """
    fields = list(dict.fromkeys(field.strip() for field in fields))
    if len(fields) < _LEAST:
        return None
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
        mark = next((match["mark"] for match in found if match["mark"]), None) or next(iter(limits), None)
        return mark or (PARENTHESES if any(match["open"] for match in found) else None)
    is_apart = all(match["blank"] for match in found)
    return (found[0]["unit"] or "") if unit in _UNITS or is_apart else None


def _clock_unit(clocks):
    if all(clock["third"] for clock in clocks):
        return "h:min:s"
    if any(clock["third"] for clock in clocks):
        return None
    is_day = all(len(clock["first"]) == 2 and int(clock["first"]) < 24 for clock in clocks)
    return "h:min" if is_day else "min:s"


def marked_number(text: str, unit: str) -> float | None:
    """Return the number in a text of a column with this unit, or None. 5:18 is 5.3, in units of its first part."""
    text = text.strip()
    if unit in CLOCKS:
        clock = _CLOCK.fullmatch(text)
        if clock is None:
            return None
        size = int(clock["first"]) + int(clock["second"]) / 60 + float(clock["third"] or 0) / 3600
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
    is_negative = match["open"] or match["minus"] in ("-", "−") or match["inner"] in ("-", "−")
    return -size if is_negative else size


def _with_point(number):
    return number.replace(",", "." if _DECIMAL_COMMA.fullmatch(number) else "")


def unit_words(unit: str) -> str:
    """Return the displayed description of numbers with this unit."""
    if unit == PARENTHESES:
        return "numbers in parentheses are negative"
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
        found[2] in (*CLOCKS, *_CURRENCIES) or found[2].lower() in _UNITS or not any(map(str.isalnum, found[2]))
    )
    return found[1] if is_unit or found and found[2] == PARENTHESES else name


def marked_numbers(texts: list[str | None], unit: str) -> np.ndarray | None:
    """Convert texts to float64[n], with NaN for None. Return None if a text is not a number with this unit."""
    numbers = {text: marked_number(text, unit) for text in set(texts) if text is not None}
    if None in numbers.values():
        return None
    return np.array([np.nan if text is None else numbers[text] for text in texts], np.float64)
