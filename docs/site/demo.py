"""Make the demo of the site: saved pages of trees, which need no server."""

import tempfile
from pathlib import Path
from typing import NamedTuple

import sample_data
from treecore import TAOClassifier
from treecore.training.recording import record
from viz import command_line
from viz.page.stage_html import stage_page
from viz.payload.recording_payload import recording_payload

FOLDER = "demo"


class Demo(NamedTuple):
    """One saved page: data set, split type, largest number of leaves, and what to look at."""

    data_set: str
    split: str
    sizes: int
    about: str


DEMOS = (
    Demo("digits", "oblique", 16, "Images of digits. Each split is an image of signed pixel weights."),
    Demo("breast-cancer", "bivariate", 8, "Cells of tumours. Each split is a line in a scatter plot."),
    Demo("wine", "bivariate", 6, "Chemistry of wines from three growers."),
    Demo("iris", "univariate", 5, "Lengths of petals and sepals of three species."),
    Demo("diabetes", "univariate", 10, "A number as the target: the progression of diabetes in one year."),
    Demo("airfoil", "bivariate", 12, "A number as the target: the noise of aerofoils in a wind tunnel."),
)
RECORDED = "spirals"


def demo_pages(demos: tuple[Demo, ...] = DEMOS) -> dict[str, bytes]:
    """Return {path on the site: HTML page} of each demo, and of a recorded run of TAO on ``RECORDED``."""
    pages = {}
    with tempfile.TemporaryDirectory() as folder:
        for demo in demos:
            file = Path(folder, "page.html")
            command_line.main([*arguments(demo), "--save", f"page={file}"])
            pages[f"{FOLDER}/{demo.data_set}.html"] = file.read_bytes()
    data = sample_data.load(RECORDED)
    estimator = TAOClassifier(split="bivariate", init="cart", max_depth=4, lam=1.0, random_state=0)
    payload = recording_payload(record(estimator, data.X, data.labels()), data)
    pages[f"{FOLDER}/run.html"] = stage_page(payload, data.title).encode()
    return pages


def arguments(demo: Demo) -> list[str]:
    """Return the arguments of ``python -m treecore`` that train the trees of a demo."""
    return ["path", demo.data_set, "--split", demo.split, "--sizes", str(demo.sizes)]


def demo_page(demos: tuple[Demo, ...] = DEMOS) -> str:
    """Return the Markdown page with a link to each saved page."""
    rows = [
        f'| <a href="{FOLDER}/{one.data_set}.html">{one.data_set}</a> | {one.about} | '
        f"`python -m treecore {' '.join(arguments(one))} --save page={one.data_set}.html` |"
        for one in demos
    ]
    return f"""# Demo

Each page below holds all trees of a data set. Move the slider to choose the number of leaves, select a node to read its
split, and see how many leaves CART needs for the same error. The pages need no server.

| data set | what it shows | command |
|---|---|---|
{chr(10).join(rows)}

<a href="{FOLDER}/run.html">A recorded run</a> shows every step of TAO on the data set {RECORDED}.
"""
