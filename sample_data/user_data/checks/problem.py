"""Define `Problem`, a possible problem of a table with a fix."""

from dataclasses import dataclass

from sample_data.user_data.recipe import Recipe

SEVERITIES = ("stops", "warns", "info")


@dataclass(frozen=True)
class Problem:
    """One problem of a table.

    Parameters
    ----------
    kind : str
        Name for tests and icons, such as "constant", "id", "leak".
    columns : tuple of str
        Columns with the problem; can be empty.
    text : str
        One to three sentences.
    severity : str
        "stops" (a data set cannot be made), "warns" or "info".
    fix : tuple, optional
        (label of a button, recipe with the fix applied).
    wider : tuple, optional
        The same fix for all columns with this problem, if there are several.
    """

    kind: str
    columns: tuple[str, ...]
    text: str
    severity: str
    fix: tuple[str, Recipe] | None = None
    wider: tuple[str, Recipe] | None = None
