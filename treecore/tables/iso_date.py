"""`iso_date`: conversion of dates with a month name, a quarter, a week, or without a day, to ISO 8601."""

import datetime
import re
import unicodedata

# First letters of the months in English, German, French, Spanish, Italian, Portuguese and Dutch. The longest match
# comes first, because "juin" and "juil" differ only in the fourth letter.
_MONTHS = {
    start: number
    for number, starts in enumerate(
        (
            "jan january januar janv janvier enero ene gennaio gen janeiro januari",
            "feb february februar fevrier fev fevr febrero febbraio fevereiro februari",
            "mar march marz maerz mars marzo marco maart mrt mrz",
            "apr april avril avr abril abr aprile",
            "may mai mayo maggio mag maio mei",
            "jun june juni juin junio giugno giu junho",
            "jul july juli juillet juil julio luglio lug julho",
            "aug august aout agosto ago augustus",
            "sep sept september septembre septiembre settembre set sett setembro",
            "oct okt october oktober octobre octubre ottobre ott outubro out",
            "nov november novembre noviembre novembro",
            "dec dez december dezember decembre dic diciembre dicembre dezembro",
        ),
        1,
    )
    for start in starts.split()
}
_TIME = r"(?P<time>[ T]\d{1,2}:\d{2}(:\d{2})?)?"
_WORD, _SIGN = r"(?P<month>[^\W\d_]{3,12})\.?", r"[ ./,-]+"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?P<day>\d{{1,2}})(st|nd|rd|th|\.)?{_SIGN}(de |of )?{_WORD}{_SIGN}(de )?(?P<year>\d{{4}}|\d{{2}}){_TIME}",
        rf"(?P<day>\d{{1,2}})(?P<month>[a-z]{{3}})(?P<year>\d{{4}}){_TIME}",
        rf"{_WORD}{_SIGN}(?P<day>\d{{1,2}})(st|nd|rd|th)?(, ?| |-|/)(?P<year>\d{{4}}){_TIME}",
        rf"(?P<year>\d{{4}}){_SIGN}{_WORD}({_SIGN}(?P<day>\d{{1,2}})){_TIME}",
        rf"(?P<year>\d{{4}}){_SIGN}?{_WORD}",
        rf"{_WORD}{_SIGN}?(?P<year>\d{{4}})",
        rf"{_WORD}[-'](?P<year>\d{{2}})",
        r"(?P<year>\d{4})[ -]?[QT](?P<quarter>[1-4])",
        r"(?P<year>\d{4}):(?P<quarter>[1-4])",
        r"[QT](?P<quarter>[1-4])[ /-]?(?P<year>\d{4})",
        r"(?P<year>\d{4})[ -]?W(?P<week>\d{1,2})(-(?P<weekday>[1-7]))?",
        r"(?P<year>\d{4})-(?P<number>\d{2})",
        r"(?P<year>\d{4})M(?P<number>\d{1,2})",
    )
)
_WEEKDAY = re.compile(
    r"(mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? +(?=\S+[ -])", re.IGNORECASE
)  # "Fri, 1 May 2015"; "Sat 2015" is not a date
_NUMBERS = re.compile(
    r"(\d{4}([./-])\d{1,2}\2\d{1,2}|\d{1,2}([./-])\d{1,2}\3\d{4}|\d{1,2}/\d{1,2}/\d{2}|\d{2}([.-])\d{2}\4\d{2})"
    r"([ T]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?( ?[AP]M)?(Z|[+-]\d{2}:?\d{2})?)?",
    re.IGNORECASE,
)
_MOST_DAYS = 31
_FIRST_YEAR, _LAST_YEAR = 1000, 2999
TURN = 30  # first two-digit year of the 20th century, as in spreadsheets


def iso_date(text: str) -> str | None:
    """Return the ISO date of a text, such as "2015-05-01" for "1-May-15", "May 1, 2015", "2015 May" and "2015-05".

    A month, quarter ("2019 Q3") or week ("2018-W05") gives its first day. Other forms and invalid days give None.
    """
    text = " ".join(text.split())
    if not 6 <= len(text) <= 40:
        return None
    text = _WEEKDAY.sub("", text)
    found = next((match for form in _FORMS if (match := form.fullmatch(text))), None)
    if found is None:
        return None
    parts = found.groupdict()
    year = int(parts["year"])
    if len(parts["year"]) == 2:
        year += 1900 if year >= TURN else 2000
    month = None if parts.get("week") else _month(parts)
    if not (month or parts.get("week")) or not _FIRST_YEAR <= year <= _LAST_YEAR:
        return None
    try:
        if month is None:
            day = datetime.date.fromisocalendar(year, int(parts["week"]), int(parts["weekday"] or 1))
        else:
            day = datetime.date(year, month, int(parts.get("day") or 1))
    except ValueError:
        return None
    return day.isoformat() + (" " + parts["time"][1:].zfill(5) if parts.get("time") else "")


def _month(parts):
    if parts.get("quarter"):
        return 3 * int(parts["quarter"]) - 2
    if parts.get("number"):
        return int(parts["number"])
    return month_number(parts["month"])


def is_written_date(text: str) -> bool:
    """Test whether a text is a date, in numbers ("3/5/2020  1:00 PM") or with the name of a month."""
    text = " ".join(text.split())
    found = _NUMBERS.fullmatch(text)
    if found is None:
        return iso_date(text) is not None
    parts = [int(part) for part in re.split("[./-]", found[1])]
    small = sorted(parts[1:] if parts[0] > _MOST_DAYS else parts[:2])
    return small[0] in range(1, 13) and small[1] in range(1, _MOST_DAYS + 1)


def month_number(word: str) -> int | None:
    """Return the number of a month from its name or the start of its name in seven languages, or None."""
    plain = unicodedata.normalize("NFKD", word.lower())
    return _MONTHS.get("".join(sign for sign in plain if not unicodedata.combining(sign)))
