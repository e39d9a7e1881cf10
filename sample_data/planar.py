"""The bundled 2D sets: the generators of `synthetic` at their default arguments, with names and words."""

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
        "Turned checkerboard",
        synthetic.checkerboard,
        ("dark", "light"),
        "A checkerboard that is turned by 30 degrees: no border runs along an axis, so that single thresholds need "
        "staircases where lines need one node each. Greedy trees find no good first split at all.",
    ),
    "spirals": partial(
        _planar,
        "spirals",
        "Two spirals",
        synthetic.spirals,
        ("arm 1", "arm 2"),
        "Two spiral arms of one and a half turns that wind around each other. The border is curved everywhere: a "
        "tree shows how many straight pieces it spends on it.",
    ),
    "moons": partial(
        _planar,
        "moons",
        "Two moons",
        synthetic.moons,
        ("upper", "lower"),
        "Two half circles, each of which reaches into the other, with some noise. Two or three lines part them.",
    ),
    "stripes": partial(
        _planar,
        "stripes",
        "Slanted stripes",
        synthetic.stripes,
        ("stripe A", "stripe B", "stripe C"),
        "Parallel stripes of three classes in turn, at 35 degrees to the axes: one direction that uses both "
        "features explains everything, and either feature alone explains next to nothing.",
    ),
    "xor": partial(
        _planar,
        "xor",
        "Exclusive or",
        synthetic.xor,
        ("same signs", "opposite signs"),
        "The class tells whether both coordinates have the same sign; noise blurs the borders. No first split "
        "helps on its own, which misleads every greedy tree.",
    ),
    "clouds": partial(
        _planar,
        "clouds",
        "Five clouds",
        synthetic.clouds,
        ("cloud 1", "cloud 2", "cloud 3", "cloud 4", "cloud 5"),
        "Five Gaussian clouds, stretched and turned each in its own way, that overlap a little.",
    ),
    "hill": partial(
        _planar,
        "hill",
        "A hill and a cliff",
        synthetic.hill,
        (),
        "The height of a landscape: a plain, a slanted cliff of 40 m, and a round hill of 60 m below it. One line "
        "finds the cliff; the hill is smooth, so that a tree builds it of steps.",
        "height",
        "m",
    ),
}
