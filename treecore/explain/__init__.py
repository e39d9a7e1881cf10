"""Why a tree predicts what it predicts, what would change that, and which features matter."""

from treecore.explain.counterfactuals import Counterfactual, counterfactual
from treecore.explain.explanation import ExplainedDecision, Explanation, explain, feature_usage

__all__ = ["Counterfactual", "ExplainedDecision", "Explanation", "counterfactual", "explain", "feature_usage"]
