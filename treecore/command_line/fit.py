"""``fit``: train one tree."""

import argparse

from treecore.command_line import program_name, training, training_data
from treecore.command_line.files import add_json, check_outputs, output, write, write_figures

EXAMPLES = (
    "fit iris --lam 0.5 --out iris.json",
    "fit data.csv --target y --split bivariate --lam 4 --out model.json",
    "fit prices.csv --target price --regression --ignore id --type zip=category --out prices.json",
    f"fit data.csv --split-column part --out - | {program_name()} rules -",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options."""
    training_data.add_arguments(parser)
    training.add_arguments(parser)
    parser.add_argument("--lam", metavar="LAMBDA", type=float, default=1.0, help="weight of the penalty (default 1)")
    parser.add_argument("--out", metavar="FILE", type=output, help="model file to write, - for standard output")
    add_json(parser)


def run(options: argparse.Namespace) -> None:
    """Train, tell, save."""
    check_outputs(options, options.out)
    found = training_data.load(options)
    trained = training.estimator(options, found, options.lam)
    train = found.rows["train"]
    trained.fit(found.data.X[train], found.labels[train])
    tree = trained.tree_.with_names(found.data.feature_names)
    figures = training.figures(tree, found)
    training.report(tree, figures)
    write_figures(options, figures)
    if options.out:
        trace = [trained.initial_, *trained.trace_]
        write(options.out, training.model(tree, trained, options, found, options.lam, trace, figures).to_json())
