"""`parameters`: what the docstring of a public name says of each of its parameters."""

import inspect
import re
from collections.abc import Callable
from itertools import zip_longest
from typing import Any

import sample_data
import treecore
import viz

PACKAGES = (treecore, viz, sample_data)
# "lams, costs : its columns and rows; good : ..."
_ITEM = re.compile(r"(?:^|(?<=[;.:,)] )|(?<=\n))(?:and )?(\w+(?:, \w+)*(?: and \w+)?) ?: ", re.MULTILINE)
_OTHERS = re.compile(r"(?:others(?: are)?|Parameters and attributes are those) (?:as )?\s*(?:in|for|of) `([\w.]+)`")
_WRAPPED = re.compile(r"(?<=,)\n[ \t]*|(?<!\n)\n(?!\n|\s*\w+(?:, \w+)* : )[ \t]*")
_AS = re.compile(r"as (?:in|for|of) `([\w.]+)`\.?$")
_HEADING = re.compile(r"^(\w[\w ]*)\n-+\n", re.MULTILINE)


def public_names() -> dict[str, Any]:
    """Object of every public name, "treecore.Tree", but for modules and subpackages."""
    found = {f"{package.__name__}.{name}": getattr(package, name) for package in PACKAGES for name in package.__all__}
    return {name: thing for name, thing in found.items() if not inspect.ismodule(thing)}


def parameters(thing: Callable) -> dict[str, str]:
    """Parameter of a function or class : what its docstring, that of its `__init__` or of one that it refers to says;
    "" where none does."""
    try:
        names = [name for name in inspect.signature(thing).parameters if name not in ("args", "kwargs")]
    except (TypeError, ValueError):
        return {}
    told = _told(thing)
    return {name: told.get(name, "") for name in names}


def _told(thing, depth=3):
    told: dict = {}
    for text in _texts(thing):
        for name in _OTHERS.findall(" ".join(text.split())) if depth else ():
            told = _told(_named(name), depth - 1) | told
        told |= {name: _looked_up(name, said, depth) for name, said in _items(text).items()}
    return told


def _looked_up(name, said, depth):
    """What another docstring says, where this one only says which."""
    other = _AS.match(said)
    return _told(_named(other[1]), depth - 1).get(name, said) if other and depth else said


def _texts(thing):
    """Docstrings, those of base classes first."""
    classes = [base for base in reversed(inspect.getmro(thing)) if base is not object] if inspect.isclass(thing) else []
    ours = [base for base in classes if base.__module__.split(".")[0] in {package.__name__ for package in PACKAGES}]
    things = [part for base in ours for part in (base, base.__dict__.get("__init__"))] if classes else [thing]
    return [inspect.cleandoc(part.__doc__) for part in things if getattr(part, "__doc__", None)]


def _named(name):
    """A public name, with or without its package, or a path to a module's."""
    for package in PACKAGES:
        if name in package.__all__:
            return getattr(package, name)
    module, _, last = name.rpartition(".")
    return getattr(__import__(module, fromlist=[last]), last)


def _items(text):
    """{name: text} of the items "name : text" of a docstring."""
    text = _WRAPPED.sub(" ", _HEADING.sub("", text))
    places = list(_ITEM.finditer(text))
    found = {}
    for at, after in zip_longest(places, places[1:]):
        told = text[at.end() : after.start() if after else len(text)].split("\n\n")[0]
        for name in re.split(r", | and ", at[1]):
            found[name] = " ".join(told.split()).rstrip("; ")
    return found
