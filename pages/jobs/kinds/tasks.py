"""List the tasks of a worker, one class for each kind of job.

A task is made from a request (settings as a dict) and a DataSet. `results(arguments)` yields the records of one piece,
each with its `index`. If a task `is_whole`, it cannot pause between two records.
"""

from pages.jobs.kinds.all_rows_task import AllRowsTask
from pages.jobs.kinds.alternatives_task import AlternativesTask
from pages.jobs.kinds.comparison_task import ComparisonTask
from pages.jobs.kinds.folds_task import FoldsTask
from pages.jobs.kinds.gap_task import GapTask
from pages.jobs.kinds.improvement_task import ImprovementTask
from pages.jobs.kinds.path_task import PathTask
from pages.jobs.kinds.phase_task import PhaseTask
from pages.jobs.kinds.reference_task import ReferenceTask
from pages.jobs.kinds.sample_curve_task import SampleCurveTask
from pages.jobs.kinds.tree_task import TreeTask

Task = (
    PathTask | TreeTask | ImprovementTask | PhaseTask | ComparisonTask | FoldsTask | ReferenceTask | AlternativesTask
    | GapTask | AllRowsTask | SampleCurveTask
)  # fmt: skip

TASKS: dict[str, type[Task]] = {
    "path": PathTask, "tree": TreeTask, "improvement": ImprovementTask, "phase": PhaseTask,
    "comparison": ComparisonTask, "folds": FoldsTask, "reference": ReferenceTask,
    "alternatives": AlternativesTask, "gap": GapTask,
    "all_rows": AllRowsTask, "sample_curve": SampleCurveTask,
}  # fmt: skip
