"""What the errors of a trained tree are called: an error counts rows, a weighted error what they weigh in training."""

ERRORS = {
    "validation_error": "validation error",
    "test_error": "test error",
    "train_error": "training error",
    "cross_validated_error": "cross-validated error",
}
WEIGHTED = "weighted "


def error_name(figure: str, is_weighted: bool | int | None = False) -> str:
    """Name of one of `ERRORS`; is_weighted : whether classes count in it as in training."""
    return weighted(ERRORS[figure], is_weighted)


def weighted(name: str, is_weighted: bool | int | None) -> str:
    """Name of an error, of which it is told that it is weighted."""
    return WEIGHTED + name if is_weighted else name


def figure_columns(is_weighted: bool | int | None) -> dict[str, str]:
    """{figure: its name as a column of a table} of those that are called otherwise: ``weighted_test_error``."""
    return {figure: f"weighted_{figure}" for figure in ERRORS} if is_weighted else {}
