"""Show a counterfactual explanation: the nearest input with another prediction, next to the row."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell import chart
from pages.ui.shell.bound import label_by, sentence_case
from pages.ui.shell.computed import computed
from pages.ui.shell.markdown_text import plain
from treecore.errors import NoCounterfactual, TreecoreError
from treecore.explain.counterfactuals import Counterfactual, counterfactual
from treecore.messages import counted, joined
from treecore.tree.feature_statistics import feature_decimals, feature_deviation
from treecore.tree.target import Target
from viz.images.pixel_image import ink_image, signed_image
from viz.payload.feature_kinds import feature_facts
from viz.words.row_words import category_features, changed_values, column_names, open_categories

NORMS = {"l1": "few features (l1)", "l2": "small steps (l2)"}
SCALES = {"deviation": "standard deviations", "range": "ranges of the data", "none": "original units"}
PIXELS = {"any": "any pixel", "ink": "pixels with ink", "empty": "empty pixels"}
ANY = "any other class"
SIDES = {"above": "above", "below": "below"}
TRIED = "explain_tried"
MOST_LEAVES, MOST_TOLD = 64, 3  # of a tree for `fewest_changes`, and of its changes


def input_on_stage(name: str, row: int) -> tuple[Any, int]:
    """Return (values, turn) of the counterfactual that the stage shows for a row of the named tree, or (None, 0)."""
    known = st.session_state.get(TRIED)
    return known[1:] if known and known[0] == (name, row) else (None, 0)


class _Goal(NamedTuple):
    """The goal of a counterfactual: arguments of `counterfactual`, words, and whether the row already meets it."""

    arguments: dict
    words: str
    is_met: bool


def change_section(chosen: ChosenTree, row: int, x: np.ndarray) -> None:
    """Draw the controls and the counterfactual.

    x : float64[d], values of the row.
    """
    data, predicted = chosen.data, chosen.tree.predict(x[None])[0]
    if "outputs" in chosen.tree.leaf_model.refusals:
        st.info(
            (
                "Counterfactual explanations do not support linear leaves. To see how a prediction changes, change a "
                "value of the row on the stage below."
            ),
            icon=":material/info:",
        )
        return
    if np.unique(chosen.tree.predictions[chosen.tree.left < 0]).size == 1:
        st.info(
            f"This tree predicts {_prediction_text(chosen, predicted)} for every input. Choose a larger tree.",
            icon=":material/info:",
        )
        return
    with st.container(key="explain-rows-wish"):
        columns = st.columns([3, 2, 2, 2], vertical_alignment="bottom")
    goal = (_class_goal if chosen.target.values_are_groups else _number_goal)(chosen, predicted, columns[0])
    norm = columns[1].selectbox("Distance", list(NORMS), format_func=label_by(NORMS), key="explain_norm",
                                help=("*Few features* minimises the sum of all changes (l1). "
                                    "*Small steps* minimises the root of the sum of squares (l2)."))  # fmt: skip
    scale = columns[2].selectbox(
        "Unit", list(SCALES), format_func=label_by(SCALES), key="explain_scale",
        index=2 if data.image_shape else 0, help="Unit of a change. For each feature, a change of one unit adds 1 to "
        "the distance.",
    )  # fmt: skip
    within = columns[3].toggle(
        "Limits",
        value=True,
        key="explain_within",
        help="Each pixel stays between 0 and the largest pixel value in the data."
        if data.image_shape
        else "Each feature stays within its range.",
    )
    frozen = _frozen_pixels(x) if data.image_shape else _frozen_columns(data)
    if goal is None:
        return
    if goal.is_met:
        st.info(
            (
                f"This row is already predicted as {_prediction_text(chosen, predicted)}. Choose another "
                f"{chosen.target.value_noun}."
            ),
            icon=":material/info:",
        )
        return
    missing = np.flatnonzero(np.isnan(x)).tolist()
    if missing:
        # The features of a categorical column are all missing or all known.
        empty = [plain(name) for name, features in column_names(data) if not set(features).isdisjoint(missing)]
        st.caption(f"{counted(len(empty), 'missing value')} cannot change: {joined(empty)}.")
    limits = _ranges(data.fingerprint, data) if within else None
    try:
        with st.spinner("Searching for the closest input …", show_time=True):
            found = _search(chosen, x, norm, scale, limits, sorted({*frozen, *missing}), goal.arguments)
    except NoCounterfactual:
        st.warning(
            (
                f"No input is predicted {goal.words} {_limits(frozen, within, data)}. "
                f"{_advice(frozen, within, chosen.target)}"
            ),
            icon=":material/do_not_disturb_on:",
        )
        return
    except TreecoreError as error:
        st.error(plain(error), icon=":material/error:")
        return
    _result(chosen, row, x, found, SCALES[scale])


def _search(
    chosen: ChosenTree, x: np.ndarray, norm: str, scale: str, limits: Any, frozen: list[int], goal: dict[str, Any]
) -> Counterfactual:
    data = chosen.data
    return counterfactual(
        chosen.tree, x, norm=norm, frozen=frozen, bounds=limits, scale=_scale(data.fingerprint, data, scale),
        groups=category_features(data), open_groups=open_categories(data), whole=_whole(data.fingerprint, data),
        decimals=_decimals(data.fingerprint, data), **goal,
    )  # fmt: skip


class FewestChanges(NamedTuple):
    """Fewest changes of values that give another class: list of `Change` ([] if there is none), and this class."""

    changes: list
    prediction: str


def fewest_changes(chosen: ChosenTree, row: int, x: np.ndarray) -> FewestChanges:
    """Return the `FewestChanges` of a row for a small tree of classes, at most `MOST_TOLD` of them."""
    tree, nothing = chosen.tree, FewestChanges([], "")
    if "outputs" in tree.leaf_model.refusals or not chosen.target.values_are_groups or chosen.data.image_shape:
        return nothing
    if tree.n_leaves > MOST_LEAVES or np.unique(tree.predictions[tree.left < 0]).size == 1:
        return nothing
    found = _fewest(chosen.name, row, chosen, x)
    return nothing if len(found.changes) > MOST_TOLD else found


@computed(64)
def _fewest(name: str, row: int, _chosen: ChosenTree, _x: np.ndarray) -> FewestChanges:
    data, missing = _chosen.data, np.flatnonzero(np.isnan(_x)).tolist()
    try:
        found = _search(_chosen, _x, "l1", "deviation", _ranges(data.fingerprint, data), missing, {})
    except TreecoreError:
        return FewestChanges([], "")
    return FewestChanges(changed_values(data, _x, found.written), str(found.prediction))


def _prediction_text(chosen: ChosenTree, label: Any) -> str:
    """Return a prediction in words."""
    return plain(label if chosen.target.values_are_groups else chosen.target.text(label))


def _class_goal(chosen: ChosenTree, predicted: Any, column: DeltaGenerator) -> _Goal:
    classes = chosen.tree.classes.tolist()
    place = column.selectbox(
        "Target prediction",
        [None, *range(len(classes))],
        key=f"explain_target_{chosen.data.name}",
        format_func=lambda place: sentence_case(ANY) if place is None else str(classes[place]),
    )
    label = None if place is None else classes[place]
    return _Goal({"target": label}, f"as {plain(ANY if label is None else label)}", label == predicted)


def _number_goal(chosen: ChosenTree, predicted: Any, column: DeltaGenerator) -> _Goal | None:
    target, name = chosen.target, chosen.data.name
    leaves = np.sort(chosen.tree.predictions[chosen.tree.left < 0])
    middle = float(f"{np.median(leaves):.3g}")
    usual = "above" if predicted <= middle else "below"
    left, right = column.columns([2, 3], vertical_alignment="bottom")
    side = left.selectbox(
        "Prediction",
        list(SIDES),
        format_func=label_by(SIDES),
        key=f"explain_side_{name}",
        index=list(SIDES).index(usual),
    )
    limit = right.number_input(
        f"{plain(target.name or target.value_noun.capitalize())} {f'({plain(target.unit)})' * bool(target.unit)}",
        value=middle,
        format="%.6g",
        key=f"explain_limit_{name}",
        help=f"The leaves of this tree predict {target.text(leaves[0])} to {target.text(leaves[-1])}.",
    )
    if limit is None:
        st.info("Enter a limit for the prediction.", icon=":material/arrow_upward:")
        return None
    is_met = bool(predicted > limit if side == "above" else predicted < limit)
    return _Goal({side: limit}, f"{side} {plain(target.text(limit))}", is_met)


def _frozen_columns(data: Any) -> list[int]:
    columns = column_names(data)
    places = st.multiselect(
        "Fixed features", range(len(columns)), format_func=lambda place: columns[place][0],
        key=f"explain_frozen_{data.name}", placeholder="None (all features can change)",
    )  # fmt: skip
    return [feature for place in places if place < len(columns) for feature in columns[place][1]]


def _frozen_pixels(x: np.ndarray) -> list[int]:
    which = st.segmented_control(
        "May change", list(PIXELS), default="any", format_func=label_by(PIXELS), required=True, key="explain_pixels"
    )
    if which == "any":
        return []
    return np.flatnonzero((x > 0) == (which == "empty")).tolist()


def _limits(frozen: Sequence[int], within: bool, data: Any) -> str:
    """Return the limits of the search in words."""
    limits: list[str] = [f"with {len(frozen)} {'pixels' if data.image_shape else 'features'} fixed"] if frozen else []
    limits += ["within the ranges of the data"] if within else []
    return " and ".join(limits) if limits else "at all"


def _advice(frozen: Sequence[int], within: bool, target: Target) -> str:
    """Return advice after a search without a result."""
    advice: list[str] = ["let more features change"] if frozen else []
    advice += ["allow values outside the ranges of the data"] if within else []
    advice += [f"choose another {target.value_noun}"]
    return f"{', or '.join(advice).capitalize()}."


@computed(8)
def _ranges(name: str, _data: Any) -> tuple[Any, Any]:
    """Return the range (low, high) of the known values of each feature, as two float64[d]."""
    if _data.image_shape:
        return 0.0, float(_data.X.max()) or 1.0
    return tuple(np.nan_to_num(side.reduce(_data.X, axis=0).astype(np.float64)) for side in (np.fmin, np.fmax))


@computed(16)
def _scale(name: str, _data: Any, scale: str) -> np.ndarray | None:
    if scale == "none":
        return None
    if scale == "range":
        low, high = (np.broadcast_to(side, (_data.n_features,)) for side in _ranges(name, _data))
        size = high - low
    else:
        size = feature_deviation(_data.X)
    return np.where((size > 0) & np.isfinite(size), size, 1.0)


@computed(16)
def _whole(name: str, _data: Any) -> list[int]:
    """Return the numbers of the features that have integer values only.

    Pixels are excluded, because they may take any value.
    """
    return [] if _data.image_shape else np.flatnonzero(feature_facts(_data.X)["whole"]).tolist()


@computed(16)
def _decimals(name: str, _data: Any) -> np.ndarray | None:
    """Return the number of decimals of each feature. Pixels are excluded, because they may take any value."""
    return None if _data.image_shape else feature_decimals(_data.X)


def _result(chosen: ChosenTree, row: int, x: np.ndarray, found: Counterfactual, unit: str) -> None:
    data = chosen.data
    changes = changed_values(data, x, found.written)
    what = "pixel" if data.image_shape else "feature"
    st.markdown(
        f"**{_prediction_text(chosen, found.prediction)}** instead of "
        f"**{_prediction_text(chosen, found.before)}**: {len(changes)} {what}"
        f"{'s' * (len(changes) != 1)} {'changes' if len(changes) == 1 else 'change'}, distance "
        f"{found.distance:.4g} ({unit}). "
        + ("No input within these limits is closer" if found.is_nearest else "A closer input may exist")
        + (". Integers, dates and categories keep their type." if data.columns is not None else ".")
    )
    pictures, table = st.columns([3, 2]) if data.image_shape else (None, st.container())
    if pictures:
        with pictures:
            _pictures(data, x, found)
    with table:
        st.dataframe(
            pandas.DataFrame(changes, columns=[what, "row", "counterfactual", "change"]), hide_index=True,
            width="stretch", height=min(36 * len(changes) + 38, 260), key="explain_changes",
        )  # fmt: skip
    st.button(
        "Show on stage",
        icon=":material/move_down:",
        key="explain_put",
        on_click=_show_on_stage,
        args=(chosen.name, row, tuple(found.written.tolist())),
        help="Gives the followed row these values. *Reset values* restores the row.",
    )


def _show_on_stage(name: str, row: int, values: tuple[float, ...]) -> None:
    st.session_state[TRIED] = ((name, row), values, input_on_stage(name, row)[1] + 1)


def _pictures(data: Any, x: np.ndarray, found: Counterfactual) -> None:
    theme = chart.theme()
    top = float(data.X.max()) or 1.0
    pictures = (
        (ink_image(x, data.image_shape, theme, top), "the row"),
        (ink_image(found.point, data.image_shape, theme, top), "counterfactual"),
        (signed_image(found.point - x, data.image_shape, theme), "blue: less ink, orange: more ink"),
    )
    for column, (picture, words) in zip(st.columns(3), pictures, strict=True):
        column.image(picture, caption=words, width="stretch", alt=words)
