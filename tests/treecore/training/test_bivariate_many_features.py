"""500 features are 124,750 pairs: bounded memory, steps that come, and a fit that stops when it is asked to."""

import subprocess
import sys

import numpy as np
import pytest

from treecore import TAOClassifier

MEMORY = """
import resource
import numpy as np
from treecore import TAOClassifier
rng = np.random.default_rng(0)
for d in (5, 500):
    X = rng.standard_normal((600, d))
    y = (X[:, 0] > X[:, -1]).astype(int)
    model = TAOClassifier(split="bivariate", init="cart", max_depth=3, max_iter=2, lam=2.0, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.97, model.score(X, y)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.fixture
def wide(rng):
    X = rng.standard_normal((600, 500))
    return X, (X[:, 3] + X[:, 77] > 0).astype(int)


def test_memory_does_not_grow_with_the_pairs_times_the_rows():
    done = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True)
    few, many = map(int, done.stdout.split())  # the most so far
    # a copy of the 600 x 124,750 pairs alone would be 600 MB
    assert (many - few) / 1024 < 80


def test_the_right_pair_is_found_among_all(wide):
    X, y = wide
    model = TAOClassifier(split="bivariate", init="cart", max_depth=1, lam=2.0, random_state=0).fit(X, y)
    assert model.tree_.split(0)[0].tolist() == [3, 77]
    assert model.score(X, y) > 0.99


def test_steps_come_and_a_true_answer_stops_the_fit(wide):
    X, y = wide
    seen = []

    def stop(step):
        seen.append(step)
        return len(seen) == 2

    model = TAOClassifier(split="bivariate", init="cart", lam=0.5, random_state=0, callback=stop).fit(X, y)
    assert len(seen) == 2
    assert model.tree_.n_nodes >= 1
    assert np.isin(model.predict(X), [0, 1]).all()
