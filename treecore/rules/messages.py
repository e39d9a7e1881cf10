"""Sentences of errors of `treecore.rules`."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "rules",
    {
        "typed.not_a_text": "A rule is a text",
        "typed.too_long": "The rule has {n_characters} characters; at most {most} are read",
        "typed.empty": "There is no rule; type one, such as: if age < 18 go left",
        "typed.column_of_categories": "{column!r} is a column of categories; write it as: {example}",
        "typed.thousands": "{number} can be read in two ways; write {whole}{decimals} or {whole}.{decimals}",
        "typed.near_feature": "There is no feature {feature!r}. Did you mean {near:or}?",
        "typed.capitals": "There is no feature {feature!r}. Its capitals matter",
        "typed.unknown_feature": "There is no feature {feature!r}. There are {names:literals 5}",
        "typed.infinite": "This number is larger than computers can hold; use a smaller one",
        "typed.comparison_of_category": "After a column of categories '=' or '!=' is needed, such as: {example}",
        "typed.braces": "After 'in' values in braces are needed, such as: {column} in {{{category}}} go left",
        "typed.comma": "Between values a comma is needed, and '}}' after the last",
        "typed.grouped_category": "{category!r} is one of {group!r}: ask for that",
        "typed.rare_category": "{category!r} is too rare to be a feature of its own, so a rule cannot ask for it",
        "typed.near_category": "{column!r} has no value {category!r}. Did you mean {near:or}?",
        "typed.no_category": "{column!r} has no value {category!r}. It has {known:literals}",
        "typed.open_quote": "The quote {quote} that begins here does not end",
        "typed.no_feature": "Here a feature or a number is needed",
        "typed.parentheses": "Parentheses are not read; write the sum out",
        "typed.no_level": "There is no level {level!r}; from low to high there are {levels:literals}",
        "typed.short_year": "Write the year of {date} with four digits",
        "typed.date_in_two_ways": "{date} can be read in two ways; write year-month-day",
        "typed.no_date": "{date} is no date: {reason}",
        "typed.date.year": "years run from 1 to 9999",
        "typed.date.month": "there is no month {month}",
        "typed.date.day": "{month} {year} has the days 1 to {last}, not {day}",
        "typed.date.hour": "a day has 24 hours of 60 minutes",
        "typed.parentheses_of_missing": "Parentheses stand around 'or missing' only",
        "typed.no_missing": "The tree was trained without missing values, so no row lacks one: leave out 'or missing'",
        "typed.no_side": "Say where such rows go: end with 'go left' or 'go right'",
        "typed.goes_on": "The rule is complete before {rest}; leave that out",
        "typed.no_comparison": "Here a comparison is needed: <, <=, > or >=",
        "typed.comparison_of_number": (
            "'{comparison}' is for columns of categories; a number is compared by <, <=, > or >="
        ),
        "typed.two_comparisons": "A node has one comparison; make two nodes of two",
        "typed.division_by_feature": "A feature cannot be divided by; multiply both sides first",
        "typed.product": "Two features cannot be multiplied: a decision is a weighted sum of features",
        "typed.division_by_zero": "Division by 0",
        "typed.too_large": "A number of the rule becomes larger than {most:g}; use smaller ones",
        "typed.too_small": "A number of the rule becomes so small that it is 0; use larger ones",
        "typed.no_feature_left": "No feature is left in the rule; a decision needs one, such as: if age < 18 go left",
        "typed.at_end": "{message} (at the end).",
        "typed.at_character": "{message} (at character {character}, before {rest}).",
        "unknown_node": "The tree has no node {node!r}.",
        "digits.few": "few digits",
        "digits.number": "{n:count significant digit}",
        "digits.changed": (
            "With {digits} the rules predict {n_changed} of {n_rows} rows otherwise than the tree; use more digits."
        ),
        "digits.empty": "With {digits} the limits of {rule} fall together.",
        "digits.empty_and_others": "With {digits} the limits of {rule} fall together (and of {n_others} others).",
        "digits.both": "{changed} {emptied}",
        "no_else_if": (
            "The tree of these {n_rules} rules has a decision without a leaf below it, so it has no IF, ELSE IF form; "
            "use to_text."
        ),
        "labels_without_rows": "y is given without X; give the rows that belong to these labels.",
        "groups": "groups has {group}, but the tree has {n_features} features (and needs their names).",
    },
)
