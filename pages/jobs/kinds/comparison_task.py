"""The task of a comparison."""

from collections.abc import Callable, Iterator
from typing import Any

from pages.jobs.kinds.comparison_protocol import SHOWN_FOLD, plan
from pages.jobs.settings import ComparisonSettings
from sample_data import DataSet
from treecore.comparison.evaluation import evaluate
from treecore.training.tao import TrainingStep
from viz.nodes.category_columns import grouped_columns


class ComparisonTask:
    """Train and test one method on one fold."""

    is_whole = True

    def __init__(self, request: dict[str, Any], data: DataSet) -> None:
        values = {name: value for name, value in request.items() if name != "kind"}
        values |= {"methods": tuple(request["methods"])}
        self.chosen, self.data = ComparisonSettings(**values), data
        self.plan = plan(self.chosen, data)
        self.on_step: Callable[[TrainingStep], None] = lambda step: None

    def results(self, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the record of the method arguments["method"] on the fold arguments["fold"]."""
        chosen, fold = self.chosen, arguments["fold"]
        method = next(method for method in self.plan.methods if method.name == arguments["method"])
        cell = evaluate(
            method, self.data.X, self.plan.y, self.plan.target, self.plan.folds[fold], fold, chosen.inner, chosen.rule,
            chosen.seed + fold, chosen.limit, fold <= SHOWN_FOLD, self.data.dependence,
            grouped_columns(self.data),
        )  # fmt: skip
        yield {"index": arguments["index"]} | cell.to_dict()
