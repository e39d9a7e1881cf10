"""``fit``: train one tree."""

import argparse
import warnings

import numpy as np

from treecore.errors import PenaltyWarning
from treecore.parameter_checks import LARGEST
from viz.command_line import program_name, row_parts, training, training_data
from viz.command_line.files import add_json, check_outputs, output, tell, write, write_figures

EXAMPLES = (
    "fit iris --lam 0.5 --out iris.json",
    "fit data.csv --target y --split bivariate --lam 4 --out model.json",
    "fit 'data/*.parquet' --target y --memory 2GB --out model.json",
    "fit prices.csv --target price --regression --ignore id --type zip=category --out prices.json",
    f"fit data.csv --split-column part --out - | {program_name()} rules -",
)

VARIANCES = 10  # default lambda for regression, as a multiple of the target's variance


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    training_data.add_arguments(parser)
    row_parts.add_arguments(parser)
    training.add_arguments(parser)
    parser.add_argument("--lam", metavar="LAMBDA", type=float,
                        help="weight of the penalty (default: 1 for classification, "
                        f"{VARIANCES:g} times the variance of the target for regression)")  # fmt: skip
    parser.add_argument("--out", metavar="FILE", type=output, help="model file to write, or - for standard output")
    add_json(parser)


def run(options: argparse.Namespace) -> None:
    """Train, report and save."""
    check_outputs(options, options.out)
    if row_parts.is_in_parts(options):
        _run_in_parts(options)
        return
    found = training_data.load(options)
    train = found.rows["train"]
    lam = _lam(options.lam, found, train)
    trained = training.estimator(options, found, lam)
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("always", PenaltyWarning)
        trained.fit(found.data.X[train], found.labels[train])
    for warning in noted:
        tell(str(warning.message))
    tree = trained.tree_.with_names(found.data.feature_names)
    figures = training.figures(tree, found)
    training.report(tree, figures)
    write_figures(options, figures)
    if options.out:
        trace = [trained.initial_, *trained.trace_]
        write(options.out, training.model(tree, trained, options, found, lam, trace, figures).to_json())


def _run_in_parts(options):
    rows = row_parts.RowParts.of(options)
    trained = rows.estimator(options, options.lam)
    trained.set_params(callback=rows.progress.callback(trained.max_iter))
    with rows.progress.keeping():
        trained.fit(rows.sources["train"])
    tree = trained.tree_
    figures = rows.figures(tree, trained)
    training.report(tree, figures)
    write_figures(options, figures)
    if options.out:
        found, trace = rows.training_data(options, trained), [trained.initial_, *trained.trace_]
        write(options.out, training.model(tree, trained, options, found, trained.lam, trace, figures).to_json())


def _lam(given, found, train):
    """Return lambda from the options, or else a default that fits the unit of the target."""
    if given is not None or found.data.class_names:
        return 1.0 if given is None else given
    variance = float(np.var(found.labels[train]))
    lam = min(VARIANCES * variance, LARGEST) or 1.0
    tell(
        f"lambda {lam:.4g} ({VARIANCES:g} times the variance of the target; set another value with --lam, or compare "
        f"many values with '{program_name()} path')"
    )
    return lam
