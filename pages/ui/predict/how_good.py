"""Show the performance of a tree: metrics by class, curves, and a probability threshold for one class."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas
import streamlit as st

from pages.ui.save import save_figures
from pages.ui.save.save_menu import lines
from pages.ui.session import thresholds
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.session.thresholds import Threshold
from pages.ui.shell import chart
from pages.ui.shell.computed import computed
from pages.ui.shell.markdown_text import plain
from treecore.messages import counted
from treecore.tables.class_figures import class_figures
from treecore.tables.threshold import leaf_shares
from treecore.tables.threshold_curve import threshold_curve
from treecore.tree.number_text import count, number, percent
from viz.charts.class_curves_figure import class_curves_figure
from viz.charts.prediction_charts import CURVE_KINDS, POINTS, class_curve, class_curve_chart

COLUMNS = {
    "class": ("name", None),
    "rows": ("n", "Number of rows of this class"),
    "predicted": ("n_predicted", "Number of rows predicted as this class"),
    "precision": ("precision", "Share of the rows predicted as this class that belong to this class"),
    "recall": ("recall", "Share of the rows in this class that the tree predicts correctly"),
    "F1": ("f1", "Harmonic mean of precision and recall"),
    "AUC": ("auc", ("Area under the ROC curve: probability that a row of this class has a higher class probability "
    "than a row of another class. Chance is 0.5")),
    "average precision": ("average_precision", "Precision averaged over recall, as in scikit-learn"),
}  # fmt: skip
FORMATS = {"rows": "localized", "predicted": "localized", "precision": "%.1f %%", "recall": "%.1f %%"}
SLIDER, CLASS, OWN = "threshold-share", "threshold-class", "threshold-own"
COSTS = (("Cost of a false alarm", "e.g. 1", "alarm"), ("Cost of a miss", "e.g. 50", "miss"))
HELP = (
    "A leaf predicts the majority class of its training rows, so a rare class may never be predicted. Set a "
    "lower probability threshold for the class to see how many rows are flagged and how many flags are correct."
)
NO_NEED = "Some leaves contain only this class (probability 100 %), so every threshold flags some rows."


def how_good(chosen: ChosenTree, found: Any, compared: Any, key: str, stem: str) -> dict[str, Callable[[], Any]]:
    """Draw the section for a `TablePrediction` and return groups of files for the Save menu.

    compared : its comparison with the true classes; key : text that is unique for the tree and the rows; stem : name of
    the rows in file names.
    """
    figures, now, names = _figures(key, found, compared), chosen.threshold, thresholds.class_names(chosen)
    left, right = st.columns((2, 3))
    with left:
        known = [code for code, one in enumerate(figures[: len(names)]) if one.n]
        code = _choice(chosen, names, min(known, key=lambda code: figures[code].n) if known else 0)
        if "shares" not in chosen.tree.leaf_model.refusals:
            stops = leaf_shares(chosen.tree, chosen.tree.classes[code].item())
        else:
            stops = np.unique(found.probabilities[compared.places >= 0, code])
        curve = _curve(f"{key}-{code}", code, stops, found, compared)
        if now is not None and now.flag == names[code]:
            _slider(chosen, curve, now)
        st.markdown(_words(figures[code], curve.n, plain(names[code])).replace(" %", "\u00a0%"))
        if "shares" not in chosen.tree.leaf_model.refusals:
            _costs(chosen, curve, figures[code], names[code])
        if now is not None:
            st.caption(
                f"The {plain(now.words)} applies to the Predict, Rules and Explain pages and to their files. It does "
                "not apply to the Tree and Edit pages. A threshold selected on these rows performs better on these "
                "rows than on new rows."
            )
    with right:
        if not 0 < curve.n_positive < curve.n:
            return {}
        curves = [class_curve(curve, figures[code], kind) for kind in CURVE_KINDS]
        _charts(chosen, curves, curve, names[code])

    def draw_files() -> None:
        look = save_figures.background("curves-theme")
        lines(
            save_figures.files(
                "Curves",
                f"curves-{stem}",
                lambda ending: class_curves_figure(curves, ending, theme=look, title=names[code]),
            )
        )()

    return {"Curves of the class": draw_files}


@computed(8)
def _figures(key: str, _found: Any, _compared: Any) -> Any:
    return class_figures(_found, _compared)


@computed(24)
def _curve(key: str, code: int, _stops: np.ndarray, _found: Any, _compared: Any) -> Any:
    known = _compared.places >= 0
    return threshold_curve(_found.probabilities[known, code], _compared.places[known] == code, _stops)


def class_table(key: str, found: Any, compared: Any) -> None:
    """Draw the metrics of each class. The parameters are as in `how_good`."""
    figures = _figures(key, found, compared)
    frame = pandas.DataFrame(
        [[getattr(one, field) for field, _ in COLUMNS.values()] for one in figures], columns=list(COLUMNS)
    )
    shares = ["precision", "recall"]
    frame[shares] = 100 * frame[shares]
    config = {
        name: st.column_config.NumberColumn(help=help, format=FORMATS.get(name, "%.3f"))
        for name, (_, help) in COLUMNS.items()
        if help is not None
    }
    st.dataframe(frame, hide_index=True, column_config=config, placeholder="–", height=min(38 + 35 * len(frame), 330),
                 key="class-figures")  # fmt: skip
    recalls = [one.recall for one in figures if one.n]
    never = [plain(one.name[:40]) for one in figures if one.n and not one.n_predicted]
    words = f"Balanced error (all classes with equal weight): {percent(1 - float(np.mean(recalls)))}."
    if never:
        words += f" Never predicted: {', '.join(never[:8])}{' …' * (len(never) > 8)}. Their precision is undefined."
    st.caption(words)


def _choice(chosen: ChosenTree, names: Sequence[str], rarest: int) -> int:
    """Draw the choice of a class and a threshold for it. Return the position of the class."""
    now, key = chosen.threshold, f"{CLASS}-{chosen.base}"
    if key not in st.session_state:
        st.session_state[key] = names.index(now.flag) if now is not None else rarest
    code = st.selectbox("Class", range(len(names)), format_func=names.__getitem__, key=key)
    if "shares" in chosen.tree.leaf_model.refusals:
        st.caption(f"A probability threshold cannot be set. {thresholds.NO_SHARES}")
        return code
    has = now is not None and now.flag == names[code]
    st.session_state[OWN] = has
    st.toggle("Set a threshold", key=OWN, help=HELP, on_change=_turn, args=(chosen, names[code]))
    return code


def _turn(chosen: ChosenTree, flag: str) -> None:
    # A threshold of 0.5 leaves the predictions for two classes unchanged.
    thresholds.change(chosen, Threshold(flag, 0.5) if st.session_state[OWN] else None)


def _slider(chosen: ChosenTree, curve: Any, now: Threshold) -> None:
    """Draw a slider over all thresholds at which predictions change."""
    shares = curve.thresholds[:0:-1].tolist()
    shares += [1.0] * (shares[-1] < 1.0)
    place = shares.index(now.share)
    if len(shares) < 2:
        return
    st.session_state[SLIDER] = place
    st.select_slider(
        f"Probability threshold for {plain(now.flag)}", range(len(shares)),
        format_func=lambda place: thresholds.share_text(shares[place]),
        key=SLIDER, on_change=_apply_slider, args=(chosen, now.flag, shares),
        help=("A leaf flags the class if its class probability is at least the threshold. The slider contains only "
        "probabilities that occur in the leaves."),
    )  # fmt: skip


def _apply_slider(chosen: ChosenTree, flag: str, shares: Sequence[float]) -> None:
    thresholds.change(chosen, Threshold(flag, shares[st.session_state[SLIDER]]))


def _words(one: Any, n: int, name: str) -> str:
    rows, right = counted(n, "row"), round(one.recall * one.n) if one.n else 0
    if not one.n:
        return f"None of the {rows} has class {name}, so recall is undefined."
    if not one.n_predicted:
        return (
            f"**No row is flagged** as {name}, because no leaf that these {rows} reach predicts this class. All "
            f"{count(one.n)} {name} rows are missed, and precision is undefined. Lower the threshold, or balance "
            "the class weights (under More on the Tree page)."
        )
    return (
        f"**{count(one.n_predicted)} of {rows}** ({percent(one.n_predicted / n)}) are flagged as {name}; "
        f"{count(right)} of them are correct (**precision {percent(one.precision)}**), out of {count(one.n)} in "
        f"total (**recall {percent(one.recall)}**)."
    )


def _charts(chosen: ChosenTree, curves: Sequence[Any], curve: Any, flag: str) -> None:
    is_fixed = "shares" in chosen.tree.leaf_model.refusals
    for column, kind, each in zip(st.columns(2), CURVE_KINDS, curves, strict=True):
        key = f"class-{kind}"
        clicked = None if is_fixed else partial(_apply_click, chosen, key, flag, curve, kind)
        chart.show(class_curve_chart(each, chart.theme()), key, column, clicked)
    if is_fixed:
        st.caption("Each point is a probability threshold.")
        return
    st.caption("Each point is a threshold. The ring marks the current threshold. Click a point to use its threshold.")


def _apply_click(chosen: ChosenTree, key: str, flag: str, curve: Any, kind: str) -> None:
    picked = [one for one in st.session_state[key].selection.points if one.get("curve_number") == POINTS]
    if picked:
        place = picked[0]["point_index"]
        if kind != CURVE_KINDS[0]:  # these curves have no point without flagged rows
            place = np.flatnonzero(curve.n_flagged)[place]
        thresholds.change(chosen, Threshold(flag, min(float(curve.thresholds[place]), 1.0)))


def _costs(chosen: ChosenTree, curve: Any, one: Any, flag: str) -> None:
    columns = st.columns([1.1, 1, 1.3], vertical_alignment="bottom")
    costs = [
        column.number_input(label, min_value=0.0, max_value=1e12, value=None, placeholder=hint, key=f"cost-{key}")
        for column, (label, hint, key) in zip(columns, COSTS, strict=False)
    ]
    if not any(costs):
        return
    alarm, miss = (cost or 0.0 for cost in costs)
    right = round(one.recall * one.n)
    alarms, missed = one.n_predicted - right, one.n - right
    every = curve.costs(alarm, miss)
    best = int(np.argmin(every))
    share = min(float(curve.thresholds[best]), 1.0)
    cheapest = "no row flagged" if not curve.n_flagged[best] else f"the threshold {thresholds.share_text(share)}"
    st.markdown(
        f"{counted(alarms, 'false alarm')} × {number(alarm)} + {count(missed)} missed × {number(miss)} = "
        f"**{number(alarm * alarms + miss * missed, 6)}** on these rows. The minimum is at {cheapest}: "
        f"**{number(every[best], 6)}**."
    )
    cannot = not curve.n_flagged[best] and curve.n_flagged[curve.place(1.0)] > 0
    columns[2].button(
        "Use", on_click=thresholds.change, args=(chosen, Threshold(flag, share)), key="cost-take",
        width="stretch", icon=":material/savings:", disabled=cannot, help=NO_NEED if cannot else None,
    )  # fmt: skip
