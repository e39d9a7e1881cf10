"""Check boxes of surveys: a column that holds one answer, such as "Corn", or nothing."""

import pandas

BLANK = "(blank)"
_LEAST_ROWS, _LEAST_SHARE = 10, 0.05  # of a table; of the rows with, and of those without the answer


def fill_check_boxes(frame: pandas.DataFrame, notes: list[str]) -> pandas.DataFrame:
    """Return a table whose check boxes have "(blank)" as their other answer; `notes` gets their names."""
    found = [str(name) for name in frame.columns if _is_check_box(frame[name])]
    if not found:
        return frame
    filled = {name: frame[name].cat.add_categories([BLANK]).fillna(BLANK) for name in found}
    shown = ", ".join(f"'{name[:40]}'" for name in found[:4]) + (f" and {len(found) - 4} more" if found[4:] else "")
    notes.append(f"no value is the other answer of {shown}")
    return frame.assign(**filled)


def _is_check_box(values):
    if not isinstance(values.dtype, pandas.CategoricalDtype) or len(values.cat.categories) != 1:
        return False
    share = float(values.notna().mean())
    return len(values) >= _LEAST_ROWS and _LEAST_SHARE <= share <= 1 - _LEAST_SHARE
