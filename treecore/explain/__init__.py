"""Explanations of predictions, counterfactual explanations and feature usage."""

import sys
from types import ModuleType
from typing import Any

from treecore.explain.counterfactuals import Counterfactual, counterfactual
from treecore.explain.explanation import ExplainedDecision, Explanation, explain, feature_usage

__all__ = ["Counterfactual", "ExplainedDecision", "Explanation", "counterfactual", "explain", "feature_usage"]


class _CallableModule(ModuleType):
    """Module of the same name as its main function, which a call of the module calls."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return explain(*args, **kwargs)


sys.modules[__name__].__class__ = _CallableModule
