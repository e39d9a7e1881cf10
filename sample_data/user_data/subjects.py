"""Find columns that identify a subject of several rows, such as a patient, a house or a customer."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import pandas

from sample_data.user_data.plan import plan
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.summary import ColumnSummary
from sample_data.user_data.table import Table
from treecore.errors import DataError

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
_OCCASIONS = {
    *("visit", "wave", "trial", "session", "occasion", "week", "day", "month", "year", "time", "date", "period"),
    *("round", "attempt", "measurement", "repetition", "rep", "replicate", "followup", "phase", "besuch", "welle"),
    *("durchgang", "woche", "tag", "monat", "jahr", "zeit", "datum", "visite", "annee", "semaine", "visita", "ano"),
}
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
_MOST_SEARCHED = 12  # maximum number of columns to compare with columns that count visits or days


class Subjects(NamedTuple):
    """Column of subjects, such as patients.

    Parameters
    ----------
    column : str
        Name of the column.
    n_subjects : int
        Number of different values.
    n_rows : int
        Number of rows with a value.
    is_named : bool
        Whether the name of the column means a subject, or only its repeated values suggest subjects.
    """

    column: str
    n_subjects: int
    n_rows: int
    is_named: bool


def find_subjects(frame: pandas.DataFrame, summaries: Sequence[ColumnSummary], target: str) -> Subjects | None:
    """Return the likeliest column of subjects with several rows each, or None.

    The name of this column means a subject. Otherwise, the name ends in "id" or the column contains text, and another
    column counts the visits or days of each value.
    """
    able = [summary for summary in summaries if summary.name != target and _repeats(summary)]
    for summary in able:
        if _is_subject(summary.name):
            return _make_subjects(summary, True)
    occasions = [s.name for s in summaries if s.name != target and (s.kind == "date" or _words(s.name) & _OCCASIONS)]
    for summary in [s for s in able if s.kind != "number" or _is_id(s.name)][:_MOST_SEARCHED]:
        for occasion in occasions[:_MOST_SEARCHED]:
            if occasion == summary.name or _words(summary.name) & _OCCASIONS:
                continue
            pair = frame[[summary.name, occasion]].dropna()
            if len(pair) >= 0.9 * len(frame) and not pair.duplicated().any():
                return _make_subjects(summary, False)
    return None


def split_by_subjects(table: Table, recipe: Recipe, column: str) -> Recipe | None:
    """Return the recipe `by_group`, or None if no part of the groups could be the test set."""
    found = by_group(recipe, column)
    try:
        plan(table, found)
    except DataError:
        return None
    return found


def by_group(recipe: Recipe, column: str) -> Recipe:
    """Return the recipe with a split by the groups in a column, which then is not a feature."""
    names = None if recipe.row_names == column else recipe.row_names
    kinds = {**recipe.kinds, column: "ignore"}
    return replace(recipe, split="group", split_column=column, split_values=None, kinds=kinds, row_names=names)


def group_columns(summaries: Sequence[ColumnSummary]) -> list[ColumnSummary]:
    """Return the columns whose values repeat, starting with likely names of subjects."""
    able = [summary for summary in summaries if _repeats(summary) or 2 <= summary.n_distinct < FEWEST_SUBJECTS]
    return sorted(able, key=lambda summary: (not _is_subject(summary.name), not _is_id(summary.name)))


def with_subjects(table: Table, recipe: Recipe, summaries: Sequence[ColumnSummary]) -> Recipe:
    """Return the recipe with a split by subjects, if the name of a column means a subject."""
    found = find_subjects(table.frame, summaries, recipe.target)
    if found is None or not found.is_named or recipe.split != "stratified":
        return recipe
    return split_by_subjects(table, recipe, found.column) or recipe


def _make_subjects(summary, is_named):
    return Subjects(summary.name, summary.n_distinct, summary.n_rows - summary.n_missing, is_named)


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


def _is_subject(name):
    """Test whether a name means a subject, such as "subject", "Patient ID" or "kundennummer"."""
    parts = _parts(name)
    while len(parts) > 1 and parts[-1] in _IDS:
        parts.pop()
    if not parts or _PREPOSITIONS & set(parts) and parts[0] not in _IDS | {"numero", "codigo"}:
        return False
    if _AMOUNTS & set(parts):  # an amount, such as "months_member"
        return False
    last = re.sub("(?:nummer|nr|id)$", "", parts[-1]) or parts[-1]
    return bool({parts[-1], last, last.removesuffix("n"), last.removesuffix("en")} & _SUBJECTS)


def _is_id(name):
    parts = _parts(name)
    return bool(parts) and (parts[-1] in _IDS or parts[-1].endswith(("id", "nummer", "nr")))
