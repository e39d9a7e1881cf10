"""Define `Recipe`, the user's decisions about a table, from which `make_data_set` makes a data set."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, NamedTuple

from treecore.errors import DataError
from treecore.messages import literal
from treecore.tables.marked_numbers import renamed_columns

KINDS = ("number", "category", "ordered", "date", "ignore")
PARTS = ("train", "validation", "test")
SPLITS = ("stratified", "random", "column", "time", "group")
RARE = (None, "drop", "merge")
MOST_LEVELS = 50
_MOST_LABEL = 200  # characters
_MOST_TITLE = 200
MOST_MARKERS, _MOST_MARKER = 20, 100


class Candidate(NamedTuple):
    """A possible target.

    Parameters
    ----------
    name : str
    score : float
        Probability between 0 and 1 that a careful analyst would predict this column first.
    why : str
        The main reasons, in words; "" if there are none.
    """

    name: str
    score: float
    why: str


@dataclass(frozen=True)
class Recipe:
    """Decisions about the columns and rows of a table. `to_dict` returns them for JSON.

    Parameters
    ----------
    target : str
        Name of the target column.
    kinds : dict of str to str
        "number", "category", "ordered", "date" or "ignore" for each column. Columns that are not listed are ignored.
    bins : int, optional
        Number of groups of equal size (2 to 20) into which a numeric target is divided.
    numbers : bool
        Whether the target is predicted as a number instead of classes. Requires `bins` to be None.
    drop_duplicates : bool
        Whether to keep only one of several rows that are equal in all used columns.
    rare : {"drop", "merge"}, optional
        Treatment of classes with fewer than `rare_below` rows; None keeps them.
    rare_below : int
        See `rare`.
    most_categories : int
        Maximum number of values of a category that become features (1 to 200), the most frequent first.
    split : str
        "stratified" (same shares in every class), "random", "column", "time" or "group".
    split_column : str, optional
        For "column", "time" and "group". Rows with the same value, such as a patient, are in the same set.
    split_within : str, optional
        Second column for "group", such as the centre if the numbers of patients start again in each centre.
    split_values : dict of str to str, optional
        "train", "validation" or "test" for each value, for "column". Rows with other values are excluded.
    shares : tuple of float
        Shares of training, validation and test rows, which sum to 1.
    seed : int
        Seed of random splits.
    title : str
        Title of the data set.
    missing : dict of str to tuple
        Texts that mean a missing value in a column, such as ["k.A.", "-999"].
    values : dict of str to tuple
        Texts that are values of a column, although they were read as missing, such as ["NA"].
    group_below : dict of str to int
        For each category, the number of rows below which values are combined as "others (12 categories)".
    levels : dict of str to tuple
        For each ordered column, its values from low to high; other values are missing. The default order is that in
        the file.
    row_names : str, optional
        ID column, which is not a feature.
    labels : dict of str to str
        Displayed labels of classes, such as {"0": "died"}. Other classes keep their text.
    spellings : dict of str to str
        Texts of the target that mean the class of another text, such as {"Pos": "pos"}.
    differences : dict of str to tuple of str
        Added columns: the names of two columns of numbers or of dates, such as {"shipped - ordered (days)": ("shipped",
        "ordered")}. A difference is a number, and is missing if one of both values is missing.
    label_columns : dict of str to tuple of str
        Added columns: (column, separator, label), such as {"tags: red": ("tags", ";", "red")}. The column is a category
        with the values "yes" and "no".
    variants : dict of str to dict of str to str
        For each category, its texts that mean the value of another text, such as {"result": {"Pos": "pos"}}.
    candidates : tuple of Candidate
        Possible targets of a proposed recipe, best first. Not a decision: neither compared nor in `to_dict`.
    """

    target: str
    kinds: dict[str, str]
    bins: int | None = None
    drop_duplicates: bool = False
    rare: str | None = None
    rare_below: int = 2
    most_categories: int = 20
    split: str = "stratified"
    split_column: str | None = None
    split_values: dict[str, str] | None = None
    shares: tuple[float, float, float] = (0.6, 0.2, 0.2)
    seed: int = 0
    title: str = ""
    missing: dict[str, tuple[str, ...]] = field(default_factory=dict)
    group_below: dict[str, int] = field(default_factory=dict)
    row_names: str | None = None
    levels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    numbers: bool = False
    labels: dict[str, str] = field(default_factory=dict)
    split_within: str | None = None
    spellings: dict[str, str] = field(default_factory=dict)
    differences: dict[str, tuple[str, str]] = field(default_factory=dict)
    values: dict[str, tuple[str, ...]] = field(default_factory=dict)
    label_columns: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    variants: dict[str, dict[str, str]] = field(default_factory=dict)
    candidates: tuple[Candidate, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self):
        _require(isinstance(self.target, str) and self.target != "", "The target must be the name of a column.")
        _require(_is_words(self.kinds, KINDS), f"The kind of each column must be one of: {', '.join(KINDS)}.")
        _require(self.bins is None or _whole(self.bins, 2, 20), "bins: expected 2 to 20 groups, or null.")
        _require(isinstance(self.numbers, bool), "numbers: expected true or false.")
        _require(
            not (self.numbers and self.bins),
            (
                "numbers and bins cannot be combined, because a target divided into groups is not predicted as a "
                "number. Remove one option."
            ),
        )
        _require(isinstance(self.drop_duplicates, bool), "drop_duplicates: expected true or false.")
        _require(self.rare in RARE, "rare: expected 'drop', 'merge' or null.")
        _require(_whole(self.rare_below, 1, 10**9), "rare_below: expected a whole number >= 1.")
        _require(_whole(self.most_categories, 1, 200), "most_categories: expected a whole number from 1 to 200.")
        _require(
            _are_markers(self.missing),
            f"missing: expected 1 to {MOST_MARKERS} strings of at most {_MOST_MARKER} characters for each column.",
        )
        _require(
            _are_markers(self.values),
            f"values: expected 1 to {MOST_MARKERS} strings of at most {_MOST_MARKER} characters for each column.",
        )
        _require(
            isinstance(self.group_below, dict)
            and all(isinstance(name, str) and _whole(rows, 2, 10**9) for name, rows in self.group_below.items()),
            "group_below: expected a whole number >= 2 for each column.",
        )
        _require(
            _are_levels(self.levels),
            f"levels: expected 2 to {MOST_LEVELS} different strings, from low to high, for an ordered column.",
        )
        _require(
            _are_labels(self.labels),
            (
                f"labels: expected strings of 1 to {_MOST_LABEL} characters without spaces at the ends, such as "
                "{'0': 'died'}."
            ),
        )
        _require(
            _are_spellings(self.spellings),
            "spellings: expected strings, such as {'Pos': 'pos'}, none of which is replaced and also a class.",
        )
        _require(
            _are_differences(self.differences),
            "differences: expected the names of two other columns for each added column.",
        )
        _require(
            _are_label_columns(self.label_columns, self.differences),
            "label_columns: expected another column, a separator and a label for each added column.",
        )
        _require(
            isinstance(self.variants, dict)
            and all(isinstance(name, str) and _are_spellings(texts) for name, texts in self.variants.items()),
            "variants: expected {text: value} for each column, such as {'result': {'Pos': 'pos'}}.",
        )
        _require(
            self.row_names is None or isinstance(self.row_names, str) and self.row_names != "",
            "The ID column must be the name of a column, or null.",
        )
        _require(self.split in SPLITS, f"The split must be one of: {', '.join(SPLITS)}.")
        _require(
            self.split_column is None or isinstance(self.split_column, str),
            "split_column: expected the name of a column.",
        )
        _require(
            self.split_within is None or isinstance(self.split_within, str),
            "split_within: expected the name of a column.",
        )
        _require(
            self.split in ("stratified", "random") or bool(self.split_column),
            f"A split by {self.split} needs a column. Choose one.",
        )
        _require(
            self.split_values is None or _is_words(self.split_values, PARTS),
            f"Each value of the split column must belong to one of: {', '.join(PARTS)}.",
        )
        _require(
            _are_shares(self.shares),
            "The shares of training, validation and test rows must be 0 to 1 and sum to 1, with training above 0.",
        )
        _require(_whole(self.seed, 0, 2**32 - 1), "seed: expected a whole number from 0 to 4294967295.")
        _require(
            isinstance(self.title, str) and len(self.title) <= _MOST_TITLE, "title: expected at most 200 characters."
        )
        object.__setattr__(self, "shares", tuple(float(share) for share in self.shares))
        object.__setattr__(self, "differences", {name: tuple(parts) for name, parts in self.differences.items()})
        object.__setattr__(self, "label_columns", {name: tuple(one) for name, one in self.label_columns.items()})
        object.__setattr__(self, "variants", {name: dict(texts) for name, texts in self.variants.items() if texts})
        numbers = dict.fromkeys(set(self.differences) - {self.target}, "number")
        numbers |= dict.fromkeys(set(self.label_columns) - {self.target}, "category")
        kinds = {name: numbers.get(name, kind) if kind != "ignore" else kind for name, kind in self.kinds.items()}
        object.__setattr__(self, "kinds", kinds)
        markers = {name: tuple(dict.fromkeys(texts)) for name, texts in self.missing.items() if texts}
        object.__setattr__(self, "missing", markers)
        kept = {name: tuple(dict.fromkeys(texts)) for name, texts in self.values.items() if texts}
        object.__setattr__(self, "values", kept)
        below = {name: rows for name, rows in self.group_below.items() if self.kinds.get(name) == "category"}
        object.__setattr__(self, "group_below", below)
        levels = {name: tuple(texts) for name, texts in self.levels.items() if self.kinds.get(name) == "ordered"}
        object.__setattr__(self, "levels", levels)
        labels = {name: label for name, label in self.labels.items() if label != name}
        object.__setattr__(self, "labels", labels)
        if self.split != "group" or self.split_within == self.split_column:
            object.__setattr__(self, "split_within", None)
        object.__setattr__(self, "spellings", dict(self.spellings))
        if self.split_values is not None:
            object.__setattr__(self, "split_values", dict(self.split_values))

    def features(self) -> list[str]:
        """Return the columns that become features, without target, ignored, ID and split columns."""
        without = {self.target, self.row_names} | ({self.split_column} if self.split in ("column", "group") else set())
        return [name for name, kind in self.kinds.items() if kind != "ignore" and name not in without]

    def group_columns(self) -> list[str]:
        """Return the columns whose values together identify a group of rows, or an empty list."""
        return [name for name in (self.split_column, self.split_within) if name] if self.split == "group" else []

    def with_kinds(self, kinds: dict[str, str]) -> "Recipe":
        """Return the recipe with other kinds for some columns.

        An ID column that gets a kind becomes a normal column.
        """
        names = None if kinds.get(self.row_names, "ignore") != "ignore" else self.row_names
        return replace(self, kinds=self.kinds | kinds, row_names=names)

    def for_columns(self, names: Iterable[str]) -> "Recipe":
        """Return the recipe with the current column names, such as "height (cm)" if it was made for "height"."""
        single = ("target", "row_names", "split_column", "split_within")
        named = {*self.kinds, *self.missing, *self.values, *(name for one in single if (name := getattr(self, one)))}
        named |= {part for parts in self.differences.values() for part in parts} | {*self.variants}
        named |= {column for column, *_ in self.label_columns.values()}
        new = {name: now for now, name in renamed_columns(named, names).items()}
        if not new:
            return self
        maps = ("kinds", "missing", "values", "group_below", "levels", "variants")
        changed = {one: {new.get(name, name): value for name, value in getattr(self, one).items()} for one in maps}
        changed["differences"] = {
            name: tuple(new.get(part, part) for part in parts) for name, parts in self.differences.items()
        }
        changed["label_columns"] = {
            name: (new.get(column, column), *rest) for name, (column, *rest) in self.label_columns.items()
        }
        return replace(self, **changed, **{one: new.get(getattr(self, one), getattr(self, one)) for one in single})

    def to_dict(self) -> dict:
        """Return a dict of plain values for JSON."""
        missing, kept = ({name: list(texts) for name, texts in own.items()} for own in (self.missing, self.values))
        levels = {name: list(texts) for name, texts in self.levels.items()}
        values = asdict(replace(self, candidates=()))
        del values["candidates"]
        differences = {name: list(parts) for name, parts in self.differences.items()}
        lists = {
            "shares": list(self.shares),
            "missing": missing,
            "values": kept,
            "levels": levels,
            "differences": differences,
            "label_columns": {name: list(one) for name, one in self.label_columns.items()},
        }
        return values | lists

    def sources(self, names: Iterable[str]) -> set[str]:
        """Return the columns of the file from which columns are made: for a difference, its two columns."""
        added = self.added()
        return {part for name in names for part in added.get(name, (name,))}

    def added(self) -> dict[str, tuple[str, ...]]:
        """Return {added column: the columns of the file from which it is made}."""
        return self.differences | {name: one[:1] for name, one in self.label_columns.items()}

    def labelled(self, groups: Iterable[str]) -> tuple[str, ...]:
        """Return the displayed labels of the classes `groups`. Raises DataError if two of them are equal."""
        names = tuple(self.labels.get(group, group) for group in groups)
        twice = next((name for name in names if names.count(name) > 1), None)
        _require(twice is None, f"Two classes have the label {literal(twice)}. Give each class its own label.")
        return names

    @classmethod
    def from_dict(cls, value: Any) -> "Recipe":
        """Return the recipe from the dict of `to_dict`, and check each field. Raises DataError."""
        _require(isinstance(value, dict), "A recipe must be an object with a target, kinds and other fields.")
        unknown = sorted(str(key) for key in set(value) - {field.name for field in fields(cls) if field.compare})
        _require(not unknown, f"Unknown recipe fields: {', '.join(unknown)[:100]}.")
        _require({"target", "kinds"} <= set(value), "A recipe must have a target and kinds.")
        return cls(**value)


def _require(holds, text):
    if not holds:
        raise DataError(text)


def _whole(value, low, high):
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _is_words(value, allowed):
    return isinstance(value, dict) and all(
        isinstance(key, str) and isinstance(word, str) and word in allowed for key, word in value.items()
    )


def _are_markers(value):
    return isinstance(value, dict) and all(
        isinstance(name, str)
        and isinstance(texts, list | tuple)
        and len(texts) <= MOST_MARKERS
        and all(isinstance(text, str) and text.strip() == text and 0 < len(text) <= _MOST_MARKER for text in texts)
        for name, texts in value.items()
    )


def _are_levels(value):
    return isinstance(value, dict) and all(
        isinstance(name, str)
        and isinstance(texts, list | tuple)
        and all(isinstance(text, str) for text in texts)
        and 2 <= len(set(texts)) == len(texts) <= MOST_LEVELS
        for name, texts in value.items()
    )


def _are_labels(value):
    return isinstance(value, dict) and all(
        isinstance(name, str) and isinstance(label, str) and label.strip() == label and 0 < len(label) <= _MOST_LABEL
        for name, label in value.items()
    )


def _are_spellings(value):
    return isinstance(value, dict) and all(
        isinstance(text, str) and isinstance(name, str) and name and name not in value for text, name in value.items()
    )


def _are_differences(value):
    return isinstance(value, dict) and all(
        isinstance(name, str)
        and name != ""
        and isinstance(parts, list | tuple)
        and len(parts) == len(set(map(str, parts))) == 2
        and all(isinstance(part, str) and part not in value for part in parts)
        for name, parts in value.items()
    )


def _are_label_columns(value, differences):
    return isinstance(value, dict) and all(
        isinstance(name, str)
        and name != ""
        and name not in differences
        and isinstance(one, list | tuple)
        and len(one) == 3
        and all(isinstance(text, str) and text for text in one)
        and one[0] not in value
        for name, one in value.items()
    )


def _are_shares(value):
    if not isinstance(value, list | tuple) or len(value) != 3:
        return False
    if not all(isinstance(share, int | float) and not isinstance(share, bool) for share in value):
        return False
    return all(0.0 <= share <= 1.0 for share in value) and abs(sum(value) - 1.0) < 1e-6 and value[0] > 0
