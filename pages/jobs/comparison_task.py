"""The job of a comparison."""

from pages.jobs import comparison_cells
from pages.jobs.comparison_protocol import SHOWN_FOLD, plan
from pages.jobs.settings import ComparisonSettings
from pages.jobs.task_data import task_data
from treecore.comparison.comparison import compare


class ComparisonTask:
    """A comparison of methods; what it has in common with earlier ones is not trained again."""

    def __init__(self, request):
        values = {name: value for name, value in request.items() if name != "kind"}
        self.chosen = ComparisonSettings(**values | {"methods": tuple(request["methods"])})
        self.data = task_data(self.chosen.data_set)
        self.plan = plan(self.chosen, self.data)
        self.total = len(self.plan.methods) * len(self.plan.folds)
        self.titles = {method.name: method.title for method in self.plan.methods}

    def train(self, on_step, on_result):
        """Train and test every method on every fold; `on_result` hears of each `Cell` and may stop it."""
        chosen, known = self.chosen, comparison_cells.Store(self.chosen, self.data.fingerprint)
        cells = known.saved(self.plan)
        if any([on_result(cell) for cell in cells]):
            return

        def on_cell(cell):
            known.save(cell)
            return on_result(cell)

        compare(
            self.data.X, self.plan.y, self.plan.methods, self.plan.cv, chosen.inner, chosen.rule, chosen.seed,
            chosen.limit, on_cell=on_cell, cells=cells, keep_paths=SHOWN_FOLD + 1,
        )  # fmt: skip

    def record(self, cell):
        """The `Cell`."""
        return cell.to_dict()

    def news(self, cell):
        """Method, fold and error of the last cell."""
        error = None if cell.test_error is None else self.data.target.error_text(cell.test_error)
        return {"last": f"{self.titles[cell.method]}, part {cell.fold + 1}", "error": error}
