"""`Problem`: one thing that may be wrong with a table, in words, with a fix."""

from dataclasses import dataclass

from sample_data.user_data.recipe import Recipe
from treecore.messages import Sentence

SEVERITIES = ("stops", "warns", "info")


@dataclass(frozen=True)
class Problem:
    """One finding.

    kind      a word for tests and icons, such as "constant", "id", "leak"
    columns   names of those it is about; may be empty
    text      a sentence or two with a code and values
    severity  "stops" (no data set can be made), "warns" or "info"
    fix       (label of a button, the recipe with the fix applied), or None
    wider     the same for all columns that have the same fault, where there are more, or None
    """

    kind: str
    columns: tuple[str, ...]
    text: Sentence
    severity: str
    fix: tuple[str, Recipe] | None = None
    wider: tuple[str, Recipe] | None = None
