"""Explanations of predictions, counterfactual explanations and the use of features."""

from treecore.explain.counterfactuals import Counterfactual, counterfactual
from treecore.explain.explanation import ExplainedDecision, Explanation, explain, feature_usage

__all__ = ["Counterfactual", "ExplainedDecision", "Explanation", "counterfactual", "explain", "feature_usage"]
