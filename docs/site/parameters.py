"""Read the sections and the parameter descriptions in the docstrings of public names."""

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
    """Return {name: object} for every public name such as "treecore.Tree", without modules and subpackages."""
    found = {f"{package.__name__}.{name}": getattr(package, name) for package in PACKAGES for name in package.__all__}
    return {name: thing for name, thing in found.items() if not inspect.ismodule(thing)}


def sections(thing: Any) -> dict[str, str]:
    """Return {heading: text} for an object's docstring. The text before the first heading has the heading ""."""
    first, *others = _HEADING.split(inspect.getdoc(thing) or "")
    return {"": first.strip()} | {name: text.rstrip() for name, text in zip(others[::2], others[1::2], strict=True)}


def parameters(thing: Callable) -> dict[str, str]:
    """Return {parameter: description} for a function or class. A parameter without a description has ""."""
    try:
        names = [name for name in inspect.signature(thing).parameters if name not in ("args", "kwargs")]
    except (TypeError, ValueError):
        return {}
    found = entries(sections(thing).get("Parameters", ""))
    return {name: " ".join(" ".join(found.get(name, ("", ""))).split()) for name in names}
