"""Test the docstrings of all public names: numpydoc format, types, defaults, exceptions, examples that run."""

import ast
import doctest
import inspect
import textwrap

import numpydoc.validate
from numpydoc.docscrape import get_doc_object

import treecore.comparison
import treecore.explain
import treecore.export
import treecore.rules
from docs.site.api_pages import members
from docs.site.parameters import public_names, sections
from tests.each import each
from treecore.docstrings import entries

MODULES = (treecore.comparison, treecore.explain, treecore.export, treecore.rules)
ALL = public_names() | {
    f"{module.__name__}.{name}": getattr(module, name) for module in MODULES for name in module.__all__
}
NAMES = {name: thing for name, thing in ALL.items() if callable(thing)}
METHODS = {  # each function once, under the first class that has it
    value: f"{name}.{member}"
    for name, thing in reversed(
        (public_names() | {"treecore.comparison.Comparison": treecore.comparison.Comparison}).items()
    )
    if inspect.isclass(thing)
    for member, value in members(thing)
}
METHODS = {name: value for value, name in METHODS.items()}
OFF = {
    "GL01",  # the summary is on the line of the opening quotes, as ruff formats it
    "GL02",  # `filled` removes the line break before the closing quotes
    "ES01",  # for many names, the summary is enough
}
OFF_FOR_METHODS = OFF | {"EX01", "SA01"}  # the docstring of the class has the example and the references


@each("name", NAMES)
def test_the_docstring_of_a_public_name_has_the_form_of_numpydoc(name):
    assert faults(NAMES[name], OFF) == []


@each("name", METHODS)
def test_the_docstring_of_a_public_method_has_the_form_of_numpydoc(name):
    assert faults(METHODS[name], OFF_FOR_METHODS) == []


@each("name", NAMES)
def test_the_examples_of_a_public_name_run(name):
    thing = NAMES[name]
    examples = doctest.DocTestParser().get_doctest(inspect.getdoc(thing), {}, name, None, 0)
    report = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(examples, out=report.append)
    assert report == []


def test_faults_are_named():
    def grow(depth=3):
        """Grows a tree."""
        raise ValueError(depth)

    codes = [fault.split()[0] for fault in faults(grow, OFF)]
    assert codes == ["SS05", "PR01", "SA01", "EX01", "raises"]


def faults(thing, off):
    """Return the faults in the docstring of a function, a class or a property."""
    found = numpydoc.validate.validate(get_doc_object(thing))["errors"]
    listed = [f"{code} {text}" for code, text in found if code not in off]
    return listed + wrong_defaults(thing) + untold_exceptions(thing)


def wrong_defaults(thing):
    try:
        parameters = inspect.signature(thing).parameters
    except (TypeError, ValueError):
        return []
    described = entries(sections(thing).get("Parameters", ""))
    return [
        f"default of {name}: the signature has {one.default!r}"
        for name, one in parameters.items()
        if type(one.default) in (str, int, float, bool, tuple, type(None))
        and name in described
        and not described[name][0].replace('"', "'").endswith(f"default={one.default!r}")
    ]


def untold_exceptions(thing):
    """Return a fault if a function or constructor raises an exception and its docstring has no section Raises."""
    code = getattr(thing, "__post_init__", None) if inspect.isclass(thing) else getattr(thing, "fget", thing)
    if not inspect.isfunction(code) or "Raises\n" in (inspect.getdoc(thing) or "") or isinstance(thing, property):
        return []
    nodes = list(ast.walk(ast.parse(textwrap.dedent(inspect.getsource(code)))))
    raises = any(isinstance(node, ast.Raise) and node.exc is not None for node in nodes)
    raises |= any(isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "require" for node in nodes)
    return ["raises an exception that the docstring does not name"] if raises else []
