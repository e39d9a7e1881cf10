import random

from pages.serving.sessions import Sessions
from tests.budget import budget


def test_sessions_are_closed_when_their_tabs_cannot_come_back():
    now, closed = [0.0], []
    sessions = Sessions(closed.append, 100.0, most=3, clock=lambda: now[0])
    for name in "abcde":
        sessions.enter(name)
    for name in "abc":
        sessions.leave(name)
    now[0] = 99.0
    sessions.sweep()
    assert closed == []
    sessions.enter("b")  # reconnects
    now[0] = 100.0
    sessions.sweep()
    assert closed == ["a", "c"]
    for name in "bde":
        sessions.leave(name)
    assert closed == ["a", "c"]
    sessions.enter("f")
    sessions.leave("f")  # a fourth session without a tab: Streamlit would soon forget the oldest one
    assert closed == ["a", "c", "b"]


def test_a_session_with_two_tabs_stays_until_both_have_gone():
    closed = []
    sessions = Sessions(closed.append, 0.0)
    sessions.enter("a")
    sessions.enter("a")  # the server has not noticed yet that the first one has gone
    sessions.leave("a")
    assert closed == []
    sessions.leave("a")
    assert closed == ["a"]


def test_no_session_is_forgotten_or_closed_below_its_tab():
    draw = random.Random(1)
    for _ in range(budget(50, 2000)):
        now, closed, tabs, seen = [0.0], [], [], set()
        sessions = Sessions(closed.append, draw.choice([0.0, 5.0, 50.0]), draw.randrange(1, 6), lambda now=now: now[0])
        for _ in range(100):
            now[0] += draw.random() * 3
            if tabs and draw.random() < 0.5:
                sessions.leave(tabs.pop(draw.randrange(len(tabs))))
            else:
                known = [name for name in seen if sessions.is_known(name)]
                tabs.append(draw.choice(known) if known and draw.random() < 0.4 else f"session {len(seen)}")
                seen.add(tabs[-1])
                sessions.enter(tabs[-1])
            assert not {*closed} & {*tabs}
        for tab in tabs:
            sessions.leave(tab)
        now[0] += 1000
        sessions.sweep()
        assert sorted(closed) == sorted(seen)
