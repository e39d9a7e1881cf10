"""``curve``: measure on a random sample whether more training rows lower the error."""

import argparse

from treecore.training.partitions.learning_curve import learning_curve
from viz.command_line import row_parts, training, training_data
from viz.command_line.files import add_json, tell, write_figures

EXAMPLES = ("curve 'data/*.parquet' --target y", "curve table.csv --target class --split bivariate --json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    training_data.add_arguments(parser)
    row_parts.add_arguments(parser)
    training.add_arguments(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> None:
    """Measure and report."""
    if row_parts.is_in_parts(options):
        rows = row_parts.RowParts.of(options)
        estimator, X, y = rows.estimator(options, None), rows.sources["train"], None
    else:
        found = training_data.load(options)
        train = found.rows["train"]
        estimator, X, y = training.estimator(options, found), found.data.X[train], found.labels[train]
    curve = learning_curve(estimator, X, y, random_state=options.seed)
    table = curve.to_frame()
    for n_rows, error, n_leaves in zip(table["n_rows"], table["error"], table["n_leaves"], strict=True):
        tell(f"{n_rows:,} training rows: test error {error:.4g}, {n_leaves:,} leaves")
    tell(curve.advice)
    points = table.astype(object).where(table.notna(), None).to_dict("records")
    write_figures(options, {"points": points, "needs_all_rows": curve.needs_all_rows, "advice": str(curve.advice)})
