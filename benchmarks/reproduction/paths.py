"""Reproduce figure 9 of Kairgeldin and Carreira-Perpiñán 2024: paths of bivariate and oblique trees in one figure."""

import numpy as np
from sklearn.model_selection import train_test_split

from benchmarks.bivariate import rows_of
from treecore import TAOClassifier, regularization_path
from treecore.tables.text_tables import to_markdown
from viz.charts.path_figures import paths_figure

SETS = ("segment",)
N_LAMBDAS = 30
TREES = {
    "bivariate trees": TAOClassifier(split="bivariate", init="cart", random_state=0, n_jobs=-1),
    "oblique trees": TAOClassifier(split="oblique", init="random", max_depth=8, random_state=0, n_jobs=-1),
}


def path_figures(stem, names, quick, folder):
    """Return the paths on each data set as Markdown, drawn as one figure.

    60 % of the rows are for training, 20 % for the validation error and 20 % for the test error.
    """
    rows = []
    for name in names:
        X, y = rows_of(name, False)
        X, X_rest, y, y_rest = train_test_split(X, y, test_size=0.4, stratify=y, random_state=0)
        X_val, X_test, y_val, y_test = train_test_split(X_rest, y_rest, test_size=0.5, stratify=y_rest, random_state=0)
        paths = {}
        for title, model in TREES.items():
            path = regularization_path(model, X, y, N_LAMBDAS // (3 if quick else 1), X_val, y_val)
            paths[title] = path
            rows += [
                [name, title, f"{point.lam:.3g}", f"{100 * point.train_error:.2f}",
                 f"{100 * np.mean(point.tree.predict(X_test) != y_test):.2f}",
                 str(point.tree.n_nodes), f"{point.tree.features_per_node:.2f}"]
                for point in path
            ]  # fmt: skip
        for theme in ("light", "dark"):
            (folder / f"{stem}-{name}-{theme}.svg").write_bytes(paths_figure(paths, theme=theme))
    header = ("set", "trees", "lambda", "training error %", "test error %", "nodes", "features per node")
    return to_markdown(header, rows)
