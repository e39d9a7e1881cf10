"""Define `Artifact`, a kind of file that is declared once for the app, command line, library and documentation."""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, TypeVar

from treecore.errors import ParameterError
from treecore.messages import joined

NEEDS = {
    "tree": "a tree",
    "data": "its data set",
    "rules": "its rules",
    "chain": "the rules of a tree in which every decision node has a leaf as a child",
    "path": "a regularisation path",
    "model": "a model",
    "project": "a project",
}
DIAGRAM = "Diagram"  # kind of the export formats that show a tree but do not predict
_KEY = "artifact"  # attribute of a decorated function
_Make = TypeVar("_Make", bound=Callable)


@dataclass(frozen=True)
class Artifact:
    """Declaration of a kind of file to save.

    An inconsistent declaration raises ValueError.

    Parameters
    ----------
    name : str
        Option value on the command line.
    kind : str
        Kind of content, such as "Code".
    form : str
        Language or file format, such as "Python".
    suffix : str
        File suffix, without the dot.
    mime : str
        Media type of the file.
    make : callable
        Function that returns str or bytes. Its first parameters are the values in `needs`.
    needs : tuple of str, default=("tree",)
        Keys of `NEEDS`.
    takes : tuple of str, default=()
        Names of optional parameters of `make`.
    package : str, optional
        Optional package that `make` requires.
    about : str, default=""
        Documentation in Markdown, without line breaks. Begins with a noun phrase.
    """

    name: str
    kind: str
    form: str
    suffix: str
    mime: str
    make: Callable
    needs: tuple[str, ...] = ("tree",)
    takes: tuple[str, ...] = ()
    package: str | None = None
    about: str = ""

    def __post_init__(self):
        faults = {
            f"suffix {self.suffix!r}": not re.fullmatch(r"[a-z0-9]+", self.suffix),
            f"mime {self.mime!r}": not re.fullmatch(r"[\w.+-]+/[\w.+-]+", self.mime),
            f"needs {self.needs!r}": not self.needs or not set(self.needs) <= set(NEEDS),
            f"make, called with {(*self.needs, *self.takes)!r}": not _fits(self.make, len(self.needs), self.takes),
            f"about {self.about!r}": "\n" in self.about,
        }
        if found := [fault for fault, is_fault in faults.items() if is_fault]:
            raise ValueError(f"Artifact {self.name!r}: invalid {', '.join(found)}.")

    def __call__(self, *needed: Any, **known: Any) -> Any:
        """Return the file content (str or bytes). needed : values of `needs`; known : optional values by name."""
        return self.make(*needed, **{name: known[name] for name in self.takes if known.get(name) is not None})

    def of(self, known: Mapping[str, Any]) -> Any:
        """Return the file content (str or bytes). known : required and optional values by name."""
        if lacking := [NEEDS[name] for name in self.needs if known.get(name) is None]:
            raise ParameterError(f"{self.label} needs {joined(lacking, between=' and ')}.")
        return self(*(known[name] for name in self.needs), **known)

    @property
    def label(self) -> str:
        """Displayed name, such as "Code (Python)"."""
        return f"{self.kind} ({self.form})"

    @property
    def missing(self) -> str | None:
        """Sentence that names the package to install, or None if nothing is missing."""
        if self.package is None or find_spec(self.package) is not None:
            return None
        return f"{self.label} needs the package {self.package}, which is not installed. Run pip install {self.package}."


def artifact(kind: str, form: str, suffix: str, mime: str, **declared: Any) -> Callable[[_Make], _Make]:
    """Return a decorator that declares an `Artifact` with the name of the decorated function."""

    def decorate(make):
        vars(make)[_KEY] = Artifact(make.__name__, kind, form, suffix, mime, make, **declared)
        return make

    return decorate


def by_name(declared: Iterable[Artifact | Callable]) -> dict[str, Artifact]:
    """Return artifacts by name, given artifacts or decorated functions. Raise ValueError for duplicate names."""
    listed = [one if isinstance(one, Artifact) else vars(one)[_KEY] for one in declared]
    found = {one.name: one for one in listed}
    if len(found) < len(listed):
        raise ValueError(f"Two artifacts have the same name: {[one.name for one in listed]}.")
    return found


def offered(declared: Mapping[str, Artifact], *known: str) -> list[Artifact]:
    """Return the artifacts whose required values are all in `known`."""
    return [one for one in declared.values() if set(one.needs) <= set(known)]


def forms(declared: Iterable[Artifact], takes: str = "", last: str = "and") -> str:
    """Return the forms of artifacts as a list in words, such as "Python, C and SQL".

    If `takes` is given, only artifacts with this optional parameter are listed.
    """
    *several, end = [one.form for one in declared if not takes or takes in one.takes]
    return f"{', '.join(several)} {last} {end}" if several else end


def _fits(make, n_needed, takes):
    try:
        inspect.signature(make).bind(*[None] * n_needed, **dict.fromkeys(takes))
    except TypeError:
        return False
    return True
