"""The main states of the stage still look as they did when somebody looked at them.

The trees are grown by benchmarks/grown_trees.py from bundled or generated data, on rounded numbers, rather than
trained: they are the same on every machine, so that only fonts and the anti-aliasing of lines can differ. See
tests/browser/snapshots.py for how pictures are compared, and how new ones are stored.
"""

import pytest

from tests.browser import snapshots
from tests.browser import stage_driver as driver

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def steady_page(open_stage, name, theme="light"):
    page = open_stage(name, **snapshots.SIZE, color_scheme=theme, reduced_motion="reduce")
    snapshots.steady(page)
    driver.step(page, 0)
    return page


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", ["images 11", "images 51", "images 201", "table 11", "table 51", "table 201"])
def test_tree(open_stage, name, theme):
    page = steady_page(open_stage, name, theme)
    driver.select(page, 1)
    snapshots.check(page, f"{name}-{theme}".replace(" ", "-"))


def test_overview_of_a_large_tree(open_stage):
    page = steady_page(open_stage, "table 1001")
    driver.rest(page)
    snapshots.check(page, "table-1001-overview")


def test_plane(open_stage):
    page = steady_page(open_stage, "grown plane")
    driver.rest(page)
    snapshots.check(page, "plane-light")


def test_table_twin(open_stage):
    page = steady_page(open_stage, "table 11")
    driver.set_state(page, table=True)
    snapshots.check(page, "table-twin")


BREAKAGES = {
    "no tree": "() => { stage.view.canvas.style.visibility = 'hidden'; }",
    "another tree": "() => stage.go(2)",
    "other colours of classes": "() => { stage.path.palette.classes.reverse(); stage.retheme(); stage.resize(); }",
    "no edges": "() => { stage.view.drawEdges = () => {}; stage.resize(); }",
    "other theme": "() => stage.set({ theme: 'dark' })",
}


@pytest.mark.parametrize("breakage", BREAKAGES)
@pytest.mark.parametrize("name", ["images 51", "table 51"])
def test_a_broken_picture_is_noticed(open_stage, name, breakage):
    """The tolerance is not so large that a fault would pass."""
    page = steady_page(open_stage, name)
    driver.select(page, 1)
    sound = snapshots.pixels(page.screenshot())
    box = page.locator(".picture").bounding_box()
    page.evaluate(BREAKAGES[breakage])
    driver.rest(page)
    broken = snapshots.pixels(page.screenshot())
    assert snapshots.shares(broken, sound, box)["picture"] > snapshots.MAX_SHARE["picture"]
