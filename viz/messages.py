"""Sentences on the tree that is shown, and on what cannot be drawn or shown."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "viz",
    {
        "readable.simplest": (
            "Shown: {size}, {name} {error}; the simplest good tree of the path has {fewest} and {other}."
        ),
        "readable.as_good": "Shown: {size}, {name} {error}; {fewest} are as good but for chance: {other}.",
        "readable.stump_as_good": "Shown: {size}, {name} {error}; {fewest} is as good but for chance: {other}.",
        "readable.none_better": "Shown: {size}, {name} {error}; no tree of the path is better by more than chance.",
        "figure.size": "size={size!r}: use (width, height) in inches; the height may be None.",
        "figure.dpi": (
            "dpi={dpi:g}: a PNG of {width:.3g} x {height:.3g} inches would have {pixels:,.0f} million pixels; "
            "{most} million are allowed. Use dpi <= {fine}, a smaller size, or SVG or PDF."
        ),
        "figure.data": "data must be the data set of the tree, with X of {n_features} features.",
        "figure.rows": "rows must be a list of at least one row number of the data, or None for all rows.",
        "figure.row": "rows has {row}: use 0 to {last}.",
        "figure.places": "places is a layout of {n} nodes, but the tree has {n_nodes}.",
        "figure.nodes": "{n} nodes would be {n} files; {most} are allowed. Take a subtree (root=).",
        "pages.too_many": (
            "The tree has {n_nodes} nodes and would need {n_pages} pages; {most} are allowed. Draw a subtree "
            "(root=), or the whole tree as one large figure."
        ),
        "part.leaf": "leaf={node}: this node is not below node {root}. Use a node of that subtree.",
        "part.node": "{name}={node!r}: use the number of a node of the tree, 0 to {last}.",
        "layout.empty": "trees is empty: a layout needs at least one tree.",
        "path.empty": "path is empty: a picture of it needs at least one tree.",
        "data.no_X": "y is given without its rows: give X, y.",
        "data.twice": "A data set has its own y: leave y out.",
        "data.type": "data={type}: give a DataSet, such as sample_data.load makes, or a table X and its y.",
        "data.y_texts": "The tree predicts numbers, but y holds others: {error}.",
        "data.y_infinite": "y holds NaN or infinity; leave those rows out.",
        "forest.type": "model={type}: give a fitted forest, a model of several trees.",
        "forest.trees": "first={first}, most={most}: use at most {allowed} trees, from 0 to {last} on.",
        "sheet.number": "{name}={value!r}: use 1 to {most}.",
        "animation.width": "width={width!r}: use 200 to 4000 pixels.",
        "animation.milliseconds": "milliseconds={milliseconds!r}: use at least 20.",
        "comparison.no_result": "found has no result yet: wait until a method is done.",
        "comparison.no_measure": (
            "No method of found has {measure} yet: wait until one is done, or show something else."
        ),
        "ranks.format": "format={format!r}: use one of {formats}.",
        "ranks.names": "{n_names} names for {n_ranks} mean ranks: give one name for each, of at least two.",
        "curves.chosen": "chosen={chosen!r}: use the index of a tree, 0 to {last}, or None.",
        "curves.empty": "paths is empty: give at least one path with its title.",
        "phase.empty": "points is empty: a phase diagram needs at least one cell.",
        "stage.height": "height={height!r}: use 200 to 4000 pixels.",
        "stage.empty": "The path has no tree to show.",
        "stage.match": "match is {match!r}; it must be one of {matches}.",
        "stage.features": "data has {n} features, but a tree has {n_features}.",
        "stage.strangers": "a tree predicts {value!r}, which is none of the {nouns} of the data.",
        "stage.sample": "sample has rows that are in none of the sets.",
        "recording.rows": "{n} training rows are too many to be shown; take at most {most}.",
        "widget.tree": "tree={value}: use 0 to {last}, a place along the path.",
        "widget.no_path": "lam={lam}: one tree is shown, which has no path to move along.",
        "widget.lam": "lam={lam}: use a number of 0 or more.",
        "widget.node": "node={node}: no tree here has this node; use an id of tree.origin, or None.",
        "widget.no_rows": "selected_rows: the trees are shown without rows; give viz.show their data too.",
        "widget.row": "selected_rows has {row}: use numbers of rows of the data, 0 to {last}.",
    },
)
