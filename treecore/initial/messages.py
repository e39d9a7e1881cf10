"""Sentences of errors of `treecore.initial`."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "initial",
    {
        "unknown": "init={init!r}: use one of {names:literals}, or a Tree to start from.",
        "bivariate_cart.max_features": (
            "init='bivariate_cart' needs nodes of two features: use init='cart' for univariate trees."
        ),
        "bivariate_cart.sparse": (
            "init='bivariate_cart' needs dense data: use X.toarray(), or init='random' for sparse data."
        ),
        "bivariate_cart.missing": (
            "X holds NaN, which init='bivariate_cart' cannot place: use init='cart', or fill them in first."
        ),
        "oblique_cart.max_features": (
            "init='oblique_cart' needs split='oblique': use init='cart' or 'bivariate_cart' instead."
        ),
        "oblique_cart.sparse": (
            "init='oblique_cart' needs dense data: use X.toarray(), or init='random' for sparse data."
        ),
        "oblique_cart.missing": "X holds NaN, which init='oblique_cart' cannot place: fill them in first.",
    },
)
