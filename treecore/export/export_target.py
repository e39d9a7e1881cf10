"""One language or format that trees are written in."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec


@dataclass(frozen=True)
class ExportTarget:
    """How trees are written.

    words : for people; ending, mime : of its files; write : function of a `Tree` that returns str, or bytes unless
    `is_text`; takes : names of its other arguments, of "columns" (TableColumns of the user's table, whose rows it then
    reads as they are) and "table" (the name of a table); package : what must be installed for it, or None.
    """

    words: str
    ending: str
    mime: str
    write: Callable
    takes: tuple[str, ...] = ()
    is_text: bool = True
    package: str | None = None

    def __call__(self, tree, **known):
        """The tree as str or bytes; of the other arguments, those that it takes. Raises ParameterError."""
        return self.write(tree, **{name: known[name] for name in self.takes if known.get(name) is not None})

    @property
    def missing(self) -> str | None:
        """What to install, in a sentence; None where nothing is missing."""
        if self.package is None or find_spec(self.package) is not None:
            return None
        return f"{self.words}: install the package {self.package} (pip install {self.package})."
