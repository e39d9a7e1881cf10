"""Convert the target column of a table to classes with names."""

import re
import unicodedata
from typing import NamedTuple

import numpy as np
import pandas

from sample_data.user_data.known_orders import is_no_answer, known_order
from sample_data.user_data.limits import MAX_CLASSES
from sample_data.user_data.natural_key import natural_key
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.summary import is_ordered
from treecore.errors import DataError
from treecore.messages import counted
from treecore.tables.table_columns import category_text, within_reach

OTHERS = "others"
_MOST_ORDERED = 20 * MAX_CLASSES


class Classes(NamedTuple):
    """Classes of a target column.

    codes : int64[n], -1 for rows that are left out; names : class names in order; notes : sentences about left-out
    rows.
    """

    codes: np.ndarray
    names: tuple[str, ...]
    notes: tuple[str, ...]


def other_spellings(counts: dict[str, int]) -> dict[str, str]:
    """Return {text: class} of texts that differ only in case, blanks or hyphens.

    counts : number of rows of each text.
    """
    alike: dict[str, list[str]] = {}
    for text in sorted(counts, key=lambda text: (-counts[text], text)):
        plain = re.sub(r"(?<=\w)[\s_-]+(?=\w)", " ", unicodedata.normalize("NFKC", text).casefold().strip())
        if plain:
            alike.setdefault(plain, []).append(text)
    groups = [texts for texts in alike.values() if len(texts) > 1]
    names = {text: texts[0].strip() for texts in groups for text in texts}
    return {text: name for text, name in names.items() if text != name}


def class_codes(values: pandas.Series, recipe: Recipe) -> Classes:
    """Return the classes of the rows according to the recipe's target, bins and rare classes.

    Raises DataError for fewer than two classes or more than `MAX_CLASSES`.
    """
    codes, names, notes = _cut(values, recipe) if recipe.bins else _texts(values, recipe)
    n_missing = int((codes < 0).sum())
    if n_missing:
        notes.append(f"{counted(n_missing, 'row')} without {recipe.target!r} excluded")
    codes, names = _without_rare(codes, names, recipe, notes)
    if len(names) > MAX_CLASSES:
        advice = "divide it into groups" if pandas.api.types.is_numeric_dtype(values) else "choose another target"
        raise DataError(
            f"{recipe.target!r} has {len(names):,} different values, more than {MAX_CLASSES:,} classes. To "
            f"continue, {advice}."
        )
    if len(names) < 2:
        if not names:
            raise DataError(
                f"{recipe.target!r} has no class in the remaining rows, but a tree needs at least two classes. "
                "Choose another target."
            )
        raise DataError(
            f"{recipe.target!r} has only the class {names[0]!r} in the remaining rows, but a tree needs at least "
            "two classes. Choose another target."
        )
    return Classes(codes, tuple(names), tuple(notes))


def target_numbers(values: pandas.Series, recipe: Recipe) -> tuple[np.ndarray, list[str]]:
    """Return (target float64[n] with NaN for left-out rows, notes) for regression.

    Raises DataError for fewer than two different numbers.
    """
    numbers = quantities(values)
    present = numbers[~np.isnan(numbers)]
    if not len(present):
        raise DataError(f"{recipe.target!r} has no number in the remaining rows. Choose another target.")
    if present.min() == present.max():
        raise DataError(
            f"{recipe.target!r} has only the number {_text(present[0], False)} in the remaining rows. Choose "
            "another target."
        )
    n_lost = len(numbers) - len(present)
    return numbers, [f"{counted(n_lost, 'row')} without a number in {recipe.target!r} excluded"] * bool(n_lost)


def quantities(values: pandas.Series) -> np.ndarray:
    """Return a column as float64[n]; dates are days since 1970.

    Values that are not finite, or too large for training, become NaN.
    """
    if isinstance(values.dtype, np.dtype) and values.dtype.kind == "M":
        days = values.to_numpy("datetime64[us]")
        return np.where(np.isnat(days), np.nan, days.astype(np.int64) / 86_400_000_000)
    if isinstance(values.dtype, pandas.CategoricalDtype):
        numbers = quantities(pandas.Series(values.cat.categories))
        return np.append(numbers, np.nan)[values.cat.codes.to_numpy()]
    numbers = pandas.to_numeric(values, errors="coerce").to_numpy(np.float64, na_value=np.nan)
    return within_reach(numbers)


def _texts(values, recipe):
    spellings = recipe.spellings
    codes, uniques = values.factorize(use_na_sentinel=True)
    texts = [spellings.get(text, text) for text in map(category_text, uniques)]
    names = set(texts) - {""}
    # Natural sorting of hundreds of thousands of names would take a minute, and few of them will be classes.
    names = sorted(names, key=natural_key if len(names) <= _MOST_ORDERED else None)
    names = _in_their_order(values, recipe.target, names)
    place = {name: k for k, name in enumerate(names)}
    return np.array([*(place.get(text, -1) for text in texts), -1], np.int64)[codes], names, []


def _in_their_order(values, target, names):
    """Return class names from low to high if the file or their words give them an order; refusals come last."""
    if is_ordered(values):
        places = {category_text(word): place for place, word in enumerate(values.cat.categories)}
        return sorted(names, key=lambda name: places.get(name, len(places)))
    levels = known_order(target, [name for name in names if not is_no_answer(name)])
    return [*levels, *(name for name in names if name not in levels)] if levels else names


def _cut(values, recipe):
    numbers = quantities(values)
    present = numbers[~np.isnan(numbers)]
    if not len(present):
        raise DataError(f"{recipe.target!r} contains no numbers, so it cannot be divided into groups.")
    cuts = np.unique(np.quantile(present, np.arange(1, recipe.bins) / recipe.bins, method="higher"))
    cuts = cuts[cuts > present.min()]
    is_date = isinstance(values.dtype, np.dtype) and values.dtype.kind == "M"
    texts = [_text(cut, is_date) for cut in cuts]
    if len(set(texts)) < len(texts):
        texts = [repr(float(cut)) for cut in cuts]
    codes = np.where(np.isnan(numbers), -1, np.searchsorted(cuts, numbers, side="right")).astype(np.int64)
    if not len(cuts):
        return codes, [f"all {_text(present.min(), is_date)}"], []
    middle = [f"{low} to below {high}" for low, high in zip(texts[:-1], texts[1:], strict=True)]
    names = [f"below {texts[0]}", *middle, f"{texts[-1]} or more"]
    return codes, names, [f"{recipe.target!r} divided into {len(names)} groups of about equal size"]


def _text(number, is_date):
    if is_date:
        return str(np.datetime64(int(round(number * 86_400_000_000)), "us").astype("datetime64[s]")).removesuffix(
            "T00:00:00"
        )
    return category_text(float(number)) if float(number).is_integer() else f"{number:.6g}"


def _without_rare(codes, names, recipe, notes):
    """Return (codes, names) without the rare classes."""
    counts = np.bincount(codes[codes >= 0], minlength=len(names))
    is_rare = (counts < recipe.rare_below) & (counts > 0) if recipe.rare else np.zeros(len(names), bool)
    keep = (counts > 0) & ~is_rare
    kept = [name for name, one in zip(names, keep, strict=True) if one]
    new = np.where(keep, np.cumsum(keep) - 1, -1)
    if is_rare.any():
        n, below = int(is_rare.sum()), recipe.rare_below
        if recipe.rare == "drop":
            notes.append(
                f"{counted(n, 'class')} with fewer than {below} rows ({int(counts[is_rare].sum()):,} in all) excluded"
            )
        else:
            name = OTHERS
            while name in kept:
                name += "_"
            new[is_rare] = len(kept)
            kept.append(name)
            notes.append(f"{counted(n, 'class')} with fewer than {below} rows merged into {name!r}")
    return np.append(new, -1)[codes], kept
