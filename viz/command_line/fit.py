"""``fit``: train one tree, by default the simplest good one of a path."""

import argparse
import warnings

from treecore.errors import PenaltyWarning
from treecore.messages import counted
from treecore.node_solvers import SPLITS
from treecore.training.path import regularization_path
from treecore.training.size_path import size_path, usual_sizes
from viz.command_line import program_name, row_parts, training, training_data
from viz.command_line.files import add_json, check_outputs, output, tell, write, write_figures
from viz.command_line.path import LAMS, tell_point

EXAMPLES = (
    "fit iris --lam 0.5 --out iris.json",
    "fit data.csv --target y --split bivariate --lam 4 --out model.json",
    "fit 'data/*.parquet' --target y --memory 2GB --out model.json",
    "fit prices.csv --target price --regression --ignore id --type zip=category --out prices.json",
    f"fit data.csv --split-column part --out - | {program_name()} rules -",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    training_data.add_arguments(parser)
    row_parts.add_arguments(parser)
    training.add_arguments(parser)
    parser.add_argument("--lam", metavar="LAMBDA", type=float,
                        help="weight of the penalty. If it is not given, the validation rows select the simplest good "
                        f"tree of all sizes, or of {LAMS} values of lambda for oblique splits. Without validation rows "
                        "and with --refine, it is suitable for the number of rows")  # fmt: skip
    parser.add_argument("--out", metavar="FILE", type=output, help="model file to write, or - for standard output")
    add_json(parser)


def run(options: argparse.Namespace) -> None:
    """Train, report and save."""
    check_outputs(options, options.out)
    if row_parts.is_in_parts(options):
        _run_in_parts(options)
        return
    found = training_data.load(options)
    trained, tree, lam, trace = (_selected if _can_select(options, found) else _single)(options, found)
    tree = tree.with_names(found.data.feature_names)
    figures = training.figures(tree, found)
    training.report(tree, figures)
    write_figures(options, figures)
    if options.out:
        write(options.out, training.model(tree, trained, options, found, lam, trace, figures).to_json())


def _can_select(options, found):
    """Return whether the validation rows select a tree of a path."""
    of_one_tree = [name for name, one in training.OPTIONS.items() if not one.of_path]
    is_path = all(getattr(options, name, None) is None for name in of_one_tree)
    return options.lam is None and is_path and found.rows["validation"].size > 0


def _selected(options, found):
    """Return (estimator, tree, lambda, trace) of the simplest good tree, as the app opens it."""
    starting, data, rows = training.estimator(options, found), found.data, found.rows
    parts = [part for name in ("train", "validation") for part in (data.X[rows[name]], found.labels[rows[name]])]
    X, y, X_val, y_val = parts
    is_by_size = SPLITS[starting.split].is_exact and starting.leaf == "constant" and not hasattr(X, "tocsr")
    if is_by_size:
        path = size_path(
            starting, X, y, usual_sizes(len(data.class_names), starting.max_leaf_nodes), X_val=X_val, y_val=y_val
        )
    else:
        path = regularization_path(starting, X, y, LAMS, X_val, y_val, on_point=tell_point)
    point = path.best("one_se")
    place = counted(point.n_leaves, "leaf") if is_by_size else f"lambda {point.lam:.4g}"
    values = "sizes" if is_by_size else "values of lambda"
    tell(f"{place}: the simplest of {len(path)} {values} within one standard error of the smallest validation error; "
         f"set another lambda with --lam, or compare all trees with '{program_name()} path'")  # fmt: skip
    if is_by_size:
        starting.set_params(max_leaf_nodes=max(2, point.size))
    return starting, point.tree, point.lam, point.trace


def _single(options, found):
    """Return (estimator, tree, lambda, trace) of the tree of one lambda."""
    train = found.rows["train"]
    trained = training.estimator(options, found, options.lam)
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("always", PenaltyWarning)
        trained.fit(found.data.X[train], found.labels[train])
    for warning in noted:
        tell(str(warning.message))
    _tell_lambda(options, trained)
    return trained, trained.tree_, trained.lam_, [trained.initial_, *trained.trace_]


def _run_in_parts(options):
    rows = row_parts.RowParts.of(options)
    trained = rows.estimator(options, options.lam)
    trained.set_params(callback=rows.progress.callback(trained.max_iter))
    with rows.progress.keeping():
        trained.fit(rows.sources["train"])
    _tell_lambda(options, trained)
    tree = trained.tree_
    figures = rows.figures(tree, trained)
    training.report(tree, figures)
    write_figures(options, figures)
    if options.out:
        found, trace = rows.training_data(options, trained), [trained.initial_, *trained.trace_]
        write(options.out, training.model(tree, trained, options, found, trained.lam_, trace, figures).to_json())


def _tell_lambda(options, trained):
    if options.lam is None:
        tell(f"lambda {trained.lam_:.4g} (suitable for these rows; set another value with --lam)")
