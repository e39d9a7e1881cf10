"""Rewrite numbers among texts with a decimal point, so that later readers need not know the file's style."""

import pandas

from sample_data.user_data.values import NumberStyle

_LEAST = 0.5  # smallest share of numbers; otherwise the column contains texts


def plain_numbers(values: pandas.Series, style: NumberStyle) -> pandas.Series:
    """Return the texts with numbers rewritten from the style of the file (1.100,5) to a decimal point (1100.5).

    The texts stay unchanged if the style has a decimal point, or if fewer than half of the texts are numbers.
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
