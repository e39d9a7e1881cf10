"""Provide shared fixtures for the tests of figures."""

import pytest

from tests.viz import cases
from viz.drawing.canvas import Canvas


@pytest.fixture
def canvases(monkeypatch):
    """Return a list that receives every Canvas drawn during the test."""
    drawn, make = [], Canvas.__init__

    def remember(self, *arguments, **keywords):
        make(self, *arguments, **keywords)
        drawn.append(self)

    monkeypatch.setattr(Canvas, "__init__", remember)
    return drawn


@pytest.fixture
def texts(monkeypatch):
    """Return a list of (canvas, requested text) of all text written during the test."""
    written, write = [], Canvas.text

    def remember(self, x, y, text, *arguments, **keywords):
        written.append((self, text))
        write(self, x, y, text, *arguments, **keywords)

    monkeypatch.setattr(Canvas, "text", remember)
    return written


@pytest.fixture(scope="session")
def digits_path():
    """Return (RegularizationPath, DataSet) on images."""
    return cases.path_of("digits", 3, max_depth=5)


@pytest.fixture(scope="session")
def wine_path():
    """Return (RegularizationPath, DataSet) on a table."""
    return cases.path_of("wine", 4, max_depth=4)


@pytest.fixture(scope="session")
def plane_path():
    """Return (RegularizationPath, DataSet) on two features."""
    return cases.path_of("moons", 4, with_validation=False, max_depth=4)


@pytest.fixture(scope="session")
def odd_path():
    """Return (RegularizationPath, data) with 60 classes, unusual names and a single leaf at the end."""
    return cases.odd_path()
