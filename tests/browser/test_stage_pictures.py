"""Compare the main states of the stage with stored screenshots.

The trees are not trained. benchmarks/grown_trees.py grows them on bundled or generated data with rounded numbers. They
are the same on every machine, so only fonts and the anti-aliasing of lines can differ. See tests/browser/snapshots.py
for the comparison and for storing new screenshots.
"""

import pytest

from tests.browser import snapshots
from tests.browser import stage_driver as driver
from tests.budget import budget

pytestmark = pytest.mark.browser


def steady_page(open_stage, name):
    """Return a page at the first tree whose boxes have the same sizes on every machine."""
    page = open_stage(name, **snapshots.SIZE, reduced_motion="reduce")
    snapshots.steady(page)
    driver.step(page, 0)
    return page


@pytest.mark.nightly
@pytest.mark.parametrize(
    "name", ["images 51", "table 11", *budget((), ("images 11", "images 199", "table 51", "table 199"))]
)
def test_tree(open_stage, name):
    page = steady_page(open_stage, name)
    driver.select(page, 1)
    snapshots.check(page, f"{name} light")
    driver.set_state(page, theme="dark")
    snapshots.check(page, f"{name} dark")


def test_overview_of_a_large_tree(open_stage):
    page = steady_page(open_stage, "table 1001")
    driver.rest(page)
    snapshots.check(page, "table 1001 overview")


def test_plane(open_stage):
    page = steady_page(open_stage, "grown plane")
    driver.rest(page)
    snapshots.check(page, "plane")


def test_node_table(open_stage):
    page = steady_page(open_stage, "table 11")
    driver.set_state(page, table=True)
    snapshots.check(page, "node table")


# Faults that a screenshot must show, and code that undoes them.
BREAKAGES = {
    "no tree": ("stage.view.canvas.style.visibility = 'hidden'", "stage.view.canvas.style.visibility = ''"),
    "another tree": ("stage.go(2)", "stage.go(0)"),
    "other colours": ("stage.set({ chosenClass: 0 })", "stage.set({ chosenClass: null })"),
    "no edges": ("stage.view.drawEdges = () => {}", "delete stage.view.drawEdges"),
    "other theme": ("stage.set({ theme: 'dark' })", "stage.set({ theme: 'light' })"),
}


@pytest.mark.long
@pytest.mark.nightly
@pytest.mark.parametrize("name", ["images 51", *budget((), ("table 51",))])
def test_a_broken_picture_is_noticed(open_stage, name):
    """The tolerance must be too small for a fault to pass."""
    page = steady_page(open_stage, name)
    box = page.locator(".picture").bounding_box()

    def after(change):
        page.evaluate(f"() => {{ {change}; stage.resize(); }}")
        driver.rest(page)
        return snapshots.shares(snapshots.pixels(page.screenshot()), sound, box)["picture"]

    driver.select(page, 1)
    sound = snapshots.pixels(page.screenshot())
    for name_of, (breaks, mends) in BREAKAGES.items():
        assert after(breaks) > snapshots.MAX_SHARE["picture"], name_of
        assert after(mends) == 0, name_of
