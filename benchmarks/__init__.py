"""Speed and quality tables of the engine: ``python -m benchmarks.speed`` and ``python -m benchmarks.quality``.

They print a table and write every raw number to ``benchmarks/results/*.json``. Missed targets are marked, not errors.
Benchmark sets are looked for in the folder that the environment variable TREECORE_DATA names (``NAME.npz``).
"""
