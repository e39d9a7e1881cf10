"""``figure``: the picture of a tree."""

from pathlib import Path

from treecore.command_line.files import STANDARD, read_model, write
from treecore.command_line.rows import data_of
from treecore.errors import DataError, ParameterError
from treecore.model import MOST_NAMED

HELP = "Draw a tree as SVG, PDF or PNG."
FORMATS = ("svg", "pdf", "png")
EXAMPLES = ("figure model.json --out tree.svg", "figure model.json --data data.csv --theme dark --out tree.png")


def add_arguments(parser):
    """Options."""
    parser.add_argument("model", help="model or tree file, or -")
    parser.add_argument("--data", metavar="TABLE", help="rows to draw: a file with the classes, a name, or - "
                        "(default: the bundled data of the model, else the rows in it, else none)")  # fmt: skip
    parser.add_argument("--format", choices=FORMATS, help="(default: by the end of the file's name, else svg)")
    parser.add_argument("--theme", choices=("light", "dark"), default="light", help="(default light)")
    parser.add_argument("--width", metavar="PIXELS", type=int, default=1100, help="(default 1100)")
    parser.add_argument("--out", metavar="FILE", default=STANDARD, help="(default: standard output)")


def run(options):
    """Draw and save."""
    import viz
    from viz.bare_tree import BareData

    model = read_model(options.model)
    ending = Path(options.out).suffix[1:].lower()
    form = options.format or (ending if ending in FORMATS else "svg")
    if options.out != STANDARD and ending and ending != form:
        raise ParameterError(f"--out ends in .{ending}; allowed are {', '.join(FORMATS)} (or say --format).")
    if model.tree.is_regression:
        raise DataError("The tree predicts numbers; only trees of classes are drawn so far.")
    if model.data is None and model.tree.n_features > MOST_NAMED:
        raise DataError(f"The tree has {model.tree.n_features} features without names; it is not drawn.")
    data = data_of(model, options.data)
    if data is None:
        data = BareData.of(model.tree, model.data)
    try:
        block = viz.figure(model.tree, data, form, width=options.width, theme=options.theme)
    except ValueError as error:  # of the pictures: another kind of tree, or a size that cannot be
        raise DataError(f"The tree cannot be drawn: {error}") from None
    write(options.out, block)
