"""Measure the speed and quality of the engine: ``python -m benchmarks.speed`` and ``python -m benchmarks.quality``.

The commands print a table and write every raw number to ``benchmarks/results/*.json``. Missed targets are marked; they
are not errors. Benchmark data sets (``NAME.npz``) are in the folder that the environment variable TREECORE_DATA names.
"""
