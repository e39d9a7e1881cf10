"""Decision path of a row as HTML for any background, with signed margins, and class probabilities as bars.

All text that may come from the data is escaped.
"""

from collections.abc import Iterable, Sequence
from html import escape

import numpy as np

from treecore.explain.explanation import Explanation
from treecore.tree.condition_text import margin_text, pixel_sum, visible
from treecore.tree.number_text import percent
from treecore.tree.target import Target
from treecore.tree.text_tree import node_names
from treecore.tree.tree import Tree
from viz.palette import group_colors
from viz.words.row_words import Change, Value
from viz.words.text_fit import shortened

MOST_CLASSES = 6
MOST_LETTERS = 40
MOST_VALUES = 6
_MUTED = "opacity:.72;font-size:.88em"
_WRAPS = "overflow-wrap:anywhere"  # names from files can be long and have no spaces


def way_html(explanation: Explanation, tree: Tree, most_pixels: int | None = None, values: Sequence[Value] = ()) -> str:
    """Return the splits of an `Explanation` as an ordered list.

    most_pixels : for images, a split on more features than this is summarised by their number
    values : `row_values` of the row, which are shown beside the conditions on them
    """
    items = "".join(_step(step, tree, most_pixels, values) for step in explanation.steps)
    why = f'<br><span style="{_MUTED}">{_text(explanation.reason)}</span>' if explanation.reason else ""
    prediction = _text(_prediction_text(explanation, tree))
    leaf = f"<li>{node_names(tree)[explanation.leaf].capitalize()}: <b>{prediction}</b>{why}</li>"
    return f'<ol style="margin:0;padding-left:1.5em;line-height:1.45;{_WRAPS}">{items}{leaf}</ol>'


def verdict_html(
    row: str, predicted: str, words: str, outcome: str = "", changes: Sequence[Change] = (), otherwise: str = ""
) -> str:
    """Return the values of a row, its prediction, whether it is correct, and what would change it.

    row : values on the decision path, or the name of the row
    words : sentence about the leaf
    outcome : whether the prediction is correct, or its difference from the true number
    changes, otherwise : fewest changes of values with another prediction, and this prediction
    """
    instead = " and ".join(
        f"{_text(change.name)} <b>{_text(change.after)}</b> instead of {_text(change.before)}" for change in changes
    )
    change = f"<div>With {instead}, the tree predicts <b>{_text(otherwise)}</b>.</div>" if changes else ""
    return (
        f'<div style="{_WRAPS}"><div style="font-size:1.25rem;line-height:1.3">{_text(row)}: '
        f"<b>{_text(predicted)}</b></div>"
        f'<div style="margin:.15em 0">{_text(outcome)}</div>{change}<div style="{_MUTED}">{_text(words)}</div></div>'
    )


def values_text(values: Sequence[Value], features: Iterable[int], most: int = MOST_VALUES) -> str:
    """Return the values of the columns with these features, such as "age 26, fare 7.93 and 2 more", or ""."""
    used = set(features)
    shown = [f"{value.name} {value.text}" for value in values if not used.isdisjoint(value.features)]
    more = f" and {len(shown) - most} more" if len(shown) > most else ""
    return f"{', '.join(shown[:most])}{more}"


def shares_html(
    shares: Sequence[float], groups: Sequence[int], target: Target, y: np.ndarray | None = None, theme: str = "light"
) -> str:
    """Return the group shares of a leaf as bars: classes by descending share, or all ranges from low to high.

    shares : float for each of `groups`
    groups : codes in the `Target`
    y, theme : as in `group_colors`
    """
    order = sorted(range(len(groups)), key=lambda place: -shares[place])
    order = [place for place in order if shares[place] > 0]
    most = MOST_CLASSES
    if target.is_ordered:
        order, most = sorted(order), len(order)
    colors = group_colors(target, y, theme)
    bars = "".join(_bar(target.groups[groups[i]], shares[i], colors[groups[i]]) for i in order[:most])
    more = len(order) - most
    return bars + (f'<div style="{_MUTED}">and {more} more</div>' if more > 0 else "")


def _step(step, tree, most_pixels, values):
    features = tree.split(step.node)[0].tolist()
    count = len(features)
    condition = step.condition
    if most_pixels is not None and count > most_pixels:
        condition = pixel_sum(count, tree.split(step.node)[2], step.right).text
    change = _text(step.change).replace(" → ", "\u00a0→\u00a0")
    told = values_text(values, features)
    held = f": <b>{_text(told)}</b>" if told else ""
    # A distance from a category means nothing.
    has_category = any(value.kind == "category" for value in values if not set(value.features).isdisjoint(features))
    distance = "" if has_category and step.margin == step.margin else f"{margin_text(step.margin, step.right)} · "
    return (
        f'<li style="margin-bottom:.45em">{_text(condition)}{held}'
        f'<br><span style="{_MUTED}">{node_names(tree)[step.node]} · {distance}{change}</span></li>'
    )


def _prediction_text(explanation, tree):
    prediction = explanation.prediction
    return tree.target.answer(prediction) if isinstance(prediction, float) else prediction


def _bar(name, share, color):
    shown = name if len(name) <= MOST_LETTERS else shortened(name, MOST_LETTERS)
    return (
        '<div style="display:grid;grid-template-columns:minmax(2em,40%) 1fr 3.6em;gap:.6em;align-items:center">'
        f'<span style="{_WRAPS};line-height:1.25" title="{_text(name)}">{_text(shown)}'
        f'</span><span style="height:.8em;border-radius:3px;background:{color};width:{100 * share:.2f}%"></span>'
        f'<span style="text-align:right">{percent(share)}</span></div>'
    )


def _text(value):
    return f"<bdi>{escape(value if isinstance(value, str) else visible(value))}</bdi>"
