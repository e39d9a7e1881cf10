"""Declare `PAGES`: every page of the app, and the parameters that it reads from an address."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from pages.jobs.settings_text import natural
from pages.ui.learn.learn_settings import LEARN
from pages.ui.session.node_in_address import EXAMPLES, node_in_address
from pages.ui.session.page_settings import COMPARE, EXPLORE, PageSettings
from pages.ui.shell.markdown_text import plain
from treecore.comparison.method_titles import METHOD_TITLES

_TREE = frozenset({"tree", "leaves", "node", "pin"})
_VIEW = frozenset({"tree", "step"})  # parameters for the tree or step on a stage
_COUNTS = {"tree", "leaves", "pin", "row", "step"}


@dataclass(frozen=True)
class Page:
    """One page, whose file is ``pages/{name}.py``.

    Parameters
    ----------
    name : str
        Name of its file. In an address, the name of `HOME` is "".
    title, icon : str
        Text and icon of its entry in the navigation; a page without an icon has no entry.
    group : str
        Menu of the navigation; "" for an entry outside menus.
    settings : tuple of PageSettings
        Settings that the page reads.
    tolerated : tuple of PageSettings
        Settings of other pages that its links may contain.
    names : frozenset of str
        Other parameters that the page reads.
    keys : dict of str to set of str
        Keys of the session, each with the parameters that determine its value.
    """

    name: str
    title: str
    icon: str = ""
    group: str = ""
    settings: tuple[PageSettings, ...] = ()
    tolerated: tuple[PageSettings, ...] = ()
    names: frozenset[str] = frozenset()
    keys: Mapping[str, Collection[str]] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """Return the path of the page in an address."""
        return "" if self.name == HOME else self.name

    def reads(self) -> frozenset[str]:
        """Return all parameters that the page reads, except settings."""
        return self.names.union(*self.keys.values())


def _of_tree(name: str, title: str, icon: str, **keys: set[str]) -> Page:
    """Return a page about one tree, either from the current path or from a file."""
    of_tree = {"chosen_source": {"source"}} | keys
    return Page(name, title, icon, "Use the tree", (EXPLORE,), names=_TREE, keys=of_tree)


HOME = "explore"
LESSONS = "Lessons"
PAGES = (
    Page("data", "Data", "table_chart", tolerated=(EXPLORE,),
         keys={"data_way": {"from"}, "_shown_data_set": {"data_set"}}),
    Page("explore", "Tree", "account_tree", settings=(EXPLORE,), names=_TREE, keys={"tree_page_source": {"source"}}),
    Page("compare", "Compare", "balance", settings=(COMPARE,), keys={"compare_size": {"size"}}),
    _of_tree("rules", "Rules", "rule", rules_selected={"node"}, thresholds={"flag", "share"}),
    _of_tree("explain", "Explain", "lightbulb", explain_kept_row={"row"}, explain_kept_section={"part"},
             thresholds={"flag", "share"}),
    _of_tree("predict", "Predict", "online_prediction", predict_kept_part={"part"}, predict_kept_from={"part", "from"},
             thresholds={"flag", "share"}),
    _of_tree("edit", "Edit", "edit", edit_selected={"node"}, edit_link={"edit"}),
    Page("lessons", LESSONS, "school", "Learn"),
    Page("learn", "Laboratory", "science", "Learn", (LEARN,),
         names=frozenset({"step", "node", "present", "hide", "teach", "kept", "plan", "clock", "notes"}),
         keys={"lesson_opens": {"lesson", "moment"}}),
    Page("about", "How to read this", "menu_book", "Learn"),
    Page("room", "Room", group="Learn", names=frozenset({"room", "student", "teach", "plan", "clock"}),
         keys={"room_code": {"teach"}}),
)  # fmt: skip
_BY_PATH = {page.path: page for page in PAGES}


@cache
def session_keys(path: str) -> dict[str, Collection[str]]:
    """Return the session keys of a page, each with the parameters that determine its value."""
    settings = {store.key: {*store.text.readers} for store in _BY_PATH[path].settings}
    keys = {key: names for page in PAGES for key, names in page.keys.items()}
    return keys | settings | {f"{key}_view": _VIEW for key in settings}


def faults(path: str, query: Mapping[str, str]) -> list[str]:
    """Return messages about the parameters in a link that a page cannot read.

    The Learn page itself reports invalid painted points.
    """
    page = _BY_PATH[path]
    stores, others = page.settings + page.tolerated, page.reads()
    readers = {name for store in stores for name in store.text.readers}
    unknown = [f"'{plain(name[:40])}'" for name in query if name not in readers | others]
    notes = [f"This link contains an unsupported name: {unknown[0]}. It is ignored."] if len(unknown) == 1 else []
    if len(unknown) > 1:
        notes = [
            (f"This link contains unsupported names: {', '.join(unknown[:-1])} and {unknown[-1]}. They are ignored.")
        ]
    misread = {name: store.text.describe_allowed(name) for store in stores for name in store.text.invalid_names(query)}
    misread |= {name: "a number from 0" for name in others & _COUNTS if name in query and natural(query[name]) is None}
    if "node" in others & query.keys() and node_in_address(query) is None:
        misread["node"] = EXAMPLES
    misread.pop("painted", None)
    missing = set(query.get("methods", "").split("-")) - {"", *METHOD_TITLES} if COMPARE in stores else ()
    notes += [
        f"This link contains an unsupported method: '{plain(name[:40])}'. It is ignored." for name in sorted(missing)
    ]
    return notes + [
        (
            (
                f"This link contains an unsupported value: '{name} = {plain(query[name][:40])}' (expected "
                f"{allowed}). The default is used instead."
            )
            if allowed
            else (
                f"This link contains an unsupported value: '{name} = {plain(query[name][:40])}'. The default is used "
                "instead."
            )
        )
        for name, allowed in sorted(misread.items())
    ]


def check_pages(declared: Iterable[Page]) -> None:
    """Raise ImportError if two pages share a name, or read a session key from different parameters."""
    declared, seen = tuple(declared), {}
    names = [page.name for page in declared]
    if len(set(names)) < len(names):
        raise ImportError(f"PAGES has two pages with the same name: {names}.")
    for page in declared:
        for key, its in page.keys.items():
            if seen.setdefault(key, its) != its:
                raise ImportError(f"PAGES reads the key {key} from {sorted(its)} and from {sorted(seen[key])}.")


check_pages(PAGES)
