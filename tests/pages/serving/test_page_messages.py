import asyncio

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.serving import page_messages
from pages.serving.places import Places
from pages.serving.seldom_log import SeldomLog
from pages.serving.sessions import Sessions
from tests.waiting import awaited

CONNECT = {"type": "websocket.connect"}
LEAVE = {"type": "websocket.disconnect", "code": 1000}
MORE = {"type": "websocket.send", "bytes": ForwardMsg(script_finished=0).SerializeToString()}


def rerun():
    """Return the frame with which a page asks for its first run."""
    message = BackMsg()
    message.rerun_script.query_string = "data_set=iris"
    return {"type": "websocket.receive", "bytes": message.SerializeToString()}


def begun(session):
    """Return the first message of a run, which names its session."""
    message = ForwardMsg()
    message.new_session.initialize.session_id = session
    return {"type": "websocket.send", "bytes": message.SerializeToString()}


def talk(frames, answers=(), sessions=None, offered=("streamlit", "token"), places=None):
    """Return (messages that the app receives, messages that the browser receives).

    The browser sends `frames` after it has connected, then nothing. The app accepts, sends `answers` after the first
    frame, and ends at a disconnect.
    """
    inside, outside = [], []
    frames = [CONNECT, *frames]

    async def receive():
        return frames.pop(0) if frames else await asyncio.Event().wait()

    async def send(message):
        outside.append(message)

    async def app(scope, receive, send):
        inside.append(await receive())
        await send({"type": "websocket.accept", "subprotocol": "streamlit"})
        while True:
            inside.append(await receive())
            if inside[-1]["type"] == "websocket.disconnect":
                return await send(MORE)
            for one in answers if len(inside) == 2 else ():
                await send(one)

    sessions = sessions or Sessions(lambda name: None, 100.0)
    scope = {"type": "websocket", "subprotocols": [*offered]}
    awaited(page_messages.connect(app, scope, receive, send, sessions, places or Places()))
    return inside, outside


@pytest.mark.parametrize(
    "frame", [{"bytes": b"\xff" * 50}, {"text": "{}"}, {"bytes": b""}, {"bytes": None, "text": ""}]
)
@pytest.mark.parametrize("before", [[], [rerun()]])
def test_garbage_ends_the_connection_with_one_line(before, frame, caplog, monkeypatch):
    monkeypatch.setattr(page_messages, "_log", SeldomLog("test"))
    inside, outside = talk([*before, {"type": "websocket.receive", **frame}])
    assert inside == ([CONNECT, *before, {"type": "websocket.disconnect", "code": 1002}] if before else [])
    assert outside == [
        {"type": "websocket.accept", "subprotocol": "streamlit"},
        {"type": "websocket.close", "code": 1002},
    ]
    (record,) = caplog.records
    assert record.exc_info is None
    assert "\n" not in record.getMessage()


def test_messages_of_the_page_pass():
    inside, outside = talk([rerun(), rerun(), LEAVE], [MORE])
    assert inside == [CONNECT, rerun(), rerun(), LEAVE]
    assert outside == [{"type": "websocket.accept", "subprotocol": "streamlit"}, MORE]


def test_a_websocket_without_a_message_is_closed_and_the_app_never_sees_it(monkeypatch, caplog):
    monkeypatch.setattr(page_messages, "_log", SeldomLog("test"))
    monkeypatch.setattr(page_messages, "SILENT", 0.05)
    places = Places()
    inside, outside = talk([], places=places)
    assert inside == []
    assert outside[1:] == [{"type": "websocket.close", "code": 1008}]
    assert talk([LEAVE], places=places)[0] == []
    assert places.n_waiting == 0
    assert len(caplog.records) == 1


def test_a_tab_that_reconnects_may_stay_silent(monkeypatch):
    monkeypatch.setattr(page_messages, "SILENT", 0.05)
    closed, now = [], [0.0]
    sessions = Sessions(closed.append, 100.0, clock=lambda: now[0])
    offered = ("streamlit", "token", "mine")
    assert talk([], sessions=sessions, offered=offered)[0] == []  # the server does not know this session
    assert talk([rerun(), LEAVE], [begun("mine")], sessions)[0] == [CONNECT, rerun(), LEAVE]
    now[0] = 90.0

    async def stays():
        inside = []

        async def app(scope, receive, send):
            inside.append(await receive())
            await send({"type": "websocket.accept"})
            inside.append(await receive())

        left = asyncio.Event()
        messages = [CONNECT]

        async def receive():
            if messages:
                return messages.pop()
            await left.wait()
            return LEAVE

        async def send(message):
            pass

        scope = {"type": "websocket", "subprotocols": [*offered]}
        task = asyncio.create_task(page_messages.connect(app, scope, receive, send, sessions, Places()))
        await asyncio.sleep(0.2)
        now[0] = 500.0
        sessions.sweep()
        assert (inside, closed) == ([CONNECT], [])
        left.set()
        await task

    awaited(stays())
    now[0] = 599.0
    sessions.sweep()
    assert closed == []
    now[0] = 601.0
    sessions.sweep()
    assert closed == ["mine"]


def test_a_tab_that_cannot_resume_its_session_uses_the_new_one():
    closed = []
    sessions = Sessions(closed.append, 0.0)
    sessions.enter("old")  # in another tab
    assert talk([rerun(), LEAVE], [begun("new"), begun("other")], sessions, ("streamlit", "token", "old"))
    assert closed == ["new"]
    assert sessions.is_known("old")
