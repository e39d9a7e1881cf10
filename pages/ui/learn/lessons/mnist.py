"""Story: which strokes does this node look at? Carreira-Perpiñán and Tavallali 2018, section 4, on our own trees."""

import numpy as np

from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, formulas, lookup, scenes
from pages.ui.learn.lessons.lesson import Guess, Lesson, Moment, Told
from treecore.tree.number_text import number

THIRDS = {
    (0, 0): "the top left", (0, 1): "the top", (0, 2): "the top right",
    (1, 0): "the left", (1, 1): "the centre", (1, 2): "the right",
    (2, 0): "the bottom left", (2, 1): "the bottom", (2, 2): "the bottom right",
}  # fmt: skip
SETTINGS = Settings(data_set="mnist-5k", max_depth=5, n_lambdas=6)


def tell():
    """`Told` of this story."""
    scene = scenes.path(SETTINGS, "Handwritten digits (MNIST)")
    k = few_pixels(scene)
    tree, data = scene.tree(k), scene.data
    root = lookup.origin(scene, k, 0)
    four, three = lookup.leaf_pair(scene, k, "4", "9"), lookup.leaf_pair(scene, k, "3", "5")
    two = lookup.leaf_pair(scene, k, "2", "6")
    row = _row_of(scene, k, "9")
    left = [name for name in data.class_names if goes_left(scene, k, name) > 0.5]
    right = [name for name in data.class_names if name not in left]
    return Told(
        (scene,),
        (
            Moment(
                0,
                k,
                (
                    f"Digits of {data.image_shape[0]} × {data.image_shape[1]} pixels. λ = "
                    f"{number(scene.points[k].lam)} has left {lookup.many(tree.n_leaves, 'leaf', 'leaves')} and "
                    f"{tree.features_per_node:.0f} of {data.n_features} pixels a node: the largest λ with a "
                    "validation error of at most 25 %.",
                    f"{lookup.error(scene, k, 2)} of the test digits are wrong. That is a lot, but you can *read* "
                    "this tree.",
                ),
                ask="What will the first question be about?",
                answer=f"It separates {_list(left)} from {_list(right)}. See for yourself on the next screen.",
                source="Carreira-Perpiñán and Tavallali 2018, section 4 and figure 1",
            ),
            Moment(
                0,
                k,
                (
                    f"The root: {len(tree.split(0)[0])} pixels. One colour wants ink, the other wants none.",
                    f"Mostly {_list(left)} go left, the others right. The paper's root separates 4, 7 and 9.",
                ),
                node=root,
                near=True,
                ask="Where in the picture is the ink that only one of the groups has?",
                answer=f"The weights say it: those that pull to the right lie mostly at {where(tree, 0, 1, data)}, "
                f"those that pull to the left at {where(tree, 0, -1, data)}.",
                formula=formulas.OBLIQUE,
                source="Carreira-Perpiñán and Tavallali 2018, section 4 (interpretable trees)",
            ),
            Moment(
                0,
                k,
                (
                    f"**3 or 5?** This node needs {lookup.many(len(tree.split(three)[0]), 'pixel')}.",
                    "Both digits end in the same bow. Look at what is above it.",
                ),
                node=lookup.origin(scene, k, three),
                near=True,
                ask="Write a 3 and a 5. Which short stroke has only one of them?",
                answer="The short upright stroke: a 5 has it on the left, a 3 on the right. The paper's tree found "
                f"the same stroke. Our node gets {_right(tree, three)} right.",
                formula=formulas.OBLIQUE,
                source="Carreira-Perpiñán and Tavallali 2018, section 4 (node 53 of figure 1)",
            ),
            Moment(
                0,
                k,
                (
                    f"**4 or 9?** {lookup.many(len(tree.split(four)[0]), 'pixel').capitalize()}.",
                    "A 4 is open at the top, a 9 is closed.",
                ),
                node=lookup.origin(scene, k, four),
                near=True,
                ask="So where should the node look?",
                answer="At the top stroke. The weights that say 9 lie mostly at "
                f"{where(tree, four, _side(tree, scene, k, four), data)}"
                f". It gets {_right(tree, four)} right.",
                source="Carreira-Perpiñán and Tavallali 2018, section 4 (node 5 of figure 1)",
            ),
            Moment(
                0,
                k,
                (
                    "Follow one 9 from the root to its leaf.",
                    "Each node asks one question about strokes. Together they *define* the digit.",
                ),
                node=lookup.origin(scene, k, int(tree.apply(data.X[[row]])[0])),
                row=row,
                ask="How many of its pixels are looked at on the way?",
                answer=f"{lookup.count(_pixels_on_way(scene, k, row))} of {data.n_features}. The rest could be "
                "anything.",
                guess=Guess(_pixels_on_way(scene, k, row), 0, data.n_features, unit="pixels"),
                source="Carreira-Perpiñán and Tavallali 2018, section 4 (inference, interpretable trees)",
            ),
            Moment(
                0,
                k,
                (
                    f"**2 or 6?** {lookup.many(len(tree.split(two)[0]), 'pixel').capitalize()} here.",
                    "By now you can tell what a node looks at from its picture.",
                ),
                node=lookup.origin(scene, k, two),
                near=True,
                ask="Say it in words before you look: this node looks for ink at …",
                answer=f"… {where(tree, two, 1, data)} for {lookup.label(scene, k, int(tree.right[two]))}, "
                f"{where(tree, two, -1, data)} for {lookup.label(scene, k, int(tree.left[two]))}.",
                source="Carreira-Perpiñán and Tavallali 2018, section 4",
            ),
            Moment(
                0,
                k - 1,
                (
                    f"A smaller λ: {scene.tree(k - 1).features_per_node:.0f} pixels a node, "
                    f"{lookup.many(scene.tree(k - 1).n_leaves, 'leaf', 'leaves')}. The test error falls to "
                    f"{lookup.error(scene, k - 1, 2)}.",
                    "More pixels, more truth, less to read.",
                ),
                node=root,
                near=True,
                ask="Which tree would you show to a class, and which would you use for the post?",
                answer="For both there is a λ. With all 60,000 training digits and deeper trees the paper comes down "
                "to about 5 %; here are 3,000.",
                source="Carreira-Perpiñán and Tavallali 2018, section 4 (classification accuracy)",
            ),
        ),
    )


def few_pixels(scene):
    """Index of the last tree whose validation error is at most 25 %."""
    return max(k for k, point in enumerate(scene.points) if point.figures["validation_error"] <= 0.25)


def goes_left(scene, k, name):
    """Share of the training rows of a class that go left at the root."""
    tree = scene.tree(k)
    code = [str(label) for label in tree.classes].index(name)
    return float(tree.values[tree.left[0], code] / tree.values[0, code])


def where(tree, node, sign, data):
    """Where most of the weights of one sign are, in words."""
    pixels, weights, _ = tree.split(node)
    image = np.zeros(data.image_shape)
    image.flat[pixels] = np.maximum(sign * weights, 0)
    return claims.places(image, THIRDS) if image.any() else "no place at all"


def _side(tree, scene, k, node):
    """+1 when the right child says 9."""
    return 1 if lookup.label(scene, k, int(tree.right[node])) == "9" else -1


def _right(tree, node):
    """How many training rows of a node above two leaves are right, and without it, in words."""
    right = sum(tree.values[child].max() for child in (tree.left[node], tree.right[node]))
    alone = tree.values[node].max()
    claims.hold(right > alone, f"{right} are right, and {alone} without the question")
    return (
        f"{lookup.count(right)} of {lookup.count(tree.n_samples[node])} (always the more frequent digit: "
        f"{lookup.count(alone)})"
    )


def _row_of(scene, k, name):
    tree, rows = scene.tree(k), scene.rows[0]
    rows = rows[np.array(scene.data.class_names)[scene.data.y[rows]] == name]
    right = [row for row in rows if lookup.label(scene, k, int(tree.apply(scene.data.X[[row]])[0])) == name]
    return int(right[0])


def _pixels_on_way(scene, k, row):
    tree = scene.tree(k)
    return len({int(j) for node in tree.decision_path(scene.data.X[row]) for j in tree.split(node)[0]})


def _list(names):
    return ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else "".join(names)


LESSON = Lesson(
    "mnist",
    "Which strokes does this node look at?",
    "Handwritten digits, and the few pixels that tell them apart.",
    tell,
    "story",
    ":material/draw:",
    picture=0,
)
