"""Find columns that identify a subject of several rows, such as a patient, a house or a customer."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas

from sample_data.user_data.classes import quantities
from sample_data.user_data.crossing import are_crossed, joint_codes, value_codes
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.summary import ColumnSummary
from sample_data.user_data.time_order import RowEvidence, is_clock, is_discrete, name_words

FEWEST_SUBJECTS = 5  # smallest number of subjects that makes a sample
_FEWEST_EACH = 1.5  # smallest mean number of rows per subject
# Words in seven languages for subjects that typically have more than one row.
_SUBJECTS = {
    *("subject", "subj", "patient", "person", "participant", "respondent", "individual", "proband", "volunteer"),
    *("student", "pupil", "child", "teacher", "athlete", "player", "driver", "speaker", "user", "customer", "client"),
    *("household", "house", "family", "animal", "mouse", "rat", "cow", "donor", "mother", "sample", "specimen", "plot"),
    *("machine", "engine", "device", "sensor", "vehicle", "school", "hospital", "clinic", "farm", "account", "member"),
    *("pid", "qid", "subjectid", "patientid", "personid", "userid", "customerid", "clientid", "studentid", "playerid"),
    *("versuchsperson", "vp", "teilnehmer", "teilnehmerin", "schueler", "kunde", "kundin", "haushalt", "haus", "tier"),
    *("patiente", "sujet", "personne", "eleve", "menage", "joueur", "paciente", "sujeto", "persona", "alumno", "hogar"),
    *("cliente", "sujeito", "pessoa", "aluno", "paziente", "soggetto", "studente", "deelnemer", "leerling", "klant"),
}
_IDS = {"id", "ids", "no", "nr", "num", "number", "code", "key", "nummer", "kennung", "identifier"}
_ASCII = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "é": "e", "è": "e", "ê": "e", "ñ": "n", "ó": "o"})
# Words after a preposition name something else, as in "people in the house" or "Personas en el hogar".
_PREPOSITIONS = {"in", "of", "per", "at", "by", "en", "por", "de", "del", "im", "je", "pro", "par", "dans", "da", "do"}
_AMOUNTS = {
    "months",
    "years",
    "days",
    "weeks",
    "hours",
    "age",
    "size",
    "type",
    "count",
    "counts",
    "monate",
    "jahre",
    "tage",
}
_MOST_SEARCHED = 12  # maximum number of columns that are tested as subjects, and as occasions
_MOST_COMPARED = 60  # maximum number of columns that are tested for one value per subject
_MOST_PAIRS = 2000  # maximum number of pairs of rows of the same subject
_FEWEST_PAIRS, _FIRST_PAIRS = 20, 80  # pairs without which nothing is tested, and pairs that are tested first
_MOST_CHANGES = 0.01  # largest share of pairs in which a fixed value changes, apart from one
_LEAST_EXPECTED = 12  # fewest changes that chance would give in the pairs
_LEAST_FIXED = 2  # smallest number of fixed columns of numbered subjects that no name shows; texts need one more
_TYPICAL = 0.3  # smallest median number of rows per subject, relative to the mean
_MANY = 20  # number of subjects above which values are not a rating
# Words for kinds of things, which their values describe as they describe the kind.
_KINDS = {
    *("model", "make", "brand", "type", "kind", "genre", "style", "category", "variety", "species", "modell", "marke"),
    *("typ", "art", "marque", "modele", "tipo", "marca", "modelo", "modello", "merk", "soort", "sorte"),
}
_DESCRIPTORS = {"age", "lat", "lon", "latitude", "longitude", "zip", "plz", "postcode"}


class Subjects(NamedTuple):
    """Column of subjects, such as patients.

    Parameters
    ----------
    column : str
        Name of the column.
    within : str, optional
        Column in whose values the numbers of subjects start again, such as the centre of a patient.
    n_subjects : int
        Number of different subjects.
    least, most : int
        Smallest and largest number of rows per subject.
    fixed : tuple of str
        Columns with one value per subject, such as the sex.
    occasion : str, optional
        Column that has each value once per subject, such as the visit.
    """

    column: str
    within: str | None
    n_subjects: int
    least: int
    most: int
    fixed: tuple[str, ...] = ()
    occasion: str | None = None


def find_subjects(evidence: RowEvidence, target: str) -> Subjects | None:
    """Return the likeliest column of subjects with several rows each, or None.

    Other columns are constant for each subject (its sex), or each subject has each occasion once. The name of the
    column decides only how much evidence is required. If two columns describe different subjects, such as the two
    airports of a flight, the result is None.
    """
    able = [s for s in evidence.summaries if s.name != target and _repeats(s) and not is_clock(s)]
    able = [s for s in able if _is_subject(s.name) or is_called_id(s.name) or s.n_distinct >= _MANY]
    able = [s for s in able if _is_subject(s.name) or not name_words(s.name) & (_DESCRIPTORS | _KINDS)]
    able = sorted(able, key=lambda s: (not _is_subject(s.name), not is_called_id(s.name), -s.n_distinct))[
        :_MOST_SEARCHED
    ]
    found = {}
    steady = _steady_columns(evidence, [s.name for s in able], target)
    for summary in able:
        if s := _judge(evidence, summary, target, steady[summary.name]):
            found[summary.name] = s
    if not found:
        return _nested(evidence, able, target)
    return _finest(evidence, found)


def _judge(evidence, summary, target, steady) -> Subjects | None:
    """Return a column as subjects, if its values repeat like subjects."""
    codes = evidence.codes(summary.name)
    is_subject, is_id, is_many = (_is_subject(summary.name), is_called_id(summary.name), summary.n_distinct >= _MANY)
    fixed = _fixed_columns(evidence, codes, summary, steady)
    is_counter = counts_within(evidence.frame[summary.name], summary)
    occasion = None if is_counter else _occasion(evidence, codes, summary, target, is_clock)
    if not (fixed or occasion or is_counter) and is_id:
        occasion = _occasion(
            evidence, codes, summary, None, lambda other: is_discrete(other) and not is_called_id(other.name)
        )
    if not (fixed or occasion or is_counter) and is_id and _is_in_blocks(codes, summary):
        occasion = _rising_within(evidence, codes, summary, target)
    if not (is_subject or is_id) and summary.kind == "number" and not _have_typical_counts(codes):
        fixed = ()  # a quantity, such as the seats of planes
    least = 1 if is_subject or is_id else _LEAST_FIXED + (summary.kind != "number")
    if len(fixed) >= least or occasion:
        return _make_subjects(codes, summary.name, None, fixed, occasion)
    if is_subject and not is_counter and (is_many or summary.kind != "number"):
        return _make_subjects(codes, summary.name, None, fixed, occasion)
    return None


def _nested(evidence, able, target) -> Subjects | None:
    """Return a column of numbers that start again in each value of another column, such as patients in centres."""
    for summary in able:
        if not (is_called_id(summary.name) or _is_subject(summary.name)):
            continue
        for outer in evidence.units:
            if outer.name in (summary.name, target) or outer.n_distinct > summary.n_rows / (3 * summary.n_distinct):
                continue
            codes = joint_codes(evidence.codes(outer.name), evidence.codes(summary.name))
            occasion = _occasion(evidence, codes, summary, target, is_clock)
            if occasion and occasion != outer.name and not is_clock(outer):
                return _make_subjects(codes, summary.name, outer.name, (), occasion)
    return None


def _finest(evidence, found) -> Subjects | None:
    """Return the subjects within which all other candidates are constant, if there are such subjects."""
    names = list(found)

    def is_inner(name):
        return all(_is_constant_within(evidence.codes(name), evidence.codes(other)) for other in names if other != name)

    inner = [name for name in names if is_inner(name)]
    if inner:
        return found[min(inner, key=lambda name: (not _is_subject(name), not is_called_id(name), names.index(name)))]
    for prefer in (_is_subject, lambda name: found[name].occasion):
        preferred = [name for name in names if prefer(name)]
        if len(preferred) == 1:
            return found[preferred[0]]
    return None


def _is_constant_within(inner, outer):
    return len(np.unique(joint_codes(inner, outer))) <= 1.01 * len(np.unique(inner)) + 1


def _pairs_of_rows(codes):
    """Return (int64[n], int64[n]) rows of the same subject, each row at most once on the left."""
    rows = np.flatnonzero(codes >= 0)
    last = np.zeros(codes.max(initial=0) + 1, np.int64)
    last[codes[rows]] = rows
    if len(rows) > _MOST_PAIRS:
        step = len(rows) // _MOST_PAIRS
        rows = rows[np.arange(_MOST_PAIRS) * step + np.random.default_rng(0).integers(0, step, _MOST_PAIRS)]
    others = last[codes[rows]]
    return rows[rows != others], others[rows != others]


def _steady_columns(evidence, names, target) -> dict[str, list[ColumnSummary]]:
    """Return the columns that hardly change within the values of each column in `names`, tested on a few rows."""
    others = [s for s in evidence.summaries if s.name != target and s.n_distinct >= 2
              and not (s.kind == "number" and s.rising) and s.n_missing < 0.5 * s.n_rows][:_MOST_COMPARED]  # fmt: skip
    pairs = [np.stack(_pairs_of_rows(evidence.codes(name))) for name in names]
    pairs = [one[:, :: max(one.shape[1] // _FIRST_PAIRS, 1)] for one in pairs]
    if not pairs:
        return {}
    part = evidence.frame[[s.name for s in others]].iloc[np.concatenate(pairs, axis=1).ravel()]
    ends = np.cumsum([one.shape[1] for one in pairs])[:-1]
    found: dict[str, list[ColumnSummary]] = {name: [] for name in names}
    for summary in others:
        first, second = value_codes(part[summary.name]).reshape(2, -1)
        for name, differs in zip(names, np.split(first != second, ends), strict=True):
            if name != summary.name and differs.sum() <= 1 + 3 * _MOST_CHANGES * len(differs):
                found[name].append(summary)
    return found


def _fixed_columns(evidence, codes, summary, steady) -> tuple[str, ...]:
    """Return the columns of `steady` that have one value per subject, and that are not functions of each other.

    Rows that are equal in all columns prove nothing. Neither do names of the subjects (as many values as subjects) and
    coarser forms of a number, such as the age group of an age.
    """
    left, right = _pairs_of_rows(codes)
    if not steady or len(left) < _FEWEST_PAIRS:
        return ()
    is_again = np.ones(len(left), bool)
    for s in evidence.summaries:
        if not (s.kind == "number" and s.rising) and s.n_distinct >= 2:
            is_again[is_again] = (evidence.codes(s.name)[left] == evidence.codes(s.name)[right])[is_again]
        if not is_again.any():
            break
    left, right = left[~is_again], right[~is_again]
    if len(left) < _FEWEST_PAIRS:
        return ()
    one, other = np.random.default_rng(0).integers(0, len(codes), (2, _MOST_PAIRS))
    firsts = np.unique(codes, return_index=True)[1][int(codes.min() < 0) :]  # one row per subject
    found = []
    for s in steady:
        values = evidence.codes(s.name)
        changes = int((values[left] != values[right]).sum())
        if changes > 1 + _MOST_CHANGES * len(left) or s.n_distinct >= 0.95 * len(firsts) and s.kind != "number":
            continue
        if len(left) * (values[one] != values[other]).mean() < _LEAST_EXPECTED:
            continue
        if summary.kind == "number" and _is_coarser(evidence.frame[summary.name].to_numpy()[firsts], values[firsts]):
            continue
        found.append((s.name, values[firsts]))
    found.sort(key=lambda one: len(np.unique(one[1])))
    kept: list = []
    for name, values in found:
        if not any(_is_constant_within(values, coarser) for _, coarser in kept):
            kept.append((name, values))
    return tuple(name for name, _ in kept)


def _is_coarser(numbers, values):
    """Test whether values are ranges of numbers: along the numbers, no value appears again after another one."""
    along = values[np.argsort(numbers, kind="stable")]
    return 1 + int((along[1:] != along[:-1]).sum()) <= 1.05 * len(np.unique(values)) + 1


def _occasion(evidence, codes, summary, target, applies) -> str | None:
    """Return the first column that has each of its values once per subject."""
    others = [s for s in evidence.summaries if s.name not in (summary.name, target) and applies(s)]
    others = [s for s in others if s.n_distinct >= 2 and not s.rising and s.n_distinct <= s.n_rows / 1.5
              and s.n_missing <= 0.1 * s.n_rows]  # fmt: skip
    return next((s.name for s in others[:_MOST_SEARCHED] if are_crossed(codes, evidence.codes(s.name))), None)


def _have_typical_counts(codes):
    """Test whether most values have about as many rows as the mean. Quantities have a few frequent values."""
    counts = np.unique(codes[codes >= 0], return_counts=True)[1]
    return bool(len(counts)) and bool(np.median(counts) >= _TYPICAL * counts.mean())


def _is_in_blocks(codes, summary):
    """Test whether the rows of each subject follow each other."""
    return 1 + int((codes[1:] != codes[:-1]).sum()) <= 1.02 * summary.n_distinct + 1


def _rising_within(evidence, codes, summary, target) -> str | None:
    """Return the first column by which the rows of each subject, which follow each other, are sorted."""
    same = (codes[1:] == codes[:-1]) & (codes[1:] >= 0)
    for other in evidence.summaries:
        if other.kind not in ("number", "date") or other.name in (summary.name, target) or other.rising:
            continue
        steps = np.diff(quantities(evidence.frame[other.name]))
        has_steps = (steps[same] != 0).sum() >= _FEWEST_PAIRS
        if has_steps and (steps[same] >= 0).mean() >= 0.98 and (steps[~same] < 0).mean() >= 0.2:
            return other.name
    return None


def counts_within(values: pandas.Series, summary: ColumnSummary) -> bool:
    """Test whether numbers count rows and start again, as sample numbers in a study do."""
    if summary.kind != "number":
        return False
    numbers = values.to_numpy(np.float64, na_value=np.nan)
    steps = np.diff(numbers)
    return bool(((steps == 1) | (numbers[1:] == summary.low)).mean() >= 0.98 and (steps == 1).mean() >= 0.5)


def by_group(recipe: Recipe, column: str, within: str | None = None) -> Recipe:
    """Return the recipe with a split by the groups in a column, which then is not a feature.

    within : column in whose values the groups start again
    """
    names = None if recipe.row_names == column else recipe.row_names
    kinds = {**recipe.kinds, column: "ignore"}
    split = {"split": "group", "split_column": column, "split_within": within, "split_values": None}
    return replace(recipe, **split, kinds=kinds, row_names=names)


def is_coded(summaries: Sequence[ColumnSummary], subjects: Subjects) -> bool:
    """Test whether subjects are numbered or named as subjects, and not kinds of things such as states."""
    kind = next(summary.kind for summary in summaries if summary.name == subjects.column)
    return kind == "number" or _is_subject(subjects.column) or is_called_id(subjects.column)


def group_columns(summaries: Sequence[ColumnSummary]) -> list[ColumnSummary]:
    """Return the columns whose values repeat, starting with likely names of subjects."""
    able = [summary for summary in summaries if _repeats(summary) or 2 <= summary.n_distinct < FEWEST_SUBJECTS]
    return sorted(able, key=lambda summary: (not _is_subject(summary.name), not is_called_id(summary.name)))


def counted_subjects(evidence: RowEvidence, column: str) -> Subjects:
    """Return a column as subjects, without evidence from other columns."""
    return _make_subjects(evidence.codes(column), column, None, (), None)


def _make_subjects(codes, column, within, fixed, occasion):
    counts = np.unique(codes[codes >= 0], return_counts=True)[1]
    return Subjects(column, within, len(counts), int(counts.min()), int(counts.max()), fixed, occasion)


def _repeats(summary):
    n_values = summary.n_rows - summary.n_missing
    if summary.distinct_is_capped or summary.kind not in ("number", "category", "text"):
        return False
    if summary.kind == "number" and not summary.whole:
        return False
    return FEWEST_SUBJECTS <= summary.n_distinct <= n_values / _FEWEST_EACH and n_values > 0.5 * summary.n_rows


def _parts(name):
    apart = re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower().translate(_ASCII)
    return re.findall("[a-z]+", apart)


def _words(name):
    return set(_parts(name))


def _is_subject(name: str) -> bool:
    """Test whether a name means a subject, such as "subject", "Patient ID" or "kundennummer"."""
    parts = _parts(name)
    while len(parts) > 1 and parts[-1] in _IDS:
        parts.pop()
    if not parts or is_of_something(name):
        return False
    if _AMOUNTS & set(parts):  # an amount, such as "months_member"
        return False
    last = re.sub("(?:nummer|nr|id)$", "", parts[-1]) or parts[-1]
    return bool({parts[-1], last, last.removesuffix("n"), last.removesuffix("en")} & _SUBJECTS)


def is_of_something(name: str) -> bool:
    """Test whether a name with a preposition means something other than its nouns, such as "people in the house"."""
    parts = _parts(name)
    return bool(_PREPOSITIONS & set(parts)) and parts[0] not in _IDS | {"numero", "codigo"}


def is_called_id(name: str) -> bool:
    """Test whether a name means an ID, such as "case_no"."""
    parts = _parts(name)
    return bool(parts) and (parts[-1] in _IDS or parts[-1].endswith(("id", "nummer", "nr")))
