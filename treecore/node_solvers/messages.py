"""Sentences of errors of `treecore.node_solvers`."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "nodes",
    {
        "max_inner": "max_inner={max_inner!r}: LIBLINEAR has its own limit. Use None, or node_solver='cd'.",
        "missing_values": (
            "X contains missing values (NaN), which a weighted sum of features cannot have: fill them, or use "
            "split={splits:or} with missing='learn'."
        ),
        "univariate_sparse": "Univariate nodes need dense data: use X.toarray(), or split='oblique' for sparse data.",
        "bivariate_sparse": "Bivariate nodes need dense data: use X.toarray(), or split='oblique' for sparse data.",
        "not_installed": (
            "node_solver='liblinear-official' needs the package liblinear-official, which is not installed: pip "
            "install 'tao-explorer[liblinear]' (it is built by a C++ compiler), or use node_solver='liblinear', which "
            "takes scikit-learn's copy instead."
        ),
    },
)
