"""``distil``: train a tree that imitates a scikit-learn model, which the package skops reads."""

import argparse
import zipfile
import zlib
from typing import Any

import numpy as np

from treecore.errors import DataError, ParameterError, TreeFormatError
from treecore.messages import joined, literals
from treecore.training.distil import WEIGHTINGS, distil
from treecore.tree.metrics import tree_metrics
from treecore.tree.number_text import number, percent
from viz.command_line import training, training_data
from viz.command_line.files import add_json, check_outputs, output, read_bytes, tell, write, write_figures

EXAMPLES = (
    "distil linear.skops data.csv --target y --out tree.json",
    "distil forest.skops breast-cancer --trust sklearn.tree._tree.Tree --weighting margin --json",
)
# errors that skops raises for damaged files
DAMAGE = (
    ValueError, TypeError, LookupError, AttributeError, ImportError, EOFError, OSError, RuntimeError,
    zipfile.BadZipFile, zlib.error,
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("model", help="fitted scikit-learn model that skops.io.dump has written; never a pickle")
    training_data.add_arguments(parser)
    parser.add_argument("--weighting", choices=WEIGHTINGS, default="equal",
                        help="weights of the rows: equal, or the margin between the two largest class probabilities "
                        "of the model (default equal)")  # fmt: skip
    parser.add_argument("--trust", metavar="TYPE", action="append", default=[],
                        help="type of scikit-learn that skops does not trust, such as sklearn.tree._tree.Tree; only "
                        "for files from a source that you trust; may be repeated")  # fmt: skip
    parser.add_argument("--no-rows", action="store_true", help="save the model without sample rows")
    parser.add_argument("--out", metavar="FILE", type=output, help="model file to write, or - for standard output")
    add_json(parser)


def run(options: argparse.Namespace) -> None:
    """Train, report and save."""
    check_outputs(options, options.out)
    model = _Named(_model(options.model, options.trust))
    found = training_data.load(options)
    model.suit(found)
    share = found.rows["test"].size / len(found.labels)
    if not 0 < share < 1:
        raise ParameterError("The test set is empty, so the fidelity cannot be measured. Pass --test above 0.")
    result = distil(
        model, found.data.X, found.labels if model.has_labels else None, weighting=options.weighting, test_size=share,
        random_state=options.seed,
    )  # fmt: skip
    tree = result.tree.with_names(found.data.feature_names)
    target = tree.target
    kind = "same prediction" if target.values_are_groups else "R² for the predictions of the model"
    fidelity = percent(result.fidelity) if target.values_are_groups else number(result.fidelity)
    tell(f"fidelity: {fidelity} ({kind}, {result.n_test:,} held-out rows)")
    if result.error is not None:
        tell(f"{target.error_name} on these rows: {target.error_text(result.error)}, "
             f"model {target.error_text(result.model_error)}")  # fmt: skip
    size = tree_metrics(tree)._asdict()
    tell(f"size: {tree.n_leaves:,} leaves, depth {tree.depth}")
    figures = {
        "fidelity": result.fidelity, "n_test": result.n_test, "test_error": result.error,
        "model_error": result.model_error, **size,
    }  # fmt: skip
    write_figures(options, figures)
    if options.out:
        fitted = result.estimator
        trace = [fitted.initial_, *fitted.trace_]
        kept = {name: value for name, value in figures.items() if name not in ("fidelity", "model_error")}
        write(options.out, training.model(tree, fitted, options, found, fitted.lam_, trace, kept).to_json())


def _model(name, trusted):
    """Return the fitted model in a skops file. Raise TreeFormatError if it contains types that are not trusted."""
    foreign = [one for one in trusted if not one.startswith("sklearn.")]
    if foreign:
        raise ParameterError(
            f"--trust {joined(foreign)}: expected types of scikit-learn, such as sklearn.tree._tree.Tree."
        )
    content = read_bytes(name)
    try:
        import skops.io  # optional package
    except ImportError:
        raise ParameterError("The package skops is not installed. Run pip install skops.") from None
    try:
        untrusted = sorted({*skops.io.get_untrusted_types(data=content)} - {*trusted})
        if untrusted:
            raise TreeFormatError(
                f"{name} contains types that skops does not trust: {joined(untrusted, 8)}. A damaged file with "
                f"such types can crash Python. If you trust the source of the file, pass --trust {untrusted[0]}."
            )
        return skops.io.loads(content, trusted=trusted)
    except TreeFormatError:
        raise
    except DAMAGE as error:
        raise TreeFormatError(
            f"{name} is not a readable skops file ({type(error).__name__}). Save the model with skops.io.dump. "
            "Pickles are not read."
        ) from None


class _Named:
    """Model that reads the columns of the table by name and predicts the classes of the table.

    has_labels : whether its predictions are comparable with the labels of the table.
    """

    def __init__(self, model: Any) -> None:
        self.model, self.columns, self.codes, self.has_labels = model, None, None, True
        if hasattr(model, "classes_"):
            self.classes_ = model.classes_
        if hasattr(model, "predict_proba"):
            self.predict_proba = lambda X: model.predict_proba(self._rows(X))

    def suit(self, found: Any) -> None:
        """Find the columns and classes of the model among those of the data. Raise DataError without its columns."""
        names = list(found.data.feature_names)
        wanted = getattr(self.model, "feature_names_in_", None)
        if wanted is not None:
            absent = [name for name in wanted if name not in names]
            if absent:
                raise DataError(
                    "The model was trained on columns that the table does not have as numbers: "
                    f"{literals(absent, 6)}. Pass a table with these columns."
                )
            self.columns = [(name, names.index(name)) for name in wanted]
        classes = getattr(self.model, "classes_", None)
        if classes is None or not len(found.data.class_names):
            self.has_labels = (classes is None) == (not len(found.data.class_names))
            return
        texts = {str(label) for label in np.unique(found.labels)}
        if {str(label) for label in classes} <= texts:
            self.codes = {label: type(found.labels[0])(label) for label in classes.tolist()}
        elif classes.dtype.kind in "iu" and set(classes.tolist()) <= set(range(len(found.data.class_names))):
            self.codes = {code: found.data.class_names[code] for code in classes.tolist()}
        else:
            self.has_labels = False
            tell("note: the classes of the model are not those of the target, so no errors are reported.")

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Return the predictions of the model, as classes of the table."""
        found = self.model.predict(self._rows(X))
        return found if self.codes is None else np.array([self.codes[label] for label in found.tolist()])

    def _rows(self, X):
        if self.columns is None:
            return X
        import pandas  # slow import

        return pandas.DataFrame({name: X[:, place] for name, place in self.columns})
