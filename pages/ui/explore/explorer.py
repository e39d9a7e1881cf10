"""A path, or a grid of λ and C, on the stage: progress while it is trained, the trees, files to take away."""

from bisect import bisect
from dataclasses import dataclass, replace
from functools import cached_property, partial
from statistics import median

import streamlit as st

from pages.jobs import settings, settings_text
from pages.jobs.setting import values_of
from pages.ui.explore import grid_files, landing
from pages.ui.explore.folds_section import folds_section, with_folds
from pages.ui.explore.smaller_section import smaller_button, smaller_words
from pages.ui.explore.trained_grid import trained_grid
from pages.ui.save import saving
from pages.ui.save.save_menu import place
from pages.ui.shell import address, data_sets, link_notes, page_settings, stage, training
from pages.ui.shell.chosen_tree import ChosenTree
from pages.ui.shell.manager import manager
from pages.ui.shell.markdown_text import plain
from sample_data import DataSet
from sample_data.split_words import split_words
from treecore.tree.number_text import number
from viz.payload.choice_facts import choice_facts
from viz.payload.grid_facts import readable_in_grid
from viz.tree.path_points import recommended as recommended_of
from viz.tree.readable_tree import most_leaves, readable_tree

USES = (
    ("rules", "Its rules", "rule", "The tree as IF-THEN rules, to filter and to take away."),
    (
        "explain",
        "Explain a row",
        "lightbulb",
        "Why it predicts what it predicts, and what would change that.",
        {"part": "row"},
    ),
    ("predict", "Predict new rows", "online_prediction", "Apply it to a table of yours.", {"part": "rows"}),
    (
        "predict",
        "How good it is",
        "monitoring",
        "Precision and recall by class, ROC, a threshold for a rare class.",
        {"part": "good"},
    ),
    ("edit", "Change it by hand", "edit", "Move its decisions, lock some, and let TAO repair the rest."),
)

NO_TREE_OF_NODE = "This link selects a node but names no tree that has it; none is selected."
NO_SUCH_NODE = "This link selects a node that this tree does not have; none is selected."


@dataclass(frozen=True)
class Shown:
    """The job of a path, maybe that of one more tree or of every C, with their settings; the page's store, the data;
    waits : whether one more tree is asked for as soon as the path is there; has_banner : whether the page says
    something above the stage."""

    path: str
    path_settings: settings.Settings
    data: DataSet
    store: page_settings.PageSettings
    tree: str | None = None
    tree_settings: settings.OneTree | None = None
    grid: str | None = None
    grid_settings: settings.PhaseSettings | None = None
    waits: bool = False
    has_banner: bool = False

    @property
    def name(self):
        """Name of what the stage shows, or will show as soon as it is trained."""
        return self.grid or (self.path if self.tree is None else f"{self.path}-{self.tree}")

    def unfinished(self):
        """(job, its settings, its status) of the first job that is not done, or of the last one."""
        jobs_here = [(self.path, self.path_settings)]
        jobs_here += [] if self.tree is None else [(self.tree, self.tree_settings)]
        jobs_here += [] if self.grid is None else [(self.grid, self.grid_settings)]
        found = [(job, chosen, training.status(job)) for job, chosen in jobs_here]
        return next((job for job in found if job[2]["state"] != "done"), found[-1])

    @cached_property
    def is_running(self):
        """Whether there was more to come when this was first asked, before anything was drawn of it: what ends while
        the page is drawn is seen at the next look."""
        return self.waits or training.runs(self.unfinished()[2])

    def chosen(self, point):
        """`ChosenTree` of one of the points."""
        chosen, data = self.path_settings, self.data
        kind = settings.SPLITS[chosen.split] + ", linear leaves" * (chosen.leaf == "linear")
        title = f"{data.title}, {kind}, λ = {number(point.lam)}"
        if self.trained is not None:
            chosen = replace(chosen, bivariate_cost=point.figures["cost"])
            title += f", C = {chosen.bivariate_cost:g}"
        return ChosenTree(f"{self.name}-{point.index}", title, point, data, self.rows, values_of(chosen))

    @property
    def rows(self):
        """(train, validation, test) row numbers of the data."""
        return data_sets.rows(self.data.name, self.path_settings.seed, self.path_settings.rows)

    def is_known(self):
        """Whether the jobs are still in memory."""
        return all(manager().knows(job) for job in (self.path, self.tree, self.grid) if job is not None)

    @cached_property
    def trained(self):
        """`TrainedGrid` of every C once it is there, else None: the path is shown."""
        if self.grid is None or training.is_running(self.grid):
            return None
        chosen = self.grid_settings
        return trained_grid(manager().points(self.grid), chosen.costs, chosen.n_lambdas)

    def points(self):
        """(the points that are ready by rising lambda, or by rising C and lambda; index of the one to open or None)."""
        if self.trained is not None:
            return self.trained.points, readable_in_grid(self.trained).index
        points, index = self.sent_points()
        return (points if self.is_refined else with_folds(self.path, points)), index

    @property
    def is_refined(self):
        """Whether subtrees of one tree were grown anew, which folds know nothing of."""
        return self.tree_settings is not None and self.tree_settings.refine > 0

    def sent_points(self):
        """The same for a stage that is there before the folds that judge them."""
        points = manager().points(self.path)
        added = manager().points(self.tree)[:1] if self.tree is not None else []
        if not added:
            return points, None
        same = [i for i, point in enumerate(points) if self.is_refined and point.tree == added[0].tree]
        if same:  # nothing was gained, so there is nothing to add
            return points, min(same, key=lambda i: abs(points[i].lam - added[0].lam))
        index = bisect([point.lam for point in points], added[0].lam)
        points[index:index] = added
        return [_numbered(point, i, len(points)) for i, point in enumerate(points)], index


def _numbered(point, index, total):
    return replace(point, index=index, figures=point.figures | {"index": index, "total": total})


def path_on_stage(shown):
    """Draw the page; while something is trained, the drawing repeats itself."""
    st.session_state["last_store"] = shown.store.key
    running = shown.is_running
    if chosen_view(shown.store, shown.name) is None:
        _keep_move(shown)
    # where the stage opens is part of what is sent: it must not change while the visitor moves on
    opens = address.turn(), chosen_view(shown.store, shown.name)
    st.fragment(_page, run_every=training.REFRESH if running else None)(shown, running, opens)
    if not running:
        folds_section(shown, partial(_stay, shown))


def _count_to_send(points):
    """How many of the first trees are worth sending, which sends the whole path again: doubling keeps the sum below
    twice the last one, and the first tree that can be read is waited for."""
    can_be_read = (i for i, point in enumerate(points, 1) if point.tree.n_leaves <= most_leaves(point.tree))
    return max(2 ** (len(points).bit_length() - 1), next(can_be_read, 0))


def _keep_move(shown):
    """What a visitor settles on among the first trees of a path stays chosen as more of them come."""
    moved = stage.reported_of_any(f"{shown.path}-first-")
    if moved is not None:
        choose(shown.store, shown.name, _settled(moved, manager().points(shown.path)))


def _settled(seen, points):
    """What a visitor has settled on, as an address says it: a node that the tree does not have is none."""
    return replace(seen, turn=0, node=None if is_gone(seen, points) else seen.node)


def is_gone(view, points):
    """Whether a `View` selects a node that its tree, one of the points, does not have."""
    has_tree = view is not None and view.node is not None and view.tree < len(points)
    return has_tree and view.node not in points[view.tree].tree.origin.tolist()


def _stay(shown):
    """The tree on the screen stays there whatever the folds say."""
    if chosen_view(shown.store, shown.name) is None:
        open_at(shown.store, shown.name, known_view(None, *shown.sent_points()))


def tell_of_a_lost_node():
    """Say that a link which selects a node names no tree; pages that have one tree find it there."""
    if "node" in st.query_params and "tree" not in st.query_params:
        link_notes.say(NO_TREE_OF_NODE)


def share(store, name, **others):
    """Put the settings, what is on the stage, and other parameters into the URL."""
    view = chosen_view(store, name)
    store.share_in_url(**({} if view is None else {"tree": view.tree, "node": view.node}) | others)


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
    wish = stage.wish()
    if wish is not None:  # to train every C
        _begin_grid(shown, wish)
    points, added = shown.points()
    # the same places on every run, so that the stage stays mounted from the first tree to the last
    menu, top, middle, bottom = place(), st.container(), st.container(), st.container()
    with top:
        if running:
            training.progress(job, status)
        else:
            training.notice(job, chosen, shown.data, status)
            smaller_words(shown)
    if not points:
        return
    growing = running and job == shown.path
    with middle:
        if growing:
            count = _count_to_send(points)
            _keep_move(shown)
            view, whole, name = chosen_view(shown.store, shown.name), job, f"{job}-first-{count}"
            if view is None or view.tree >= count:
                view = known_view(None, points[:count])
        else:
            count = len(points)
            if opens is not None and opens.tree >= count and not running:
                top.warning(no_such_tree(opens, count), icon=":material/link_off:")
            if is_gone(opens, points):
                top.warning(NO_SUCH_NODE, icon=":material/link_off:")
                opens = replace(opens, node=None)
            is_waiting = shown.grid is not None and shown.trained is None
            view = known_view(None if is_waiting else opens, points, added)
            whole = shown.path if is_waiting else shown.name
            name = f"{whole}-{count}"
        is_path = shown.trained is None
        sent = shown.sent_points()[0][:count] if is_path else shown.trained
        recommended = {} if growing else recommended_of(sent) if is_path else None
        content = stage.payload(name, recommended, sent, shown.data, shown.rows)
        choice = choice_facts(points, shown.data.target) if is_path and not growing else None
        seen = stage.mount(
            name,
            content,
            replace(view, turn=turn),
            options=stage.Options(
                banner=status["state"] != "done" or landing.is_shown() or shown.has_banner,
                offer=None if growing else _offer(shown, status),
                choice=choice,
                whole=whole,
            ),
        )
    if not running:
        if seen is not None and seen.turn == turn:
            choose(shown.store, shown.name, _settled(seen, points))
        now = known_view(chosen_view(shown.store, shown.name), points, added)
        with bottom:
            if words := split_words(shown.data, shown.rows[2]):
                st.caption(plain(words))
            uses(now.node, partial(smaller_button, shown, points[now.tree]))
            if shown.trained is not None:
                grid_files.large_maps(shown.trained, now.tree, shown.data)
        with menu:
            name, at = shown.name, now.tree
            tree, maps = shown.chosen(points[at]), {}
            if shown.trained is not None:
                maps = {"The maps": partial(grid_files.files, shown.trained, at, shown.data)}
                name = f"{name}-C{points[at].figures['cost']:g}"
                points, at = shown.trained.row_of(at)
            path = saving.path_group(name, points, points[at], shown.data, partial(_saved, shown, content, choice))
            saving.tree_menu(tree, now.node, more=maps | path)


def _saved(shown, content, choice):
    """Content of the stage as it is kept."""
    if choice is None:
        return content
    points, _ = shown.points()
    return stage.payload(f"{shown.name}-folds", recommended_of(points), points, shown.data, shown.rows)


def _offer(shown, status):
    """What the stage says of other C: what they cost, or how far their training is; None where there are none."""
    chosen = shown.store.current()
    has_costs = replace(chosen, costs=settings.ALL_COSTS).grid() is not None
    if shown.trained is not None or not has_costs or data_sets.why_no_lines(shown.data):
        return None
    costs = sorted({*(chosen.costs or settings.ALL_COSTS), chosen.bivariate_cost})
    offer = {"costs": costs, "now": chosen.bivariate_cost, "isBusy": shown.grid is not None}
    if shown.grid is not None:
        done, total = status["done"], max(status["total"], 1)
        is_running = training.is_running(shown.grid)
        return offer | {"words": f"Every C: {done} of {total} trees {'are trained' if is_running else 'were trained'}."}
    points = manager().points(shown.path)
    n_trees = len(settings.ALL_COSTS) * chosen.n_lambdas
    # a tree of the grid is optimised from two neighbours
    seconds = 2 * n_trees * median([point.figures["seconds"] for point in points] or [0.0])
    return offer | {"words": f"Other C: {n_trees} trees, about {training.seconds_text(seconds)}, then instant."}


def _begin_grid(shown, wish):
    """Train every C from now on, and open there at the λ that is on the stage."""
    chosen, costs = shown.store.current(), settings.ALL_COSTS
    if chosen.costs:
        return
    row = min(range(len(costs)), key=lambda row: abs(costs[row] - chosen.bivariate_cost))
    if wish.tree < chosen.n_lambdas and chosen.lambdas == "grid" and shown.tree is None:
        st.session_state["grid_opens"] = replace(wish, tree=row * chosen.n_lambdas + wish.tree, turn=0)
    shown.store.change(costs=costs)
    st.rerun()


def uses(node, more=None):
    """Links to what can be done with the tree on the stage; node : the one that is selected, or None; more : function
    that draws what else stands in their line."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        for page, label, icon, help, *query in USES:
            texts = {"node": str(node)} if page == "rules" and node is not None else dict(*query)
            st.page_link(
                f"pages/{page}.py", label=label, icon=f":material/{icon}:", help=help, query_params=texts,
                width="content",
            )  # fmt: skip
        if more is not None:
            more()


def no_such_tree(view, count):
    """Sentence for the `View` of a link that is none of `count` trees."""
    return f"This link asks for tree {view.tree:,}, and this path has the trees 0 to {count - 1}. Shown is another one."


def known_view(view, points, added=None):
    """`view` where it is one of a tree that is there, else the added tree, or one that can be read."""
    if view is not None and view.tree < len(points):
        return view
    return stage.View(readable_tree(points).index if added is None else added)
