"""``path``: train a tree for every lambda or every size, and save the best one."""

import argparse
from types import SimpleNamespace

import numpy as np

from treecore.baselines.cart import CARTClassifier, CARTRegressor
from treecore.errors import ParameterError
from treecore.training.path import PathPoint, PathRun, RegularizationPath, regularization_path
from treecore.training.size_path import size_path
from viz.artifacts import PATH_FILES
from viz.command_line import row_parts, training, training_data
from viz.command_line.files import add_json, check_outputs, output, progress, tell, write, write_figures
from viz.command_line.row_parts import needs_memory
from viz.nodes.category_columns import grouped_columns
from viz.payload.reference_facts import errors_of_sizes, reference_facts

LAMS = 20  # number of values of lambda
MOST_LEAVES = 1000
EXAMPLES = (
    "path iris --lams 20 --out path.csv --model best.json",
    "path iris --sizes 16 --out sizes.csv --model best.json",
    "path 'data/*.parquet' --target y --lams 8 --model best.json",
    "path data.csv --target y --split univariate --rule min --out -",
    "path iris --save page=path.html --save curves-svg=curves.svg",
    "path iris --save animation-webp=path.webp --width 1920",
)


_PATH_NO_VALIDATION = "The validation set is empty, so no tree can be selected. Pass --validation above 0."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    training_data.add_arguments(parser)
    row_parts.add_arguments(parser)
    training.add_arguments(parser, of_path=True)
    swept = parser.add_mutually_exclusive_group()
    swept.add_argument("--lams", metavar="N", type=int, default=LAMS, help=f"number of lambda values (default {LAMS})")
    swept.add_argument("--sizes", metavar="N", type=_largest_size,
                       help="train the best tree of each size, 1 to N leaves, not a tree per lambda")  # fmt: skip
    parser.add_argument("--rule", choices=("one_se", "min"), default="one_se",
                        help="rule that selects a tree: the simplest within one standard error of the smallest "
                        "validation error, or the tree with the smallest error")  # fmt: skip
    parser.add_argument(
        "--out", metavar="FILE", type=output, help="CSV file with the metrics of all trees, or - for standard output"
    )
    parser.add_argument("--model", metavar="FILE", type=output, help="model file for the selected tree")
    parser.add_argument("--save", metavar="NAME=FILE", action="append", type=_artifact, default=[],
                        help=f"another file with all trees ({', '.join(PATH_FILES)}); may be repeated")  # fmt: skip
    parser.add_argument("--width", metavar="PIXELS", type=int, default=960,
                        help="width of animations in pixels (default 960)")  # fmt: skip
    add_json(parser)


def _largest_size(text):
    """Parse the option --sizes."""
    if not (text.isdecimal() and 2 <= int(text) <= MOST_LEAVES):
        raise argparse.ArgumentTypeError(f"{text!r:.40}: expected a number of leaves, 2 to {MOST_LEAVES}")
    return int(text)


def _artifact(text):
    """Parse the option --save into (Artifact, file)."""
    name, _, file = text.partition("=")
    if name not in PATH_FILES:
        raise argparse.ArgumentTypeError(f"{name!r:.40}: expected one of {', '.join(PATH_FILES)}")
    return PATH_FILES[name], output(file)


def run(options: argparse.Namespace) -> None:
    """Train, report each tree and save."""
    check_outputs(options, options.out, options.model, *(file for _, file in options.save))
    if row_parts.is_in_parts(options):
        _run_in_parts(options)
        return
    found = training_data.load(options)
    data, rows = found.data, found.rows
    if not rows["validation"].size:
        raise ParameterError(_PATH_NO_VALIDATION)
    starting = training.estimator(options, found)
    sweep, values = (regularization_path, options.lams) if options.sizes is None else (size_path, _sizes(options))
    path = sweep(
        starting, data.X[rows["train"]], found.labels[rows["train"]], values, X_val=data.X[rows["validation"]],
        y_val=found.labels[rows["validation"]], on_point=tell_point,
    )  # fmt: skip
    frame = path.to_frame()
    all_figures = [training.figures(point.tree.with_names(data.feature_names), found) for point in path]
    frame.insert(
        list(frame.columns).index("validation_error") + 1, "test_error", [f["test_error"] for f in all_figures]
    )
    if options.out:
        write(options.out, frame.to_csv(index=False, lineterminator="\n"))
    best = path.best_index(options.rule)
    point, figures = path[best], all_figures[best]
    tree = point.tree.with_names(data.feature_names)
    trees = [
        {"lam": one.lam} | ({} if one.size is None else {"size": one.size}) | figures
        for one, figures in zip(path.points, all_figures, strict=True)
    ]
    write_figures(options, {"best": best, "trees": trees})
    place = f"lambda {point.lam:.6g}" if point.size is None else f"at most {point.size} leaves"
    tell(f"best (rule {options.rule}): {place}")
    training.report(tree, figures)
    if options.model:
        if point.size is not None:
            starting.set_params(max_leaf_nodes=max(2, point.size))
        saved = training.model(tree, starting, options, found, point.lam, point.trace, figures)
        write(options.model, saved.to_json())
    known = {"path": path, "data": data, "parts": [rows[part] for part in ("train", "validation", "test")]}
    known |= {"chosen": best, "end": best, "width": options.width}
    reference = None
    for artifact, file in options.save:
        inputs = known
        if "reference" in artifact.takes:
            reference = reference or _reference(options, found)
            # with test errors, which the points of a path do not have
            points = [
                SimpleNamespace(lam=p.lam, tree=p.tree, figures=f, validation_spread=p.validation_spread, size=p.size)
                for p, f in zip(path, all_figures, strict=True)
            ]
            inputs = known | {"path": points, "reference": reference}
        write(file, artifact.of(inputs))


def _sizes(options):
    return range(1, options.sizes + 1)


def tell_point(point: PathPoint) -> None:
    """Print the size and the error of a tree."""
    place = f"lambda {point.lam:.4g}" if point.size is None else f"at most {point.size}"
    progress(f"{place}: {point.n_leaves:,} leaves, error {point.validation_error:.4g}")


def _run_in_parts(options):
    if options.sizes is not None:
        raise ParameterError(needs_memory("--sizes"))
    if options.save:
        raise ParameterError(
            "--save requires a table in memory. Remove --save, or pass a single file without --memory."
        )
    rows = row_parts.RowParts.of(options)
    if not options.validation:
        raise ParameterError(_PATH_NO_VALIDATION)
    starting = rows.estimator(options, None)
    starting.set_params(callback=rows.progress.callback(starting.max_iter))
    with rows.progress.keeping():
        run = PathRun(starting, rows.sources["train"], None, options.lams, rows.sources["validation"])
        points = []
        for point in run.points():
            points.append(point)
            tell_point(point)
    path = RegularizationPath(tuple(points), run.n_validation)
    run.close()
    if options.out:
        write(options.out, path.to_frame().to_csv(index=False, lineterminator="\n"))
    best = path.best_index(options.rule)
    point, fitted = path[best], run.estimator
    figures = rows.figures(point.tree, fitted)
    write_figures(options, {"best": best, "trees": path.to_frame().to_dict("records")} | figures)
    tell(f"best (rule {options.rule}): lambda {point.lam:.6g}")
    training.report(point.tree, figures)
    if options.model:
        found = rows.training_data(options, fitted)
        saved = training.model(point.tree, fitted, options, found, point.lam, point.trace, figures)
        write(options.model, saved.to_json())


def _reference(options, found):
    """Return the `reference_facts` of CART on the same rows, or None if it does not support them."""
    X, rows = found.data.X, found.rows["train"]
    if hasattr(X, "tocsr") or getattr(options, "class_weight", None) is not None:
        return None
    kind = CARTClassifier if found.data.class_names else CARTRegressor
    missing = "learn" if X.dtype.kind == "f" and np.isnan(X).any() else "error"
    categories = grouped_columns(found.data) if getattr(options, "categories", None) == "groups" else "features"
    cart = kind(rule="min", missing=missing, random_state=options.seed, categories=categories, n_jobs=-1).fit(
        X[rows], found.labels[rows]
    )
    sets = {name: (X[part], found.labels[part], None) for name, part in found.rows.items() if part.size}
    return reference_facts(cart.tree_, training.figures(cart.tree_, found), errors_of_sizes(cart, sets))
