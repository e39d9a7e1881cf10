"""Every public name has a page, which describes each of its parameters."""

import inspect

import pytest

import treecore
import viz
from docs.site.api_pages import page_of
from docs.site.gallery import gallery
from docs.site.parameters import parameters, public_names

NAMES = public_names()


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_and_its_parameters_are_documented(name):
    if not callable(NAMES[name]):
        return  # a number, which the page of its package explains
    assert inspect.getdoc(NAMES[name]), f"{name} has no docstring"
    untold = [parameter for parameter, said in parameters(NAMES[name]).items() if not said]
    assert not untold, (
        f"{name}: its docstring (or the one that it refers to) has no 'parameter : what it is' for {untold}"
    )


def test_parameters_are_read_from_all_forms_of_a_docstring():
    def plain(a, b, c, d=None):
        """Do it.

        a, b : two numbers, of
        which one is large; c :
        text; the others are as of `Other`. Raises nothing.
        """

    def headed(alpha, beta):
        """Do it.

        Parameters
        ----------
        alpha : first
            of two
        beta : "a" | "b"

        Attributes
        ----------
        gamma_ : not a parameter
        """

    assert parameters(headed) == {"alpha": "first of two", "beta": '"a" | "b"'}
    plain.__doc__ = plain.__doc__.replace("Other", "headed")
    plain.__doc__ = plain.__doc__.replace("the others are as of `headed`. ", "")
    both = "two numbers, of which one is large"
    assert parameters(plain) == {"a": both, "b": both, "c": "text; Raises nothing.", "d": ""}
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


def test_a_page_has_the_methods_that_only_some_classes_have():
    assert "## predict_log_proba" in page_of("treecore.TAOClassifier", treecore.TAOClassifier)
    assert "## predict_log_proba" not in page_of("treecore.TAORegressor", treecore.TAORegressor)
