"""Compute the stored values of the general statements of lessons.

`python -m pages.ui.learn.fresh_values NAME ...` computes them for these claims, or for all claims.
"""

import json
import math
import sys
from collections.abc import Sequence

from pages.ui.learn import lessons
from pages.ui.learn.lessons.fresh import FILE, FIRST, stored

DIGITS = 6  # significant digits of the stored values


def _rounded(value: float) -> float | None:
    return None if math.isnan(value) else float(f"{value:.{DIGITS}g}")


def main(names: Sequence[str]) -> None:
    """Compute the stored values of some claims, or of all, and write them."""
    records = {name: record for name, record in stored().items() if name in lessons.CLAIMS}
    for name in names or lessons.CLAIMS:
        slug, claim = lessons.CLAIMS[name]
        values = claim.check(range(FIRST, FIRST + claim.n_draws)).values
        draws = [[_rounded(one) for one in row] for row in values.tolist()]
        own = records.get(name, {}).get("own", 0.0)
        records[name] = {"own": own, "draws": draws}
        _write(records)
        stored.cache_clear()  # the lesson takes its numbers from the new values
        records[name]["own"] = _rounded(claim.own(lessons.build(slug)))
    _write(records)


def _write(records: dict) -> None:
    lines = (f"{json.dumps(name)}: {json.dumps(records[name])}" for name in lessons.CLAIMS if name in records)
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
