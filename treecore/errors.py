"""Exceptions of treecore. Each message contains the invalid value, the supported values and a remedy."""


class TreecoreError(ValueError):
    """Base class of all errors that treecore raises intentionally.

    See Also
    --------
    DataError : Data that cannot be used.
    ParameterError : A parameter outside its range.
    TreeFormatError : A damaged or invalid tree.

    Examples
    --------
    >>> from treecore import TAOClassifier, TreecoreError
    >>> try:
    ...     TAOClassifier(max_depth=0).fit([[0.0], [1.0]], [0, 1])
    ... except TreecoreError as error:
    ...     print(type(error).__name__, error)
    ParameterError max_depth=0: expected a whole number >= 1.
    """


class DataError(TreecoreError):
    """Training or prediction data that cannot be used.

    See Also
    --------
    TreecoreError : Base class.

    Examples
    --------
    >>> from treecore import DataError, TAOClassifier
    >>> try:
    ...     TAOClassifier().fit([[0.0], [float("nan")]], [0, 1])
    ... except DataError as error:
    ...     print(type(error).__name__)
    DataError
    """


class NoCounterfactual(DataError):
    """No input within the bounds has the requested prediction.

    See Also
    --------
    counterfactual : Raises this error.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier, NoCounterfactual, counterfactual
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = CARTClassifier(random_state=0).fit(X, y).tree_
    >>> try:
    ...     counterfactual(tree, X[0], frozen=range(4))
    ... except NoCounterfactual:
    ...     print("All features are frozen.")
    All features are frozen.
    """


class ParameterError(TreecoreError):
    """Parameter outside its range.

    See Also
    --------
    TreecoreError : Base class.

    Examples
    --------
    >>> from treecore import ParameterError, TAORegressor
    >>> try:
    ...     TAORegressor(lam=-1.0).fit([[0.0], [1.0]], [0.0, 1.0])
    ... except ParameterError as error:
    ...     print(type(error).__name__)
    ParameterError
    """


class TreeFormatError(TreecoreError):
    """Stored tree that is damaged, unsafe or invalid.

    See Also
    --------
    Tree.from_json : Raises this error for a text that is not a tree.

    Examples
    --------
    >>> from treecore import Tree, TreeFormatError
    >>> try:
    ...     Tree.from_json("{}")
    ... except TreeFormatError as error:
    ...     print(type(error).__name__)
    TreeFormatError
    """


class EditError(TreeFormatError):
    """Edited tree that is not valid for its data.

    See Also
    --------
    TreeFormatError : Base class for invalid trees.

    Examples
    --------
    >>> from treecore import EditError, TreeFormatError
    >>> issubclass(EditError, TreeFormatError)
    True
    """


class RuleError(TreecoreError):
    """Typed rule that cannot be parsed.

    Parameters
    ----------
    message : str
        Description of the error.
    place : int or None, default=0
        Index of the first invalid character, None if unknown.

    See Also
    --------
    treecore.rules : Rules of a tree and their parser.

    Examples
    --------
    >>> from treecore import RuleError
    >>> error = RuleError("Expected a number.", place=9)
    >>> error.place
    9
    """

    def __init__(self, message: str, place: int | None = 0) -> None:
        super().__init__(message)
        self.place = place


class DataSetNotFound(TreecoreError):
    """Data set that is not in the catalogue or is currently unavailable.

    See Also
    --------
    sample_data.catalogue : List of the data sets.

    Examples
    --------
    >>> import sample_data
    >>> from treecore import DataSetNotFound
    >>> try:
    ...     sample_data.load("unknown")
    ... except DataSetNotFound as error:
    ...     print(type(error).__name__)
    DataSetNotFound
    """


class PenaltyWarning(UserWarning):
    """Warning that lambda is far too small or far too large for the data.

    See Also
    --------
    regularization_path : Trains a tree for each lambda of a grid that fits the data.

    Examples
    --------
    >>> import warnings
    >>> from treecore import PenaltyWarning, TAORegressor
    >>> X, y = [[float(i)] for i in range(20)], [1000.0 * i for i in range(20)]
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     _ = TAORegressor(split="univariate", init="cart", lam=1e-6).fit(X, y)
    >>> [one.category is PenaltyWarning for one in caught]
    []
    """


class DataWarning(UserWarning):
    """Warning that values are used in another form than they were passed.

    See Also
    --------
    DataError : Error for values that cannot be used.

    Examples
    --------
    >>> import warnings
    >>> import pandas
    >>> from treecore import DataWarning, TAOClassifier
    >>> X = pandas.DataFrame({"length": ["1.5", "2", "3", "4.5"]})
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     _ = TAOClassifier("univariate", init="cart").fit(X, [0, 0, 1, 1])
    >>> [one.category is DataWarning for one in caught]
    [True]
    """


class FontWarning(UserWarning):
    """Warning that a figure as PNG or PDF shows characters wrongly, because no installed font contains them.

    Names in Arabic and Hebrew have separate letters in the wrong order. An SVG uses the fonts of its viewer.

    See Also
    --------
    viz.figure : Draws a tree.

    Examples
    --------
    >>> import warnings
    >>> from sklearn.datasets import load_iris
    >>> import viz
    >>> from treecore import CARTClassifier, FontWarning
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = CARTClassifier().fit(X, y).tree_
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     _ = viz.figure(tree, X, y, format="png", title="\u05d0")  # a Hebrew letter
    >>> [one.category is FontWarning for one in caught]
    [True]
    """


class ForeignWarning(UserWarning):
    """Warning that an imported tree depends on an assumption about something that its file leaves open.

    See Also
    --------
    from_lightgbm : Warns if the columns of categories are assumed.

    Examples
    --------
    >>> from treecore import ForeignWarning
    >>> issubclass(ForeignWarning, UserWarning)
    True
    """
