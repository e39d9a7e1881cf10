"""Test Simplify tree: subtrees of the tree on the screen are regrown, and the result joins the path."""

from dataclasses import replace

from pages.jobs import settings
from pages.jobs.settings_text import PATH_TEXT
from pages.ui.session import data_sets
from pages.ui.shell.manager import manager
from tests.pages.conftest import wait_for_path
from tests.refusals import wording
from treecore.tree.metrics import error_of

SMALL = {"data_set": "breast-cancer", "split": "univariate", "init": "cart", "max_depth": "0", "n_lambdas": "4"}


def test_only_trees_with_true_losses_have_sweeps():
    asked = settings.bivariate(lam=1.0, refine=2)
    assert asked.sweeps == 2
    assert replace(asked, split="oblique").sweeps == replace(asked, leaf="linear").sweeps == 0
    assert "refine" not in PATH_TEXT.write(settings.PathSettings())
    assert PATH_TEXT.invalid_names({"refine": "99"}) == ["refine"]


def test_a_tree_is_made_smaller_and_follows_the_one_that_it_began_with(open_app):
    app = wait_for_path(open_app(**SMALL))
    assert app.button(key="smaller")
    chosen, data = PATH_TEXT.read(SMALL).path(), data_sets.load("breast-cancer")
    points = manager().points(manager().submit(chosen, data.fingerprint))
    before, first = points[1], 1 + max(int(point.tree.origin.max()) for point in points)
    app = wait_for_path(open_app(lam=repr(before.lam), refine=str(settings.SWEEPS), **SMALL))
    assert app.button(key="smaller-undo")
    captions = [one.value for one in app.caption if one.value.startswith(("At λ", "No subtree"))]
    wanted = settings.OneTree(chosen, before.lam, before.tree.to_json(), settings.SWEEPS, first)
    (found,) = manager().points(manager().submit(wanted, data.fingerprint))
    assert found.tree.n_leaves < before.tree.n_leaves
    assert f"{found.tree.n_leaves} leaves" in captions[0]

    def objective(point):
        train = data_sets.rows("breast-cancer", 0, "standard")[0]
        errors = error_of(point.tree, data.X[train], data.labels()[train]) * len(train)
        return errors + point.lam * point.figures["n_decision"]

    assert objective(found) < objective(before)
    new = set(found.tree.origin.tolist()) - set(before.tree.origin.tolist())
    assert min(new) >= first


def test_without_a_gain_no_tree_joins_the_path(open_app):
    stump = SMALL | {"split": "univariate", "data_set": "iris"}
    chosen, data = PATH_TEXT.read(stump).path(), data_sets.load("iris")
    wait_for_path(open_app(**stump))
    points = manager().points(manager().submit(chosen, data.fingerprint))
    before = points[-1]
    app = wait_for_path(open_app(lam=repr(before.lam), refine=str(settings.SWEEPS), **stump))
    assert any(wording("No smaller subtree found at λ =").match(one.value) for one in app.caption)
    assert len(points) == 4
    app.session_state["save-open"] = True
    assert "Path (4 trees)" in [group.label for group in app.run().expander]
