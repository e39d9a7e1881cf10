"""Titles of the methods in `methods.py`, separate so that callers do not load the methods."""

METHOD_TITLES = {
    "tao_oblique": "TAO, sparse oblique",
    "tao_bivariate": "TAO, bivariate",
    "tao_univariate": "TAO, univariate",
    "cart": "CART, 1-SE",
    "cart_min": "CART, minimum",
    "c50": "C5.0",
    "bivariate_cart": "Bivariate CART",
    "bidt": "BiDT",
    "oc1": "OC1",
    "cart_lc": "CART-LC",
    "co2": "CO2",
    "non_greedy": "Non-greedy SGD",
    "tao_forest": "TAO forest",
    "co2_forest": "CO2 forest",
    "oc1_forest": "OC1 forest",
    "two_probe_forest": "Two-probe forest",
    "boundary_forest": "Boundary forest",
    "random_forest": "Random forest",
    "extra_trees": "Extra trees",
    "nearest_neighbours": "Nearest neighbours",
    "tao_linear": "TAO, linear leaves",
    "optimal": "Optimal tree",
    "linear": "Linear model",
    "gradient_boosting": "Gradient boosting",
}
DEFAULT_METHODS = ("tao_oblique", "tao_bivariate", "cart", "cart_min", "c50")
