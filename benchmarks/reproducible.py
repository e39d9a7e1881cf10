"""Compare trees of one seed on different processors: ``python -m benchmarks.reproducible [--quick] [--fits NAME ...]``.

A process of its own trains all fits for each setting. The settings limit the instructions that OpenBLAS, numba, NumPy
and the C library use to those of another processor. Training data come from one file, so that only training can differ.
The script counts the fits whose trees are identical to those of the default setting, in structure and to the last bit.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import sample_data
from benchmarks.common import heading, table, verdict, write_json
from treecore import TAOClassifier, TAORegressor, regularization_path

NO_AVX = {"NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL"}
LIBM = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-AVX,-FMA,-FMA4,-AVX512F"}
SETTINGS = {
    "default": {},
    "again": {},
    "OpenBLAS Prescott": {"OPENBLAS_CORETYPE": "Prescott"},
    "OpenBLAS Nehalem": {"OPENBLAS_CORETYPE": "Nehalem"},
    "OpenBLAS Haswell": {"OPENBLAS_CORETYPE": "Haswell"},
    "OpenBLAS SkylakeX": {"OPENBLAS_CORETYPE": "SkylakeX"},
    "numba generic": {"NUMBA_CPU_NAME": "generic"},
    "numba Haswell": {"NUMBA_CPU_NAME": "haswell"},
    "NumPy without AVX": NO_AVX,
    "C library without AVX": LIBM,
    "all without AVX": {"OPENBLAS_CORETYPE": "Nehalem", "NUMBA_CPU_NAME": "generic"} | NO_AVX | LIBM,
}
QUICK = ("default", "all without AVX")
SEED = {"random_state": 0, "n_jobs": 1}
# name: (data set, parameters, number of lambdas of a path or 0)
FITS = {
    "univariate digits": ("digits", {"split": "univariate", "init": "cart", "lam": 2.0}, 0),
    "univariate segment, path": ("segment", {"split": "univariate", "init": "cart"}, 8),
    "univariate breast-cancer, refine": ("breast-cancer", {"split": "univariate", "refine": 2}, 0),
    "univariate airfoil": ("airfoil", {"split": "univariate", "init": "cart", "lam": 50.0}, 0),
    "univariate abalone, random": ("abalone", {"split": "univariate", "init": "random", "lam": 20.0}, 0),
    "oblique digits": ("digits", {"max_depth": 6}, 0),
    "oblique breast-cancer, path": ("breast-cancer", {}, 8),
    "oblique segment, hinge": ("segment", {"surrogate": "squared_hinge", "max_depth": 6}, 0),
    "oblique mnist-5k": ("mnist-5k", {"max_depth": 4, "max_iter": 6}, 0),
    "oblique airfoil": ("airfoil", {"max_depth": 5, "lam": 20.0}, 0),
    "oblique abalone, OC1": ("abalone", {"init": "oblique_cart", "max_depth": 4, "lam": 10.0}, 0),
    "bivariate segment": ("segment", {"split": "bivariate", "init": "cart", "lam": 2.0}, 0),
    "bivariate breast-cancer, lines": ("breast-cancer", {"split": "bivariate", "init": "bivariate_cart"}, 0),
    "bivariate airfoil": ("airfoil", {"split": "bivariate", "init": "cart", "lam": 100.0, "max_depth": 6}, 0),
    "linear leaves digits": ("digits", {"leaf": "linear", "max_depth": 2, "lam": 3.0}, 0),
    "linear leaves segment": ("segment", {"leaf": "linear", "split": "univariate", "max_depth": 3}, 0),
    "linear leaves airfoil": ("airfoil", {"leaf": "linear", "max_depth": 2, "lam": 10.0}, 0),
}


def save_data(folder):
    """Write the arrays of all data sets into a folder."""
    for name in {fit[0] for fit in FITS.values()}:
        data = sample_data.load(name)
        np.savez(folder / name, X=data.X, y=data.y, classes=data.n_classes)


def trees(folder, names):
    """Train the fits and return {name: [hash of the structures, hash of all numbers]}."""
    found = {}
    for name in names:
        data_name, parameters, n_lams = FITS[name]
        with np.load(folder / f"{data_name}.npz") as arrays:
            X, y, kind = arrays["X"], arrays["y"], TAOClassifier if arrays["classes"] else TAORegressor
        model = kind(**SEED, **parameters)
        points = regularization_path(model, X, y, n_lams).points if n_lams else [model.fit(X, y)]
        found[name] = _hashes([one.tree if n_lams else one.tree_ for one in points])
    return found


def _hashes(grown):
    structure, numbers = hashlib.sha256(), hashlib.sha256()
    for tree in grown:
        for array in (tree.left, tree.right, tree.indptr, tree.features):
            structure.update(np.ascontiguousarray(array).tobytes())
        for array in (tree.weights, tree.bias, tree.values, tree.labels):
            numbers.update(np.ascontiguousarray(array).tobytes())
        if not tree.leaf_model.is_constant:
            for part in (tree.leaf_model.weights, tree.leaf_model.bias):
                numbers.update(np.ascontiguousarray(part).tobytes())
    return [structure.hexdigest(), structure.hexdigest() + numbers.hexdigest()]


def _in_process(setting, folder, names):
    command = [sys.executable, "-m", "benchmarks.reproducible", "--train", str(folder), "--fits", *names]
    ran = subprocess.run(
        command, env=os.environ | SETTINGS[setting], stdout=subprocess.PIPE, check=True, cwd=Path(__file__).parents[1]
    )
    return json.loads(ran.stdout)


def main(arguments=None):
    """Train all fits under all settings, print the table and write the JSON file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reproducible", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help=f"only the settings {' and '.join(QUICK)}")
    parser.add_argument("--fits", nargs="+", choices=list(FITS), default=list(FITS), metavar="NAME")
    parser.add_argument("--settings", nargs="+", choices=list(SETTINGS), metavar="NAME")
    parser.add_argument("--train", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.train:
        print(json.dumps(trees(options.train, options.fits)))
        return 0
    settings = options.settings or (QUICK if options.quick else SETTINGS)
    with tempfile.TemporaryDirectory() as folder:
        save_data(Path(folder))
        found = {name: _in_process(name, folder, options.fits) for name in {"default": 0} | dict.fromkeys(settings)}
    rows, usual = [], found["default"]
    for name, grown in found.items():
        other = [fit for fit in usual if grown[fit][1] != usual[fit][1]]
        shape = [fit for fit in usual if grown[fit][0] != usual[fit][0]]
        same = len(usual) - len(other)
        shown = "; ".join(fit + (" (structure)" if fit in shape else "") for fit in other)
        rows.append([name, f"{same} of {len(usual)}", verdict(len(other), 0), shown])
    print(heading("The same tree under settings of other processors"))
    print(table(["setting", "identical trees", "all", "different"], rows, left=(0, 3)))
    part = None if len(settings) == len(SETTINGS) and len(options.fits) == len(FITS) else "part"
    print(f"raw hashes: {write_json('reproducible', {'trees': found}, part)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
