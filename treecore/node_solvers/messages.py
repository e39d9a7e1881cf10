"""Error messages of `treecore.node_solvers`."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "nodes",
    {
        "max_inner": (
            "max_inner={max_inner!r}: expected None, because LIBLINEAR has its own limit. Use None or node_solver='cd'."
        ),
        "missing_values": (
            "X contains missing values (NaN), which oblique splits do not support. Fill them, or use "
            "split={splits:or} with missing='learn'."
        ),
        "univariate_sparse": "split='univariate' does not support sparse X. Use X.toarray() or split='oblique'.",
        "bivariate_sparse": "split='bivariate' does not support sparse X. Use X.toarray() or split='oblique'.",
        "not_installed": (
            "node_solver='liblinear-official' needs the package liblinear-official, which is not "
            "installed. Run pip install 'tao-explorer[liblinear]' (needs a C++ compiler), or use "
            "node_solver='liblinear' (the copy in scikit-learn)."
        ),
    },
)
