"""Small words for messages."""

from collections.abc import Sequence


def counted(number: int, noun: str) -> str:
    """Return "1 row", "1,200 rows", "2 classes", "3 leaves"."""
    if number == 1:
        return f"1 {noun}"
    several = noun[:-1] + "ves" if noun.endswith("f") else noun + ("es" if noun.endswith("s") else "s")
    return f"{number:,} {several}"


def listed(names: Sequence[str], most: int = 5) -> str:
    """Return names in quotation marks, the first few of many."""
    shown = ", ".join(f"'{str(name)[:60]}'" for name in names[:most])
    return shown + (f" and {len(names) - most:,} more" if len(names) > most else "")
