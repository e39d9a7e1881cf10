"""Files that can be saved from a tree or a path, except code and rules: figures, pages and tables."""

from collections.abc import Callable, Sequence
from importlib import import_module

from treecore.artifact import Artifact, by_name
from treecore.training.path import RegularizationPath
from viz.figure_format import FIGURE_FORMATS
from viz.words.error_names import figure_columns

_OF_TREE, _OF_PATH = ("tree", "data"), ("path", "data")
ANIMATION = "Animation"


def _public(name: str, **fixed) -> Callable:
    """Return a function that loads and calls a public function of viz."""
    return lambda *needed, **known: getattr(import_module("viz"), name)(*needed, **fixed, **known)


def _figures(start, kind, name, needs, takes, about):
    """Return one artifact for each figure format."""
    return [
        Artifact(
            start + suffix, kind, form.words, suffix, form.mime, _public(name, format=suffix), needs,
            takes + ("dpi",) * form.has_pixels, about=about,
        )
        for suffix, form in FIGURE_FORMATS.items()
    ]  # fmt: skip


def _page(name, needs, takes, about):
    def make(shown, data, parts=None, reference=None):
        return _public("stage_html")(shown, data, rows=parts, reference=reference)

    return Artifact(name, "Interactive page", "HTML", "html", "text/html", make, needs, takes, about=about)


def _animations():
    """Return one artifact for each format of an animation."""
    takes = ("end", "on_frame", "reference", "theme", "width")
    return [
        Artifact(name, ANIMATION, form, suffix, f"image/{suffix}", _public("path_animation", format=suffix), _OF_PATH,
                 takes, about="trees in order of λ, up to the selected tree, and the error curve")
        for name, form, suffix in (("animation", "GIF", "gif"), ("animation-webp", "WebP", "webp"))
    ]  # fmt: skip


def path_table(path: RegularizationPath | Sequence) -> str:
    """Return a CSV table with the metrics of each tree.

    path : RegularizationPath, or objects with a dict `figures`
    """
    import pandas  # slow import

    if isinstance(path, RegularizationPath):
        return path.to_frame().to_csv(index=False)
    figures = [point.figures for point in path]
    frame = pandas.DataFrame(figures).drop(columns="is_weighted", errors="ignore")
    return frame.rename(columns=figure_columns(figures[0].get("is_weighted"))).to_csv(index=False)


TREE_FILES = by_name(
    [
        *_figures(
            "",
            "Figure",
            "figure",
            _OF_TREE,
            ("rows", "theme", "size", "root", "leaf", "title", "caption"),
            "drawing of the tree",
        ),
        _page("html", _OF_TREE, ("parts",), "interactive tree in one file that opens without a server or network"),
    ]
)
PATH_FILES = by_name(
    [
        _page("page", _OF_PATH, ("parts", "reference"),
              "all trees with a slider, in one file that opens without a server or network"),
        Artifact("table", "Metrics", "CSV", "csv", "text/csv", path_table, ("path",), about="metrics of all trees"),
        *_figures("curves-", "Curves", "path_figure", ("path",), ("chosen", "theme"), "errors and sizes over λ"),
        *_animations(),
        Artifact("contact-sheet", "Contact sheet", "PDF", "pdf", "application/pdf", _public("contact_sheet"), _OF_PATH,
                 ("on_frame",), about="curves and all trees, for printing"),
    ]
)  # fmt: skip
