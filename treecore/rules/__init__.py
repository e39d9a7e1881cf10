"""Trees as IF-THEN rules, and typed rules as splits."""

from treecore.rules.rule import Rule
from treecore.rules.rule_set import RuleSet, rules

__all__ = ["Rule", "RuleSet", "rules"]
