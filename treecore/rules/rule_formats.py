"""The forms in which rules are written, for the pages and the command line."""

from collections.abc import Callable
from typing import NamedTuple

from treecore.rules.rule_set import RuleSet


class RuleFormat(NamedTuple):
    """words : for people; ending, mime : of its files; write : function of a `RuleSet` that returns str."""

    words: str
    ending: str
    mime: str
    write: Callable
    of_any_tree: bool = True


RULE_FORMATS = {
    "text": RuleFormat("text", "txt", "text/plain", RuleSet.to_text),
    "markdown": RuleFormat("Markdown", "md", "text/markdown", RuleSet.to_markdown),
    "latex": RuleFormat("LaTeX", "tex", "application/x-tex", RuleSet.to_latex),
    "csv": RuleFormat("CSV", "csv", "text/csv", RuleSet.to_csv),
    "else-if": RuleFormat("IF, ELSE IF, ELSE", "txt", "text/plain", RuleSet.to_else_if, of_any_tree=False),
}
