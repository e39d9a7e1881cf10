"""A path on the stage: progress while it is trained, the trees, files to take away."""

from bisect import bisect
from dataclasses import asdict, dataclass, replace

import streamlit as st

from pages.jobs import settings, settings_text
from pages.ui.explore import landing
from pages.ui.save import saving
from pages.ui.save.save_menu import place
from pages.ui.shell import address, data_sets, page_settings, stage, training
from pages.ui.shell.chosen_tree import ChosenTree
from pages.ui.shell.manager import manager
from sample_data import DataSet
from viz.tree.path_points import recommended as recommended_of
from viz.tree.readable_tree import readable_tree

USES = (
    ("rules", "Its rules", "rule", "The tree as IF-THEN rules, to filter and to take away."),
    ("explain", "Explain a row", "lightbulb", "Why it predicts what it predicts, and what would change that."),
    ("predict", "Predict new rows", "online_prediction", "Apply it to a table of yours."),
    (
        "predict",
        "How good it is",
        "monitoring",
        "Precision and recall by class, ROC, a threshold for a rare class.",
        {"part": "good"},
    ),
    ("edit", "Change it by hand", "edit", "Move its decisions, lock some, and let TAO repair the rest."),
)


@dataclass(frozen=True)
class Shown:
    """The job of a path, maybe that of one more tree, with their settings; the page's store, and the data."""

    path: str
    path_settings: settings.Settings
    data: DataSet
    store: page_settings.PageSettings
    tree: str | None = None
    tree_settings: settings.OneTree | None = None

    @property
    def name(self):
        """Name of what the stage shows."""
        return self.path if self.tree is None else f"{self.path}-{self.tree}"

    def unfinished(self):
        """(job, its settings, its status) of the first job that is not done, or of the last one."""
        jobs_here = [(self.path, self.path_settings)]
        jobs_here += [] if self.tree is None else [(self.tree, self.tree_settings)]
        found = [(job, chosen, training.status(job)) for job, chosen in jobs_here]
        return next((job for job in found if job[2]["state"] != "done"), found[-1])

    def chosen(self, point):
        """`ChosenTree` of one of the points."""
        chosen, data = self.path_settings, self.data
        title = f"{data.title}, {settings.SPLITS[chosen.split]}, λ = {point.lam:.3g}"
        rows = data_sets.rows(data.name, chosen.seed, chosen.rows)
        return ChosenTree(f"{self.name}-{point.index}", title, point, data, rows, asdict(chosen))

    def is_known(self):
        """Whether the jobs are still in memory."""
        return all(manager().knows(job) for job in (self.path, self.tree) if job is not None)

    def points(self):
        """(the points that are ready by rising lambda, index of the added one or None)."""
        points = manager().points(self.path)
        added = manager().points(self.tree)[:1] if self.tree is not None else []
        if not added:
            return points, None
        index = bisect([point.lam for point in points], added[0].lam)
        points[index:index] = added
        return [_numbered(point, i, len(points)) for i, point in enumerate(points)], index


def _numbered(point, index, total):
    return replace(point, index=index, figures=point.figures | {"index": index, "total": total})


def path_on_stage(shown):
    """Draw the page; while something is trained, the drawing repeats itself."""
    st.session_state["last_store"] = shown.store.key
    running = training.is_running(shown.unfinished()[0])
    # where the stage opens is part of what is sent: it must not change while the visitor moves on
    opens = address.turn(), chosen_view(shown.store, shown.name)
    st.fragment(_page, run_every=training.REFRESH if running else None)(shown, running, opens)


def share(store, name, **others):
    """Put the settings, what is on the stage, and other parameters into the URL."""
    view = chosen_view(store, name)
    store.share_in_url(**({} if view is None else {"tree": view.tree, "node": view.node}), **others)


def chosen_view(store, name):
    """`View` that the visitor chose of what has this name, None before that; a new tab takes it from the URL."""
    key = f"{store.key}_view"
    if address.is_asked(key):
        tree, node = (settings_text.natural(st.query_params.get(part)) for part in ("tree", "node"))
        st.session_state[key] = {} if tree is None else {name: stage.View(tree, node)}
    return st.session_state[key].get(name)


def choose(store, name, view):
    """Remember what the visitor has settled on, and put it into the URL."""
    if view != chosen_view(store, name):
        st.session_state[f"{store.key}_view"] = {name: view}
        share(store, name)


def open_at(store, name, view):
    """Let a page open what has this name at a View, when the visitor comes to it."""
    st.session_state[f"{store.key}_view"] = {name: view}


def _page(shown, running, opened):
    turn, opens = opened
    if not shown.is_known():
        st.rerun()
    job, chosen, status = shown.unfinished()
    if running and not training.is_running(job):
        st.rerun()
    points, added = shown.points()
    # the same places on every run, so that the stage stays mounted from the first tree to the last
    menu, top, middle, bottom = place(), st.container(), st.container(), st.container()
    with top:
        if running:
            training.progress(job, status)
        else:
            training.notice(job, chosen, shown.data, status)
    if not points:
        return
    growing = running and job == shown.path
    with middle:
        if growing:
            # each update sends the whole path again: doubling keeps the sum below twice the last one
            count = 2 ** (len(points).bit_length() - 1)
            view, recommended, name = stage.View(count - 1), {}, f"{job}-first-{count}"
        else:
            count, recommended = len(points), recommended_of(points)
            if opens is not None and opens.tree >= count and not running:
                top.warning(no_such_tree(opens, count), icon=":material/link_off:")
            view, name = known_view(opens, points, added), f"{shown.name}-{count}"
        rows = data_sets.rows(shown.data.name, shown.path_settings.seed, shown.path_settings.rows)
        content = stage.payload(name, recommended, points[:count], shown.data, rows)
        seen = stage.mount(
            name,
            content,
            replace(view, turn=turn),
            options=stage.Options(banner=status["state"] != "done" or landing.is_shown()),
        )
    if not running:
        if seen is not None and seen.turn == turn:
            choose(shown.store, shown.name, replace(seen, turn=0))
        with bottom:
            _uses()
        with menu:
            now = known_view(chosen_view(shown.store, shown.name), points, added)
            path = saving.path_group(shown.name, points, points[now.tree], shown.data, content)
            saving.tree_menu(shown.chosen(points[now.tree]), now.node, more=path)


def _uses():
    """Links to what can be done with the tree on the stage."""
    columns = st.columns(len(USES), vertical_alignment="center")
    for column, (page, label, icon, help, *query) in zip(columns, USES, strict=True):
        column.page_link(
            f"pages/{page}.py", label=label, icon=f":material/{icon}:", help=help, query_params=dict(*query)
        )


def no_such_tree(view, count):
    """Sentence for the `View` of a link that is none of `count` trees."""
    return f"This link asks for tree {view.tree:,}, and this path has the trees 0 to {count - 1}. Shown is another one."


def known_view(view, points, added=None):
    """`view` where it is one of a tree that is there, else the added tree, or one that can be read."""
    if view is not None and view.tree < len(points):
        return view
    return stage.View(readable_tree(points).index if added is None else added)
