"""Explanations of predictions, counterfactual explanations and feature usage."""

from treecore.explain.counterfactuals import Counterfactual, counterfactual
from treecore.explain.explanation import ExplainedDecision, Explanation, explain, feature_usage

__all__ = ["Counterfactual", "ExplainedDecision", "Explanation", "counterfactual", "explain", "feature_usage"]
