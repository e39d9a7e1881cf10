"""``figure``: draw a tree."""

import argparse
from pathlib import Path

from treecore.errors import DataError, ParameterError
from treecore.messages import joined, literal
from treecore.model.model import MOST_NAMED
from treecore.tree.text_tree import node_names
from treecore.tree.tree import target_of
from viz.artifacts import TREE_FILES
from viz.command_line.files import STANDARD, output, read_model, write
from viz.command_line.rows import data_of

EXAMPLES = (
    "figure model.json --out tree.svg",
    "figure model.json --out tree.html",
    "figure model.json --data data.csv --theme dark --out tree.png",
    "figure model.json --pages --out tree.pdf",
    "figure model.json --subtree 'node 3' --width 6 --out part.pdf",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("model", help="model or tree file, or -")
    parser.add_argument("--data", metavar="TABLE",
                        help="rows to draw: a file with the target, a data set, or - (default: the model's bundled "
                        "data set, else the rows in the model, else none)")  # fmt: skip
    parser.add_argument(
        "--format", choices=list(TREE_FILES), help="file format (default: from the file name, else svg)"
    )
    parser.add_argument("--theme", choices=("light", "dark"), default="light", help="colours (default light)")
    parser.add_argument("--width", metavar="INCHES", type=float, default=11.0, help="width in inches (default 11)")
    parser.add_argument("--dpi", metavar="N", type=int, default=200, help="pixels per inch of a PNG (default 200)")
    part = parser.add_mutually_exclusive_group()
    part.add_argument("--subtree", metavar="NODE",
                        help="draw only the subtree of this node: a name in the app, such as 'node 3', or an id in "
                        "the model file")  # fmt: skip
    part.add_argument("--way", metavar="NODE", help="draw only the decision path to this node, such as 'leaf 5'")
    part.add_argument("--pages", action="store_true", help="draw a large tree on several pages (PDF, A4)")
    parser.add_argument(
        "--out", metavar="FILE", type=output, default=STANDARD, help="file to write (default: standard output)"
    )


def run(options: argparse.Namespace) -> None:
    """Draw and save the figure."""
    from viz.tree.bare_data import BareData

    model = read_model(options.model)
    ending = Path(options.out).suffix[1:].lower()
    form = options.format or (ending if ending in TREE_FILES else "svg")
    if options.out != STANDARD and ending and ending != form:
        raise ParameterError(
            f"--out ends in .{ending}: expected one of {joined(list(TREE_FILES))}. To use another file name, "
            "pass --format."
        )
    if options.pages and form != "pdf":
        raise ParameterError(
            f"--pages supports PDF only, not {form}. Use an --out name that ends in .pdf, or pass --format pdf."
        )
    if "root" not in TREE_FILES[form].takes and (options.subtree or options.way):
        raise ParameterError(
            "--subtree and --way work for figures only. Remove these options. On an HTML page, readers can "
            "collapse nodes."
        )
    if model.data is None and model.tree.n_features > MOST_NAMED:
        raise DataError(f"The tree cannot be drawn: its {model.tree.n_features:,} features have no names.")
    data = data_of(model, options.data)
    if data is None:
        data = BareData.of(model.tree, model.data)
    write(options.out, _picture(model, data, form, options))


def _picture(model, data, form, options):
    import viz
    from viz.words.sentences import tree_doubt, tree_sentence

    tree, error, n = model.tree, model.figures.get("test_error"), model.figures.get("n_test")
    title = tree_sentence(tree, target_of(tree, data), error, n, bool(model.figures.get("is_weighted")))
    if options.pages:
        return viz.pages(tree, data, theme=options.theme, title=title)
    measured = f" · error measured on {n:,} test rows" if error is not None and n else ""
    if doubt := tree_doubt(tree, target_of(tree, data), error):
        measured += f" · {doubt}"
    return TREE_FILES[form](
        tree, data, root=_node(tree, options.subtree), leaf=_node(tree, options.way), size=(options.width, None),
        dpi=options.dpi, theme=options.theme, title=title, caption=f"{data.title}{measured}",
    )  # fmt: skip


def _node(tree, asked):
    """Return the index of the node with this name or origin id, or None if none was requested."""
    if asked is None:
        return None
    names = node_names(tree)
    for node, (name, origin) in enumerate(zip(names, tree.origin.tolist(), strict=True)):
        if asked == str(origin) or f"{name} ".startswith(f"{asked} ") and " " in asked:
            return node
    raise ParameterError(f"The tree has no node {literal(asked, 40)}. It has {joined(names, 20)} ...")
