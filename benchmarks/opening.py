"""The split type that each bundled data set opens with: ``python -m benchmarks.opening [NAME ...]``.

Six random splits with 25 % test rows. The oblique and the bivariate tree are selected by five folds of the training
rows and the one-standard-error rule; CART is pruned at the minimum of its own cross-validated error. A data set opens
with oblique splits if their mean test error is lower than that of bivariate splits by more than two standard errors of
the paired difference, because bivariate nodes are easier to read. Images always open with oblique splits, and data with
two features with bivariate ones, which the lessons use.
"""

import argparse

import numpy as np
from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit

import sample_data
from benchmarks.common import heading, markdown
from pages.jobs.settings import opening
from treecore.comparison import compare

SPLITS, TEST_SHARE, FOLDS = 6, 0.25, 5
SURE = 2  # standard errors
METHODS = {"cart_min": "CART", "tao_bivariate": "bivariate", "tao_oblique": "oblique"}
COLUMNS = ("data set", *(f"{words}: error, leaves" for words in METHODS.values()), "difference", "opens with")


def main() -> None:
    """Print one row for each data set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="data sets; by default all bundled ones but MNIST as a whole")
    names = parser.parse_args().names or [e.name for e in sample_data.catalogue() if e.available and e.name != "mnist"]
    print(heading(f"Opening split types, {SPLITS} splits, {TEST_SHARE:.0%} test rows"), end="\n\n")
    print(markdown(COLUMNS, []), flush=True)
    for name in names:
        print(markdown(COLUMNS, [row(name)]).splitlines()[-1], flush=True)


def row(name: str) -> tuple[str, ...]:
    """Return the cells of a data set."""
    data = sample_data.load(name)
    kind = StratifiedShuffleSplit if data.target.values_are_groups else ShuffleSplit
    splits = list(kind(SPLITS, test_size=TEST_SHARE, random_state=0).split(data.X, data.y))
    found = compare(data.X, data.labels(), list(METHODS), cv=splits, inner=FOLDS, rule="one_se", target=data.target)
    errors = {method: found.errors(method) for method in METHODS}
    text = data.target.error_text
    sizes = {
        method: np.mean([cell.size.n_leaves for cell in found.cells if cell.method == method]) for method in METHODS
    }
    gain = errors["tao_bivariate"] - errors["tao_oblique"]
    error_of_gain = gain.std(ddof=1) / SPLITS**0.5
    entry = next(entry for entry in sample_data.catalogue() if entry.name == name)
    opens = opening(name, entry.kind)["split"]
    is_better = gain.mean() > SURE * error_of_gain and entry.kind != "2D"
    best = "oblique" if is_better or entry.kind == "images" else "bivariate"
    cells = (f"{text(errors[method].mean())}, {sizes[method]:.1f}" for method in METHODS)
    note = opens if opens == best else f"{opens} (measured: {best})"
    return name, *cells, f"{gain.mean():.4g} ± {error_of_gain:.2g}", note


if __name__ == "__main__":
    main()
