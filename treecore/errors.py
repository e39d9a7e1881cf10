"""Typed errors. Each message says what is wrong (with the value), what is allowed and what to do."""

from typing import Any

from treecore.messages import Sentence


class TreecoreError(ValueError):
    """Base of every error that treecore raises on purpose.

    Its first argument is a `Sentence` of the catalogue of its area (the module ``messages`` of the package), from which
    `code` and `values` are taken.
    """

    @property
    def sentence(self) -> Sentence:
        """What the error says, with its code and values."""
        said = self.args[0] if self.args else ""
        return said if isinstance(said, Sentence) else Sentence(str(self))

    @property
    def code(self) -> str:
        """Code of the sentence, such as "foreign.lightgbm.version"; "" without one."""
        return self.sentence.code

    @property
    def values(self) -> dict[str, Any]:
        """Values that the sentence contains, by name."""
        return self.sentence.values


class DataError(TreecoreError):
    """The training or prediction data cannot be used as given."""


class NoCounterfactual(DataError):
    """No input within the bounds is predicted as wanted."""


class ParameterError(TreecoreError):
    """A parameter is outside its range."""


class TreeFormatError(TreecoreError):
    """A stored tree is damaged, unsafe or not a tree."""


class EditError(TreeFormatError):
    """A tree that was changed by hand is no tree of these data."""


class RuleError(TreecoreError):
    """A typed rule cannot be read.

    message : what is wrong; place : index of the character where it goes wrong, None where that is not known.
    """

    def __init__(self, message: str, place: int | None = 0) -> None:
        super().__init__(message)
        self.place = place


class DataSetNotFound(TreecoreError):
    """A named data set is not in the catalogue or cannot be had right now."""


class PenaltyWarning(UserWarning):
    """Lambda is far too small or far too large for these data."""
