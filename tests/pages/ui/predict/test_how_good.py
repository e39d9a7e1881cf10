"""Test the metrics by class on the Predict page, and a threshold that applies to all predictions."""

import time

import numpy as np
import pytest
from sklearn import metrics

from pages.ui.session import data_sets, page_settings
from pages.ui.shell.manager import manager
from tests.pages.conftest import about_page, wait_for_jobs
from tests.refusals import wording
from treecore.tables.threshold import leaf_shares, with_threshold

FRAUD = {"data_set": "fraud", "split": "univariate", "init": "cart", "max_depth": "4", "n_lambdas": "4", "tree": "1"}


@pytest.fixture(scope="module", autouse=True)
def fraud(tmp_path_factory):
    """Provide a data set with 3 % fraud rows, some of which differ from the rest."""
    folder, rng = tmp_path_factory.mktemp("data"), np.random.default_rng(0)
    y = (rng.random(1500) < 0.03).astype(int)
    X = (rng.normal(size=(1500, 3)) + 1.6 * y[:, None]).round(3)
    np.savez(folder / "fraud.npz", X=X, y=y, class_names=["fine", "*fraud*"], feature_names=["a", "b", "c"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TREECORE_DATA", str(folder))
        data_sets.catalogue.clear()
        yield
    data_sets.catalogue.clear()


def path_points():
    data = data_sets.load("fraud")
    return manager().points(manager().submit(page_settings.EXPLORE.text.read(FRAUD).path(), data.fingerprint))


def opened(open_app, page="predict", **query):
    app, end = open_app(f"pages/{page}.py", **(FRAUD | query)), time.monotonic() + 90
    while not about_page(app) and not app.error and time.monotonic() < end:
        wait_for_jobs()
        app.run()
    assert not app.exception
    return app


def sentence(app):
    return next(m.value.replace("\u00a0", " ") for m in app.markdown if "flagged" in m.value)


def judged_rows(name="fraud"):
    data, rows = data_sets.load(name), data_sets.rows(name, 0)[2]
    return data.X[rows], data.labels()[rows]


def test_figures_and_a_threshold_are_carried_to_predictions_pages_and_files(open_app):
    app = opened(open_app, part="good")
    X, labels = judged_rows()
    tree, is_fraud = path_points()[1].tree, labels == "*fraud*"
    table = next(d.value for d in app.dataframe if "precision" in d.value.columns).set_index("class")
    wanted = metrics.precision_recall_fscore_support(is_fraud, tree.predict(X) == "*fraud*", average="binary")
    assert (table.loc["*fraud*", ["precision", "recall", "F1"]] / [100, 100, 1]).tolist() == pytest.approx(wanted[:3])
    area = metrics.roc_auc_score(is_fraud, tree.predict_proba(X)[:, 0])
    assert table.loc["*fraud*", "AUC"] == pytest.approx(area)

    app.toggle(key="threshold-own").set_value(True).run()
    shares = leaf_shares(tree, "*fraud*")
    app.select_slider(key="threshold-share").set_value(1).run()
    assert not app.exception
    assert app.query_params["flag"] == "*fraud*"
    assert float(app.query_params["share"]) == shares[1]
    cut = with_threshold(tree, "*fraud*", shares[1])
    flagged = cut.predict(X) == "*fraud*"
    assert 0 < flagged.sum() < len(X)
    precision = 100 * metrics.precision_score(is_fraud, flagged)
    assert f"**{flagged.sum()} of {len(X)} rows**" in sentence(app)
    assert f"precision {precision:.1f} %" in sentence(app)

    app.number_input(key="cost-alarm").set_value(1.0)
    app.number_input(key="cost-miss").set_value(40.0).run()
    cost = (flagged & ~is_fraud).sum() + 40 * (~flagged & is_fraud).sum()
    assert any(f"**{cost}** on these rows" in m.value for m in app.markdown)
    app.button(key="cost-take").click().run()
    every = [
        (with_threshold(tree, "*fraud*", share).predict(X) != labels) @ np.where(is_fraud, 40, 1) for share in shares
    ]
    assert any(f"**{min(every)}** on these rows" in m.value for m in app.markdown)
    assert float(app.query_params["share"]) == shares[int(np.argmin(every[::-1]) * -1 - 1)]

    app.select_slider(key="threshold-share").set_value(1).run()
    app.segmented_control(key="predict_part").set_value("rows").run()
    rows = next(d.value for d in app.dataframe if "prediction" in d.value.columns)
    assert rows["prediction"].tolist() == cut.predict(X).tolist()
    for page in ("rules", "explain"):
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception
        assert app.query_params["flag"] == "*fraud*"
    app.switch_page("pages/rules.py").run()
    assert "threshold" in about_page(app)
    app.switch_page("pages/explore.py").run()
    app.session_state["save-open"] = True
    assert any("do not use the threshold" in caption.value for caption in app.run().caption)
    app.switch_page("pages/predict.py").run()
    app.segmented_control[0].set_value("known").run()
    app.segmented_control(key="predict_part").set_value("good").run()
    app.toggle(key="threshold-own").set_value(False).run()
    assert "flag" not in app.query_params


def test_a_threshold_that_flags_no_row_is_reported(open_app):
    app = opened(open_app, part="good", flag="*fraud*", share="1.0")
    X, labels = judged_rows()
    is_pure = bool(leaf_shares(path_points()[1].tree, "*fraud*")[-1] == 1)
    if not is_pure:
        assert "**Nobody is flagged** as \\*fraud\\*" in next(m.value for m in app.markdown if "Nobody" in m.value)
        assert f"All {np.count_nonzero(labels == '*fraud*')} that are" in sentence(app)
    table = next(d.value for d in app.dataframe if "precision" in d.value.columns)
    assert np.isfinite(table["recall"]).all()
    app.number_input(key="cost-alarm").set_value(1e6).run()
    assert any("no row flagged" in m.value for m in app.markdown)
    assert app.button(key="cost-take").disabled == is_pure  # with a pure fraud leaf, each threshold flags rows


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"flag": "*fraud*", "share": "2"}, wording("Unsupported threshold '…' in this link")),
        ({"flag": "*fraud*"}, wording("Unsupported threshold '…' in this link")),
        ({"share": "0.2"}, wording("Unsupported threshold '…' in this link")),
        ({"flag": "<b>other</b>", "share": "0.2"}, wording("The tree has no class '\\<b\\>other\\</b\\>'")),
        ({"part": "nothing"}, wording("This link contains an unsupported section: 'nothing'")),
    ],
)
def test_links_to_impossible_thresholds_are_reported(open_app, query, said):
    app = opened(open_app, **query)
    assert any(said.search(warning.value) for warning in app.warning)
    assert "threshold" not in app.session_state
    assert not app.exception


def test_training_rows_are_reported_and_can_be_left_out(open_app):
    app = opened(open_app)
    data, (train, _, test) = data_sets.load("fraud"), data_sets.rows("fraud", 0)
    taken = np.concatenate([train[:40], test[:60]])
    lines = [",".join((*data.feature_names, "class"))]
    lines += [f"{','.join(map(repr, data.X[row].tolist()))},{data.labels()[row]}" for row in taken]
    app.segmented_control[0].set_value("paste").run()
    app.text_area[0].set_value("\n".join(lines)).run()
    assert not app.exception
    assert any(wording("40 of 100 rows equal a training row in every column").match(one.value) for one in app.warning)
    app.toggle(key="without-trained").set_value(True).run()
    assert next(one.value for one in app.metric if one.label == "Rows") == "60"
    wrong = path_points()[1].tree.predict(data.X[test[:60]]) != data.labels()[test[:60]]
    assert next(one.value for one in app.metric if one.label == "Error") == f"{100 * wrong.mean():.1f} %"
    app.text_area[0].set_value("\n".join(["a,b,c", "77,88,99"])).run()
    assert not any("training row" in warning.value for warning in app.warning)


def test_class_names_of_files_stay_words(open_app):
    app = opened(open_app, part="good", flag="*fraud*", share="0.3")
    assert app.select_slider(key="threshold-share").label.endswith(" \\*fraud\\*")
    assert all("*fraud*" not in m.value for m in [*app.markdown, *app.caption])
