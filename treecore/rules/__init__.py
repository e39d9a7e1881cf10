"""Trees as IF-THEN rules, and typed rules as splits."""

import sys
from types import ModuleType
from typing import Any

from treecore.rules.rule import Rule
from treecore.rules.rule_set import RuleSet, rules

__all__ = ["Rule", "RuleSet", "rules"]


class _CallableModule(ModuleType):
    """Module of the same name as its main function, which a call of the module calls."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return rules(*args, **kwargs)


sys.modules[__name__].__class__ = _CallableModule
