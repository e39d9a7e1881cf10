"""``compare``: train several methods on the same folds."""

import argparse

from treecore.comparison.comparison import RULES, compare
from treecore.comparison.method_titles import DEFAULT_METHODS, METHOD_TITLES
from treecore.training.parameters import PARAMETERS
from treecore.tree.quantity import Quantity
from viz.command_line import training_data
from viz.command_line.files import add_json, check_outputs, output, progress, tell, write, write_figures
from viz.nodes.category_columns import grouped_columns

EXAMPLES = (
    "compare iris --methods cart tao_univariate --folds 5",
    "compare data.csv --target y --limit 60 --out table.csv",
    "compare visits.csv --target outcome --group patient",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    training_data.add_arguments(parser)
    parser.add_argument("--methods", nargs="+", choices=list(METHOD_TITLES), metavar="METHOD",
                        help=f"methods: any of {', '.join(METHOD_TITLES)} "
                        f"(default {' '.join(DEFAULT_METHODS)})")  # fmt: skip
    parser.add_argument("--folds", metavar="N", type=int, default=5, help="folds of the cross-validation (default 5)")
    one = PARAMETERS["categories"]
    parser.add_argument("--categories", choices=list(one.kind.words), default=one.default,
                        help="splits on columns of categories: each category on its own, or any group of categories, "
                        f"in all methods that support groups (default {one.default})")  # fmt: skip
    parser.add_argument("--rule", choices=list(RULES), default="min",
                        help="rule that selects settings within the training rows: smallest error, or simplest "
                        "within one standard error (default min)")  # fmt: skip
    parser.add_argument(
        "--limit",
        metavar="SECONDS",
        type=float,
        help="time limit in seconds for each method in each fold (default: none)",
    )
    parser.add_argument("--jobs", metavar="N", type=int, default=-1, help="number of processes (default: one per core)")
    parser.add_argument("--out", metavar="FILE", type=output, help="CSV file for the table, or - for standard output")
    add_json(parser)


def run(options: argparse.Namespace) -> None:
    """Train, test, report and save."""
    check_outputs(options, options.out)
    found = training_data.load(options)
    target = None
    if not found.data.class_names:
        target = Quantity.of(found.labels, getattr(found.data, "unit", ""), found.target or "")
    found_cells = []
    if found.dependence.is_known:
        if found.dependence.groups is not None:
            tell("Folds keep groups together.")
        else:
            tell("Folds are in time order: training rows are earlier than test rows.")

    def report_cell(cell):
        found_cells.append(cell)
        progress(f"{len(found_cells)} trees tested, the last one of {METHOD_TITLES[cell.method]}")

    comparison = compare(
        found.data.X, found.labels, options.methods, cv=options.folds, rule=options.rule, seed=options.seed,
        limit=options.limit, n_jobs=options.jobs, on_cell=report_cell, target=target, groups=found.dependence.groups,
        times=found.dependence.times,
        categories=grouped_columns(found.data) if options.categories == "groups" else options.categories,
    )  # fmt: skip
    table = comparison.summary()
    for row in table.itertuples():
        if row.n_folds:
            error = comparison.target.error_text(row.test_error)
            # Methods without trees have NaN.
            size = f", {row.n_leaves:.1f} leaves" if row.n_leaves == row.n_leaves else ""
            result = f"test {comparison.target.error_name}: {error}{size}"
        else:
            result = row.failure
        tell(f"{row.title}: {result}")
    write_figures(options, table.to_dict("records"))
    if options.out:
        write(options.out, table.to_csv(index=False, lineterminator="\n"))
