"""Define the bundled 2D sets: the generators of `synthetic` with default arguments, names and descriptions."""

from collections.abc import Callable
from functools import partial

from sample_data import synthetic
from sample_data.data_set import DataSet

_FEATURES = ("horizontal", "vertical")


def _planar(
    name: str,
    title: str,
    generate: Callable,
    class_names: tuple[str, ...],
    description: str,
    target_name: str = "",
    unit: str = "",
) -> DataSet:
    X, y = generate()
    return DataSet(
        name=name,
        title=title,
        X=X,
        y=y,
        feature_names=_FEATURES,
        class_names=class_names,
        description=description,
        source=f"generated: sample_data.synthetic.{name} with its default arguments",
        licence="MIT, as this project",
        target_name=target_name,
        unit=unit,
    )


PLANAR: dict[str, Callable[[], DataSet]] = {
    "checkerboard": partial(
        _planar,
        "checkerboard",
        "Rotated checkerboard",
        synthetic.checkerboard,
        ("dark", "light"),
        "A checkerboard rotated by 30 degrees. No class boundary is parallel to an axis, so a univariate tree needs "
        "many thresholds for each boundary. A bivariate tree needs one node. Greedy methods find no good first split.",
    ),
    "spirals": partial(
        _planar,
        "spirals",
        "Two spirals",
        synthetic.spirals,
        ("arm 1", "arm 2"),
        "Two interleaved spiral arms of one and a half turns. The class boundary is curved, so a tree approximates it "
        "with straight pieces.",
    ),
    "moons": partial(
        _planar,
        "moons",
        "Two moons",
        synthetic.moons,
        ("upper", "lower"),
        "Two interlocking half circles with some noise. A tree needs two or three lines to separate the classes.",
    ),
    "stripes": partial(
        _planar,
        "stripes",
        "Diagonal stripes",
        synthetic.stripes,
        ("stripe A", "stripe B", "stripe C"),
        "Parallel stripes of three alternating classes, at 35 degrees to the axes. A weighted sum of both features "
        "determines the class. Each feature alone contains almost no information.",
    ),
    "xor": partial(
        _planar,
        "xor",
        "XOR",
        synthetic.xor,
        ("same signs", "opposite signs"),
        "The class depends on whether both coordinates have the same sign, with noise at the boundaries. No single "
        "split reduces the error, so greedy methods fail.",
    ),
    "clouds": partial(
        _planar,
        "clouds",
        "Five clusters",
        synthetic.clouds,
        ("cloud 1", "cloud 2", "cloud 3", "cloud 4", "cloud 5"),
        "Five Gaussian clusters of different shapes and orientations, with a small overlap.",
    ),
    "hill": partial(
        _planar,
        "hill",
        "Hill and cliff",
        synthetic.hill,
        (),
        "Height of a landscape with a plain, a diagonal cliff of 40 m and a round hill of 60 m. One line represents "
        "the cliff. The hill is smooth, so a tree approximates it with steps.",
        "height",
        "m",
    ),
}
