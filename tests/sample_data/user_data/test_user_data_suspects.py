"""Test that columns that are known only with the target are asked about, and that honest features are not."""

import numpy as np
import pandas
import pytest

from sample_data.user_data import problems, propose, summarise
from sample_data.user_data.proposal import propose_kind, propose_values
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.table import Table
from tests.refusals import is_said

N, N_TABLES, MOST_FALSE = 200, 40, 0.03


def asked(frame, target):
    """Return the questions about columns that may contain the target."""
    table = Table(frame, "t", "CSV")
    summaries = summarise(table)
    values = propose_values(next(one for one in summaries if one.name == target))
    kinds = {one.name: propose_kind(one) for one in summaries}
    kinds[target] = "number" if values["numbers"] else "category"
    recipe = Recipe(target, kinds, **values)
    return [one for one in problems(table, summaries, recipe) if one.kind in ("leak", "suspect")]


def features(rng, n=N):
    return pandas.DataFrame({
        "a": rng.normal(size=n), "b": rng.integers(0, 30, n), "c": rng.choice(list("xyz"), n),
        "d": rng.lognormal(size=n).round(2),
    })  # fmt: skip


def one_hot(rng, frame):
    kind = rng.integers(0, 3, len(frame))
    return frame.assign(**{f"is_{k}": (kind == k) * 1 for k in range(2)}, kind=np.array(list("pqr"))[kind]), "kind"


def sum_of_three(rng, frame):
    parts = {f"part {k}": rng.integers(0, 90, len(frame)) for k in range(3)}
    return frame.assign(**parts, total=sum(parts.values()) + 0.5), "total"


def adjusted(rng, frame):
    weights = rng.normal(size=4)
    parts = rng.normal(size=(len(frame), 4))
    return frame.assign(**{f"p{k}": parts[:, k] for k in range(4)}, score=parts @ weights), "score"


def share(rng, frame):
    wins, losses = rng.integers(5, 60, (2, len(frame)))
    whole = rng.choice([1, 100])
    return frame.assign(
        wins=wins, losses=losses, rate=(whole * wins / (wins + losses)).round(4 - 2 * (whole > 1))
    ), "rate"


def share_and_other(rng, frame):
    frame, _ = share(rng, frame)
    return frame, "wins"


def part(rng, frame):
    total = rng.lognormal(3, 1, len(frame))
    return frame.assign(own=(total * rng.uniform(0.1, 1, len(frame))).round(2), total=total.round(2)), "total"


def later_round(rng, frame):
    early = rng.uniform(0, 1, len(frame))
    return frame.assign(
        second=early, final=early * rng.uniform(0, 1, len(frame)) * (rng.random(len(frame)) > 0.2)
    ), "final"


def other_outcome(rng, frame):
    y = rng.normal(size=len(frame))
    return frame.assign(twin=y + 0.2 * rng.normal(size=len(frame)), y=y), "y"


def follow_up(rng, frame):
    died = rng.random(len(frame)) < 0.4
    days = np.where(died, rng.integers(1, 2000, len(frame)), rng.integers(1900, 2100, len(frame)))
    return frame.assign(observed=days, died=np.where(died, "yes", "no")), "died"


def time_and_status(rng, frame):
    return frame.assign(futime=rng.integers(1, 900, len(frame)), status=rng.integers(0, 2, len(frame))), "status"


LEAKS = {
    one_hot: {"is_0", "is_1"}, sum_of_three: {"part 0", "part 1", "part 2"}, adjusted: {"p0", "p1", "p2", "p3"},
    share: {"wins", "losses"}, share_and_other: {"losses", "rate"}, part: {"own"},
    later_round: {"second"}, other_outcome: {"twin"}, follow_up: {"observed"}, time_and_status: {"futime"},
}  # fmt: skip


@pytest.mark.parametrize("make", LEAKS)
def test_each_way_to_contain_the_target_is_asked_about(make):
    rng = np.random.default_rng(7)
    for _ in range(5):
        frame, target = make(rng, features(rng))
        frame = frame[rng.permutation(frame.columns)]
        found = asked(frame, target)
        assert {name for one in found for name in one.columns} == LEAKS[make], [one.text for one in found]
        assert all(f"'{name}'" in " ".join(one.text for one in found) for name in LEAKS[make])
        assert all(set(LEAKS[make]).isdisjoint(one.fix[1].features()) for one in found if len(found) == 1)


@pytest.mark.parametrize("name", ["error", "delta_se", "sd", "delta upper"])
def test_the_error_of_a_number_is_asked_about(name):
    rng = np.random.default_rng(0)
    frame = features(rng).assign(delta=rng.normal(50, 9, N).round(2), **{name: rng.uniform(1, 2, N).round(2)})
    (question,) = asked(frame, "delta")
    assert question.columns == (name,)
    assert is_said(question.text, f"Column '{name}' may be the error or a limit of 'delta', known only with it")
    first = frame[[name, *frame.columns[:-1]]]
    assert len(asked(first, "delta")) == (" " in name or "_" in name)
    assert asked(frame.rename(columns={name: "b_se"}), "delta") == []


def honest(rng):
    frame = features(rng, int(rng.integers(40, 400)))
    signal = frame["a"] + 0.05 * frame["b"] + (frame["c"] == "x") + rng.normal(0, rng.uniform(0.5, 2), len(frame))
    if rng.random() < 0.5:
        return frame.assign(y=signal.round(3)), "y"
    return frame.assign(y=np.where(signal > signal.median(), "yes", "no")), "y"


def test_honest_features_are_not_asked_about():
    rng = np.random.default_rng(3)
    wrong = [found for _ in range(N_TABLES) if (found := asked(*honest(rng)))]
    assert len(wrong) <= MOST_FALSE * N_TABLES, wrong


def test_nothing_is_dropped_without_a_question():
    rng = np.random.default_rng(5)
    for make in LEAKS:
        frame, _ = make(rng, features(rng))
        table = Table(frame, "t", "CSV")
        recipe = propose(table, summarise(table))
        assert set(frame.columns) - {recipe.target} == set(recipe.features())


def test_columns_that_give_a_part_of_the_target_are_named():
    rng = np.random.default_rng(2)
    ads, sales, people = rng.uniform(20, 90, (3, N))
    frame = features(rng).assign(ads=ads, sales=sales, revenue=ads + sales, people=people)
    found = asked(frame.assign(per_head=frame["revenue"] / people), "per_head")
    assert {name for one in found for name in one.columns} == {"revenue", "people", "ads", "sales"}
    chain = next(one for one in found if "ads" in one.columns)
    assert is_said(chain.text, "Columns 'ads', 'sales' give 'revenue', which contains the target")


def test_columns_that_are_made_of_a_part_of_the_target_are_named():
    rng = np.random.default_rng(2)
    ads, sales, people, land = rng.uniform(20, 90, (4, N))
    revenue = ads + sales
    frame = features(rng).assign(revenue=revenue, people=people, per_head=revenue / people, land=land)
    found = asked(frame.assign(per_land=revenue / land), "per_land")
    assert {name for one in found for name in one.columns} == {"revenue", "land", "people", "per_head"}


def test_a_status_belongs_to_the_time_of_its_name():
    rng = np.random.default_rng(0)
    frame = features(rng).assign(rel=rng.exponential(300, N).round(1), relstat=rng.integers(0, 2, N))
    assert [one.columns for one in asked(frame, "relstat")] == [("rel",)]
    assert [one.columns for one in asked(frame, "rel")] == [("relstat",)]
    assert asked(frame.rename(columns={"rel": "size", "relstat": "late"}), "late") == []


def test_a_status_may_have_several_causes():
    rng = np.random.default_rng(0)
    frame = features(rng).assign(futime=rng.exponential(300, N).round(1), event=rng.choice(list("pqrst"), N))
    assert [one.columns for one in asked(frame, "event")] == [("futime",)]
