"""Read the bytes of viz/payload/stage_payload.py in Python, independently of the browser's reader."""

import json
import zlib
from dataclasses import dataclass

import numpy as np

from viz.payload.payload_fields import FIELDS

DTYPES = {"u8": "<u1", "i8": "<i1", "u16": "<u2", "i16": "<i2", "u32": "<u4", "i32": "<i4", "f32": "<f4", "f64": "<f8"}


@dataclass(frozen=True)
class Payload:
    """A decoded payload.

    header : dict; arrays : dict of name to array, in which every node of every tree has its content.
    """

    header: dict
    arrays: dict

    def __getitem__(self, name):
        return self.arrays[name]

    @property
    def n_trees(self):
        """Return the number of trees."""
        return self["node_start"].size - 1

    def tree(self, index):
        """Return a dict of one tree's arrays. `features` number all features; children are -1 in a leaf."""
        nodes = slice(int(self["node_start"][index]), int(self["node_start"][index + 1]))
        before = int(self["n_weights"][: nodes.start].sum(dtype=np.int64))
        n_weights = self["n_weights"][nodes].astype(np.int64)
        weights = slice(before, before + int(n_weights.sum()))
        return {
            "left": _children(self["left"][nodes]),
            "right": _children(self["right"][nodes]),
            "origin": self["origin"][nodes],
            "label": self["label"][nodes],
            "bias": self["bias"][nodes],
            "indptr": np.cumsum([0, *n_weights]),
            "features": self["columns"][self["feature"][weights]],
            "weights": self["weight"][weights],
        }

    def leaf_counts(self, index, part):
        """Return the class counts of one tree's leaves in the set number `part`, int[leaves, classes]."""
        is_leaf = self["left"] == 0
        start, stop = (int(at) for at in self["node_start"][index : index + 2])
        table = self[f"counts_{part}"].reshape(-1, len(self.header["target"]["groups"]))
        return table[is_leaf[:start].sum() : is_leaf[:stop].sum()]

    def sample(self):
        """Return the sample, [rows, sent features], in the dtype of the payload."""
        return self["sample_X"].reshape(self["columns"].size, -1).T


def _children(distances):
    """Return the children of the nodes of one tree, -1 for leaves."""
    return np.where(distances == 0, -1, np.arange(distances.size) + distances)


def _each_node(header, arrays):
    """Return the arrays with the content of each node, although several nodes may share it."""
    left = arrays["left"]
    content = arrays.get("content", np.arange(left.size))
    n = arrays["origin"].size
    is_leaf = np.zeros(n, int)
    is_leaf[content[left == 0]] = 1
    sizes = {"content": np.ones(n, int), "leaf": is_leaf, "weight": arrays["n_weights"]}
    sizes["term"] = arrays.get("linear_n", np.zeros(n, int))
    target, found = header["target"], dict(arrays)
    times = {"": 1, "group": len(target["groups"]), "score": len(target["groups"]) if target["edges"] is None else 1}
    for field in FIELDS.values():
        for name in [f"{field.name}_{i}" for i in range(len(header["sets"]))] if field.by_set else [field.name]:
            if field.per in sizes and name in arrays:
                ends = np.cumsum(sizes[field.per].astype(int) * times[field.times])
                parts = np.split(arrays[name], ends[:-1])
                found[name] = np.concatenate([parts[i] for i in content])
    return found


def decoded(block):
    """Return the `Payload` of the bytes of `stage_payload`."""
    raw = zlib.decompress(block)
    length = int(np.frombuffer(raw, "<u4", 1)[0])
    header = json.loads(raw[4 : 4 + length].decode("utf-8"))
    start = 4 + length
    assert start % 8 == 0
    arrays = {}
    for name, (dtype, offset, size) in header["arrays"].items():
        assert offset % 8 == 0
        arrays[name] = np.frombuffer(raw, DTYPES[dtype], size, start + offset)
    return Payload(header, _each_node(header, arrays))
