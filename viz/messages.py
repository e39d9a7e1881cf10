"""Messages about the displayed tree, and error messages for drawing and display."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "viz",
    {
        "readable.simplest": "Simplest good tree: {fewest}, {name} {other} (this tree: {error}).",
        "readable.as_good": (
            "Simplest good tree: {fewest}, {name} {other}, within one standard error of this tree ({error})."
        ),
        "readable.smaller": "A smaller tree: {fewest}, {name} {other} (this tree: {error}).",
        "readable.none_better": "No tree on the path is better by more than one standard error.",
        "readable.no_split": "No split helps: no tree on the path is better by more than one standard error.",
        "font.missing": (
            "No installed font contains {n:count character} of this figure ({shown}), so PNG and PDF show replacement "
            "characters. Install a font such as Noto Sans CJK, or save the figure as SVG."
        ),
        "font.right_to_left": (
            "PNG and PDF show Arabic and Hebrew letters separately and from left to right. Save the figure as SVG."
        ),
        "figure.size": "size={size!r}: expected (width, height) in inches; the height may be None.",
        "figure.dpi": (
            "dpi={dpi:g}: a PNG of {width:.3g} x {height:.3g} inches would have {pixels:,.0f} million pixels "
            "(maximum {most} million). Use dpi <= {fine}, a smaller size, or SVG or PDF."
        ),
        "figure.data": "data: expected the data set of the tree, with {n_features} features in X.",
        "figure.rows": "rows: expected a list of row numbers (at least one), or None for all rows.",
        "figure.row": "rows contains {row}: expected 0 to {last}.",
        "figure.places": "places is a layout for {n} nodes, but the tree has {n_nodes}.",
        "figure.nodes": "{n} nodes would require {n} files (maximum {most}). Pass root= to draw a subtree.",
        "pages.too_many": (
            "The tree has {n_nodes} nodes and would need {n_pages} pages (maximum {most}). Pass root= to draw "
            "a subtree, or draw the whole tree as one large figure."
        ),
        "part.leaf": "leaf={node}: this node is not below node {root}. Use a node in the subtree of node {root}.",
        "part.node": "{name}={node!r}: expected a node number from 0 to {last}.",
        "layout.empty": "trees is empty: expected at least one tree.",
        "path.empty": "path is empty: expected at least one tree.",
        "data.no_X": "y was passed without its rows. Pass X and y.",
        "data.order": (
            "Feature {at} of the tree is {name!r}, but that of the data set is {own!r}. Pass the features in the order "
            "of the tree."
        ),
        "data.twice": "A data set contains its own y. Remove y.",
        "data.type": "data={type}: expected a DataSet (sample_data.load returns one), or a table X with its y.",
        "data.y_texts": "The tree predicts numbers, but y contains other values: {error}.",
        "data.y_infinite": "y contains NaN or infinity. Remove these rows.",
        "forest.type": "model={type}: expected a fitted forest (a model of several trees).",
        "forest.trees": "first={first}, most={most}: expected first from 0 to {last}, and most from 1 to {allowed}.",
        "sheet.number": "{name}={value!r}: expected 1 to {most}.",
        "animation.width": "width={width!r}: expected 200 to 4000 pixels.",
        "animation.format": "format={format!r}: expected 'gif' or 'webp'.",
        "animation.end": "end={end!r}: expected None or an index from 0 to {last}.",
        "animation.milliseconds": "milliseconds={milliseconds!r}: expected at least 20.",
        "comparison.no_result": "The comparison has no result yet. Wait until a method has finished.",
        "comparison.no_measure": (
            "The comparison has no values of {measure} yet. Wait until a method has finished, or choose another "
            "measure."
        ),
        "ranks.format": "format={format!r}: expected one of {formats}.",
        "ranks.names": "{n_names} names for {n_ranks} mean ranks: expected one name for each of at least two ranks.",
        "curves.chosen": "chosen={chosen!r}: expected the index of a tree, 0 to {last}, or None.",
        "curves.empty": "paths is empty: expected at least one pair (title, path).",
        "phase.empty": "points is empty: expected at least one cell in the phase diagram.",
        "stage.height": "height={height!r}: expected 200 to 4000 pixels.",
        "stage.empty": "The path has no trees. Train it first.",
        "stage.match": "match={match!r}: expected one of {matches}.",
        "stage.features": "data has {n} features, but the tree has {n_features}.",
        "stage.unknown_label": "The tree predicts {value!r}, which is not among the {nouns} in the data.",
        "stage.sample": "sample contains rows that belong to no set.",
        "recording.rows": "{n} training rows are too many to show (maximum {most}). Use fewer rows.",
        "widget.tree": "tree={value}: expected the index of a tree on the path, 0 to {last}.",
        "widget.no_path": "lam={lam}: a single tree has only one λ. Pass a path to viz.show.",
        "widget.lam": "lam={lam}: expected a number >= 0.",
        "widget.node": "node={node}: expected an id of tree.origin, or None.",
        "widget.no_rows": "selected_rows: the trees are shown without data. Pass the data to viz.show.",
        "widget.row": "selected_rows contains {row}: expected row numbers of the data, 0 to {last}.",
    },
)
