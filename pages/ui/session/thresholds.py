"""Manage the probability threshold that a visitor sets for the trees of a data set, in session and address."""

from dataclasses import replace
from typing import Any, NamedTuple

import streamlit as st

from pages.ui.session import page_settings
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell import address, link_notes
from pages.ui.shell.computed import computed
from pages.ui.shell.markdown_text import plain
from treecore.declarations import Number
from treecore.tables.threshold import leaf_shares, with_threshold
from treecore.tree.number_text import number

KEY = "thresholds"
FLAG, SHARE = "flag", "share"  # names of parameters in a link
NO_SHARES = "Thresholds require constant leaves, but the leaves of this tree are linear models."
_SHARE = Number(0.0, 1.0)


class Threshold(NamedTuple):
    """A probability threshold for one class.

    flag : class that a leaf predicts if the probability of this class is at least `share`, in [0, 1].
    """

    flag: str
    share: float

    @property
    def words(self) -> str:
        """Return the threshold in words."""
        return f"threshold {share_text(self.share)} for {self.flag}"


def share_text(share: float) -> str:
    """Return a probability with three significant digits, because small probabilities matter most."""
    return f"{number(100 * share)} %"


def of_path() -> Threshold | None:
    """Return the `Threshold` of the trees on the Tree page, or None. A link affects the other pages only."""
    return st.session_state.get(KEY, {}).get(_place())


def texts() -> dict[str, Any]:
    """Return the address parameters of the threshold."""
    now = _thresholds().get(_place())
    return {} if now is None else {FLAG: now.flag, SHARE: repr(now.share)}


def change(chosen: ChosenTree, threshold: Threshold | None) -> None:
    """Set the threshold of a `ChosenTree` and of the trees that share it, in a callback.

    threshold : `Threshold`, or None to restore the majority class.
    """
    known = _thresholds()
    known.pop(_place(chosen), None)
    if threshold is not None:
        known[_place(chosen)] = threshold


def class_names(chosen: ChosenTree) -> list[str]:
    """Return the names of the classes that a `ChosenTree` predicts, in the order of the tree."""
    return [str(label) for label in (chosen.loaded or chosen.tree).classes]


def apply(chosen: ChosenTree) -> ChosenTree:
    """Return the `ChosenTree` with its threshold, if one is set."""
    found = _thresholds().get(_place(chosen))
    if found is None or "probabilities" in chosen.tree.target.refusals:
        return chosen
    if "shares" in chosen.tree.leaf_model.refusals:
        link_notes.add(f"The {plain(found.words)} does not apply here. {NO_SHARES}")
        return chosen
    names = class_names(chosen)
    if found.flag not in names:
        link_notes.add(f"The tree has no class '{plain(found.flag[:40])}'. Each leaf predicts its majority class.")
        return chosen
    return _with_threshold(chosen.name, found.flag, found.share, chosen)


@computed(12)
def _with_threshold(name: str, flag: str, share: float, _chosen: ChosenTree) -> ChosenTree:
    code = class_names(_chosen).index(flag)
    label = _chosen.tree.classes[code].item()
    shares = leaf_shares(_chosen.tree, label)
    # Use the smallest leaf probability that has the same effect.
    found = Threshold(flag, float(min(shares[shares >= share], default=1.0)))
    tree = with_threshold(_chosen.point.tree, label, found.share)
    known = {name: value for name, value in _chosen.point.figures.items() if not name.endswith("_error")}
    parameters = _chosen.parameters | {"threshold": found.words}
    loaded = _chosen.loaded
    if loaded is not None:
        loaded = replace(loaded, tree=tree, parameters=parameters, figures=known)
    return replace(
        _chosen, name=f"{name}-{code}-{found.share!r}", title=f"{_chosen.title}, {found.words}",
        point=replace(_chosen.point, tree=tree, figures=known), parameters=parameters, loaded=loaded, threshold=found,
    )  # fmt: skip


def _thresholds() -> dict[str, Threshold]:
    """Return {place: `Threshold`}, including the threshold of a link."""
    if address.is_from_address(KEY):
        known = st.session_state.setdefault(KEY, {})
        known.pop(_place(), None)
        flag, text = st.query_params.get(FLAG), st.query_params.get(SHARE)
        share = _SHARE.read(text)
        if flag is not None and share is not None:
            known[_place()] = Threshold(flag, share)
        elif flag is not None or text is not None:
            link_notes.add(
                f"Unsupported threshold '{plain(str(text)[:40])}' in this link: expected a class ({FLAG}) and a "
                f"probability from 0 to 1 ({SHARE}). Each leaf predicts its majority class."
            )
    return st.session_state[KEY]


def _place(chosen: ChosenTree | None = None) -> str:
    """Return the key of trees that share a threshold: data set and class weights, or an imported tree."""
    if chosen is not None and chosen.loaded is not None:
        return chosen.base
    now = page_settings.EXPLORE.current()
    return f"{now.data_set} {now.class_weight}"
