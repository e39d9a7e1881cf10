"""Error messages of `treecore.initial`."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "initial",
    {
        "unknown": "init={init!r}: expected one of {names:literals}, or a Tree.",
        "cart.values": (
            "A column of X has {n_values} different values, but CART supports at most {most}. Use "
            "init='histogram_cart', or round the values."
        ),
        "bivariate_cart.max_features": (
            "init='bivariate_cart' needs nodes with two features. Use init='cart' for univariate trees."
        ),
        "bivariate_cart.sparse": "init='bivariate_cart' does not support sparse X. Use X.toarray() or init='random'.",
        "bivariate_cart.missing": (
            "init='bivariate_cart' does not support NaN in X. Use init='cart', or fill the missing values."
        ),
        "oblique_cart.max_features": (
            "init='oblique_cart' needs split='oblique'. Use init='cart' or init='bivariate_cart'."
        ),
        "histogram_cart.sparse": "init='histogram_cart' does not support sparse X. Use X.toarray() or init='cart'.",
        "oblique_cart.sparse": "init='oblique_cart' does not support sparse X. Use X.toarray() or init='random'.",
        "optimal.not_installed": (
            "Optimal trees need the package pystreed, which is not installed. Run pip install 'tao-explorer[optimal]'."
        ),
        "optimal.no_tree": "time_limit={seconds:g}: the search found no tree within this time. Use a longer time.",
        "optimal.classes": "init='optimal' supports classification only. Use init='cart' for regression.",
        "optimal.sparse": "init='optimal' does not support sparse X. Use X.toarray() or init='cart'.",
        "optimal.missing": "init='optimal' does not support NaN in X. Use init='cart', or fill the missing values.",
        "oblique_cart.missing": "init='oblique_cart' does not support NaN in X. Fill the missing values.",
    },
)
