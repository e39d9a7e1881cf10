"""Test that changed texts keep the stamps of the code, and that a changed computation changes them."""

import shutil

import pytest

from pages.jobs import code_stamp, job_files
from pages.jobs.kinds.plans import PLANS
from pages.jobs.kinds.tasks import TASKS

PATH, COMPARISON = (TASKS[kind].__module__ for kind in ("path", "comparison"))


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """Return (folder with a copy of the project, its stamps)."""
    root = tmp_path_factory.mktemp("project")
    for package in code_stamp.PACKAGES:
        shutil.copytree(
            code_stamp.ROOT / package,
            root / package,
            ignore=lambda _, names: [one for one in names if "." in one and not one.endswith(".py")],
        )
    return root, stamps(root)


def stamps(root):
    """Return {kind of job: stamp of its code}."""
    return {kind: code_stamp.code_stamp(TASKS[kind].__module__, root=root) for kind in TASKS}


@pytest.fixture
def changed(copy, monkeypatch):
    """Return a function that changes a text in the copy, and returns the kinds of jobs whose stamps changed."""
    root, before = copy
    read = code_stamp._read

    def changed(name, old, new):
        module = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        # Every other module is unchanged.
        monkeypatch.setattr(
            code_stamp, "_read", lambda root, one: (read.__wrapped__ if one == module else read)(root, one)
        )
        source = (root / name).read_text(encoding="utf-8")
        assert old in source
        try:
            (root / name).write_text(source.replace(old, new), encoding="utf-8")
            after = stamps(root)
        finally:
            (root / name).write_text(source, encoding="utf-8")
        return {kind for kind in TASKS if before[kind] != after[kind]}

    return changed


ALL = {
    "all_rows", "alternatives", "comparison", "folds", "gap", "improvement", "path", "phase", "reference",
    "sample_curve", "tree",
}  # fmt: skip
TREES = ALL - {"comparison"}


@pytest.mark.parametrize(
    ("name", "old", "new", "kinds"),
    [
        ("treecore/training/tao.py", "self.max_iter + 1", "self.max_iter + 2", ALL),
        ("treecore/node_solvers/l1_kernels.py", "0.5", "0.25", ALL),
        ("treecore/node_solvers/pair_kernels.py", "1", "2", ALL),
        ("sample_data/splits.py", 'kind="stable"', 'kind="quicksort"', TREES),
        ("pages/jobs/row_split.py", "0.15", "0.25", TREES),
        ("treecore/training/phase.py", "lams", "values", {"phase"}),
        ("treecore/baselines/c50/growth.py", "0", "1", {"comparison"}),
        ("pages/jobs/kinds/comparison_protocol.py", "0.2", "0.3", {"comparison"}),
        ("treecore/errors.py", "class ", "class _", ALL),
    ],
)
def test_code_that_affects_a_result_changes_its_stamp(changed, name, old, new, kinds):
    assert changed(name, old, new) == kinds


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("treecore/training/tao.py", "\n", "  # a remark\n"),
        ("treecore/training/tao.py", "Tree Alternating", "Better said: Tree Alternating"),
        ("treecore/messages.py", "expected ", "it expected "),
        ("treecore/tree/target.py", "The tree misclassifies", "This tree misclassifies"),
        ("treecore/comparison/method_titles.py", "Nearest neighbours", "Nearest examples"),
        ("pages/jobs/settings.py", "repeated random splits", "each row tests once"),
        ("treecore/training/parameters.py", "Node solver", "Solver"),
        ("treecore/training/parameters.py", "LIBLINEAR (as in the papers)", "Liblinear"),
        ("treecore/tree/number_text.py", "e", "E"),
        ("treecore/node_solvers/__init__.py", "weighted sums", "Weighted sums"),
        ("pages/ui/explore/explorer.py", "a", "b"),
        ("sample_data/tables.py", "a", "b"),
        ("treecore/export/sql_query.py", "a", "b"),
        ("treecore/rules/rule_text.py", "a", "b"),
    ],
)
def test_words_and_what_others_use_leave_it(changed, name, old, new):
    assert changed(name, old, new) == set()


def test_nothing_that_draws_is_among_what_decides():
    names = code_stamp.deciding_modules(*(task.__module__ for task in TASKS.values()))
    assert not [name for name in names if name.startswith(("viz", "pages.ui", "treecore.export", "treecore.rules"))]
    assert "treecore.training.tao" in names


def test_code_left_out_of_the_stamp_exists():
    for name in (*code_stamp.NAMED_BY_VALUE, *code_stamp.FOR_PEOPLE):
        assert code_stamp.path_of(code_stamp.ROOT, name) is not None


def test_a_path_does_not_hang_on_baselines():
    assert not [name for name in code_stamp.deciding_modules(PATH) if "baselines" in name]
    assert "treecore.baselines.c50.growth" in code_stamp.deciding_modules(COMPARISON)


def test_stamps_are_kept_until_a_source_changes(tmp_path, monkeypatch):
    modules, kept = {"tree": TASKS["tree"].__module__}, tmp_path / "stamps.json"
    wanted = {"tree": code_stamp.code_stamp(modules["tree"])}
    assert code_stamp.code_stamps(modules, kept) == wanted
    known = job_files.read_json(kept)
    for damaged in ([], {"sources": known["sources"]}, known | {"stamps": ["tree"]}, known | {"stamps": {}}):
        job_files.write_json(kept, damaged)
        assert code_stamp.code_stamps(modules, kept) == wanted
    job_files.write_json(kept, known | {"sources": "of former times", "stamps": {"tree": "old"}})
    assert code_stamp.code_stamps(modules, kept) == wanted
    monkeypatch.setattr(code_stamp, "code_stamp", None)  # computing a stamp again would fail
    assert code_stamp.code_stamps(modules, kept) == wanted


def test_a_plan_names_the_module_of_its_task():
    assert {kind: plan.task for kind, plan in PLANS.items()} == {kind: task.__module__ for kind, task in TASKS.items()}
