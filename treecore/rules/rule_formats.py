"""File formats for rules, for the pages and the command line."""

from treecore.artifact import Artifact, by_name
from treecore.rules.rule_set import RuleSet


def _of_rules(name, form, suffix, mime, make, about, needs="rules"):
    return Artifact(name, "Rules", form, suffix, mime, make, (needs,), about=about)


RULE_FORMATS = by_name(
    (
        _of_rules("text", "text", "txt", "text/plain", RuleSet.to_text, "one IF-THEN rule per line"),
        _of_rules("markdown", "Markdown", "md", "text/markdown", RuleSet.to_markdown, "a table for GitHub"),
        _of_rules("latex", "LaTeX", "tex", "application/x-tex", RuleSet.to_latex, "a `tabular` for papers (booktabs)"),
        _of_rules("csv", "CSV", "csv", "text/csv", RuleSet.to_csv, "a table with the number of rows of every class"),
        _of_rules(
            "else-if", "IF, ELSE IF, ELSE", "txt", "text/plain", RuleSet.to_else_if,
            "one chain of conditions, for a tree in which every decision node has a leaf as a child", needs="chain",
        ),
    )
)  # fmt: skip
