"""Reproduce the papers' tables with our own protocol: ``python -m benchmarks.reproduce [--table N] [--only SET ...]``.

``--quick`` runs a shorter version.

The table oblique (Zharmagambetov et al. 2021) compares TAO, C5.0 and CART. If no split is published, 20 % of the rows
are test rows, in 5 reshuffles; otherwise there are 5 random initial trees. Inner cross-validation chooses depth,
scaling and λ of TAO, and confidence and cases of C5.0. CART has its own cross-validation. Friedman's and Nemenyi's
tests compare the methods over the data sets.

The table bivariate (Kairgeldin and Carreira-Perpiñán 2024) compares bivariate TAO and the methods of the paper, with 10
% validation rows and 3 reshuffles. A second table covers regression. The tables bivariate-rows (without SUSY) and
bivariate-paths are the paper's figures 2 and 9.

The tables forests, curves and co2-nu are from Norouzi et al. 2015b; curves is the paper's figure 2, and co2-nu is
figure 1, errors over depth for four ν. The tables non-greedy-depth and non-greedy-leaves are figures 2 and 3 of Norouzi
et al. 2015a, without OC1 and random splits. The table neighbours is from Carreira-Perpiñán and Tavallali 2018.

Finished results are stored in benchmarks/results/reproduce under their settings and a hash of the engine's sources, so
a run can be stopped and continued. The test rows affect no choice. The column p contains the p-value of the corrected
paired test against the first method.
"""

import argparse
import sys

from benchmarks.common import DataMissing, heading
from benchmarks.reproduction import classification, curves, others, paths, single_curves
from benchmarks.reproduction.plans import BIVARIATE_PAPER, BIVARIATE_PLANS, OBLIQUE_PAPER, OBLIQUE_PLANS
from benchmarks.reproduction.store import FOLDER
from treecore.comparison.tables import p_text
from treecore.tables.text_tables import to_markdown
from viz.charts.comparison_figures import critical_difference_figure

QUICK_REPEATS = 2
QUICK = {
    "neighbours": ("pendigits",),
    "oblique": ("balance_scale", "banknote", "blood_transfusion", "wdbc"),
    "bivariate": ("wdbc", "abalone"),
    "forests": ("pendigits",),
    "curves": ("pendigits",),
    "bivariate-paths": paths.SETS,
} | dict.fromkeys(single_curves.FIGURES, single_curves.QUICK_SETS)


def single_trees(table, stem, plans, paper, size, names, options):
    """Return a table of classification trees as Markdown, with the rank tests over its data sets.

    stem : stem of the figure's file name.
    """
    rows, comparisons, caps = [], {}, {}
    for name in names:
        plan = plans[name]._replace(repeats=QUICK_REPEATS) if options.quick else plans[name]
        comparisons[name] = classification.compared(table, name, plan, options.n_jobs)
        rows += classification.table_rows(name, comparisons[name], paper.get(name, {}), size, plan.published)
        caps.setdefault(plan.limit, []).append(name)
        print(to_markdown(classification.header(size), rows[-len(comparisons[name].methods) :]), file=sys.stderr)
    text = to_markdown(classification.header(size), rows)
    for limit, capped in caps.items():
        text += f"\nA method may take {limit:g} s on a repetition of {', '.join(capped)}; a longer one is left out.\n"
    found = classification.ranks(comparisons)
    if found is None:
        return text
    titles, test = found
    for theme in ("light", "dark"):
        picture = critical_difference_figure(titles, test, format="svg", theme=theme)
        (FOLDER / f"{stem}-ranks-{theme}.svg").write_bytes(picture)
    means = ", ".join(f"{title} {rank:.2f}" for title, rank in zip(titles, test.mean_ranks, strict=True))
    return text + (
        f"\nMean ranks: {means}. Friedman (Iman and Davenport) F = {test.statistic:.2f}, p = {p_text(test.p)}; two "
        f"ranks differ from {test.critical_difference:.2f} on (Nemenyi, 0.05).\n"
    )


def neighbours_table(stem, names, options):
    """Return the nearest neighbours' table as Markdown."""
    return others.neighbours(names, options.quick)


def oblique_table(stem, names, options):
    """Return the table of oblique trees as Markdown."""
    return single_trees("oblique", stem, OBLIQUE_PLANS, OBLIQUE_PAPER, "n_leaves", names, options)


def bivariate_table(stem, names, options):
    """Return the tables of bivariate trees, classification and regression, as Markdown."""
    text, classes = "", [name for name in names if name in BIVARIATE_PLANS]
    if classes:
        text = single_trees("bivariate", stem, BIVARIATE_PLANS, BIVARIATE_PAPER, "n_nodes", classes, options)
    numbers = [name for name in names if name not in BIVARIATE_PLANS]
    return text + ("\n" if text and numbers else "") + (others.regression(numbers, options.quick) if numbers else "")


def forests_table(stem, names, options):
    """Return the table of forests as Markdown."""
    return others.forests_table(names, options.quick)


def curves_table(stem, names, options):
    """Return the errors of forests over their number of trees as Markdown."""
    return curves.forest_curves(stem, names, options.quick, options.n_jobs, FOLDER)


def paths_table(stem, names, options):
    """Return the paths of bivariate and oblique trees as Markdown, drawn next to each other."""
    return paths.path_figures(stem, names, options.quick, FOLDER)


def _figure(name):
    """Return a function that makes the Markdown of one entry in `single_curves.FIGURES`."""
    return lambda stem, names, options: single_curves.figure_curves(
        name, stem, names, options.quick, options.n_jobs, FOLDER
    )


TABLES = {
    "neighbours": (neighbours_table, others.NEIGHBOURS),
    "oblique": (oblique_table, tuple(OBLIQUE_PLANS)),
    "bivariate": (bivariate_table, (*BIVARIATE_PLANS, *others.REGRESSION)),
    "forests": (forests_table, others.FORESTS),
    "curves": (curves_table, curves.SETS),
    "bivariate-paths": (paths_table, paths.SETS),
} | {name: (_figure(name), (*figure.sets, *single_curves.QUICK_SETS)) for name, figure in single_curves.FIGURES.items()}


def main(arguments=None):
    """Run the tables, print them, and write them as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reproduce", description=__doc__.splitlines()[0])
    parser.add_argument("--table", choices=TABLES, help="default: all")
    parser.add_argument("--only", nargs="+", metavar="SET", help="run only these data sets, and write a separate file")
    parser.add_argument("--quick", action="store_true", help="use small data sets and few repetitions (a few minutes)")
    parser.add_argument("--n-jobs", type=int, default=-1, help="number of parallel tasks (default: all cores)")
    options = parser.parse_args(arguments)
    FOLDER.mkdir(parents=True, exist_ok=True)
    tables = [options.table] if options.table else list(TABLES)
    sets = {table: QUICK[table] if options.quick else TABLES[table][1] for table in tables}
    if options.only:
        sets = {table: [name for name in TABLES[table][1] if name in options.only] for table in tables}
        unknown = set(options.only) - {name for names in sets.values() for name in names}
        if unknown:
            parser.error(f"no table has {', '.join(sorted(unknown))}")
    for table, names in sets.items():
        if not names:
            continue
        stem = table + "-quick" * options.quick + "".join(f"-{name}" for name in names if options.only)
        try:
            body = TABLES[table][0](stem, names, options)
        except DataMissing as error:
            print(error, file=sys.stderr)
            return 1
        except KeyboardInterrupt:
            print("Stopped. Finished results are kept, and the same command continues from them.", file=sys.stderr)
            return 130
        text = f"# {heading(f'Table: {table}')}\n\n{body}"
        print(text)
        (FOLDER / f"{stem}.md").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
