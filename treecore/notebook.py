"""How a notebook shows trees and paths: the one door from the engine to its pictures, opened only when a cell asks."""


def cell_html(tree_or_path):
    """str: HTML of a `Tree` or `RegularizationPath`; None, so that its text is shown, where there are no pictures.

    The pictures are the package `viz` beside this one, which the engine works without.
    """
    try:
        from viz.page.notebook import show
    except ImportError:
        return None
    return show(tree_or_path).html
