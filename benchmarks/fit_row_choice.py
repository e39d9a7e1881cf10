"""Fit the weights of `sample_data.user_data.proposed_split` to tables with known groups and times.

    python -m benchmarks.fit_row_choice [LABELS.jsonl ...] [--write]

Each line of the labels is a JSON object with "file" (path, relative to the labels), "targets", "groups" (names of the
columns that identify repeated units, or null) and "time" (one or several columns that order the rows, or null).
`target_labels.jsonl` and `rdatasets_labels.jsonl` contain such labels. The program prints the errors of a ten-fold
cross-validation over tables.
"""

import argparse
import json
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import numpy as np

from benchmarks.fit_target_choice import LABELS, RDATASETS_LABELS, archived, fit, packaged
from sample_data.user_data import read, summarise
from sample_data.user_data.proposed_split import MODEL, NONE, SURE, features, find_dependence
from sample_data.user_data.time_order import RowEvidence

_FOLDS = 10


def tables_of(path: Path, content: Callable[[str], bytes] | None = None) -> list[dict]:
    """Return the choices, features and right places of all tables with labels.

    content : function that returns the content of a file; by default, files are next to the labels.
    """
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        label = json.loads(line)
        file = Path(label["file"])
        table = read(content(label["file"]) if content else (path.resolve().parent / file).read_bytes(), file.name)
        summaries = summarise(table)
        full = {s.name.split(" (")[0]: s.name for s in summaries} | {s.name: s.name for s in summaries}
        target = next((full[name] for name in label["targets"] if name in full), "")
        times = label["time"] if isinstance(label["time"], list) else [label["time"]]
        known = {(full.get(name), "group") for name in label["groups"] or []}
        known |= {(full.get(name), "time") for name in times}
        rows = features(RowEvidence(table.frame, summaries), target)
        depends = bool(label["groups"] or label["time"])
        right = [k for k, choice in enumerate(rows) if choice in known] if depends else [list(rows).index(NONE)]
        by_rules = find_dependence(table.frame, summaries, target, by_model=False).by
        found.append({"rows": list(rows.values()), "none": list(rows).index(NONE), "right": right, "depends": depends,
                      "by_rules": bool(by_rules)})  # fmt: skip
    return with_matrices(found)


def with_matrices(tables: list[dict]) -> list[dict]:
    """Return the tables with matrices of their features, in the same order for all of them."""
    keys = list(dict.fromkeys(key for table in tables for row in table["rows"] for key in row))
    for table in tables:
        table |= {"keys": keys, "x": np.array([[row.get(key, 0.0) for key in keys] for row in table["rows"]])}
    return tables


def judged(table: dict, weights: np.ndarray) -> str:
    """Return "right", "wrong" or "" for the choice of a table, "" if it is not sure."""
    scores = table["x"] @ weights
    shares = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
    if 1 - shares[table["none"]] < SURE:
        return ""
    shares[table["none"]] = -1
    return "right" if int(shares.argmax()) in table["right"] else "wrong"


def main() -> None:
    """Fit, cross-validate and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labels", type=Path, nargs="*", help="labels of further tables")
    parser.add_argument("--penalty", type=float, default=0.5)
    parser.add_argument("--write", action="store_true", help="write the weights to row_model.json")
    options = parser.parse_args()
    known = [*tables_of(LABELS, archived()), *tables_of(RDATASETS_LABELS, packaged())]
    tables = with_matrices([*known, *chain.from_iterable(map(tables_of, options.labels))])
    order = np.random.default_rng(0).permutation(len(tables))
    usable = [k for k in order if tables[k]["right"]]
    found = {}
    for fold in range(_FOLDS):
        part = set(order[fold::_FOLDS])
        weights = fit([tables[k] for k in usable if k not in part], options.penalty)
        found |= {k: judged(tables[k], weights) for k in part}
    depends = [k for k in found if tables[k]["depends"]]
    silent = [k for k in depends if not tables[k]["by_rules"]]
    free = [k for k in found if not tables[k]["depends"]]
    right = [sum(found[k] == "right" for k in part) for part in (depends, silent)]
    print(f"cross-validation: the model alone is right for {right[0]} of {len(depends)} dependent tables, "
          f"and for {right[1]} of {len(silent)} without a rule; "
          f"it proposes a split for {sum(bool(found[k]) for k in free)} of {len(free)} others")  # fmt: skip
    if options.write:
        weights = fit([tables[k] for k in usable], options.penalty)
        model = json.loads(MODEL.read_text(encoding="utf-8"))
        named = dict(zip(tables[0]["keys"], np.round(weights, 3).tolist(), strict=True))
        model |= {"n_tables": len(tables), "weights": dict(sorted(named.items(), key=lambda pair: -abs(pair[1])))}
        MODEL.write_text(json.dumps(model, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
