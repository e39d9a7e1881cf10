"""Parser for the words and signs of a typed rule."""

import calendar
import datetime
import difflib
import re
from collections.abc import Sequence
from fractions import Fraction

from treecore.errors import RuleError
from treecore.messages import literal, literals
from treecore.ordered_levels import levels_of
from treecore.tables.table_columns import TableColumns
from treecore.tree.date_text import column_name, term_name

LONGEST = 2000  # maximum number of characters in a rule
MOST_COMPARED = 10_000  # maximum number of names that are compared with an unknown name
_NUMBER = re.compile(r"(?:\d+(?:_\d+)*\.?\d*|\.\d+)(?:[eE][+\-−]?\d+)?")
_COMMA = re.compile(r"(\d+),(\d+)(?![\w.]|,\d)")
_TIME = r"(?:[ T](?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?)?(?![\w./-]*\d)"
_DATE = re.compile(r"(?P<year>\d{4,9})-(?P<month>\d{2})-(?P<day>\d{2})" + _TIME)
_DELIMITED = re.compile(r"(?P<one>\d{1,2})(?P<sign>[./-])(?P<two>\d{1,2})(?P=sign)(?P<year>\d{4,9}|\d{2})" + _TIME)
_COMPARISONS = (
    ("<=", "<="), (">=", ">="), ("=<", "<="), ("=>", ">="), ("≤", "<="), ("≥", ">="), ("!=", "!="), ("<>", "!="),
    ("≠", "!="), ("==", "="), ("<", "<"), (">", ">"), ("=", "="),
)  # fmt: skip
_SIGNS = {"+": 1, "-": -1, "−": -1, "–": -1}
_FACTORS = {"*": "*", "·": "*", "×": "*", "/": "/", "÷": "/"}
_QUOTES = ('"', "`")
_EPOCH = datetime.datetime(1970, 1, 1)
_DAY = datetime.timedelta(days=1)


class RuleReader:
    """Text of a rule and the current position in it. Spaces between words are skipped.

    text : str; names : tuple of str, all feature names; columns : TableColumns or None.
    """

    def __init__(self, text: str, names: Sequence[str], columns: TableColumns | None) -> None:
        self.text, self.place = text if isinstance(text, str) else "", 0
        if not isinstance(text, str):
            self.fail("A rule must be text.")
        if self.text[:2] in ("'-", "'+"):
            # An apostrophe protects the rule from spreadsheets, which could read it as a formula.
            self.text = text = text[1:]
        if len(text) > LONGEST:
            self.fail(f"The rule has {len(text)} characters (maximum {LONGEST}).")
        self.features = {}
        for feature, name in enumerate(names):
            self.features.setdefault(name, feature)
        self.categories = {}  # {column name: (TableColumn, first feature)}
        self.indicators = set()
        self.dates = {}  # {feature: day_first of its column}
        self.levels = {}  # {feature: levels of its ordered column}
        for feature, name in enumerate(names):
            if levels := levels_of(name):
                self.levels[feature] = levels
                self.features.setdefault(column_name(name), feature)
                self.features.setdefault(term_name(name), feature)
        self.last_feature = None
        self._read_columns(columns, names)
        self.longest = sorted({len(name) for name in (*self.features, *self.categories)}, reverse=True)
        self.lower = {}
        for name in (*self.features, *self.categories):
            self.lower[name.lower()] = None if name.lower() in self.lower else name  # None for an ambiguous name
        self._skip_spaces()
        if self.at_end():
            self.fail("The rule is empty. Example: if age < 18 go left.")

    def _read_columns(self, columns, names):
        if columns is None:
            self.indicators = {feature for feature, name in enumerate(names) if " = " in name}
            return
        for column, group in zip(columns.columns, columns.groups(), strict=True):
            if column.kind == "category":
                self.categories[column.name] = column, group.start
                self.indicators |= set(group)
            elif column.kind == "date":
                self.dates[group.start] = column.day_first
                self.features.setdefault(column.name, group.start)

    def fail(self, message: str, place: int | None = None) -> None:
        """Raise RuleError with a message and a position (None: the current position)."""
        place = min(self.place if place is None else max(place, 0), len(self.text))
        text = (
            f"{message} (at the end of the rule)"
            if place >= len(self.text)
            else f"{message} (at character {place + 1}, before {self.rest(place)})"
        )
        raise RuleError(text, place)

    def rest(self, place: int | None = None) -> str:
        """Return the rest of the text, shortened and in quotes."""
        text = " ".join(self.text[self.place if place is None else place :].split())
        return repr(text[:30] + ("…" if len(text) > 30 else ""))

    def at_end(self) -> bool:
        """Return whether the whole text has been read."""
        return self.place >= len(self.text)

    def skip_word(self, word: str) -> bool:
        """Skip this word, and commas or arrows before it, if it is next. Return whether it was skipped."""
        start = self.place
        while self._skip(",") or self._skip(":") or self._skip("->") or self._skip("→"):
            pass
        stop = self.place + len(word)
        if self.text[self.place : stop].lower() == word and _ends_here(self.text, stop):
            self._move(stop)
            return True
        self.place = start
        return False

    def skip_if(self) -> None:
        """Skip an "if" at the start of the rule, unless it is part of a name."""
        name, stop = self._longest()
        if name is None:
            self.skip_word("if")
        elif name.lower() == "if":
            self._move(stop)
            if self.peek_comparison() is None and self.text[self.place : self.place + 1] not in {*_SIGNS, *_FACTORS}:
                return
            self._move(0)

    def skip_words(self, *words) -> bool:
        """Skip these words if they are next. Return whether they were skipped."""
        start = self.place
        if all(self.skip_word(word) for word in words):
            return True
        self.place = start
        return False

    def skip_sign(self, sign: str) -> bool:
        """Skip this sign if it is next. Return whether it was skipped."""
        return self._skip(sign)

    def sign(self) -> int | None:
        """Read a plus or minus sign and return 1 or -1, or None if none is next."""
        if self._starts("->"):
            return None
        found = _SIGNS.get(self.text[self.place : self.place + 1])
        if found is not None:
            self._move(self.place + 1)
        return found

    def factor_sign(self) -> str | None:
        """Read and return "*" or "/", or None if neither is next."""
        found = _FACTORS.get(self.text[self.place : self.place + 1])
        if found is not None:
            self._move(self.place + 1)
        return found

    def peek_comparison(self) -> str | None:
        """Return the next comparison (one of < <= > >= = !=) without reading it, or None."""
        return next((meaning for sign, meaning in _COMPARISONS if self._starts(sign)), None)

    def comparison(self) -> str | None:
        """Read and return the next comparison, or None."""
        found = next(((sign, meaning) for sign, meaning in _COMPARISONS if self._starts(sign)), None)
        if found is None:
            return None
        self._move(self.place + len(found[0]))
        return found[1]

    def number_or_feature(self) -> tuple:
        """Read a number, date or level and return (Fraction, None), or read a feature and return (1, feature)."""
        levels = self.levels.get(self.last_feature, ())
        level, stop = self._quoted() or self._longest(levels) if levels else (None, self.place)
        if level in levels:
            self._move(stop)
            return Fraction(levels.index(level)), None
        date, number = self._date(), _NUMBER.match(self.text, self.place)
        stop = (date or number).end() if date or number else self.place
        name, name_stop = self._name()
        if name is not None and (name_stop > stop or not number):
            if name in self.categories:
                self.fail(f"{name[:60]!r} is a column of categories. Write {self._example(name)}.")
            self._move(name_stop)
            self.last_feature = self.features[name]
            return Fraction(1), self.last_feature
        if date:
            return self._days(date), None
        if comma := _COMMA.match(self.text, self.place):
            whole, decimals = comma.groups()
            if len(decimals) == 3:
                self.fail(f"{comma[0]} is ambiguous. Write {whole}{decimals} or {whole}.{decimals}.")
            self._move(comma.end())
            return Fraction(float(f"{whole}.{decimals}")), None
        if number:
            value = float(number[0].replace("_", "").replace("−", "-"))
            if value == float("inf"):
                self.fail("This number is too large. Use a smaller number.")
            self._move(stop)
            return Fraction(value), None
        return self._fail_at_name()

    def category(self) -> tuple | None:
        """Read a condition on a category. Return (features, whether one of them must be 1), or None."""
        start = self.place
        name, stop = self._name()
        if name is None:
            return None
        if name in self.categories:
            self._move(stop)
            if (wanted := self._is_in()) is not None:
                return self._features_of(name, self._values(name), wanted)
            if (wanted := self._is_or_is_not()) is not None:
                return self._features_of(name, [self._value(name)], wanted)
            self.fail(f"Expected '=' or '!=' after a column of categories. Example: {self._example(name)}.")
        if self.features[name] in self.indicators:
            self._move(stop)
            sum_goes_on = self.peek_comparison() or self.text[self.place : self.place + 1] in {*_SIGNS, *_FACTORS}
            if not sum_goes_on or self._starts("->"):
                return [self.features[name]], True
        self.place = start
        return None

    def _features_of(self, name, found, wanted):
        """Return `category` for the features in `found`, in which None means the only value without a feature."""
        column, first = self.categories[name]
        if None not in found:
            return found, wanted
        rest = [j for j in range(first, first + len(column.categories)) if j not in found]
        if not rest:
            self.fail(f"These are all values of {name[:60]!r}. Leave one out.")
        return rest, not wanted

    def _is_in(self):
        if self.skip_words("not", "in") or self.skip_words("is", "not", "in"):
            return False
        return True if self.skip_word("in") or self.skip_words("is", "in") else None

    def _values(self, name):
        """Read values in braces, in the notation of rules and figures, and return their features."""
        if not self._skip("{"):
            self.fail(f"Expected values in braces after 'in'. Example: {name[:40]} in {{{self._first(name)}}} go left.")
        found = [self._value(name)]
        while self._skip(","):
            found.append(self._value(name))
        if not self._skip("}"):
            self.fail("Expected a comma between values and '}' after the last value.")
        return found

    def _is_or_is_not(self):
        if self.skip_words("is", "not"):
            return False
        if self.skip_word("is"):
            return True
        comparison = self.peek_comparison()
        if comparison in ("=", "!="):
            self.comparison()
            return comparison == "="
        return None

    def _value(self, name):
        """Read a value of a categorical column. Return its feature, or None for the only value without a feature."""
        column, first = self.categories[name]
        quoted = self._quoted()
        if quoted is not None:
            text, stop = quoted
        else:
            text, stop = self._longest(dict.fromkeys((*column.categories, *column.others)))
            if text is None:
                text, stop = self._loose()
        if text in column.categories:
            self._move(stop)
            return first + column.categories.index(text)
        if text in column.others and column.grouped:
            self.fail(f"{text[:60]!r} belongs to the group {column.categories[-1]!r}. Use the group.")
        if column.others == (text,):
            self._move(stop)
            return None
        if text in column.others:
            self.fail(f"{text[:60]!r} is too rare to be a feature. Use a more frequent value.")
        near = _nearest(text, column.categories)
        known = [value[:30] for value in column.categories[:6]]
        return self.fail(
            f"Unknown value {text[:60]!r} of {name[:60]!r}. Did you mean {literals(near, between=' or ')}?"
            if near
            else f"Unknown value {text[:60]!r} of {name[:60]!r}. Use one of {literals(known)}."
        )

    def _name(self):
        """Return (name, its end) of the next feature or column, or (None, current position)."""
        quoted = self._quoted()
        if quoted is None:
            name, stop = self._longest()
            return (name, stop) if name is not None else self._begun()
        name, stop = quoted
        if name in self.features or name in self.categories:
            return name, stop
        return self.fail(self._unknown(name))

    def _begun(self):
        """Return the unique name that starts with the next words, such as "petal width (cm)" for "petal width"."""
        text, stop = self._loose()
        if not text or not text[0].isalpha():
            return None, self.place
        begun = [name for name in self.lower if name.startswith(text.lower()) and _ends_here(name, len(text))]
        only = self.lower[begun[0]] if len(begun) == 1 else None
        return only, self.place if only is None else stop

    def _longest(self, known=None):
        """Return the longest of the `known` names (None: all) that is next, ignoring case."""
        lengths, folded = self.longest, self.lower
        if known is not None:
            lengths = sorted({len(name) for name in known}, reverse=True)
            folded = {name.lower(): name for name in known}
        known = self.features.keys() | self.categories.keys() if known is None else known
        for length in lengths:
            stop = self.place + length
            text = self.text[self.place : stop]
            if len(text) < length or not text.strip() or not _ends_here(self.text, stop):
                continue
            if text in known:
                return text, stop
            if folded.get(text.lower()) is not None:
                return folded[text.lower()], stop
        return None, self.place

    def _quoted(self):
        """Return (text in quotes, its end) if a quotation mark is next, else None."""
        quote = self.text[self.place : self.place + 1]
        if not quote or quote not in _QUOTES:
            return None
        parts, place = [], self.place + 1
        while True:
            end = self.text.find(quote, place)
            if end < 0:
                self.fail(f"The quote {quote} has no closing quote.")
            parts.append(self.text[place:end])
            if self.text[end + 1 : end + 2] != quote:
                return quote.join(parts), end + 1
            place = end + 2

    def _loose(self):
        """Return the text of an unknown name, up to the next sign, and its end."""
        found = re.split(r"[<>=≤≥≠!+*/·×÷,:\"`→−}]", self.text[self.place :], maxsplit=1)[0]
        text = re.split(r"\s+(?:then|go|goes|left|right|or|is)\b|\s+-", found, maxsplit=1, flags=re.I)[0]
        return text.strip(), self.place + len(text)

    def _fail_at_name(self):
        name = self._loose()[0]
        if not name:
            self.fail("Expected a feature or a number.")
        if name[0] in "()":
            self.fail("Parentheses are not supported. Write the sum without them.")
        if levels := self.levels.get(self.last_feature):
            self.fail(f"Unknown level {literal(name[:60])}. Levels from low to high: {literals(levels)}.")
        return self.fail(self._unknown(name))

    def _unknown(self, name):
        names = [*self.features, *self.categories]
        if name.lower() in self.lower and self.lower[name.lower()] is None:
            return f"Unknown feature {name[:60]!r}. Names are case-sensitive."
        near = _nearest(name, names)
        return (
            f"Unknown feature {name[:60]!r}. Did you mean {literals(near, between=' or ')}?"
            if near
            else f"Unknown feature {name[:60]!r}. Use one of {literals(names, 5)}."
        )

    def _example(self, name):
        return f"{name[:40]} = {self._first(name)} go left"

    def _first(self, name):
        return self.categories[name][0].categories[0][:40]

    def _date(self):
        """Return the match of a date at the current position, or None.

        3/5/2020 is a division unless it follows a date column.
        """
        date = _DELIMITED.match(self.text, self.place)
        if date and self.last_feature not in self.dates and (date["sign"] != "." or not self.dates):
            date = None
        return date or _DATE.match(self.text, self.place)

    def _days(self, date):
        """Return the days since 1970 of a date in the format of its column or with the year first."""
        parts, written = date.groupdict(), date[0].strip()
        if "one" in parts:
            day_first = self.dates.get(self.last_feature, next(iter(self.dates.values()), None))
            day_first = date["sign"] == "." if day_first is None else day_first
            order = ("one", "two") if day_first else ("two", "one")
            parts["day"], parts["month"] = (parts[name] for name in order)
            if len(date["year"]) < 4:
                self.fail(f"Write the year in {written} with four digits.")
            if date["sign"] != "." and self.dates.get(self.last_feature) is None:
                self.fail(f"{written} is ambiguous. Write year-month-day.")
        names = ("year", "month", "day", "hour", "minute", "second")
        numbers = {name: int(parts[name] or 0) for name in names}
        year, month, day, hour, minute, second = numbers.values()
        try:
            passed = datetime.datetime(year, month, day, hour, minute, second) - _EPOCH
        except ValueError:
            self.fail(f"{written} is not a date: {_what_is_wrong(numbers)}.")
        self._move(date.end())
        return Fraction(passed / _DAY)

    def _starts(self, sign):
        return self.text.startswith(sign, self.place)

    def _skip(self, sign):
        if self._starts(sign):
            self._move(self.place + len(sign))
            return True
        return False

    def _move(self, place):
        self.place = place
        self._skip_spaces()

    def _skip_spaces(self):
        while self.place < len(self.text) and (
            self.text[self.place].isspace() or not self.text[self.place].isprintable()
        ):
            self.place += 1


def _what_is_wrong(numbers):
    """Return the message for the first part of a date that is out of range."""
    year, month, day = (numbers[name] for name in ("year", "month", "day"))
    if not 1 <= year <= 9999:
        return "expected a year from 1 to 9999"
    if not 1 <= month <= 12:
        return f"month {month} does not exist"
    days = calendar.monthrange(year, month)[1]
    if not 1 <= day <= days:
        return f"{calendar.month_name[month]} {year} has days 1 to {days}, not {day}"
    return "expected a time from 00:00 to 23:59"


def _ends_here(text, stop):
    """Return whether a word may end before `stop`, which must not separate letters or digits."""
    return not (stop < len(text) and _is_word(text[stop]) and _is_word(text[stop - 1]))


def _is_word(sign):
    return sign.isalnum() or sign == "_"


def _nearest(name, names):
    """Return at most three names that are most similar to a name."""
    lower = {str(other).lower(): other for other in list(names)[:MOST_COMPARED]}
    return [lower[key] for key in difflib.get_close_matches(name.lower()[:80], lower, 3, 0.6)]
