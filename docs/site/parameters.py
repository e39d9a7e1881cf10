"""Read the docstrings of public names: their sections, and the description of each parameter."""

import inspect
import re
from collections.abc import Callable
from typing import Any

import sample_data
import treecore
import viz
from treecore.docstrings import entries

PACKAGES = (treecore, viz, sample_data)
_HEADING = re.compile(r"^(\w[\w ]*)\n-+\n", re.MULTILINE)


def public_names() -> dict[str, Any]:
    """Return {name such as "treecore.Tree": object} of every public name, without modules and subpackages."""
    found = {f"{package.__name__}.{name}": getattr(package, name) for package in PACKAGES for name in package.__all__}
    return {name: thing for name, thing in found.items() if not inspect.ismodule(thing)}


def sections(thing: Any) -> dict[str, str]:
    """Return {heading: text} of an object's docstring; the text before the first heading has the heading ""."""
    first, *others = _HEADING.split(inspect.getdoc(thing) or "")
    return {"": first.strip()} | {name: text.rstrip() for name, text in zip(others[::2], others[1::2], strict=True)}


def parameters(thing: Callable) -> dict[str, str]:
    """Return {parameter: description} of a function or class, with "" if its docstring has none."""
    try:
        names = [name for name in inspect.signature(thing).parameters if name not in ("args", "kwargs")]
    except (TypeError, ValueError):
        return {}
    found = entries(sections(thing).get("Parameters", ""))
    return {name: " ".join(" ".join(found.get(name, ("", ""))).split()) for name in names}
