"""Error messages of `treecore.rules`."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "rules",
    {
        "typed.not_a_text": "A rule must be text.",
        "typed.too_long": "The rule has {n_characters} characters (maximum {most}).",
        "typed.empty": "The rule is empty. Example: if age < 18 go left.",
        "typed.column_of_categories": "{column!r} is a column of categories. Write {example}.",
        "typed.thousands": "{number} is ambiguous. Write {whole}{decimals} or {whole}.{decimals}.",
        "typed.near_feature": "Unknown feature {feature!r}. Did you mean {near:or}?",
        "typed.capitals": "Unknown feature {feature!r}. Names are case-sensitive.",
        "typed.unknown_feature": "Unknown feature {feature!r}. Use one of {names:literals 5}.",
        "typed.infinite": "This number is too large. Use a smaller number.",
        "typed.comparison_of_category": "Expected '=' or '!=' after a column of categories. Example: {example}.",
        "typed.braces": "Expected values in braces after 'in'. Example: {column} in {{{category}}} go left.",
        "typed.comma": "Expected a comma between values and '}}' after the last value.",
        "typed.grouped_category": "{category!r} belongs to the group {group!r}. Use the group.",
        "typed.rare_category": "{category!r} is too rare to be a feature. Use a more frequent value.",
        "typed.near_category": "Unknown value {category!r} of {column!r}. Did you mean {near:or}?",
        "typed.no_category": "Unknown value {category!r} of {column!r}. Use one of {known:literals}.",
        "typed.open_quote": "The quote {quote} has no closing quote.",
        "typed.no_feature": "Expected a feature or a number.",
        "typed.parentheses": "Parentheses are not supported. Write the sum without them.",
        "typed.no_level": "Unknown level {level!r}. Levels from low to high: {levels:literals}.",
        "typed.short_year": "Write the year in {date} with four digits.",
        "typed.date_in_two_ways": "{date} is ambiguous. Write year-month-day.",
        "typed.no_date": "{date} is not a date: {reason}.",
        "typed.date.year": "expected a year from 1 to 9999",
        "typed.date.month": "month {month} does not exist",
        "typed.date.day": "{month} {year} has days 1 to {last}, not {day}",
        "typed.date.hour": "expected a time from 00:00 to 23:59",
        "typed.parentheses_of_missing": "Use parentheses around 'or missing' only.",
        "typed.no_missing": "The tree was trained without missing values. Remove 'or missing'.",
        "typed.no_side": "Expected 'go left' or 'go right' at the end.",
        "typed.goes_on": "Unexpected text after the rule. Remove {rest}.",
        "typed.no_comparison": "Expected <, <=, > or >=.",
        "typed.comparison_of_number": (
            "'{comparison}' applies to columns of categories. Compare numbers with <, <=, > or >=."
        ),
        "typed.two_comparisons": "A node supports one comparison. Use two nodes for two comparisons.",
        "typed.division_by_feature": "Division by a feature is not supported. Multiply both sides first: a >= 2 * b.",
        "typed.product": "Products of features are not supported. Use a weighted sum of features.",
        "typed.division_by_zero": "Division by 0.",
        "typed.too_large": "A number in the rule exceeds {most:g}. Use smaller numbers.",
        "typed.too_small": "A number in the rule is too small and would become 0. Use larger numbers.",
        "typed.no_feature_left": "The rule has no feature. Example: if age < 18 go left.",
        "typed.at_end": "{message} (At the end.)",
        "typed.at_character": "{message} (At character {character}, before {rest}.)",
        "unknown_node": "The tree has no node {node!r}.",
        "digits.few": "few digits",
        "digits.number": "{n:count significant digit}",
        "digits.changed": (
            "With {digits}, the rules and the tree predict {n_changed} of {n_rows} rows differently. Use more digits."
        ),
        "digits.empty": "With {digits}, the two limits of {rule} are equal.",
        "digits.empty_and_others": "With {digits}, the two limits of {rule} (and of {n_others} others) are equal.",
        "digits.both": "{changed} {emptied}",
        "no_else_if": (
            "These {n_rules} rules have no IF, ELSE IF form, because a decision node of the tree has no "
            "leaf as a child. Use to_text."
        ),
        "labels_without_rows": "y was passed without X. Pass the rows that have these labels as X.",
        "groups": (
            "groups contains {group}, but the tree has {n_features} features. Use ranges of its features,"
            " and name the features."
        ),
    },
)
