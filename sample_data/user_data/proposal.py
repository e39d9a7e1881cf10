"""Propose a recipe for a table."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

import numpy as np
import pandas

from sample_data.user_data.crossing import joint_codes, value_codes
from sample_data.user_data.grouping import propose_below
from sample_data.user_data.known_orders import all_answers_ordered
from sample_data.user_data.not_numbers import not_numbers, sure_exceptions, without_exceptions
from sample_data.user_data.proposed_split import with_split
from sample_data.user_data.read_as_missing import likely_classes
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.subjects import counts_within
from sample_data.user_data.summary import ColumnSummary, summarise_column
from sample_data.user_data.table import Table
from sample_data.user_data.target_choice import rank_targets
from sample_data.user_data.time_order import is_clock
from sample_data.user_data.values import is_number, looks_like_date
from treecore.errors import DataError
from treecore.tables.table_columns import BLANK

# Words in the names of codes: numbers without a size.
CODE_WORDS = {
    # official codes
    "zip", "zipcode", "postcode", "postal", "postleitzahl", "plz", "cep", "fips", "cbsa", "gkz", "insee", "ibge",
    "sic", "naics", "isic", "nace", "cnae", "ateco", "isco", "icd", "cpt", "drg", "sku", "upc", "ean", "gtin",
    "cusip", "permno", "gvkey", "blz", "code", "codes", "codigo", "codice",
    # places
    "state", "province", "provincia", "provinz", "county", "country", "nation", "pais", "pays", "paese",
    "bundesland", "kanton", "canton", "region", "regione", "regio", "district", "distrito", "bezirk", "borough",
    "neighborhood", "neighbourhood", "municipality", "municipio", "gemeinde", "gemeente", "commune", "comune",
    "city", "town", "village", "stadt", "ville", "ciudad", "cidade", "citta", "zone", "zona", "continent",
    "location", "station", "geo", "origin", "destination",
    # organisations
    "firm", "company", "firma", "entreprise", "empresa", "azienda", "bedrijf", "sector", "secteur", "settore",
    "industry", "branche", "department", "departement", "departamento", "abteilung", "provider", "inst", "instit",
    "institution", "center", "centre", "centro", "zentrum", "site", "hospital", "clinic", "school", "schule",
    "escuela", "ecole", "scuola", "ward", "store", "shop", "filiale", "branch", "chamber", "supplier", "vendor",
    "lieferant", "fournisseur", "proveedor", "fornitore", "manufacturer", "hersteller", "airline", "carrier",
    # experiments and production
    "panel", "plate", "batch", "block", "plot", "expt", "experiment", "treatment", "trt", "treat", "group", "grp",
    "gruppe", "grupo", "groupe", "gruppo", "groep", "cluster", "study", "trial", "machine", "maschine", "litter",
    "brood", "nest", "cage", "herd", "sire", "ship", "vessel",
    # people and their roles
    "operator", "rater", "interviewer", "investigator", "observer", "examiner", "technician", "surgeon",
    "physician", "judge", "sex", "gender", "geschlecht", "sexe", "sexo", "sesso", "geslacht", "race", "raza",
    "raca", "ethnicity", "ethnic", "etnia", "religion", "konfession", "nationality", "nationalitaet", "nationalite",
    "nacionalidad", "nacionalidade", "occupation", "ocupacion", "ocupacao", "beruf", "beroep", "profession",
    "professione", "profesion", "profissao", "metier", "marital", "familienstand",
    # kinds
    "type", "typ", "tipo", "kind", "sorte", "soort", "species", "breed", "variety", "cultivar", "genotype",
    "strain", "brand", "marke", "marque", "marca", "merk", "category", "kategorie", "categoria", "categorie",
    "route", "histol", "histology", "film",
}  # fmt: skip
CODE_ENDS = ("code", "cod", "zip", "fips", "type", "nummer")
# Words of categories if the numbers are few and small. Plurals such as "cells" are counts and are not listed.
KIND_WORDS = {
    "class", "klasse", "classe", "clase", "status", "statut", "estado", "stato", "etat", "condition", "cond",
    "cell", "orientation", "direction", "richtung", "side", "position", "origen", "origine", "herkunft", "source",
    "quelle", "dest", "place", "ort", "lieu", "lugar", "area", "territory", "division", "habitat", "soil", "rock",
    "crop", "language", "lang", "sprache", "langue", "idioma", "lingua", "taal", "party", "partei", "parti",
    "partido", "partito", "candidate", "relationship", "relation", "job", "employment", "empstat", "marstat",
    "major", "faculty", "program", "programme", "prog", "course", "curso", "corso", "fach", "studienfach",
    "filiere", "carrera", "mode", "method", "methode", "metodo", "technique", "procedure", "verfahren", "protocol",
    "design", "format", "style", "shape", "form", "material", "color", "colour", "farbe", "couleur", "colore",
    "cor", "kleur", "reason", "grund", "raison", "motif", "motivo", "cause", "ursache", "causa", "purpose",
    "diagnosis", "diagnose", "diag", "disease", "krankheit", "maladie", "enfermedad", "doenca", "malattia",
    "ziekte", "tissue", "drug", "therapy", "therapie", "arm", "regimen", "intervention", "behandlung", "traitement",
    "tratamiento", "tratamento", "trattamento", "behandeling", "insurance", "transport", "fuel", "transmission",
    "heating", "product", "produkt", "produit", "producto", "produto", "prodotto", "model", "modell", "modele",
    "modelo", "modello", "make", "channel", "platform", "segment", "variant", "campaign", "weekday", "dow", "wday",
    "dayofweek", "wochentag", "season", "saison", "jahreszeit", "estacion", "stagione", "weather", "weathersit",
    "wetter", "shift", "schicht", "turno", "teacher", "doctor", "instructor", "coder", "reader", "lab",
    "laboratory", "labor", "farm", "field", "lane", "recipe", "strata", "poison", "toxin", "chemical", "compound",
    "additive", "catalyst", "solvent", "spray", "feed", "diet", "fertilizer", "fertiliser", "herbicide",
    "fungicide", "insecticide", "pathogen", "duenger", "engrais", "stratum", "pattern", "vehicle", "team", "league",
    "scenario", "stimulus", "stim",
}  # fmt: skip
KIND_ENDS = ("race", "typ", "gruppe", "klasse", "status", "region", "kategorie", "group", "grp")
# First words of names in which the noun comes first, such as "estado_civil".
KIND_HEADS = {
    "status", "statut", "estado", "etat", "stato", "couleur", "color", "colore", "cor", "motif", "motivo", "lieu",
    "lugar", "classe", "clase", "forme", "forma", "parti", "partido", "partito", "methode", "metodo", "cause",
    "causa", "origine", "origen", "modele", "modelo", "modello", "orientation", "diagnosi", "diagnose",
}  # fmt: skip
RATED = {"condition", "cond"}  # words of kinds if the numbers have even shares, and otherwise of ratings
SCHOOL = {"school", "schule", "escuela", "ecole", "scuola"}  # also mean the years at school
# Last words of names of quantities, such as "store_sales" or "group_size".
QUANTITY_WORDS = {
    "size", "population", "pop", "area", "income", "revenue", "turnover", "price", "cost", "profit", "age",
    "length", "width", "height", "weight", "distance", "dist", "depth", "rate", "ratio", "share", "percent", "pct",
    "score", "rating", "rank", "grade", "level", "mean", "average", "avg", "median", "min", "max", "std", "volume",
    "density", "speed", "temp", "temperature", "capacity", "experience", "satisfaction", "quality", "balance",
    "debt", "tax", "gdp", "spend", "budget", "value", "amount", "duration", "stay", "frequency", "freq",
    "elevation", "altitude", "groesse", "einkommen", "umsatz", "preis", "alter", "flaeche", "einwohner", "taille",
    "prix", "surface", "chiffre", "mpg", "mph", "kmh", "hp", "fare", "precio", "ingreso", "edad", "poblacion",
    "superficie", "tamano", "prezzo", "eta", "popolazione", "prijs",
}  # fmt: skip
NUMBER_WORDS = {"number", "num", "no", "nr", "nbr", "nummer", "numero"}  # after the name of a thing or a code
COUNT_WORDS = {
    "count", "counts", "number", "num", "total", "sum", "quantity", "cnt", "hours", "days", "minutes", "rings",
    "times", "visits", "anzahl", "stunden", "tage", "menge", "nombre", "cantidad", "satellites", "accidents",
    "goals", "eggs", "births", "deaths", "claims", "items", "reports", "incidents", "crashes", "calls", "errors",
    "defects",
}  # fmt: skip
TIME_WORDS = {
    "year", "yr", "yyyy", "month", "week", "day", "dd", "date", "time", "quarter", "period", "hour", "minute",
    "second", "doy", "yday", "dayofyear", "season", "decade", "epoch", "step", "trend", "t", "jahr", "monat",
    "woche", "tag", "stunde", "tage", "wochen", "monate", "jahre", "stunden", "minuten", "zeit", "datum", "annee",
    "mois", "semaine", "jour", "heure", "temps", "ano", "mes", "semana", "dia", "hora", "fecha", "anno", "mese",
    "settimana", "giorno", "ora", "jaar", "maand", "dag", "uur",
}  # fmt: skip
NAMING = {
    "name", "namen", "names", "kunde", "customer", "title", "titel", "bezeichnung", "id", "kennung", "nome",
    "nombre", "nom", "naam", "surname", "firstname", "lastname", "vorname", "nachname", "prenom", "apellido",
    "cognome",
}  # fmt: skip
ID_WORDS = {
    "id", "no", "nr", "number", "index", "row", "key", "uuid", "record", "unnamed", "kennung", "rownames",
    "rowname", "rownumber", "rowid", "obs", "observation",
}  # fmt: skip
# words in the names of columns that only number the rows of a table
ROW_WORDS = {
    "index", "row", "unnamed", "rownames", "rowname", "rownumber", "rowid", "obs", "observation",
}  # fmt: skip
# Last words of the names of columns that name subjects or groups of rows, in several languages.
THING_WORDS = {
    "id", "ids", "uid", "uuid", "guid", "identifier", "identificador", "identifiant", "kennung", "subject", "subj",
    "patient", "patnr", "proband", "participant", "respondent", "stratum", "strata", "pair", "pairid", "matchset",
    "caseid", "animal", "individual", "sujet", "sujeto", "paciente", "paziente", "soggetto", "persoon", "person",
    "personnr", "household", "family", "famid", "pid", "subjid", "subid", "idnum", "idno", "ssn", "iban", "barcode",
}  # fmt: skip
# People and households, which numbers as large as theirs do not count.
PERSON_WORDS = {
    "mom", "mother", "dad", "father", "parent", "child", "kid", "woman", "man", "student", "pupil", "worker",
    "employee", "employer", "customer", "client", "user", "player", "house", "household", "couple", "owner", "tenant",
    "voter", "donor", "mutter", "vater", "kind", "frau", "mann", "schueler", "kunde", "haushalt", "mere", "pere",
    "enfant", "femme", "homme", "eleve", "menage", "madre", "padre", "hijo", "mujer", "hombre", "alumno", "hogar",
    "figlio", "donna", "uomo", "alunno", "famiglia", "mae", "pai", "filho", "mulher", "aluno", "moeder", "vader",
    "vrouw", "leerling", "klant", "gezin",
}  # fmt: skip
ID_ONLY = {"id", "ids", "uid", "uuid", "guid", "identifier", "kennung", "identificador", "identifiant"}
# Words before "id" in a name without a separator, such as "userid".
BEFORE_ID = {
    "sample", "user", "customer", "client", "order", "product", "item", "movie", "player", "team", "game", "match",
    "employee", "student", "case", "record", "row", "obs", "hh", "session", "device", "account", "member", "visit",
    "tree", "person", "store", "transaction", "event", "trip", "class", "cell",
}  # fmt: skip
PLACE_WORDS = {
    "address", "street", "adresse", "strasse", "rue", "direccion", "calle", "indirizzo", "url", "email", "mail",
    "phone", "telephone", "telefon",
}  # fmt: skip


# Words in the names of targets, by descending priority.
_TARGET_WORDS = (
    ("target", "class", "label", "labels", "klasse", "ziel", "zielvariable", "zielgroesse", "clase", "classe", "y"),
    ("outcome", "response", "result", "diagnosis", "diagnose", "species", "survived", "churn", "churned", "fraud",
     "default", "defaulted", "gekuendigt", "kuendigung", "abgewandert", "betrug", "ausfall", "ergebnis"),
    ("price", "saleprice", "preis", "kaufpreis", "medv"),
)  # fmt: skip
_CLASS, _EXPLICIT = {"class", "klasse", "clase", "classe"}, set(_TARGET_WORDS[0] + _TARGET_WORDS[1])
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_SPLIT_NAMES = ("split", "set", "partition", "fold", "subset", "part", "dataset")
_PART_WORDS = {
    **dict.fromkeys(("train", "training", "learn", "tr"), "train"),
    **dict.fromkeys(("validation", "valid", "val", "dev"), "validation"),
    **dict.fromkeys(("test", "testing", "holdout", "eval", "te"), "test"),
}
_FLAGS = {"is", "in", "for", "set", "split", "sample", "flag", "fold", "rows", "row"}
_YES_NO = ({"0", "1"}, {"false", "true"}, {"no", "yes"}, {"n", "y"}, {"f", "t"})
_YES = {"1", "true", "yes", "y", "t"}
MOST_TARGET_VALUES = 50
MAX_CODES = 200  # maximum number of codes in a column whose name means a class
_MOST_WHOLE = 20  # maximum number of different integers of any size that may be classes
_FEW_WHOLE = 7  # number of classes above which none may be rare, see `_has_even_shares`
_FEW_SPARSE = 4  # number of classes above which each needs several rows
_RARE_COUNT, _LEAST_COUNTS = (0.05, 6)  # share of the most frequent count, below which one is rare, and fewest counts
_THIN_TAIL = 0.1  # maximum number of rows with the largest count, relative to the mean over all values
_YEARS = (1500, 2200)  # integers in this range are years, not row numbers
_MOST_EMPTY = 0.5  # largest share of rows without a value in a target
_LEAST_OF_A_CODE = 5  # smallest mean number of rows per value, if more values are codes that count from 0 or 1
_LARGEST_COUNT = 100  # limit for a few different numbers; larger ones may be codes such as 0, 1000, 2000
_LONGEST_TARGET = 5  # maximum number of words in the name of a target
_LONGEST_NAME = 60  # maximum length of a row name; longer texts are descriptions
_LEAST_ID = 1000  # smallest ID of an ID column without a name
_LEAST_RISING, _WIDEST_GAPS = (30, 3)  # fewest rows and largest mean step of rising integers that are IDs, not doses
_OWN_WORDS = 0.95  # smallest share of distinct texts in an ID column
_OWN_TEXT = 0.5  # smallest share of distinct texts in a column of names or free text
_FEW_THINGS = 10  # maximum number of different subjects that may be categories
_FEWEST_ROWS = 100  # minimum number of rows whose numbers in a first column without a name are IDs if all differ
_LONGEST_CODE = 4  # maximum number of words in the name of a code
_SEASONS, _MOST_SEASONS = ({"season", "saison", "jahreszeit", "estacion", "stagione"}, 4)
_LEAST_SHARE = 0.5  # smallest number of rows of a condition of an experiment or of a school, relative to the mean
_MOST_YEARS = 25  # maximum number of years at school
_MOST_KINDS, _LARGEST_KIND = (12, 20)  # maximum number of such categories, and their largest number
_ROW_NAMES = {"rownames", "rowname"}  # names that programs give to the names of rows
_ROWS_EACH = 20  # smallest mean number of rows of each name of a thing that is a category, such as a clinic
_FEWEST_OF_DENSE, _WIDEST = (50, 4)  # fewest values and largest mean step of numbers that count people or households
_LEAST_PART = 4  # shortest word that may be an abbreviation of a code
_OWN = 0.9  # smallest share of distinct values in an ID column


def propose(table: Table, summaries: list[ColumnSummary], target_name: str | None = None) -> Recipe:
    """Return a recipe with target, kinds and a split. Raises DataError if no column has a value.

    target_name : column that is the target; by default, the first of the ranked candidates.
    """
    missing = sure_exceptions(table, summaries)
    table, summaries = without_exceptions(table, summaries, missing)
    usable = [summary for summary in summaries if summary.kind != "empty"]
    if not usable:
        raise DataError(f"{table.name} has no values.")
    markers = sorted(filter(_parts, usable), key=lambda s: _plain(s.name) not in _SPLIT_NAMES)
    markers = [summary for summary in markers if summary.name != target_name]
    able = [summary for summary in usable if summary not in markers] or usable
    numbers = {summary.name: _as_numbers(table.frame[summary.name], summary) for summary in able}
    counters = counters_within(table.frame, usable)
    roles = _roles(list(numbers.values()), usable, counters)
    candidates = rank_targets(table, [numbers.get(s.name, s) for s in summaries], *roles)
    target = numbers[target_name or candidates[0].name]
    kinds = {summary.name: propose_kind(summary) for summary in summaries}
    kinds |= dict.fromkeys([*_codes_in_series(usable), *_codes_of_texts(table.frame, usable)], "category")
    kinds |= dict.fromkeys([*_first_if_only_unnamed(summaries), *counters], "ignore")
    kinds |= {s.name: "ordered" for s in summaries
              if kinds[s.name] == "category" and all_answers_ordered(table.frame[s.name], s)}  # fmt: skip
    kinds[target.name] = "number" if target.kind == "number" and needs_bins(target) else "category"
    split = {}
    markers = [marker for marker in markers if marker.name != target.name]
    if markers:
        kinds |= {marker.name: "ignore" for marker in markers}
        split = {"split": "column", "split_column": markers[0].name, "split_values": _parts(markers[0])}
    title = PurePosixPath(table.name.replace("\\", "/")).stem.replace("_", " ").strip()[:200] or "Your data"
    split |= propose_values(target)
    kinds |= _keep_any(usable, kinds, target.name)
    names = _row_names(summaries, kinds)
    marks = likely_classes(table, target.name) if kinds[target.name] == "category" else {}
    recipe = Recipe(target.name, kinds, title=title, row_names=names, missing=missing, values=marks,
                    candidates=candidates, **split)  # fmt: skip
    most, features = recipe.most_categories, set(recipe.features())
    many = [s.name for s in usable if kinds[s.name] == "category" and s.name in features and s.n_distinct > most]
    recipe = replace(recipe, group_below={name: propose_below(table.frame[name]) for name in many})
    return with_split(table, recipe, summaries)


def able_and_row_ids(table: Table, summaries: Sequence[ColumnSummary]) -> tuple[list[str], set[str]]:
    """Return (columns that can be a target, columns that name the rows)."""
    usable = [summary for summary in summaries if summary.kind != "empty"]
    able = [_as_numbers(table.frame[summary.name], summary) for summary in usable]
    return _roles(able, usable, counters_within(table.frame, usable))


def _roles(able, usable, counters):
    row_ids = {summary.name for summary in usable if is_id_like(summary)} | {*counters}
    able = [summary for summary in able if summary.name not in counters]
    can_be = [summary.name for summary in able if _can_be_target(summary)]
    return can_be or [summary.name for summary in able], row_ids


def _keep_any(usable, kinds, target):
    """Return {name: kind} of counters and dates that become features after all, because a tree needs a feature.

    Texts and names of rows do not, because a tree could only learn single rows from them.
    """
    others = [summary for summary in usable if summary.name != target]
    if any(kinds[summary.name] != "ignore" for summary in others):
        return {}
    able = [summary for summary in others if summary.n_distinct > 1 and _plain(summary.name) not in _SPLIT_NAMES]
    return {summary.name: summary.kind for summary in able if summary.kind in ("number", "date")}


def single_valued_target(summaries: Sequence[ColumnSummary]) -> str | None:
    """Return the column that a reader expects to be the target but that has only one value, or None.

    This is a column whose name means a target, or the last column.
    """
    known = [summary for summary in summaries if summary.kind != "empty"]
    single = [summary for summary in known if summary.n_distinct == 1]
    named = [summary.name for summary in single if _target_word(summary.name) in (0, 1)]
    return next(iter([*named, *(summary.name for summary in single if summary is known[-1])]), None)


def _as_numbers(values, summary):
    """Return the summary of a column as numbers, if nearly all its texts are numbers."""
    if not not_numbers(values, summary):
        return summary
    return summarise_column(summary.name, pandas.to_numeric(values.astype(object), errors="coerce"))


def propose_values(summary: ColumnSummary) -> dict:
    """Return the recipe fields `bins` and `numbers` for a target."""
    are_quantities = needs_bins(summary)
    is_number = summary.kind == "number"
    return {"bins": 3 if are_quantities and not is_number else None, "numbers": are_quantities and is_number}


def needs_bins(summary: ColumnSummary) -> bool:
    """Test whether the values of a target are quantities rather than classes."""
    if summary.kind == "date":
        return True
    return summary.kind == "number" and not _are_codes(summary)


def _are_codes(summary):
    """Test whether numbers are class codes: a few integers, or codes that count from 0 or 1 with few gaps."""
    if not summary.whole or summary.distinct_is_capped:
        return False
    if summary.n_distinct <= 2:
        return True
    is_called = _target_word(summary.name) in (0, len(_TARGET_WORDS))
    if not is_called and summary.n_distinct > _FEW_WHOLE and _is_called_quantity(summary.name):
        return False
    if not is_called and (_is_sparse(summary) or _is_called_count(summary.name) or _counts_events(summary)):
        return False
    if summary.n_distinct <= _FEW_WHOLE:
        return True
    if not (is_called or _has_even_shares(summary)):
        return False
    has_no_gaps = summary.high - summary.low < 1.25 * summary.n_distinct
    if summary.n_distinct <= _MOST_WHOLE:  # large counts have gaps, and so have codes such as 10, 20
        return is_called or has_no_gaps or summary.low not in (0, 1) or summary.high >= _LARGEST_COUNT
    counts_up = summary.low in (0, 1) and has_no_gaps
    n_values = summary.n_rows - summary.n_missing
    most = MAX_CODES if is_called else MOST_TARGET_VALUES
    return counts_up and summary.n_distinct <= most and n_values >= _LEAST_OF_A_CODE * summary.n_distinct


def _is_called_count(name):
    """Test whether a name means a count. The single word "num" does not, because it may number a class."""
    words = _words(name)
    return words != ["num"] and bool(COUNT_WORDS.intersection(words))


def _is_called_quantity(name):
    return bool(_words(name)) and _words(name)[-1] in QUANTITY_WORDS


def _counts_events(summary):
    """Test whether integers from 0 look like counts of events.

    Such values become rarer above the most frequent one and end in a thin tail.
    """
    counts = list(summary.counts)
    if summary.low != 0 or summary.n_distinct <= 3 or summary.high >= len(counts):  # needs one bar per number
        return False
    tail = counts[counts.index(max(counts)) :]
    rare = sum(0 < count <= _RARE_COUNT * max(counts) for count in tail)
    if summary.n_distinct >= _LEAST_COUNTS and rare >= 2 and len(tail) > 0.6 * len(counts) and tail[-1] <= tail[1]:
        return True
    falls = all(later <= earlier for earlier, later in zip(tail[:-1], tail[1:], strict=True))
    return len(tail) > 2 and falls and tail[-1] < _THIN_TAIL * sum(counts) / len(counts)


def _is_sparse(summary):
    """Test whether several numbers have only a few rows each."""
    n_values = summary.n_rows - summary.n_missing
    return summary.n_distinct > _FEW_SPARSE and n_values < _LEAST_OF_A_CODE * summary.n_distinct


def _has_even_shares(summary, least=0.1):
    """Test whether the rarest number has a share `least` of the mean of rows, as in class codes but not in counts."""
    counts = [count for count in summary.counts if count]
    return bool(counts) and min(counts) >= least * sum(counts) / len(counts)


def _is_time(summary):
    """Test whether integers are years, months or other times, which rise from row to row like row numbers."""
    if _is_called_id(summary.name):
        return False
    years = _YEARS[0] <= summary.low and summary.high <= _YEARS[1]
    return years or any(not TIME_WORDS.isdisjoint((word, word.removesuffix("s"))) for word in _words(summary.name))


def is_id_like(summary: ColumnSummary) -> bool:
    """Test whether nearly every row has its own value, as names and row numbers do."""
    n_values = summary.n_rows - summary.n_missing
    if n_values < 10 or summary.n_distinct < _OWN * n_values and not summary.distinct_is_capped:
        return False
    if summary.kind in ("text", "category"):
        if summary.n_distinct < _OWN_WORDS * n_values and not summary.distinct_is_capped:
            return False
        return not summary.distinct_is_capped or summary.n_distinct > 0.99 * 20_000
    if summary.kind == "number" and _plain(summary.name) in _ROW_NAMES:
        return True
    if summary.kind != "number" or not summary.whole:
        return False
    if _is_time(summary):
        return False
    is_called = _is_called_id(summary.name) or _is_called_thing(_words(summary.name))
    counts_rows = _is_permutation(summary) and (summary.rising or is_called or summary.name == "column 1")
    span = summary.high - summary.low
    counts_with_gaps = summary.rising and n_values >= _LEAST_RISING and span < _WIDEST_GAPS * n_values
    return counts_rows or counts_with_gaps or _is_called_id(summary.name) or _is_first_without_name(summary)


def counters_within(frame: pandas.DataFrame, summaries: Iterable[ColumnSummary]) -> list[str]:
    """Return the columns that number the rows within groups, such as the number of a sample in a study."""
    able = [s for s in summaries if s.kind == "number" and s.whole and s.low in (0, 1) and not is_clock(s)]
    able = [s for s in able if s.n_distinct > _FEW_WHOLE and not is_id_like(s)]
    return [s.name for s in able if _is_called_id(s.name) and counts_within(frame[s.name], s)]


def _is_permutation(summary):
    """Test whether each integer of a range occurs once, as in row numbers and in ranks."""
    n_values = summary.n_rows - summary.n_missing
    is_whole = summary.kind == "number" and summary.whole
    return is_whole and n_values >= 10 and summary.high - summary.low == summary.n_distinct - 1 >= _OWN * n_values - 1


def _is_first_without_name(summary):
    """Test whether the first column has no name, and contains row numbers with gaps or numbers as large as IDs."""
    if summary.name != "column 1" or summary.distinct_is_capped:
        return False
    n_values = summary.n_rows - summary.n_missing
    all_differ = n_values >= _FEWEST_ROWS and summary.n_distinct == n_values
    return summary.rising or summary.low >= _LEAST_ID or all_differ


def propose_kind(summary: ColumnSummary) -> str:
    """Return the proposed kind of a column: "ignore" for texts, constants and ID columns."""
    if summary.kind in ("text", "empty") or summary.n_distinct < 2 or is_id_like(summary) or _names_things(summary):
        return "ignore"
    if _is_code(summary):
        return "category" if summary.n_distinct <= MAX_CODES and _repeats(summary) else "ignore"
    if _is_kind(summary):
        return "category"
    return "ordered" if summary.ordered else summary.kind


def _names_things(summary):
    """Test whether a column with repeated values names subjects, pairs or places, by the words of its name."""
    words = _noun_words(summary.name)
    if summary.kind not in ("number", "category") or summary.kind == "number" and not summary.whole:
        return False
    if not words or summary.n_distinct <= 2:
        return False
    if _is_called_thing(words) and not _are_words(summary):
        return True
    if summary.kind == "category" and words[-1] in PLACE_WORDS:
        return True
    if summary.kind == "category" and words[-1] in NAMING:
        n_values = summary.n_rows - summary.n_missing
        repeats = n_values >= _ROWS_EACH * summary.n_distinct
        return not repeats and summary.n_distinct > min(MOST_TARGET_VALUES, _OWN_TEXT * n_values)
    if _counts_people(summary, words):
        return True
    is_named = words[-1] in THING_WORDS or words[0] in THING_WORDS and len(words) == 1
    return is_named and summary.n_distinct > _FEW_THINGS


def _counts_people(summary, words):
    """Test whether integers number people or households, such as the mother of several children."""
    are_many = summary.kind == "number" and summary.n_distinct >= _FEWEST_OF_DENSE
    if not are_many or len(words) != 1 or words[0] not in PERSON_WORDS:
        return False
    return summary.high - summary.low < _WIDEST * summary.n_distinct


def _is_called_thing(words):
    """Test whether the words of a name mean an ID of any length, such as "patient_id", "id_cliente" and "familyid"."""
    if not words:
        return False
    if words[-1] in ID_ONLY or words[0] in ID_ONLY and len(words) <= 3:
        return True
    stem = words[-1].removesuffix("id")
    return stem != words[-1] and stem in THING_WORDS | CODE_WORDS | BEFORE_ID


def _are_words(summary):
    """Test whether a few texts are words instead of IDs, such as "correct" and "rejected"."""
    texts = [text for text, _ in summary.top]
    few = summary.kind == "category" and summary.n_distinct <= min(_FEW_THINGS, len(texts))
    return few and all(re.fullmatch(r"[^\W\d_]{3,}", text) for text in texts)


def _is_code(summary):
    """Test whether whole numbers are codes of places, institutions or kinds, by the words of the name."""
    words = _noun_words(summary.name)
    if summary.kind != "number" or not summary.whole or summary.low < 0 or COUNT_WORDS.intersection(words):
        return False
    if not words or len(words) > _LONGEST_CODE or _is_quantity(words):
        return False
    if words[-1] in SCHOOL and summary.high <= _MOST_YEARS and not _has_even_shares(summary, _LEAST_SHARE):
        return False
    if words[-1] in CODE_WORDS or words[-1].endswith(CODE_ENDS) or _numbers_a_place(words[-1]):
        return True
    return words[0] in CODE_WORDS and summary.n_distinct <= MOST_TARGET_VALUES


def _numbers_a_place(word):
    """Test whether a word ends with a number of something with a code, also abbreviated, such as "villnum"."""
    stem = next((word.removesuffix(end) for end in ("num", "nr") if word.endswith(end)), "")
    return len(stem) >= _LEAST_PART and any(code.startswith(stem) for code in CODE_WORDS)


def _is_quantity(words):
    """Test whether a name means a quantity, such as "store_sales", "country_population", "MPG.city" or "n_site"."""
    if len(words) > 1 and (words[0] in {"n", "nb", "nof"} or not QUANTITY_WORDS.isdisjoint(words[:-1])):
        return not words[-1].endswith(CODE_ENDS)
    last = words[-1]
    plural = last.endswith("s") and not last.endswith(("ss", "us", "is", "fips", "species"))
    is_amount = last in QUANTITY_WORDS or last in TIME_WORDS or plural
    return len(words) > 1 and is_amount and last not in CODE_WORDS | KIND_WORDS


def _is_kind(summary):
    """Test whether a few small whole numbers are codes of kinds, by the last word of the name."""
    words = _noun_words(summary.name)
    if summary.kind != "number" or not summary.whole or COUNT_WORDS.intersection(words):
        return False
    if not 3 <= summary.n_distinct <= _MOST_KINDS or summary.low < 0 or summary.high > _LARGEST_KIND:
        return False
    if not words or len(words) > _LONGEST_CODE or _is_quantity(words) or not _repeats(summary):
        return False
    if words[-1] in _SEASONS and summary.high > _MOST_SEASONS:
        return False
    if words[-1] in RATED and not _has_even_shares(summary, _LEAST_SHARE):
        return False
    if words[-1] in KIND_WORDS or len(words) > 1 and words[0] in KIND_HEADS:
        return True
    end = next((end for end in KIND_ENDS if words[-1].endswith(end)), None)
    return end is not None and words[-1].removesuffix(end) not in QUANTITY_WORDS


def _codes_in_series(summaries):
    """Return the numbered columns of which only the values can show that they are codes.

    In a series such as z1 to z11, most of whose columns are flags, a column with the numbers 1, 2, 3, 4 codes
    categories. If several columns have such numbers, they are answers on a scale.
    """
    series = {}
    for summary in summaries:
        if found := re.fullmatch(r"([A-Za-z])[._]?\d+", summary.name):
            series.setdefault(found.group(1), []).append(summary)
    codes = []
    for members in series.values():
        flags = sum(summary.n_distinct <= 2 for summary in members)
        few = [s for s in members if 3 <= s.n_distinct <= _FEW_WHOLE and s.kind == "number" and s.whole]
        if len(members) >= 4 and 2 * flags >= len(members) and len(few) == 1:
            codes += [s.name for s in few if s.low == 1 and s.high == s.n_distinct and _repeats(s)]
    return codes


def _codes_of_texts(frame, summaries):
    """Return the columns of integers that stand for one text each, such as a state and the number of the state."""
    texts = [s for s in summaries if s.kind == "category" and not s.ordered and 3 <= s.n_distinct <= MAX_CODES]
    numbers = [s for s in summaries if s.kind == "number" and s.whole and 3 <= s.n_distinct <= MAX_CODES]
    numbers = [s for s in numbers if s.low >= 0 and _repeats(s) and not _is_time(s)]
    return [
        number.name
        for number in numbers
        if any(
            number.n_distinct == text.n_distinct and _are_same(frame[number.name], frame[text.name]) for text in texts
        )
    ]


def _are_same(first, second):
    """Test whether the values of two columns with equally many values determine each other."""
    if all_answers_ordered(second, summarise_column(str(second.name), second)):
        return False
    codes = [value_codes(values) for values in (first, second)]
    known = (codes[0] >= 0) & (codes[1] >= 0)
    return len(np.unique(joint_codes(*codes)[known])) == len(np.unique(codes[0][known]))


def _first_if_only_unnamed(summaries):
    """Return [first column] if it is the only one without a name and all its numbers differ, as R writes row names."""
    first, second = [*summaries, None, None][:2]
    if second is None or first.name != "column 1" or second.name == "column 2":
        return []
    return [first.name] if first.kind == "number" and first.n_distinct == first.n_rows >= _LEAST_RISING else []


def _repeats(summary):
    return summary.n_rows - summary.n_missing >= _LEAST_OF_A_CODE * summary.n_distinct


def _plain(name):
    return re.sub(r"[^a-z]", "", name.lower())


def _words(name):
    """Return the words in a name. "Kunde_gekündigt" and "isChurn" have two words each."""
    apart = re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower().translate(_UMLAUTS)
    apart = "".join(letter for letter in unicodedata.normalize("NFKD", apart) if not unicodedata.combining(letter))
    return re.findall(r"[a-z]+", apart)


def _noun_words(name):
    """Return the words in a name without a final "number", as in "region number"."""
    words = _words(name)
    return words[:-1] if len(words) > 1 and words[-1] in NUMBER_WORDS else words


def _is_called_id(name):
    return any(word in ID_WORDS or word.endswith(("nummer", "nr")) for word in _words(name))


def _target_word(name):
    """Return the index of the first line in `_TARGET_WORDS` that contains a word of the name, or None.

    For the "class" of something else, such as an energy class, the result is the number of lines.
    """
    if len(_words(name)) > _LONGEST_TARGET:  # a long name is a question that only contains such a word
        return None
    words = set(_words(name)) - ({"y"} if len(_words(name)) > 1 else set())  # a y next to other words is a coordinate
    found = next((place for place, line in enumerate(_TARGET_WORDS) if words.intersection(line)), None)
    return len(_TARGET_WORDS) if found == 0 and words & _CLASS and not words <= _EXPLICIT else found


def _row_names(summaries, kinds):
    """Return the ID column or None.

    A column whose name means an ID and whose values all differ comes first, then names, other texts and numbers.
    """
    able = [s for s in summaries if kinds[s.name] == "ignore" and s.kind != "empty" and can_name_rows(s)]
    able = [s for s in able if s.kind != "number" or _is_called_id(s.name) or s.name == "column 1"]
    ids = [
        s for s in able if _is_called_id(s.name) and s.n_distinct == s.n_rows and ROW_WORDS.isdisjoint(_words(s.name))
    ]
    called = [s for s in able if set(_words(s.name)) & NAMING and s.kind in ("text", "category")]
    texts = [s for s in able if s.kind in ("text", "category")]
    return next((s.name for s in (*ids, *called, *texts, *able)), None)


def can_name_rows(summary: ColumnSummary) -> bool:
    """Test whether nearly every row of a column has its own short text or integer."""
    n_values = summary.n_rows - summary.n_missing
    if n_values < _OWN * summary.n_rows:
        return False
    short = all(len(text) <= _LONGEST_NAME for text in summary.examples)
    if summary.kind in ("text", "category"):
        differ = summary.n_distinct >= _OWN * n_values or summary.distinct_is_capped
        return short and differ and not _tells_values(summary)
    return is_id_like(summary)


def _tells_values(summary):
    """Test whether most texts are numbers or dates, but not IDs made of digits."""
    texts = [text.strip() for text, _ in summary.top] or list(summary.examples)
    is_id = _is_called_id(summary.name)
    are_values = [looks_like_date(text) or is_number(text) and not (is_id and text.isdigit()) for text in texts]
    return 2 * sum(are_values) > len(are_values)


def _can_be_target(summary):
    is_text = summary.kind == "text" and not 2 <= summary.n_distinct <= MOST_TARGET_VALUES
    names_rows = is_id_like(summary) or _is_permutation(summary) and not _is_time(summary)
    names_rows |= summary.n_distinct > _FEW_THINGS and _names_things(summary)
    return summary.n_distinct >= 2 and not is_text and not names_rows and not _is_mostly_empty(summary)


def _is_mostly_empty(summary):
    is_blank = sum(count for text, count in summary.top if text == BLANK)
    return bool(is_blank) or summary.n_missing > _MOST_EMPTY * summary.n_rows


def _parts(summary):
    """Return {value: part} if all values of a column are words for parts of a split, or 0 and 1 of `is_train`."""
    if part := _flagged_part(summary.name):
        return _flags(summary, part)
    words = {value: _PART_WORDS.get(_plain(value)) for value, _ in summary.top}
    if not words or None in words.values() or "train" not in words.values() or len(words) < summary.n_distinct:
        return None
    return words if len(set(words.values())) > 1 else None


def _flagged_part(name):
    """Return the part that a name such as "is_train" or "test set" marks, or None. "training" alone is a treatment."""
    words = _words(name)
    parts = {_PART_WORDS[word] for word in words if word in _PART_WORDS}
    return parts.pop() if len(parts) == 1 and len(words) == 2 and _FLAGS.intersection(words) else None


def _flags(summary, part):
    values = {text: text.lower() for text, _ in summary.top} or {text: text for text in summary.examples}
    if summary.n_distinct != 2 or set(values.values()) not in _YES_NO:
        return None
    other = "test" if part == "train" else "train"
    return {text: part if plain in _YES else other for text, plain in values.items()}
