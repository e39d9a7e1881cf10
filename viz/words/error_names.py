"""Names of the errors of a trained tree.

A weighted error counts each row with its training weight.
"""

ERRORS = {
    "validation_error": "validation error",
    "test_error": "test error",
    "train_error": "training error",
    "cross_validated_error": "cross-validated error",
}
WEIGHTED = "weighted "


def error_name(figure: str, is_weighted: bool | int | None = False) -> str:
    """Return the name of one of `ERRORS`.

    is_weighted : whether rows count with their class weights
    """
    return weighted(ERRORS[figure], is_weighted)


def weighted(name: str, is_weighted: bool | int | None) -> str:
    """Return the name of an error, marked as weighted if `is_weighted`."""
    return WEIGHTED + name if is_weighted else name


def figure_columns(is_weighted: bool | int | None) -> dict[str, str]:
    """Return {metric: column name} of the metrics whose name differs if weighted, such as ``weighted_test_error``."""
    return {figure: f"weighted_{figure}" for figure in ERRORS} if is_weighted else {}
