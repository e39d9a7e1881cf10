"""Why a tree predicts what it predicts, what would change that, and which features matter."""

from treecore.explain.explanation import Explanation, explain, feature_usage

__all__ = ["Explanation", "explain", "feature_usage"]
