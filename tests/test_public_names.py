"""Test that every public name has a page that describes each of its parameters."""

import inspect

import treecore
import viz
from docs.site.api_pages import ROOT, linked_names, page_of
from docs.site.gallery import gallery
from docs.site.parameters import parameters, public_names
from tests.each import each

NAMES = public_names()


@each("name", NAMES)
def test_a_public_name_and_its_parameters_are_documented(name):
    if not callable(NAMES[name]):
        return  # a number, which the page of its package explains
    assert inspect.getdoc(NAMES[name]), f"{name} has no docstring"
    untold = [parameter for parameter, said in parameters(NAMES[name]).items() if not said]
    assert not untold, (
        f"{name}: its docstring (or the one that it refers to) has no 'parameter : what it is' for {untold}"
    )


def test_parameters_are_read_from_a_docstring():
    def plain(alpha, beta, gamma=None):
        """Do it.

        Parameters
        ----------
        alpha, beta : float
            Numbers,
            of any size.

        Returns
        -------
        gamma : float
            Not a parameter.
        """

    assert parameters(plain) == {
        "alpha": "float Numbers, of any size.",
        "beta": "float Numbers, of any size.",
        "gamma": "",
    }
    assert parameters(viz.node_figure)["dpi"] == parameters(viz.figure)["dpi"] != ""
    assert parameters(treecore.TAORegressorCV)["cv"] == parameters(treecore.TAOClassifierCV)["cv"]
    assert parameters(treecore.CO2Regressor)["nu"] == parameters(treecore.CO2Classifier)["nu"] != ""


def test_pictures_of_the_gallery_stand_behind_their_code():
    text, pictures = gallery(
        "# A\n\n```python\nfrom pathlib import Path\nPath('a.svg').write_text('<svg/>')\n```\n\n"
        "```python\nPath('b.html').write_text('b')\n```\n"
    )
    assert pictures == {"a.svg": b"<svg/>", "b.html": b"b"}
    assert (
        text.index("a.svg')")
        < text.index("](pictures/a.svg)")
        < text.index("b.html'")
        < text.index('<iframe src="pictures/b.html"')
    )


def test_names_are_links():
    page = page_of("viz.path_animation", viz.path_animation)
    assert "- [`contact_sheet`](viz.contact_sheet.md): Draws the path on pages." in page
    text = (ROOT / "docs" / "reference" / "python_api.md").read_text(encoding="utf-8")
    shown = linked_names(text, "../api/")
    for name in NAMES:
        if callable(NAMES[name]):
            assert f"(../api/{name}.md)" in shown, name
    assert linked_names("- `unknown`: x\nwords `Tree`", "") == "- `unknown`: x\nwords `Tree`"


def test_a_page_has_the_methods_that_only_some_classes_have():
    assert "## predict_log_proba" in page_of("treecore.TAOClassifier", treecore.TAOClassifier)
    assert "## predict_log_proba" not in page_of("treecore.TAORegressor", treecore.TAORegressor)
