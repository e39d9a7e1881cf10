"""Numbers among texts, written with a point: who takes such a column as numbers later knows nothing of its file."""

import pandas

from sample_data.user_data.values import NumberStyle

_LEAST = 0.5  # share of the values that are numbers; else the column is of texts indeed


def plain_numbers(values: pandas.Series, style: NumberStyle) -> pandas.Series:
    """Return the texts with those that are numbers in the style of their file (1.100,5) rewritten (1100.5).

    As they are where numbers are written with a point anyway, or fewer than half of the texts are numbers.
    """
    if style.decimal == "." and not (style.grouped or style.sign):
        return values
    codes, uniques = values.factorize(use_na_sentinel=True)
    texts = [str(text).strip() for text in uniques]
    are_numbers = [style.is_number(text) for text in texts]
    counts = pandas.Series(codes[codes >= 0]).value_counts()
    n_numbers = sum(int(counts.get(code, 0)) for code, is_number in enumerate(are_numbers) if is_number)
    if n_numbers < max(_LEAST * int(counts.sum()), 1):
        return values
    plain = [_plain(text, style) if is_number else text for text, is_number in zip(texts, are_numbers, strict=True)]
    return pandas.Series([None if code < 0 else plain[code] for code in codes], dtype="str", name=values.name)


def _plain(text, style):
    text = text.replace(style.sign, "", 1).strip() if style.sign else text
    for mark in {".", ",", " ", "'"} - {style.decimal}:
        text = text.replace(mark, "") if style.grouped else text
    return text.replace(style.decimal, ".")
