"""What the worker can be asked for, one class for each kind of job.

A task has `total` results; `train(on_step, on_result)` makes them and may be stopped by a true answer; `record(result)`
is what is written of one, and `news(result)` what the visitor is told of it.
"""

from pages.jobs.comparison_task import ComparisonTask
from pages.jobs.path_task import PathTask
from pages.jobs.phase_task import PhaseTask
from pages.jobs.tree_task import TreeTask

TASKS = {"path": PathTask, "tree": TreeTask, "phase": PhaseTask, "comparison": ComparisonTask}
