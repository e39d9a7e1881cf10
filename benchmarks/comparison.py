"""Time the default comparison with new processes: ``python -m benchmarks.comparison``.

The comparison has four methods and five folds on breast cancer. The script reports the seconds from the call to the
complete result. Every repetition starts new processes and loads the compiled kernels again. One fit of scikit-learn's
tree in the same run is the reference.
"""

import sys
import time

import numpy as np
from joblib.externals.loky import get_reusable_executor
from sklearn.tree import DecisionTreeClassifier

import sample_data
from benchmarks.common import heading, table, write_json
from treecore.comparison import compare

LIMIT = 20.0  # seconds
REPETITIONS = 3


def main():
    """Measure, print the table and write the JSON file."""
    data = sample_data.load("breast-cancer")
    y = data.labels()
    seconds, cart = [], []
    for _ in range(REPETITIONS):
        began = time.perf_counter()
        DecisionTreeClassifier(random_state=0).fit(data.X, y)
        cart.append(time.perf_counter() - began)
        began = time.perf_counter()
        found = compare(data.X, y)
        seconds.append(time.perf_counter() - began)
        get_reusable_executor().shutdown(wait=True)
    middle = float(np.median(seconds))
    print(heading("Default comparison: 4 methods, 5 folds, breast cancer"))
    row = ("breast-cancer", f"{middle:.1f}", f"{min(seconds):.1f} to {max(seconds):.1f}", f"{LIMIT:g}",
           f"{middle / np.median(cart):.0f} x", "met" if middle <= LIMIT else "MISSED")  # fmt: skip
    print(table(("set", "seconds", "range", "limit", "one CART fit", ""), [row]))
    print(found.summary().to_string())
    print(f"raw numbers: {write_json('comparison', {'seconds': seconds, 'cart': cart})}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
